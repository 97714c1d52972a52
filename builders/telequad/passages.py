"""The corpus: a document a section, and a document a row of each table."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.hashing import short_hash
from benchwright.benchmarks.types import Document
from benchwright.builders.documents.sections import Placed, Section, Span
from benchwright.builders.documents.tree import Cell, Table
from benchwright.builders.telequad.questions.asked import Specification

BUILDER = "telequad"
SECTION, ROW_START, ROW_END = "section", "row_start", "row_end"
"""Keys of the metadata of a row's document: the section that the row stands in, and its characters there."""
BETWEEN_HEADINGS = " > "
_LONGEST_TITLE = 300


@dataclass(frozen=True, slots=True)
class RowPassage:
    """A row of a table as a document of its own."""

    document: Document
    span: Span
    """Its characters in the section."""
    stated: Span
    """In its own text: headers and cells, without the caption."""


@dataclass(frozen=True, slots=True)
class Passages:
    """The documents of one specification."""

    sections: tuple[Document, ...]
    """As the specification's sections are."""
    rows: tuple[tuple[RowPassage, ...], ...]
    """Of each section; none where rows are not documents."""

    def in_order(self) -> Iterator[Document]:
        """Each section, then its rows."""
        for section, rows in zip(self.sections, self.rows, strict=True):
            yield section
            yield from (row.document for row in rows)


def passages(specification: Specification, *, with_rows: bool) -> Passages:
    """The documents of one specification. Ids follow from its name, its headings and the places of its rows."""
    seen: Counter[tuple[str, ...]] = Counter()
    documents, rows = [], []
    for section in specification.sections:
        headings = (*section.path, section.clause.heading)
        seen[headings] += 1
        name = short_hash([BUILDER, specification.name, *headings, str(seen[headings])])
        title = _title(specification.called, headings)
        said = {
            "file": specification.name,
            "clause": section.clause.number or section.clause.heading,
            "place": section.clause.place,
        }
        documents.append(_document(name, title, section.text, said))
        rows.append(tuple(_rows(section, documents[-1], said)) if with_rows else ())
    return Passages(tuple(documents), tuple(rows))


def _title(called: str, headings: Sequence[str]) -> str:
    title = f"{called.strip(chr(34))}: {BETWEEN_HEADINGS.join(filter(None, headings))}".removesuffix(": ")
    return title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1] + "…"


def _document(name: str, title: str, text: str, said: Mapping[str, object]) -> Document:
    sha256 = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return Document(name, title, text, {**said, "text_sha256": sha256, "text_length": len(text)})


def _rows(section: Section, document: Document, said: Mapping[str, object]) -> Iterator[RowPassage]:
    number = 0
    for placed in section.placed:
        if isinstance(placed.part, Table):
            number += 1
            if len(placed.cells) and len(placed.cells[0]) > 1:
                yield from _table_rows(placed.part, placed, number, document, said)


def _table_rows(
    table: Table, placed: Placed, number: int, document: Document, said: Mapping[str, object]
) -> Iterator[RowPassage]:
    headers = [_header(table, column) for column in range(len(table.rows[0]))]
    caption = f"{table.caption.rstrip('.')}. " if table.caption else ""
    for place in range(table.header_rows, len(table.rows)):
        body = row_text(headers, table.rows[place])
        if not body:
            continue
        spans = placed.cells[place]
        span = Span(spans[0].start, spans[-1].end)
        told = {**said, SECTION: document.id, ROW_START: span.start, ROW_END: span.end}
        text = caption + body
        row = _document(f"{document.id}-{number}-{place + 1}", document.title, text, told)
        yield RowPassage(row, span, Span(len(caption), len(text)))


def _header(table: Table, column: int) -> str:
    """What stands above a column, in all rows of headers, each text once."""
    texts = (" ".join(table.rows[row][column].text.split()) for row in range(table.header_rows))
    return " ".join(dict.fromkeys(filter(None, texts)))


def row_text(headers: Sequence[str], row: Sequence[Cell]) -> str:
    """A row in one line: `header: cell; header: cell`. Empty cells, and what a cell spans beyond its first column, are
    left out."""
    parts = []
    for column, cell in enumerate(row):
        spanned = column and cell.repeated and cell.text == row[column - 1].text
        if cell.text and not spanned:
            parts.append(f"{headers[column]}: {cell.text}" if headers[column] else cell.text)
    return "; ".join(parts)
