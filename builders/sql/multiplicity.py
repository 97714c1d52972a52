"""How many rows of an associative table a thing has: an order has many products, a film one category."""

from collections.abc import Iterable

from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sqlite_file import quoted

_MOST_COUNTED = 1_000_000
"""Rows of a table that are counted: of a longer one, the first."""
_MOST = 0.5
"""The share of things that must have one row alone."""


def mostly_one(database: Database, table: str, keys: Iterable[tuple[str, ...]]) -> frozenset[tuple[str, ...]]:
    """Those keys of which most values stand in one row of the table alone; all of an empty table.

    Args:
        database: the database.
        table: an associative table.
        keys: the columns of each of its keys.

    Raises:
        BenchwrightError: the database refuses to count.
    """
    return frozenset(key for key in keys if _share_alone(database, table, key) >= _MOST)


def _share_alone(database: Database, table: str, key: tuple[str, ...]) -> float:
    names = ", ".join(quoted(column) for column in key)
    known = " AND ".join(f"{quoted(column)} IS NOT NULL" for column in key)
    rows = f"(SELECT {names} FROM {quoted(table)} WHERE {known} LIMIT {_MOST_COUNTED}) AS some_rows"
    counted = f"(SELECT COUNT(*) AS times FROM {rows} GROUP BY {names}) AS counted"
    [[alone, all_of_them]] = database.all(f"SELECT SUM(CASE WHEN times = 1 THEN 1 ELSE 0 END), COUNT(*) FROM {counted}")
    return alone / all_of_them if all_of_them else 1.0
