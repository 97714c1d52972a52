"""Documents that were written by code are read back: clauses, tables, notes, code, and the characters of each part."""

from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from docx.document import Document as WordDocument
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from benchwright.builders.documents.folder import read_document
from benchwright.builders.documents.sections import section, sections
from benchwright.builders.documents.tree import Clause, Code, Document, Paragraph, Table


def word(path: Path, write: Callable[..., None]) -> Document:
    """What is read of a Word document that is written so."""
    document = docx.Document()
    for style in ("H6", "TH", "TAH", "TAN", "NO", "EX", "EW", "B1", "PL"):
        document.styles.add_style(style, 1)
    write(document)
    document.save(str(path))
    found = read_document(path, path.name)
    assert isinstance(found, Document), found
    check_offsets(found)
    return found


def check_offsets(document: Document) -> None:
    """Each part and cell stands where its section says."""
    for each in sections(document):
        for placed in each.placed:
            if isinstance(placed.part, Table):
                for row, spans in zip(placed.part.rows, placed.cells, strict=True):
                    assert [each.text[span.start : span.end] for span in spans] == [cell.text for cell in row]
                assert [each.text[span.start : span.end] for span in placed.notes] == list(placed.part.notes)
            else:
                assert each.text[placed.span.start : placed.span.end] == placed.part.text


def numbered(document: Document) -> dict[str, Clause]:
    return {clause.number: clause for clause in document.walk()}


def write_specification(document: WordDocument) -> None:
    document.add_heading("3\tDefinitions and abbreviations", 1)
    document.add_heading("3.1\tDefinitions", 2)
    document.add_paragraph("harbour beacon: a light that a ferry answers.")
    document.add_heading("3.2\tAbbreviations", 2)
    document.add_paragraph("FSB\tFerry Signal Beacon", style="EW")
    document.add_paragraph("5.1.2.3.4.1\tDeep", style="H6")
    document.add_paragraph("NOTE:\tOnly by night.", style="NO")
    document.add_paragraph("-\tfirst;", style="B1")
    for line in ("-- ASN1START", "Beacon ::= SEQUENCE {", "    id   INTEGER (0..7)", "}", "-- ASN1STOP"):
        document.add_paragraph(line, style="PL")
    document.add_heading("Annex A (normative):\nForms", 8)
    document.add_heading("A.1\tTables", 1)
    document.add_paragraph("Table A.1-1: Lamps", style="TH")
    table = document.add_table(4, 3)
    for place, text in enumerate(("Lamp", "Colour", "Range")):
        table.cell(0, place).paragraphs[0].style = "TAH"
        table.cell(0, place).paragraphs[0].add_run(text)
    table.cell(1, 0).merge(table.cell(2, 0)).text = "L1"
    table.cell(1, 1).merge(table.cell(1, 2)).text = "red"
    table.cell(2, 2).text = "5 km"
    note = table.cell(3, 0).merge(table.cell(3, 2))
    note.paragraphs[0].style = "TAN"
    note.paragraphs[0].add_run("NOTE 1: In fog.")


def test_a_specification(tmp_path: Path) -> None:
    clauses = numbered(word(tmp_path / "a.docx", write_specification))
    assert {number: (clause.title, clause.level) for number, clause in clauses.items()} == {
        "3": ("Definitions and abbreviations", 1),
        "3.1": ("Definitions", 2),
        "3.2": ("Abbreviations", 2),
        "5.1.2.3.4.1": ("Deep", 6),
        "A": ("Forms", 1),
        "A.1": ("Tables", 2),
    }
    assert clauses["3.1"].parts == (
        Paragraph("harbour beacon: a light that a ferry answers.", "definition", "paragraph 3"),
    )
    assert clauses["3.2"].parts == (Paragraph("FSB\tFerry Signal Beacon", "abbreviation", "paragraph 5"),)
    note, item, code = clauses["5.1.2.3.4.1"].parts
    assert isinstance(note, Paragraph) and isinstance(item, Paragraph)
    assert (note.kind, item.kind) == ("note", "list")
    assert code == Code("-- ASN1START\nBeacon ::= SEQUENCE {\n    id   INTEGER (0..7)\n}\n-- ASN1STOP", "paragraph 9")
    assert clauses["A"].heading == "Annex A (normative): Forms"
    (table,) = clauses["A.1"].parts
    assert isinstance(table, Table)
    assert (table.caption, table.notes, table.header_rows) == ("Table A.1-1: Lamps", ("NOTE 1: In fog.",), 1)
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["Lamp", "Colour", "Range"],
        ["L1", "red", "red"],
        ["L1", "", "5 km"],
    ]
    assert [cell.repeated for cell in table.rows[2]] == [True, False, False]
    assert section("a", clauses["A.1"]).text == (
        "A.1 Tables\n\nTable A.1-1: Lamps\nLamp | Colour | Range\nL1 | red | red\nL1 |  | 5 km\nNOTE 1: In fog."
    )


