"""Columns that may hold personal data, by their names: those that queries read, and those that are shipped."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.personal_data import is_named, sorts_of_personal_data
from benchwright.benchmarks.releases.release import Release

SHOWN = 12
"""Columns that a card names for each sort."""
_QUERIES = 5_000
_LENGTH = 20_000


@dataclass(frozen=True)
class Columns:
    """How many columns were looked at, and which of them may hold what."""

    count: int
    found: dict[str, list[str]]
    """Sort of personal data → names of columns."""


def columns_of_people(release: Release) -> Columns:
    """The columns that a release's templates read and its databases hold. Nothing but names is looked at."""
    names = sorted({*_queried(release), *_shipped(release)})
    sorts = sorts_of_personal_data().items()
    found = {sort: [name for name in names if is_named(name, words)] for sort, words in sorts}
    return Columns(len(names), {sort: each for sort, each in found.items() if each})


def _queried(release: Release) -> Iterator[str]:
    """Names of columns in the SQL of templates."""
    for sql in islice(release.sql_templates(), _QUERIES):
        if len(sql) <= _LENGTH:
            yield from _columns(sql)


def _columns(sql: str) -> set[str]:
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        parsed: Any = sqlglot.parse_one(sql, dialect="sqlite")
    except (SqlglotError, RecursionError):
        return set()
    tables = {table.alias_or_name: table.name for table in parsed.find_all(exp.Table)}
    only = next(iter(tables.values())) if len(tables) == 1 else ""
    return {
        ".".join(filter(None, (tables.get(column.table, column.table) or only, column.name)))
        for column in parsed.find_all(exp.Column)
    }


def _shipped(release: Release) -> Iterator[str]:
    """Names of columns in the databases that are shipped."""
    import sqlite3

    from benchwright.benchmarks.grounding.sqlite_file import connect_read_only, quoted
    from benchwright.benchmarks.grounding.sqlite_guard import guard_reading

    for path in release.databases():
        try:
            with closing(connect_read_only(path)) as connection:
                guard_reading(connection)
                tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
                for (table,) in tables.fetchall():
                    rows = connection.execute(f"PRAGMA table_info({quoted(table)})").fetchall()
                    yield from (f"{table}.{name}" for _, name, *_ in rows)
        except sqlite3.Error as error:
            raise BenchwrightError(f"the database {path} cannot be read: {error}") from None
