"""The values of a column that a sample draws from: all of them where they are few, else a seeded share of them.

A column is read once for all templates, in the order in which the database keeps it: sorting millions of values, or
reading them anew for each template, would cost far more than the sample itself. Which values are in a pool depends on
the values and the seed alone, neither on their order nor on the database that holds them.
"""

from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sqlite_file import quoted

_WHOLE = 1 << 32
"""Above every hash."""


@dataclass(frozen=True)
class Pool:
    """Distinct values of a column."""

    values: list[Any]
    count: int
    """So many distinct values the column has; an estimate where not all are here."""


@dataclass(frozen=True)
class Pools:
    """The pools of the columns of one database."""

    database: Database
    seed: int
    size: int
    """Values that a pool may have; one that would have more keeps at least about half as many."""
    _read: dict[tuple[str, str], Pool] = field(default_factory=dict)

    def of(self, table: str, column: str) -> Pool:
        """The pool of a column, read at the first call.

        Raises:
            BenchwrightError: the database cannot be read.
        """
        key = (table, column)
        if key not in self._read:
            self._read[key] = self._thinned(table, column)
        return self._read[key]

    def _thinned(self, table: str, column: str) -> Pool:
        """The values with hashes below a limit, which is halved whenever there are too many."""
        start, limit = crc32(str(self.seed).encode()), _WHOLE
        kept: set[Any] = set()
        name = quoted(column)
        for part in self.database.rows(f"SELECT {name} FROM {quoted(table)} WHERE {name} IS NOT NULL"):
            values = {row[0] for row in part}
            kept |= values if limit == _WHOLE else {value for value in values if _hash(value, start) < limit}
            while len(kept) > self.size:
                limit //= 2
                kept = {value for value in kept if _hash(value, start) < limit}
        return Pool(list(kept), len(kept) * (_WHOLE // limit))


def _hash(value: Any, start: int) -> int:
    return crc32(repr(value).encode("utf-8", "surrogatepass"), start)