def test_text_that_word_keeps_apart(tmp_path: Path) -> None:
    def write(document: WordDocument) -> None:
        body = document.element[0]
        for inner in (
            "<w:ins><w:r><w:t>inserted</w:t></w:r></w:ins><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>",
            "<w:smartTag><w:r><w:t>tagged</w:t></w:r></w:smartTag>",
            "<w:sdt><w:sdtContent><w:r><w:t>controlled</w:t></w:r></w:sdtContent></w:sdt>",
        ):
            body.insert(0, parse_xml(f"<w:p {nsdecls('w')}>{inner}</w:p>"))
        whole = "<w:sdtContent><w:p><w:r><w:t>block</w:t></w:r></w:p></w:sdtContent>"
        body.insert(0, parse_xml(f"<w:sdt {nsdecls('w')}>{whole}</w:sdt>"))

    document = word(tmp_path / "b.docx", write)
    (clause,) = document.clauses
    assert [part.text for part in clause.parts if isinstance(part, Paragraph)] == [
        "block", "controlled", "tagged", "inserted",
    ]  # fmt: skip
    assert document.unread == ("tracked deletions: 1",)
    assert (clause.level, clause.heading) == (0, "")


def test_tables_inside_tables_and_long_ones(tmp_path: Path) -> None:
    def write(document: WordDocument) -> None:
        table = document.add_table(2, 2)
        inner = table.cell(1, 1).add_table(1, 2)
        inner.cell(0, 0).text, inner.cell(0, 1).text = "x", "y"
        row = "<w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr>"
        document.element[0].insert(0, parse_xml(f"<w:tbl {nsdecls('w')}>{row * 10_000}</w:tbl>"))

    document = word(tmp_path / "c.docx", write)
    long, outer = document.clauses[0].parts
    assert isinstance(long, Table) and isinstance(outer, Table)
    assert len(long.rows) == 10_000
    assert outer.rows[1][1].text == "x | y"
    assert document.unread == ("tables inside tables, of which the text is in the cell: 1",)


HTML = """<title>Lamps</title><p>Before<h1>1 Scope</h1><p>All <b>lamps</b>.</p><pre>a  b
  c</pre><h2>1.1 Colours</h2><table><caption>T</caption><tr><th>L<th>C<tr><td rowspan=2>1<td>red<tr><td>blue</table>"""
MARKDOWN = "# 1 Scope\n\nAll *lamps*.\n\n```\na  b\n  c\n```\n\n## 1.1 Colours\n\n| L | C |\n|---|---|\n| 1 | red |\n"
RFC = """RFC 9999                         Lamps                     May 2020


1.  Scope

   All lamps of a harbour are
   seen by


Miller                       Informational                      [Page 1]
\f
RFC 9999                         Lamps                     May 2020


   ferries.

     a ::= INTEGER
       b

1.1.  Colours

   Red.
"""


@pytest.mark.parametrize(
    ("name", "text", "parts"),
    [
        ("a.html", HTML, {"": ["Before"], "1": ["All lamps.", "a  b\n  c"], "1.1": [[["L", "C"], ["1", "red"], ["1", "blue"]]]}),
        ("a.md", MARKDOWN, {"1": ["All lamps.", "a  b\n  c"], "1.1": [[["L", "C"], ["1", "red"]]]}),
        ("a.txt", RFC, {"1": ["All lamps of a harbour are seen by ferries.", "a ::= INTEGER\n  b"], "1.1": ["Red."]}),
    ],
)  # fmt: skip
def test_other_formats(tmp_path: Path, name: str, text: str, parts: dict[str, list[object]]) -> None:
    (tmp_path / name).write_text(text)
    document = read_document(tmp_path / name, name)
    assert isinstance(document, Document)
    check_offsets(document)
    found = {
        clause.number: [
            [[cell.text for cell in row] for row in part.rows] if isinstance(part, Table) else part.text
            for part in clause.parts
        ]
        for clause in document.walk()
    }
    assert found == parts
