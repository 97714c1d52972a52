"""Parquet files as tables: their types as SQLite has them, and their rows as it stores them."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.values import EXACT_DIGITS, LARGEST_INTEGER, stored_value
from benchwright.benchmarks.hashing import file_sha256
from benchwright.builders.sql.csv_files import PARQUET

_BATCH = 20_000
"""Rows that are read at once."""
_INDEX = "__index_level_0__"
"""The column that pandas adds for its index."""


class ParquetTable:
    """A Parquet file, or a folder of them that together are one table, as Spark writes it."""

    def __init__(self, path: Path) -> None:
        """Opens it.

        Raises:
            BenchwrightError: it is no Parquet file, or has no column.
        """
        self.path = path
        try:
            self._dataset: Any = ds.dataset(str(path), format="parquet", partitioning="hive" if path.is_dir() else None)
        except (pa.ArrowException, OSError):
            raise BenchwrightError(f"{path} is no Parquet file, or a damaged one") from None
        self._fields = [field for field in self._dataset.schema if field.name != _INDEX]
        if not self._fields:
            raise BenchwrightError(f"{path} has no column")

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
        return [field.name for field in self._fields]

    def types(self) -> list[str]:
        """The types that SQLite is told.

        Raises:
            BenchwrightError: the file is damaged.
        """
        return [self._type(field) for field in self._fields]

    def rows(self) -> Iterator[Sequence[Any]]:
        """Its rows, with values that SQLite keeps.

        Raises:
            BenchwrightError: the file is damaged.
        """
        for batch in self._batches(self.columns):
            yield from zip(*(_values(column) for column in batch.columns), strict=True)

    def sha256(self) -> str:
        """Of the file, or of the names and contents of all of the folder."""
        if self.path.is_file():
            return file_sha256(self.path)
        digest = hashlib.sha256()
        for path in sorted(self.path.rglob(f"*{PARQUET}")):
            digest.update(str(path.relative_to(self.path)).encode() + bytes.fromhex(file_sha256(path)))
        return digest.hexdigest()

    def _batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        try:
            yield from self._dataset.to_batches(columns=columns, batch_size=_BATCH)
        except (pa.ArrowException, OSError) as error:
            raise BenchwrightError(f"{self.path} cannot be read: {_line(error)}") from None

    def _type(self, field: pa.Field) -> str:
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if pa.types.is_uint64(kind) and self._exceeds(field.name):
            return "TEXT"
        if pa.types.is_decimal(kind):
            if kind.precision > EXACT_DIGITS:
                return "TEXT"
            return f"NUMERIC({kind.precision}, {kind.scale})" if kind.scale > 0 else "INTEGER"
        return next((name for belongs, name in _TYPES if belongs(kind)), "TEXT")

    def _exceeds(self, column: str) -> bool:
        largest = (pc.max(batch.column(0)).as_py() for batch in self._batches([column]))
        return any(value is not None and value > LARGEST_INTEGER for value in largest)


_TYPES = (
    (pa.types.is_boolean, "BOOLEAN"),
    (pa.types.is_integer, "INTEGER"),
    (pa.types.is_floating, "REAL"),
    (pa.types.is_date, "DATE"),
    (pa.types.is_timestamp, "DATETIME"),
    (pa.types.is_time, "TIME"),
    (pa.types.is_nested, "JSON"),
    (pa.types.is_binary, "BLOB"),
    (pa.types.is_large_binary, "BLOB"),
    (pa.types.is_fixed_size_binary, "BLOB"),
)
"""Arrow's types → SQLite's; of all others the values are texts."""


def _values(column: pa.Array) -> list[Any]:
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_timestamp(column.type) or pa.types.is_time64(column.type):  # to Python's precision
        zone = getattr(column.type, "tz", None)
        kind = pa.timestamp("us", zone) if pa.types.is_timestamp(column.type) else pa.time64("us")
        column = pc.cast(column, kind, safe=False)
    if pa.types.is_duration(column.type):
        column = pc.cast(column, pa.duration("us"), safe=False)
    return [stored_value(value) for value in column.to_pylist()]


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
