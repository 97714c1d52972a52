"""The fictional specifications: whole, regular, the same each time."""

import re
from pathlib import Path

import docx
import pytest

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.telequad.own.data import NAMES, read_specification
from benchwright.builders.telequad.own.layout import document_bytes
from benchwright.builders.telequad.own.limits import requirements
from benchwright.builders.telequad.own.outline import Grid, Section, normal, numbered, walk
from benchwright.builders.telequad.own.write import specification_sections


@pytest.mark.parametrize(
    ("name", "clauses", "tables", "deepest"),
    [("radio", 130, 32, 6), ("metering", 136, 33, 6), ("ferry", 139, 35, 6)],
)
def test_a_specification_has_its_clauses_and_tables(name: str, clauses: int, tables: int, deepest: int) -> None:
    sections = list(walk(specification_sections(read_specification(name))))
    assert len(sections) == clauses
    assert sum(isinstance(part, Grid) for section in sections for part in section.parts) == tables
    assert max(section.number.count(".") + 1 for section in sections) == deepest


@pytest.mark.parametrize("name", NAMES)
def test_each_clause_that_is_referred_to_exists(name: str) -> None:
    sections = list(walk(specification_sections(read_specification(name))))
    numbers = {section.number for section in sections}
    texts = [part.text for section in sections for part in section.parts if not isinstance(part, Grid)]
    named = {found for text in texts for found in re.findall(r"clauses? (\d[\d.]*\d|\d)", text)}
    assert len(named) > 20
    assert named <= numbers
    assert not [text for text in texts if "{@" in text]


def test_a_reference_to_no_clause_is_an_error() -> None:
    with pytest.raises(BenchwrightError, match=r"Clause 1 refers to 'nowhere', which no clause is called\."):
        numbered((Section("Scope", "scope", normal("See clause {@nowhere}.")),))


def test_what_is_written_is_the_layout_of_telecom_specifications(tmp_path: Path) -> None:
    given = (*numbered((requirements(read_specification("ferry")),)),)
    written = document_bytes(("LCS 47.015",), given, "2031-03-14", "Ferries")
    assert written == document_bytes(("LCS 47.015",), given, "2031-03-14", "Ferries")
    path = tmp_path / "ferry.docx"
    path.write_bytes(written)
    document = docx.Document(str(path))
    styles = {paragraph.text: paragraph.style.name for paragraph in document.paragraphs if paragraph.style}
    assert styles["1\tPerformance requirements"] == "Heading 1"
    assert styles["1.2.3.1.1\tEquipment under test"] == "Heading 5"
    assert styles["1.2.3.1.1.1\tConnection"] == "H6"
    assert styles["Table 1.2.2-1: Limits of the lock response time"] == "TH"
    rows = [[cell.text for cell in row.cells] for row in document.tables[0].rows]
    assert rows[0] == ["Class", "Condition", "Maximum lock response time (ms)"]
    assert [row[0] for row in rows[1:]] == ["Q1"] * 3 + ["Q2"] * 3 + ["Q3"] * 3
    limits = [int(row[2]) for row in rows[1:]]
    assert limits == sorted(set(limits))
