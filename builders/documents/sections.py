"""The text that a clause becomes, and where in it each part and each cell stands: the same for the same clause.

The heading comes first, then the parts in order with an empty line between them. A table is its caption, a line a row
with ` | ` between cells, and its notes. Texts of parts stand in it as they are: `text[start:end]` gives them back.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.builders.documents.tree import Clause, Document, Part, Table

BETWEEN_PARTS = "\n\n"
BETWEEN_CELLS = " | "


@dataclass(frozen=True, slots=True)
class Span:
    """Characters from `start` up to, not with, `end`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A part of a clause and its characters in the section's text."""

    part: Part
    span: Span
    cells: tuple[tuple[Span, ...], ...] = ()
    """Of a table: each cell's characters, as its rows are."""
    notes: tuple[Span, ...] = ()
    """Of a table: each note's characters."""
    caption: Span | None = None
    """Of a table with a caption: its characters."""


@dataclass(frozen=True, slots=True)
class Section:
    """The text of one clause, without the clauses in it."""

    document: str
    clause: Clause
    path: tuple[str, ...]
    """Headings of the clauses around it, outermost first."""
    text: str
    placed: tuple[Placed, ...]


def sections(document: Document) -> Iterator[Section]:
    """A section for each clause with parts of its own, in the order of the document."""
    for clause in document.clauses:
        yield from _sections(document.name, clause, ())


def whole_text(document: Document) -> str:
    """The text of all clauses in order, with an empty line between them; headings without text of their own too."""
    return BETWEEN_PARTS.join(text for clause in document.walk() if (text := section(document.name, clause).text))


def section(document: str, clause: Clause, path: tuple[str, ...] = ()) -> Section:
    """The section of one clause."""
    writer = _Writer()
    if clause.heading:
        writer.add(clause.heading)
    placed = []
    for part in clause.parts:
        if writer.length:
            writer.add(BETWEEN_PARTS)
        placed.append(_table(writer, part) if isinstance(part, Table) else Placed(part, writer.add(part.text)))
    return Section(document, clause, path, "".join(writer.pieces), tuple(placed))


def _sections(document: str, clause: Clause, path: tuple[str, ...]) -> Iterator[Section]:
    if clause.parts:
        yield section(document, clause, path)
    for child in clause.children:
        yield from _sections(document, child, (*path, clause.heading) if clause.heading else path)


class _Writer:
    """Text as it grows."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0

    def add(self, text: str) -> Span:
        start = self.length
        self.pieces.append(text)
        self.length += len(text)
        return Span(start, self.length)


def _table(writer: _Writer, table: Table) -> Placed:
    start = writer.length
    caption = writer.add(table.caption) if table.caption else None
    cells = []
    for row in table.rows:
        if writer.length > start:
            writer.add("\n")
        spans = []
        for place, cell in enumerate(row):
            if place:
                writer.add(BETWEEN_CELLS)
            spans.append(writer.add(cell.text))
        cells.append(tuple(spans))
    notes = []
    for note in table.notes:
        if writer.length > start:
            writer.add("\n")
        notes.append(writer.add(note))
    return Placed(table, Span(start, writer.length), tuple(cells), tuple(notes), caption)
