"""Results of any length, read in parts: whoever proves a release bounds what one query may return."""

from collections.abc import Iterator, Sequence
from itertools import count

from benchwright.benchmarks.grounding.database import Database, DatabaseRow

PART = 20_000
"""Rows of a part."""


def rows_in_parts(database: Database, sql: str) -> Iterator[Sequence[DatabaseRow]]:
    """The rows of a SELECT, in parts; always in one order, since the same query is asked of a file that stays as it is.

    Args:
        database: what is asked.
        sql: a SELECT without a limit.

    Raises:
        BenchwrightError: the database refuses it.
    """
    for start in count(0, PART):
        part = [row for some in database.rows(f"{sql} LIMIT {PART} OFFSET {start}") for row in some]
        yield part
        if len(part) < PART:
            return
