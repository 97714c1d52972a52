"""The Parquet files of a release's splits, and the batches that go into them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.releases.budget import BATCH_ROWS
from benchwright.benchmarks.releases.canary import KEY, canary_line
from benchwright.benchmarks.schemas import QRELS

SHARD_BYTES = 400_000_000
ROW_GROUP_BYTES = 48_000_000
_UNIQUE_TEXTS = {"id", "question", "_id", "text", "title", "query-id"}
"""Columns whose values hardly repeat: a Parquet dictionary would only cost time and space."""

Row = TypeVar("Row")


class SplitFiles:
    """The Parquet shards of one split: small batches are gathered into row groups, row groups into shards."""

    def __init__(self, folder: Path, name: str, canary: str) -> None:
        """
        Args:
            folder: of the config.
            name: the split's.
            canary: the GUID that the files carry; none where it is empty.
        """
        self.folder, self.name, self.canary = folder, name, canary
        self.rows = 0
        self._gathered: list[pa.RecordBatch] = []
        self._gathered_rows = self._gathered_bytes = 0
        self._parquet: pq.ParquetWriter | None = None
        self._shards: list[Path] = []

    def write(self, batch: pa.RecordBatch) -> None:
        """Adds rows."""
        if self._gathered and batch.schema != self._gathered[0].schema:
            self._flush()
        self.rows += batch.num_rows
        self._gathered.append(batch)
        self._gathered_rows += batch.num_rows
        self._gathered_bytes += batch.nbytes
        if self._gathered_rows >= BATCH_ROWS or self._gathered_bytes >= ROW_GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._gathered_rows:
            table = pa.Table.from_batches(self._gathered)
            if self._parquet is None:
                self._parquet = self._open(table.schema)
            if table.schema != self._parquet.schema:
                table = table.cast(self._parquet.schema)
            self._parquet.write_table(table, row_group_size=table.num_rows)
            if self._shards[-1].stat().st_size > SHARD_BYTES:
                self._finish_shard()
        self._gathered, self._gathered_rows, self._gathered_bytes = [], 0, 0

    def _open(self, schema: pa.Schema) -> pq.ParquetWriter:
        self.folder.mkdir(exist_ok=True)
        self._shards.append(self.folder / f"{self.name}-{len(self._shards):05d}.partial")
        writer = pq.ParquetWriter(
            self._shards[-1],
            schema,
            compression="zstd",
            compression_level=1,
            use_dictionary=[name for name in schema.names if name not in _UNIQUE_TEXTS],  # type: ignore[arg-type]
            use_content_defined_chunking=True,
            write_page_index=True,
            store_schema=False,
        )
        if self.canary:
            writer.add_key_value_metadata({KEY: canary_line(self.canary)})
        return writer

    def _finish_shard(self) -> None:
        if self._parquet is not None:
            self._parquet.close()
            self._parquet = None

    def close(self) -> None:
        """Writes what is left, and gives the shards their names, which say how many there are."""
        self._flush()
        self._finish_shard()
        for number, path in enumerate(self._shards):
            path.rename(self.folder / f"{self.name}-{number:05d}-of-{len(self._shards):05d}.parquet")
        self._shards = []


def batches(
    rows: Iterable[Row] | pa.RecordBatch, to_batch: Callable[[Sequence[Row]], pa.RecordBatch], size: int = 2_000
) -> Iterator[pa.RecordBatch]:
    """Rows of our types as batches of a config's columns; a batch as it is."""
    if isinstance(rows, pa.RecordBatch):
        yield rows
        return
    left = iter(rows)
    while part := list(islice(left, size)):
        yield to_batch(part)


def qrels_of(batch: pa.RecordBatch) -> pa.RecordBatch:
    """One qrel for each document of each question."""
    documents = batch.column("documents")
    counts = pc.list_value_length(documents).fill_null(0).to_numpy(zero_copy_only=False)
    rows = pa.array(np.repeat(np.arange(len(counts)), counts))
    ids, found = batch.column("id").take(rows), documents.flatten()
    scores = pa.array(np.ones(len(found), dtype=np.int32))
    return pa.RecordBatch.from_arrays([ids, found.cast(pa.string()), scores], schema=QRELS.columns)
