"""The tables of a document that can be asked for their cells, and what no two of them are called."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.builders.documents.sections import Placed, Section
from benchwright.builders.documents.tree import Table
from benchwright.builders.telequad.questions.abbreviations import is_list_of_abbreviations
from benchwright.builders.telequad.questions.asked import Specification
from benchwright.builders.telequad.questions.drawn import drawn_tables
from benchwright.builders.telequad.questions.headers import WORD, Column, read_columns, table_words
from benchwright.builders.telequad.questions.row_names import key_of, read_keys, row_called

WIDEST = 14
"""Columns of a table that has a key; wider ones are matrices or drawings."""
_CAPTION = re.compile(
    r"(?:Table|TABLE|Tab\.)\s+(?P<number>(?:[A-Z]|[IVX]+|\d[\w.]*)(?:[.–-]\w+)*)(?:\s*[:.–—-]\s*|\s+)(?P<text>\S.*)",
    re.DOTALL,
)
_NOT_ASKED = re.compile(
    r"\b(?:histor(?:y|ies)|revisions?|contents|references|bibliography|authors?|contributors|change ?log|changes|"
    r"acknowledge?ments|document control|approvals?|index)\b",
    re.IGNORECASE,
)
_HISTORY = re.compile(r"changes?|change (?:history|description|log)|revisions?|coverage", re.IGNORECASE)
"""Headers of tables about the document itself."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table that can be asked for its cells."""

    section: int
    placed: Placed
    table: Table
    called: str
    """What questions call it: `table "Timers"`, `table 8.1-1`, `table in the section "Ports"`."""
    columns: tuple[Column, ...]
    keys: tuple[int, ...]
    """Places of the columns that make a row the only one."""
    rows: tuple[int, ...]
    """Places of the rows that no other one has the key of."""

    def row_called(self, row: int) -> str:
        """What questions call a row: `timer T101`, `class S1 and condition calm`."""
        return " and ".join(row_called(self.columns[key], key_of(self.table.rows[row][key])) for key in self.keys)

    def key(self, row: int) -> str:
        """The texts of the key's cells."""
        return ", ".join(key_of(self.table.rows[row][key]) for key in self.keys)


def grids(specification: Specification) -> Iterator[Grid]:
    """The tables of a document whose rows have a key, with what no two of them are called."""
    words = {word for section in specification.sections for word in WORD.findall(section.text)}
    tables = [
        (place, placed, placed.part)
        for place, section in enumerate(specification.sections)
        for placed in _tables(section)
        if isinstance(placed.part, Table)
    ]
    captions = Counter(_caption(table)[1].casefold() for _, _, table in tables)
    titles = Counter(section.clause.title.casefold() for section in specification.sections)
    inside = Counter(place for place, _, _ in tables)
    for place, placed, table in tables:
        section = specification.sections[place]
        called = _table_called(section, table, captions, titles, alone=inside[place] == 1)
        if called and _is_asked(section, table):
            columns = tuple(read_columns(table, words))
            if found := read_keys(table, columns):
                yield Grid(place, placed, table, called, columns, *found)


def _tables(section: Section) -> Iterator[Placed]:
    """The parts of a section, those that draw a table as that table."""
    drawn = drawn_tables(section)
    return (drawn.get(place, placed) for place, placed in enumerate(section.placed))


def says_nothing(text: str) -> bool:
    """Whether a cell has no text that can be an answer: empty, a dash, a mark, "yes"."""
    bare = text.strip(" .*†‡()").lower()
    return (
        not any(map(str.isalnum, bare))
        or bare in table_words()["empty"]
        or (len(bare) < 3 and not re.search(r"\d", bare))
    )


def _caption(table: Table) -> tuple[str, str]:
    """The number and the text of a caption."""
    text = " ".join(table.caption.split())
    found = _CAPTION.fullmatch(text)
    return (found["number"], found["text"].rstrip(".")) if found else ("", text.rstrip("."))


def _table_called(section: Section, table: Table, captions: Counter[str], titles: Counter[str], alone: bool) -> str:
    number, caption = _caption(table)
    caption = caption.replace('"', "'")
    title, clause = section.clause.title.replace('"', "'").strip(), section.clause.number
    if caption and captions[_caption(table)[1].casefold()] == 1 and len(caption) <= 120:
        return f'table "{caption}"'
    if number:
        return f"table {number}"
    if not alone or caption:
        return ""
    if title and titles[section.clause.title.casefold()] == 1 and len(title) <= 100:
        return f'table in the section "{title}"'
    return f"table in section {clause}" if clause else ""


def _is_asked(section: Section, table: Table) -> bool:
    """Whether a table is for looking up: not a drawing, a history, a list of references or of contents."""
    around = (section.clause.title, _caption(table)[1], *section.path[-1:])
    heads = table.header_rows
    return (
        0 < heads <= 3
        and len(table.rows) - heads >= 2
        and 2 <= len(table.rows[0]) <= WIDEST
        and not any(_NOT_ASKED.search(text) for text in around)
        and not is_list_of_abbreviations(section)
        and all(
            len(cell.text) <= 60 and not _HISTORY.fullmatch(cell.text) for row in table.rows[:heads] for cell in row
        )
    )


def is_asked_column(column: Column) -> bool:
    """Whether somebody would ask for what stands in the column."""
    words = [word.lower() for word in WORD.findall(column.header)]
    return bool(words) and words[-1] not in table_words()["unasked"]
