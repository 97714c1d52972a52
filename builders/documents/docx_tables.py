"""Tables of a .docx: rows of one length, merged cells repeated, notes apart from rows."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from lxml import etree

from benchwright.builders.documents.docx_styles import Style, W
from benchwright.builders.documents.docx_text import Said, Tally, blocks, rows_of
from benchwright.builders.documents.sections import BETWEEN_CELLS
from benchwright.builders.documents.tree import Cell

WIDEST = 63
"""Columns that Word's tables may have: a larger span is a mistake in the file."""


class Paragraphs(Protocol):
    """Who reads paragraphs."""

    tally: Tally

    def style(self, paragraph: etree._Element) -> Style:
        """What the style says."""
        ...

    def said(self, paragraph: etree._Element) -> Said:
        """What it says, with the number that Word makes."""
        ...

    def apart(self) -> AbstractContextManager[None]:
        """Within it numbers are counted by themselves."""
        ...


@dataclass(frozen=True, slots=True)
class ReadTable:
    """Rows, notes under them, and the footnotes that cells refer to."""

    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...]
    footnotes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Read:
    text: str
    header: bool
    note: bool


def frame_of(table: etree._Element) -> etree._Element | None:
    """The one cell of a table that is a frame around text."""
    rows = list(rows_of(table, f"{W}tr", Tally()))
    cells = list(rows_of(rows[0], f"{W}tc", Tally())) if len(rows) == 1 else []
    return cells[0] if len(cells) == 1 else None


def read_table(table: etree._Element, paragraphs: Paragraphs) -> ReadTable:
    """Reads a table. A row that is one cell of notes is notes."""
    rows: list[list[Cell]] = []
    notes: list[str] = []
    footnotes: list[tuple[str, str]] = []
    look = table.find(f"{W}tblPr/{W}tblLook")
    first_is_header = look is not None and _first_row(look)
    marked = table.find(f"{W}tr/{W}trPr/{W}tblHeader") is not None
    for row in rows_of(table, f"{W}tr", paragraphs.tally):
        is_header = row.find(f"{W}trPr/{W}tblHeader") is not None
        cells: list[Cell] = [Cell("")] * _number(row.find(f"{W}trPr/{W}gridBefore"), 0)
        elements = list(rows_of(row, f"{W}tc", paragraphs.tally))
        only_notes = len(elements) == 1
        for element in elements:
            span = _number(element.find(f"{W}tcPr/{W}gridSpan"), 1)
            merged = element.find(f"{W}tcPr/{W}vMerge")
            above = rows[-1][len(cells)] if rows and len(cells) < len(rows[-1]) else None
            if merged is not None and merged.get(f"{W}val", "continue") == "continue" and above is not None:
                cells += [Cell(above.text, above.header, True)] * span
                only_notes = False
                continue
            read = _cell(element, paragraphs, footnotes)
            only_notes = only_notes and read.note
            header = is_header or read.header or (first_is_header and not marked and not rows)
            cells.append(Cell(read.text, header))
            cells += [Cell(read.text, header, True)] * (span - 1)
        if only_notes:
            notes += [line for line in cells[0].text.split("\n") if line.strip()]
        elif cells:
            rows.append(cells)
    width = max(map(len, rows), default=0)
    full = tuple(tuple(row + [Cell("")] * (width - len(row))) for row in rows)
    return ReadTable(full, tuple(notes), tuple(footnotes))


def row_texts(rows: tuple[tuple[Cell, ...], ...]) -> Iterator[str]:
    """Each row as a line."""
    return (BETWEEN_CELLS.join(cell.text for cell in row) for row in rows)


def _cell(element: etree._Element, paragraphs: Paragraphs, footnotes: list[tuple[str, str]]) -> _Read:
    texts: list[str] = []
    roles = []
    for block in blocks(element, paragraphs.tally):
        if block.tag == f"{W}tbl":
            paragraphs.tally.left_out["tables inside tables, of which the text is in the cell"] += 1
            inner = read_table(block, paragraphs)
            texts += [*row_texts(inner.rows), *inner.notes]
            footnotes += inner.footnotes
            continue
        said = paragraphs.said(block)
        footnotes += said.notes
        if text := said.whole:
            texts.append(text)
            roles.append(paragraphs.style(block).role)
        for box in said.boxes:
            with paragraphs.apart():
                boxed = _cell(box, paragraphs, footnotes)
            texts += [boxed.text] if boxed.text else []
    text = "\n".join(texts)
    header = bool(roles) and all(role == "cell header" for role in roles)
    note = bool(roles) and (all(role in ("cell note", "note") for role in roles) or text.startswith("NOTE"))
    return _Read(text, header, note)


def _number(element: etree._Element | None, usual: int) -> int:
    value = element.get(f"{W}val", "") if element is not None else ""
    return min(int(value), WIDEST) if value.isdecimal() and int(value) else usual


def _first_row(look: etree._Element) -> bool:
    said = look.get(f"{W}firstRow")
    if said is not None:
        return said in ("1", "true")
    try:
        return bool(int(look.get(f"{W}val", "0"), 16) & 0x0020)
    except ValueError:
        return False
