"""Clauses as a .docx in the layout of telecom specifications: literal clause numbers and named styles.

Number TAB title in Heading 1 to 5 and H6; annexes in Heading 8; captions in TH above tables whose cells are TAH, TAL,
TAC and TAN; references in EX, abbreviations in EW, lists in B1 and code in PL.
"""

import io
import zipfile
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

import docx
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.shared import Cm, Pt

from benchwright.builders.telequad.own.outline import Grid, Line, Section, walk

_DEEPEST = 5
"""Levels of numbers that have a heading of Word; a deeper clause is in H6."""
_EPOCH = (1980, 1, 1, 0, 0, 0)

# style: points, bold, centred, indentation in centimetres, hanging
_STYLES: dict[str, tuple[float, bool, bool, float, float]] = {
    "ZT": (20, True, True, 0, 0),
    "TT": (16, False, False, 0, 0),
    "H6": (10, False, False, 0, 0),
    "TH": (10, True, True, 0, 0),
    "TAH": (9, True, True, 0, 0),
    "TAL": (9, False, False, 0, 0),
    "TAC": (9, False, True, 0, 0),
    "TAN": (9, False, False, 1.5, 1.5),
    "EX": (10, False, False, 3, 2.5),
    "EW": (10, False, False, 3, 2.5),
    "B1": (10, False, False, 1, 0.5),
    "PL": (8, False, False, 0, 0),
}


def document_bytes(front: Iterable[str], sections: Iterable[Section], date: str, title: str) -> bytes:
    """The .docx of numbered sections after a front page: the same bytes each time for the same library."""
    sections = tuple(sections)
    document = docx.Document()
    _styles(document)
    add = _adder(document)
    for line in front:
        add(line, "ZT")
    document.add_page_break()
    add("Contents", "TT")
    for section in walk(sections):
        level = section.number.count(".") + 1
        if level < 3:
            add(_heading(section).replace("\n", " "), f"toc {level}")
    document.add_page_break()
    for section in sections:
        _write(document, section, add)
    properties = document.core_properties
    properties.title, properties.author = title, "Lantern Coast Standards Council"
    properties.created = properties.modified = datetime.fromisoformat(date)
    return _without_times(document)


def _styles(document: Any) -> None:
    document.styles["Normal"].font.name = "Times New Roman"
    document.styles["Normal"].font.size = Pt(10)
    document.styles["Normal"].paragraph_format.space_after = Pt(9)
    for level in (1, 2):
        toc = document.styles.add_style(f"toc {level}", WD_STYLE_TYPE.PARAGRAPH)
        toc.base_style = document.styles["Normal"]
        toc.paragraph_format.space_after = Pt(0)
        toc.paragraph_format.left_indent = Cm(level - 1)
    for name, (points, bold, centred, indent, hanging) in _STYLES.items():
        style = document.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
        style.base_style = document.styles["Normal"]
        style.font.size = Pt(points)
        style.font.bold = bold
        style.paragraph_format.left_indent = Cm(indent)
        style.paragraph_format.first_line_indent = Cm(-hanging)
        if centred:
            style.paragraph_format.alignment = WD_ALIGN_PARAGRAPH.CENTER
        if name in ("TAH", "TAL", "TAC", "TAN", "EW", "PL"):
            style.paragraph_format.space_after = Pt(0)
    document.styles["PL"].font.name = "Courier New"


def _adder(document: Any) -> Callable[[str, str], Any]:
    """Adds a paragraph with the style of a name, whose id python-docx would look for among all styles each time."""
    default = document.styles.default(WD_STYLE_TYPE.PARAGRAPH)
    ids = {style.name: None if style == default else style.style_id for style in document.styles}

    def add(text: str, style: str) -> Any:
        return _styled(document.add_paragraph(text), ids[style])

    return add


def _styled(paragraph: Any, style: str | None) -> Any:
    paragraph._p.style = style
    return paragraph


def _heading(section: Section) -> str:
    if section.annex:
        return f"Annex {section.number} ({section.annex}):\n{section.title}"
    return f"{section.number}\t{section.title}" if section.number else section.title


def _write(document: Any, section: Section, add: Callable[[str, str], Any]) -> None:
    level = section.number.count(".") + 1
    if section.annex:
        style = "Heading 8"
    elif section.number[:1].isalpha():
        style = f"Heading {level - 1}"
    else:
        style = f"Heading {level}" if level <= _DEEPEST else "H6"
    add(_heading(section), style)
    tables = 0
    for part in section.parts:
        if isinstance(part, Line):
            _paragraph(part, add)
        else:
            tables += 1
            add(f"Table {section.number}-{tables}: {part.caption}", "TH")
            _table(document, part)
            document.add_paragraph("")
    for child in section.children:
        _write(document, child, add)


def _paragraph(line: Line, add: Callable[[str, str], Any]) -> None:
    """A paragraph; a defined term before its colon is bold."""
    paragraph = add("", "Normal" if line.style == "Term" else line.style)
    term, colon, rest = line.text.partition(": ")
    if line.style == "Term" and colon:
        paragraph.add_run(term).bold = True
        paragraph.add_run(colon + rest)
    else:
        paragraph.add_run(line.text)


def _table(document: Any, grid: Grid) -> None:
    """The table: each cell merged with those that its row (None) and the rows below it (`^`) give to it."""
    columns = len(grid.rows[0])
    table = document.add_table(rows=len(grid.rows) + len(grid.notes), cols=columns)
    table.style = document.styles["Table Grid"]
    styles = {name: document.styles[name].style_id for name in ("TAH", "TAC", "TAL", "TAN")}
    cells = [list(row.cells) for row in table.rows]
    for place, row in enumerate(grid.rows):
        for column, text in enumerate(row):
            if text is None or text == "^":
                continue
            right, below = column, place
            while right + 1 < columns and row[right + 1] is None:
                right += 1
            while below + 1 < len(grid.rows) and grid.rows[below + 1][column] == "^":
                below += 1
            style = "TAH" if place < grid.heads else "TAC" if text.isdigit() else "TAL"
            _styled(cells[place][column].paragraphs[0], styles[style]).add_run(text)
            if (right, below) != (column, place):
                cells[place][column].merge(cells[below][right])
    for place, note in enumerate(grid.notes, len(grid.rows)):
        _styled(cells[place][0].paragraphs[0], styles["TAN"]).add_run(note)
        cells[place][0].merge(cells[place][-1])


def _without_times(document: Any) -> bytes:
    """The file with each part dated alike: python-docx dates them now."""
    written, given = io.BytesIO(), io.BytesIO()
    document.save(written)
    with zipfile.ZipFile(written) as source, zipfile.ZipFile(given, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(zipfile.ZipInfo(name, _EPOCH), source.read(name), zipfile.ZIP_DEFLATED)
    return given.getvalue()
