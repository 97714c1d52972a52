"""Facts: what a page may state of a row.

A fact is a cell of a named row, the row that a foreign key of it leads to, or what an associative table says of two
rows. Rows are told by their names, as questions do, so that a fact is the same in every copy of a database.
"""

from collections.abc import Sequence

from benchwright.builders.sql.schema import ForeignKey, SchemaTable

Name = tuple[str, ...]
"""The values of the columns that name a row."""
Row = tuple[str, Name]
"""Table and name."""
FactKey = tuple[str, ...]
"""What a fact is about, as texts; see `cell_key`, `link_key` and `pair_key`."""

Need = tuple[FactKey, tuple[Row, ...]]
"""A fact, and the rows of which one states it on its page."""


def name_columns(table: SchemaTable) -> tuple[str, ...]:
    """The columns that name a row of a table on its page: what questions call it by, else what people do."""
    return table.naming or table.called_by


def has_pages(table: SchemaTable) -> bool:
    """Whether the rows of a table have pages: questions call them by a name."""
    return bool(table.naming) and table.ask and not table.associative and not table.view and not table.empty


def cell_key(table: str, name: Name, column: str) -> FactKey:
    """That a column of a row holds a value."""
    return ("cell", table, column, *name)


def link_key(table: str, name: Name, key: ForeignKey, target: Name) -> FactKey:
    """That a foreign key of a row leads to another."""
    return ("link", table, *key.columns, *name, "→", *target)


def pair_key(table: str, ends: Sequence[tuple[ForeignKey, Name]], column: str = "") -> FactKey:
    """That an associative table relates two rows; with a column, what it says of them there."""
    ordered = sorted(ends, key=lambda end: end[0].columns)
    parts = [part for key, name in ordered for part in (*key.columns, *name, "→")]
    return ("pair", table, column, *parts)
