"""Which columns of files are keys, and to which other table a column refers: by names that agree and by values.

A column refers to another table where it is called after it (`customer_id`, `CustomerID`, `id_customer`, or `customer`
with texts, beside `customers.csv`) or shares the name of its key (`cust_no`), and every value of it stands in a column
of that table that no two rows share and whose name agrees too: small integers are in every table. No column is taken to
refer to its own table, since nothing but such values would say so.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.builders.sql.wording import english

_IDS = frozenset({"id", "uuid", "guid", "key", "pk", "fk", "ref"})
_MARKS = (_IDS, frozenset({"code"}), frozenset({"no", "nr", "number"}))
"""Words that say that a column tells rows apart; those of one set are taken for one another."""
_TELLING = 10**6
"""Integers from here on are in two columns of the same name for a reason, as texts with a digit are: ISBN, bar code."""


class _Reading(NamedTuple):
    """A column's name: what it is called after, in all its forms, and the kind of its mark."""

    stems: frozenset[str]
    """Without spaces; `customer_ids` gives `customers` and `customer`. Empty where there is a mark alone."""
    marks: frozenset[str]
    """The one of _MARKS that its mark is in; empty where there is none."""


@dataclass(eq=False)
class FileTable:
    """A file, of CSV or Parquet, with what was found in it."""

    name: str
    rows: Callable[[Sequence[str]], Iterator[Sequence[Any]]]
    """Its rows as SQLite stores them, for columns of given types."""
    columns: list[str]
    types: list[str] = field(default_factory=list)
    """SQLite's, with BOOLEAN and DATE."""
    unique: list[bool] = field(default_factory=list)
    """Of each column, whether every row has a value and no two the same; empty where that is not known yet."""
    references: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Column → table and column that it refers to."""

    @property
    def unique_columns(self) -> list[str]:
        """Those that could be a key."""
        return [column for column, one in zip(self.columns, self.unique, strict=True) if one]

    @property
    def key(self) -> str | None:
        """The primary key: a unique column named `id` or after the table, else any `…_id`, else the first of all."""
        unique = self.unique_columns
        own = [column for column in unique if _is_own(column, self)]
        named = [column for column in unique if any(reading.marks is _IDS for reading in _readings(column))]
        return next(iter([*own, *named, *(self.columns[:1] if self.unique[:1] == [True] else [])]), None)

    def kind(self, column: str) -> str:
        """The type of a column."""
        return self.types[self.columns.index(column)]

    def type_as(self, column: str, kind: str) -> None:
        """Gives a column another type."""
        self.types[self.columns.index(column)] = kind


class _Target(NamedTuple):
    """A column that another could refer to by its name."""

    table: FileTable
    column: str
    must_tell: bool = False
    """Whether the values have to be such as no two columns share by chance."""


def find_references(connection: sqlite3.Connection, tables: Sequence[FileTable], prefix: str) -> dict[str, str]:
    """Notes in each table what its columns refer to.

    Args:
        connection: holds the rows of each table under its name with the prefix.
        tables: all.
        prefix: of the names.

    Returns:
        `table.column` that was not taken for a reference though it is named like one → why not.
    """
    untaken: dict[str, str] = {}
    for table in tables:
        for column in table.columns:
            targets = _targets(table, column, [other for other in tables if other is not table])
            found = [target for target in targets if _holds_all(connection, prefix, table, column, target)]
            others = list(dict.fromkeys(target.table.name for target in found))
            if len(others) == 1:
                other, name = found[0].table, found[0].column
                table.references[column] = (other.name, name)
                if other.kind(name) == "TEXT":
                    table.type_as(column, "TEXT")
            elif _looks_foreign(table, column, bool(targets)) and _has_values(connection, prefix, table, column):
                named = " or ".join(others or dict.fromkeys(target.table.name for target in targets))
                why = "no other table is called so"
                if targets:
                    why = f"it could be of {named}" if others else f"not all of its values are in {named}"
                untaken[f"{table.name}.{column}"] = why
    return untaken


def _targets(table: FileTable, column: str, others: Sequence[FileTable]) -> list[_Target]:
    """What a column could refer to by its name, the likeliest first: what it is called after, else shared keys."""
    if table.kind(column) not in ("INTEGER", "REAL", "TEXT") or _is_own(column, table):
        return []
    named = [_Target(other, name) for other in others for name in _named_targets(table, column, other)]
    if named:
        return list(dict.fromkeys(named))
    is_marked = any(reading.marks for reading in _readings(column))
    return [
        _Target(other, other.key, must_tell=not is_marked)
        for other in others
        if other.key is not None and _squeezed(other.key) == _squeezed(column)
    ]


def _named_targets(table: FileTable, column: str, other: FileTable) -> Iterator[str]:
    """Of a column that is called after another table."""
    for reading in _readings(column):
        if not reading.stems & _nouns(other.name):
            continue
        if reading.marks:
            yield from (name for name in other.unique_columns if _squeezed(name) == _squeezed(column))
            yield from (name for name in other.unique_columns if _is_own(name, other, reading.marks))
        elif table.kind(column) == "TEXT":
            yield from (name for name in other.unique_columns if name.lower() == "name")
            yield from [other.key] if other.key else []


def _is_own(column: str, table: FileTable, marks: frozenset[str] | None = None) -> bool:
    """Whether a column is named as what tells its own table's rows apart: `id`, or `customer_id` in `customers`."""
    return any(
        reading.marks
        and (marks is None or reading.marks is marks)
        and (not reading.stems or bool(reading.stems & _nouns(table.name)))
        for reading in _readings(column)
    )


