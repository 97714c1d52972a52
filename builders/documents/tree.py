"""What a document is once it is read: a tree of clauses with paragraphs, tables and code, in the order of the file."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["paragraph", "list", "note", "example", "reference", "caption", "definition", "abbreviation", "footnote"]
"""What a paragraph is, as its style, its place or its first word says."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph as it stands, tabs and line breaks kept, without white space at its ends."""

    text: str
    kind: Kind
    place: str
    """Where it stands in the file, for a reader: "paragraph 12", "page 3", "line 40"."""


@dataclass(frozen=True, slots=True)
class Code:
    """Code or a drawing in characters, verbatim: white space is kept."""

    text: str
    place: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table. A merged one stands at each of its places, so that rows are of one length."""

    text: str
    header: bool = False
    repeated: bool = False
    """Its text is that of a cell above it or to its left that it is merged with."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table: rows of one length, its caption, and the notes that stand under it or in its last rows."""

    caption: str
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...]
    place: str

    @property
    def header_rows(self) -> int:
        """Rows at the top of which each cell is a header."""
        count = 0
        for row in self.rows:
            if not all(cell.header for cell in row):
                break
            count += 1
        return count


Part = Paragraph | Code | Table


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause (section, annex) with its own parts and the clauses in it."""

    number: str
    """As the document writes it, without a full stop at its end: "5.2.1", "A.1"; of an annex its letter; "": none."""
    title: str
    heading: str
    """The heading in one line, as it stands; "" of what stands before the first heading."""
    level: int
    """1 for the outermost; 0 for what stands before the first heading, or for a document without headings."""
    parts: tuple[Part, ...]
    children: tuple["Clause", ...]
    place: str

    def walk(self) -> Iterator["Clause"]:
        """The clause, then the clauses in it, in the order of the document."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, slots=True)
class Document:
    """A document that was read."""

    name: str
    """Its path in the folder, or the file's name."""
    title: str
    clauses: tuple[Clause, ...]
    unread: tuple[str, ...] = ()
    """What of it is not in the clauses, and how often: a line each. Empty: all text is in them."""

    def walk(self) -> Iterator[Clause]:
        """All clauses in the order of the document."""
        for clause in self.clauses:
            yield from clause.walk()


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could not be read."""

    name: str
    reason: str
    """One line: what is wrong with it, and what to do."""
