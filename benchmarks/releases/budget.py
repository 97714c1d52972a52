"""How much a file of rows may unfold to, and its rows read within that: what a release of a stranger costs is bounded
by the bytes that were handed over.

A file may have so many rows, values and bytes of text as are sure to be honest, and more in proportion to its own size.
So a corpus of a million documents in 20 GB is read as any other, and 15 kB that stand for 10 GB are not.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.releases.parquet_pages import Chunk, RowGroup, read_row_groups

VARIABLE = "BENCHWRIGHT_UNFOLD"
"""The environment variable with what all limits are multiplied by."""
BATCH_ROWS = 20_000
_MIB = 1 << 20
_BATCH_BYTES = 64 * _MIB
"""About how much of a release is decoded at a time."""
_ROW_BYTES = 256 * _MIB
"""The most that one row, or one page of a file, may hold."""
SECONDS = 600.0
"""How long reading a split may take beside the time for its bytes."""
_SLOWEST = 50_000
"""Bytes of a file in a second with which that time is reckoned."""
_ITEM_BYTES = 8
"""What a value counts beside its text."""


@dataclass(frozen=True)
class Budget:
    """The most that a file may unfold to: so much in any case, and so much per byte of the file."""

    what: str
    always: int
    per_byte: int

    def of(self, size: int) -> int:
        """The limit for a file of so many bytes."""
        return int((self.always + self.per_byte * size) * factor())


ROWS = Budget("rows", 1_000_000, 4)
VALUES = Budget("values in one column", 10_000_000, 16)
BYTES = Budget("MB", 256 * _MIB, 1_000)
"""Counted with every text as often as it is there."""


def factor() -> float:
    """What limits are multiplied by.

    Raises:
        UsageError: it is no positive number.
    """
    given = os.environ.get(VARIABLE) or "1"
    try:
        value = float(given)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise UsageError(
            f"{VARIABLE} must be a number above 0, such as 10 for limits ten times as high; it is {given!r}"
        )
    return value


class ReadingClock:
    """How long reading the files of a split may take: what is done with the rows does not count."""

    def __init__(self, what: Path, size: int) -> None:
        self._what, self._left = what, (SECONDS + size / _SLOWEST) * factor()

    def watch(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The batches, until the time is over.

        Raises:
            BenchwrightError: it is.
        """
        while True:
            began = monotonic()
            batch = next(batches, None)
            self._left -= monotonic() - began
            if self._left < 0:
                raise BenchwrightError(f"{self._what} is not read: it takes too long; {advice()}")
            if batch is None:
                return
            yield batch


def hold_rows(folder: Path, shards: Sequence[Path], said: int | None) -> None:
    """Looks at the footers of a split's files, before anything of them is decoded.

    Args:
        folder: of the config.
        shards: the files.
        said: the rows that the manifest says they have.

    Raises:
        BenchwrightError: they have more rows than that, or than files of their size may.
    """
    place = shards[0] if len(shards) == 1 else folder
    rows = sum(FileReader(path).rows for path in shards)
    size = sum(path.stat().st_size for path in shards)
    if rows > ROWS.of(size):
        raise BenchwrightError(
            f"{place} is not read: its {size:,} bytes unfold to {rows:,} rows or more, and may to {ROWS.of(size):,}; "
            f"{advice()}"
        )
    if said is not None and rows > said:
        raise BenchwrightError(
            f"{place} is not read: it has {rows:,} rows, and the manifest says {said:,}: build or download the release "
            "again"
        )


def checked_footer(path: Path) -> pq.FileMetaData:
    """A file's footer, whose row groups were looked at before: pyarrow 26 ends the process where they are odd.

    Raises:
        BenchwrightError: it cannot be read.
    """
    try:
        hold_rows(path.parent, [path], None)
        return pq.read_metadata(path)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise BenchwrightError(f"{path} cannot be read: {next(iter(str(error).splitlines()), '')}") from None


