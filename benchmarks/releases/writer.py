"""Writing a release: rows are streamed into Parquet and hashed as they arrive."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.grounding.sqlite_file import rows_digest
from benchwright.benchmarks.hashing import ContentHash, json_digest
from benchwright.benchmarks.releases.manifest import CARD, MANIFEST, Manifest, list_files
from benchwright.benchmarks.releases.release import BATCH_ROWS
from benchwright.benchmarks.schemas import DEFAULT_CONFIG, SCHEMAS, document_batch, question_batch
from benchwright.benchmarks.types import Document, Question

SHARD_BYTES = 400_000_000
ROW_GROUP_BYTES = 48_000_000
_UNIQUE_TEXTS = {"id", "question", "_id", "text", "title", "query-id"}
"""Columns whose values hardly repeat: a Parquet dictionary would only cost time and space."""
_PENDING = (1, 7)
"""Pieces of work that may wait for each of the two threads."""

Row = TypeVar("Row")


class ReleaseWriter:
    """Collects the parts of a release in a folder. Of what the builder's thread has made, one thread encodes the
    questions; another hashes everything and encodes the configs beside them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.checks: dict[str, Any] = {}
        self.sources: list[Mapping[str, Any]] = []
        self.models: list[Mapping[str, Any]] = []
        self._content = ContentHash()
        self._splits: dict[tuple[str, str], _Split] = {}
        self._workers = [ThreadPoolExecutor(1, f"release-writer-{i}") for i in range(2)]
        self._pending: list[list[Future[None]]] = [[], []]

    def questions(self, rows: Iterable[Question] | pa.RecordBatch, split: str = "test") -> None:
        """Writes questions, and the queries and qrels that follow from them.

        A batch may hold dictionary arrays where the schema says text: what repeats is then neither copied nor hashed
        into a dictionary again.
        """
        for batch in batches(rows, question_batch):
            self._write("questions", split, batch)
            queries = [batch.column("id"), batch.column("question")]
            self._write("queries", split, pa.RecordBatch.from_arrays(queries, schema=SCHEMAS["queries"]))
            self._write("qrels", split, _qrels(batch))

    def documents(self, rows: Iterable[Document] | pa.RecordBatch) -> None:
        """Writes documents of the corpus."""
        for batch in batches(rows, document_batch):
            self._write("corpus", "corpus", batch)

    def templates(self, name: str, content: Mapping[str, Any]) -> None:
        """Writes `templates/NAME.json`."""
        path = self.folder / "templates" / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        self._content.add(f"templates/{path.name}", json_digest(content))

    def database(self, name: str) -> Path:
        """Where the builder puts a SQLite database that is shipped: `database/NAME.sqlite`."""
        path = self.folder / "database" / f"{name}.sqlite"
        path.parent.mkdir(exist_ok=True)
        return path

    def _split(self, config: str, split: str) -> "_Split":
        key = (config, split)
        if key not in self._splits:
            self._splits[key] = _Split(self.folder / config, split, SCHEMAS[config])
        return self._splits[key]

    def _write(self, config: str, split: str, batch: pa.RecordBatch) -> None:
        if not batch.num_rows:
            return
        target = self._split(config, split)
        self._submit(1, lambda: self._content.update(config, split, batch))
        self._submit(0 if config == DEFAULT_CONFIG else 1, lambda: target.write(batch))

    def _submit(self, worker: int, work: Callable[[], None]) -> None:
        pending = self._pending[worker]
        pending.append(self._workers[worker].submit(work))
        while len(pending) > _PENDING[worker]:
            pending.pop(0).result()

    def close(self) -> None:
        """Waits for what is being written and completes the files; raises what went wrong meanwhile."""
        try:
            for pending in self._pending:
                while pending:
                    pending.pop(0).result()
        finally:
            self.abandon()
            for split in self._splits.values():
                split.close()

    def abandon(self) -> None:
        """Stops writing; the folder may be deleted."""
        for worker in self._workers:
            worker.shutdown(cancel_futures=True)

    def finish(self, **facts: Any) -> Manifest:
        """Closes the files. Returns the manifest, but for the list of files, which the card will be part of.

        Args:
            facts: name, version, builder, builder_version, parameters, seed and canary of the manifest.
        """
        self.close()
        for path in sorted((self.folder / "database").glob("*.sqlite")):
            self._content.add(f"database/{path.name}", rows_digest(path))
        splits: dict[str, dict[str, int]] = {}
        order = list(SCHEMAS)
        for (config, name), split in sorted(self._splits.items(), key=lambda item: order.index(item[0][0])):
            splits.setdefault(config, {})[name] = split.rows
        return Manifest(
            **facts,
            sources=self.sources,
            models=self.models,
            rows={config: sum(splits.get(config, {}).values()) for config in SCHEMAS},
            splits=splits,
            checks=self.checks,
            content_hash=self._content.hexdigest(),
        )

    def seal(self, manifest: Manifest, card: str) -> None:
        """Writes the card and the manifest, the last two files."""
        (self.folder / CARD).write_text(card, encoding="utf-8")
        whole = replace(manifest, files=list_files(self.folder))
        (self.folder / MANIFEST).write_text(whole.to_json(), encoding="utf-8")


class _Split:
    """The Parquet shards of one split: small batches are gathered into row groups, row groups into shards."""

    def __init__(self, folder: Path, name: str, schema: pa.Schema) -> None:
        self.folder, self.name, self.schema = folder, name, schema
        self.rows = 0
        self._gathered: list[pa.RecordBatch] = []
        self._gathered_rows = self._gathered_bytes = 0
        self._parquet: pq.ParquetWriter | None = None
        self._shards: list[Path] = []

    def write(self, batch: pa.RecordBatch) -> None:
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
        return pq.ParquetWriter(
            self._shards[-1],
            schema,
            compression="zstd",
            compression_level=1,
            use_dictionary=[name for name in schema.names if name not in _UNIQUE_TEXTS],  # type: ignore[arg-type]
            use_content_defined_chunking=True,
            write_page_index=True,
            store_schema=False,
        )

    def _finish_shard(self) -> None:
        if self._parquet is not None:
            self._parquet.close()
            self._parquet = None

    def close(self) -> None:
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


def _qrels(batch: pa.RecordBatch) -> pa.RecordBatch:
    """One qrel for each document of each question."""
    documents = batch.column("documents")
    counts = pc.list_value_length(documents).fill_null(0).to_numpy(zero_copy_only=False)
    rows = pa.array(np.repeat(np.arange(len(counts)), counts))
    ids, found = batch.column("id").take(rows), documents.flatten()
    scores = pa.array(np.ones(len(found), dtype=np.int32))
    return pa.RecordBatch.from_arrays([ids, found.cast(pa.string()), scores], schema=SCHEMAS["qrels"])
