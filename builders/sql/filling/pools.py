"""The values that a sample draws from: all that are in some columns where they are few, else a seeded share of them.

The columns are those that name a row together. They are read once for all templates, in the order in which the database
keeps them: sorting millions of values, or reading them anew for each template, would cost far more than the sample
itself. Which values are in a pool depends on the values and the seed alone, neither on their order nor on the database
that holds them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.builders.base import Progress

_WHOLE = 1 << 32
"""Above every hash."""


@dataclass(frozen=True)
class Pool:
    """Distinct values of some columns."""

    values: list[tuple[Any, ...]]
    """A value for each column."""
    count: int
    """So many there are; an estimate where not all are here."""

    @property
    def is_whole(self) -> bool:
        """Whether all are here."""
        return len(self.values) == self.count


class Pools:
    """The pools of one database."""

    def __init__(
        self,
        database: Database,
        seed: int,
        size: int,
        progress: Progress = lambda what, done, total: None,
    ) -> None:
        """
        Args:
            database: where the values are.
            seed: decides which of many are taken.
            size: values that a pool may have; one that would have more keeps at least about half as many.
            progress: told how many values were read.
        """
        self._database, self._seed, self._size, self._progress = database, seed, size, progress
        self._pools: dict[tuple[str, tuple[str, ...]], Pool] = {}
        self._read = 0

    def of(self, table: str, columns: Sequence[str]) -> Pool:
        """The pool of some columns of a table, read at the first call.

        Raises:
            BenchwrightError: the database cannot be read.
        """
        key = (table, tuple(columns))
        if key not in self._pools:
            self._pools[key] = self._thinned(table, columns)
        return self._pools[key]

    def _thinned(self, table: str, columns: Sequence[str]) -> Pool:
        """The values with hashes below a limit, which is halved whenever there are too many."""
        start, limit = crc32(str(self._seed).encode()), _WHOLE
        kept: set[Any] = set()
        for part in self._stream(table, columns):
            self._read += len(part)
            self._progress("values", self._read, 0)
            if limit == _WHOLE:
                kept.update(part)
            else:  # written out: this is done for every row of a table
                kept.update(
                    [value for value in part if crc32(repr(value).encode("utf-8", "surrogatepass"), start) < limit]
                )
            while len(kept) > self._size:
                limit //= 2
                kept = {value for value in kept if crc32(repr(value).encode("utf-8", "surrogatepass"), start) < limit}
        values = [value if isinstance(value, tuple) else (value,) for value in kept]
        return Pool(values, len(kept) * (_WHOLE // limit))

    def _stream(self, table: str, columns: Sequence[str]) -> Iterator[Sequence[Any]]:
        """All values without NULL, in parts: as they are where they are of one column, else as tuples."""
        names = [quoted(column) for column in columns]
        known = " AND ".join(f"{name} IS NOT NULL" for name in names)
        sql = f"SELECT {', '.join(names)} FROM {quoted(table)} WHERE {known}"
        if len(columns) == 1:
            return self._database.values(sql)
        return ([tuple(row) for row in part] for part in self._database.rows(sql))