def _looks_foreign(table: FileTable, column: str, has_targets: bool) -> bool:
    """Whether a column is named like the key of something else and is none of its own table's."""
    reading = _readings(column)[0]
    return (
        reading.marks is _IDS
        and bool(reading.stems)
        and not _is_own(column, table)
        and (has_targets or column not in table.unique_columns)
    )


def _has_values(connection: sqlite3.Connection, prefix: str, table: FileTable, column: str) -> bool:
    found = f"SELECT 1 FROM {quoted(f'{prefix}{table.name}')} WHERE {quoted(column)} IS NOT NULL LIMIT 1"
    return connection.execute(found).fetchone() is not None


def _holds_all(connection: sqlite3.Connection, prefix: str, table: FileTable, column: str, target: _Target) -> bool:
    """Whether a column has values and all of them are in another."""
    are_numbers = {table.kind(column), target.table.kind(target.column)} <= {"INTEGER", "REAL"}
    one, two = (name if are_numbers else f"CAST({name} AS TEXT)" for name in (quoted(column), quoted(target.column)))
    mine, theirs = (quoted(f"{prefix}{name}") for name in (table.name, target.table.name))
    tells = f"{one} >= {_TELLING}" if are_numbers else f"{one} GLOB '*[0-9]*'"
    values, there, telling = connection.execute(
        f"SELECT COUNT(*), SUM({one} IN (SELECT {two} FROM {theirs})), SUM({tells}) "
        f"FROM {mine} WHERE {quoted(column)} IS NOT NULL"
    ).fetchone()
    return 0 < values == there and (not target.must_tell or telling == values)


@cache
def _readings(column: str) -> tuple[_Reading, ...]:
    """What a column's name may mean: `customer_id` the id of a customer, `customerid` also that."""
    words = english.words(column).lower().split()
    found = [_reading(words)]
    if words and not found[0].marks and words[-1].endswith("id") and len(words[-1]) > 2:
        found.append(_reading([*words[:-1], words[-1][:-2], "id"]))
    return tuple(found)


def _reading(words: Sequence[str]) -> _Reading:
    stem, marks = list(words), frozenset[str]()
    while stem and (kind := next((kind for kind in _MARKS if stem[-1] in kind), None)) is not None:
        stem, marks = stem[:-1], marks or kind
    if stem and not marks and stem[0] in _IDS:
        stem, marks = stem[1:], _IDS
    forms = {"".join(stem), "".join([*stem[:-1], english.singular(stem[-1])])} if stem else set[str]()
    return _Reading(frozenset(_squeezed(form) for form in forms), marks)


@cache
def _nouns(table: str) -> frozenset[str]:
    """What a table's rows may be called in a column's name."""
    return frozenset(_squeezed(form) for form in (english.words(table), english.noun(table), english.singular(table)))


def _squeezed(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()
