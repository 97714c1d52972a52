"""Numbers that Word makes by itself are read as a reader sees them, by the rules of ECMA-376, part 1, 17.9."""

from pathlib import Path

import docx
import pytest
from docx.document import Document as WordDocument
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from lxml import etree

from benchwright.builders.documents.docx_numbers import read_numbers
from benchwright.builders.documents.folder import read_document
from benchwright.builders.documents.tree import Document, Paragraph, Table

Level = tuple[str, str, str]
"""The form, the text and other elements of a level."""

HEADINGS: list[Level] = [
    ("decimal", "%1", '<w:pStyle w:val="Heading1"/>'),
    ("decimal", "%1.%2", '<w:pStyle w:val="Heading2"/>'),
    ("decimal", "%1.%2.%3", '<w:pStyle w:val="Heading3"/><w:suff w:val="space"/>'),
]
ANNEXES: list[Level] = [("upperLetter", "Annex %1", ""), ("decimal", "%1.%2", "")]
STEPS: list[Level] = [("decimal", "%1.", ""), ("lowerLetter", "%2)", ""), ("lowerRoman", "(%3)", "")]
CHAPTERS: list[Level] = [
    ("upperRoman", "Chapter %1 –", ""),
    ("decimal", "%1.%2", "<w:isLgl/>"),
    ("decimalZero", "No. %3", '<w:lvlRestart w:val="0"/>'),
]
BULLETS: list[Level] = [("bullet", "·", "")]


def add_list(document: WordDocument, number: int, levels: list[Level], override: str = "", of: int = 0) -> None:
    """Adds a list to a document; `of` names another whose levels it has."""
    root = document.part.numbering_part.element
    made = "".join(
        f'<w:lvl w:ilvl="{place}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>{more}<w:lvlText w:val="{text}"/></w:lvl>'
        for place, (form, text, more) in enumerate(levels)
    )
    if not of:
        root.insert(0, parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="{number}">{made}</w:abstractNum>'))
    linked = f'<w:abstractNumId w:val="{of or number}"/>{override}'
    root.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="{number}">{linked}</w:num>'))


def say(document: WordDocument, text: str, style: str, number: int | None = None, level: int = 0) -> None:
    """Adds a paragraph that is numbered so."""
    paragraph = document.add_paragraph(text, style=style)
    if number is not None:
        said = f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
        paragraph._p.get_or_add_pPr().append(parse_xml(said))


def write(path: Path) -> None:
    """A document whose clauses, annexes, steps and rows Word numbers."""
    document = docx.Document()
    for number, levels in ((101, HEADINGS), (102, ANNEXES), (103, STEPS), (105, CHAPTERS), (106, BULLETS)):
        add_list(document, number, levels)
    add_list(document, 104, [], '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="4"/></w:lvlOverride>', 103)
    for style in ("Heading 1", "Heading 2", "Heading 3"):
        properties = document.styles[style].element.find(qn("w:pPr"))
        assert properties is not None
        at = '<w:ilvl w:val="1"/>' if style == "Heading 2" else ""
        properties.append(parse_xml(f'<w:numPr {nsdecls("w")}>{at}<w:numId w:val="101"/></w:numPr>'))
    say(document, "Foreword", "Heading 1", 0)
    say(document, "Scope", "Heading 1")
    say(document, "Terms", "Heading 1")
    say(document, "Lamps", "Heading 2")
    say(document, "Red lamps", "Heading 3")
    say(document, "Beacons", "Heading 2")
    say(document, "first", "List Number", 103)
    say(document, "part", "List Number", 103, 1)
    say(document, "parts", "List Number", 103, 1)
    say(document, "deep", "List Number", 103, 2)
    say(document, "", "List Number", 103)
    properties = document.paragraphs[-1]._p.get_or_add_pPr()
    properties.append(parse_xml(f"<w:rPr {nsdecls('w')}><w:del/></w:rPr>"))
    say(document, "second", "List Number", 103)
    say(document, "again", "List Number", 103, 1)
    say(document, "fourth", "List Number", 104)
    say(document, "dot", "List Number", 106)
    table = document.add_table(2, 2)
    for row in (0, 1):
        said = f'<w:numPr {nsdecls("w")}><w:ilvl w:val="0"/><w:numId w:val="104"/></w:numPr>'
        table.cell(row, 0).paragraphs[0]._p.get_or_add_pPr().append(parse_xml(said))
        table.cell(row, 1).text = f"row {row}"
    say(document, "Forms", "Heading 6", 102)
    say(document, "Form one", "Heading 2", 102, 1)
    say(document, "Rules", "Heading 1", 105)
    say(document, "Rule", "Heading 2", 105, 1)
    say(document, "counted", "List Number", 105, 2)
    say(document, "Other rules", "Heading 1", 105)
    say(document, "counted on", "List Number", 105, 2)
    document.save(str(path))


def test_headings_lists_and_cells(tmp_path: Path) -> None:
    write(tmp_path / "a.docx")
    document = read_document(tmp_path / "a.docx", "a.docx")
    assert isinstance(document, Document)
    assert [(clause.number, clause.title, clause.level) for clause in document.walk()] == [
        ("", "Foreword", 1),
        ("1", "Scope", 1),
        ("2", "Terms", 1),
        ("2.1", "Lamps", 2),
        ("2.1.1", "Red lamps", 3),
        ("2.2", "Beacons", 2),
        ("A", "Forms", 1),
        ("A.1", "Form one", 2),
        ("I", "Rules", 1),
        ("1.1", "Rule", 2),
        ("II", "Other rules", 1),
    ]
    headings = {clause.title: clause.heading for clause in document.walk()}
    assert (headings["Red lamps"], headings["Forms"]) == ("2.1.1 Red lamps", "Annex A Forms")
    assert headings["Rules"] == "Chapter I – Rules"
    said = [part.text for clause in document.walk() for part in clause.parts if isinstance(part, Paragraph)]
    assert said == [
        *("1.\tfirst", "a)\tpart", "b)\tparts", "(i)\tdeep", "2.\tsecond", "a)\tagain", "4.\tfourth", "dot"),
        *("No. 01\tcounted", "No. 02\tcounted on"),
    ]
    (table,) = [part for clause in document.walk() for part in clause.parts if isinstance(part, Table)]
    assert [[cell.text for cell in row] for row in table.rows] == [["5.", "row 0"], ["6.", "row 1"]]
    assert document.unread == ("bullets that Word makes by itself: 1",)


@pytest.mark.parametrize(
    ("form", "numbers"),
    [
        ("decimal", {1: "1", 30: "30"}),
        ("decimalZero", {9: "09", 10: "10"}),
        ("lowerLetter", {26: "z", 27: "aa", 53: "aaa"}),
        ("upperRoman", {4: "IV", 49: "XLIX", 90: "XC"}),
        ("none", {2: ""}),
        ("chicago", {2: ""}),
    ],
)
def test_forms(form: str, numbers: dict[int, str]) -> None:
    level = f'<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="%1"/></w:lvl>'
    made = f'<w:abstractNum w:abstractNumId="1">{level}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
    counted = read_numbers(etree.fromstring(f"<w:numbering {nsdecls('w')}>{made}</w:numbering>"), None)
    paragraph = etree.fromstring(f'<w:p {nsdecls("w")}><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:p>')
    found = {place: counted.marker(paragraph, "") for place in range(1, max(numbers) + 1)}
    assert {place: found[place].text.strip() for place in numbers} == numbers
    assert (found[1].unread != "") == (form == "chicago")