class FileReader:
    """A Parquet file whose rows are read within its budget.

    Its footer and the headers of its pages are looked at before anything is decompressed. What dictionaries unfold to
    is known only while it is read: texts stay in their dictionaries until it is known what they come to.
    """

    def __init__(self, path: Path) -> None:
        """Raises BenchwrightError where it is no file."""
        if not stat.S_ISREG(path.stat().st_mode):
            raise BenchwrightError(f"{path} is not a file: build or download the release again")
        self.path, self._size = path, path.stat().st_size
        self._schema = pq.ParquetFile(path).schema
        self._decoded = 0

    @property
    def rows(self) -> int:
        """How many rows its footer names.

        Raises:
            ValueError, OSError: the footer cannot be read.
        """
        return sum(group.rows for group in read_row_groups(self.path, self._schema, frozenset()))

    @property
    def names(self) -> list[str]:
        """Its columns.

        Raises:
            BenchwrightError: one is there twice.
        """
        names = self._schema.to_arrow_schema().names
        doubled = next((name for name in names if names.count(name) > 1), None)
        if doubled is not None:
            raise BenchwrightError(f"{self.path} has the column {doubled!r} more than once")
        return names

    def batches(self, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        """Its rows with just the columns and types of a schema; a column that the file lacks is null.

        Raises:
            BenchwrightError: it unfolds to more than it may. ArrowException, OSError, ValueError: it cannot be read.
        """
        there = [name for name in self.names if name in schema.names]
        for part in self._read(there, self._groups(there)):
            yield conform(part, schema)

    def check(self, schema: pa.Schema) -> None:
        """Looks whether the columns of a schema unfold to no more than they may, for a library that reads the file by
        itself. Only what says nothing of its size until it is decoded is decoded: measured on Aurp, 8 ms.

        Raises:
            BenchwrightError: they unfold to more. ArrowException, OSError, ValueError: the file cannot be read.
        """
        there = [name for name in self.names if name in schema.names]
        groups = self._groups(there)
        chunks = [chunk for group in groups for chunk in group.chunks]
        unsaid = {_top(chunk) for chunk in chunks if chunk.is_coded or chunk.repeats_text}
        narrow = [RowGroup(group.rows, [each for each in group.chunks if _top(each) in unsaid]) for group in groups]
        self._decoded = sum(chunk.unfolded for chunk in chunks)
        for _ in self._read([name for name in there if name in unsaid], narrow):
            pass

    def _groups(self, columns: list[str]) -> list[RowGroup]:
        groups = read_row_groups(self.path, self._schema, frozenset(columns))
        self._hold(ROWS, sum(group.rows for group in groups))
        values: dict[str, int] = {}
        for chunk in (chunk for group in groups for chunk in group.chunks):
            values[chunk.path] = values.get(chunk.path, 0) + chunk.values
            self._hold_row(chunk.largest_page, f"a page of the column {chunk.path}")
        self._hold(VALUES, max(values.values(), default=0))
        self._hold(BYTES, sum(chunk.unfolded for group in groups for chunk in group.chunks))
        return groups

    def _read(self, columns: list[str], groups: list[RowGroup]) -> Iterator[pa.RecordBatch]:
        """Some columns, with dictionaries where the file has them."""
        coded = {chunk.path for group in groups for chunk in group.chunks if chunk.is_coded}
        file = pq.ParquetFile(self.path, read_dictionary=sorted(coded))
        for number, group in enumerate(groups):
            for batch in file.iter_batches(_rows_at_a_time(group), row_groups=[number], columns=columns):
                batch.validate(full=True)
                yield from self._parts(batch)

    def _parts(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """The batch in parts that are not too large once their dictionaries are unfolded."""
        sizes = np.zeros(len(batch), dtype=np.int64)
        for column in batch.columns:
            sizes += _sizes(column)
        ends = np.cumsum(sizes)
        total = int(ends[-1]) if len(ends) else 0
        self._decoded += total
        self._hold(BYTES, self._decoded)
        if total <= 2 * _BATCH_BYTES:
            yield batch
            return
        self._hold_row(int(sizes.max()), "a row")
        first = 0
        while first < len(batch):
            before = int(ends[first - 1]) if first else 0
            last = max(int(np.searchsorted(ends, before + _BATCH_BYTES, side="right")), first + 1)
            yield batch.take(pa.array(np.arange(first, last)))
            first = last

    def _hold_row(self, size: int, what: str) -> None:
        limit = int(_ROW_BYTES * factor())
        if size > limit:
            raise BenchwrightError(
                f"{self.path} is not read: {what} unfolds to {_in_mb(size)} MB, and may to {_in_mb(limit)}; {advice()}"
            )

    def _hold(self, budget: Budget, there: int) -> None:
        limit = budget.of(self._size)
        if there <= limit:
            return
        shown = [_in_mb(there), _in_mb(limit)] if budget is BYTES else [f"{there:,}", f"{limit:,}"]
        raise BenchwrightError(
            f"{self.path} is not read: its {self._size:,} bytes unfold to {shown[0]} {budget.what} or more, and may to "
            f"{shown[1]}; {advice()}"
        )


def conform(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The batch with exactly the schema's columns and types; a column that it lacks is null."""
    arrays = [
        batch.column(item.name).cast(item.type) if item.name in batch.schema.names else pa.nulls(len(batch), item.type)
        for item in schema
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def advice() -> str:
    """What to do where a limit is in the way."""
    return f"if you trust who made it, set {VARIABLE}=10 in the environment for limits ten times as high"


def _in_mb(size: int) -> str:
    return f"{size / 1e6:,.0f}"


def _top(chunk: Chunk) -> str:
    return chunk.path.split(".")[0]


def _rows_at_a_time(group: RowGroup) -> int:
    """How many rows of a row group are decoded at once."""
    unfolded = sum(each.largest_page * group.rows if each.repeats_text else each.unfolded for each in group.chunks)
    return max(1, min(BATCH_ROWS, group.rows * _BATCH_BYTES // max(unfolded, 1)))


def _sizes(array: pa.Array) -> np.ndarray:
    """About how many bytes each row of an array takes once it is decoded."""
    kind = array.type
    if pa.types.is_dictionary(kind):
        sizes = np.append(_sizes(array.dictionary), _ITEM_BYTES)
        return sizes[array.indices.fill_null(len(sizes) - 1).to_numpy(zero_copy_only=False)]
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        counts = pc.list_value_length(array).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        sums = np.concatenate([np.zeros(1, np.int64), np.cumsum(_sizes(array.flatten()))])
        ends = np.cumsum(counts)
        return sums[ends] - sums[ends - counts] + _ITEM_BYTES
    if pa.types.is_struct(kind):
        found = np.zeros(len(array), dtype=np.int64)
        for column in array.flatten():
            found += _sizes(column)
        return found
    if pa.types.is_string(kind) or pa.types.is_binary(kind) or pa.types.is_large_string(kind):
        return pc.binary_length(array).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64) + _ITEM_BYTES
    return np.full(len(array), _ITEM_BYTES, dtype=np.int64)
