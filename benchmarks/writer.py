"""Writing a release: rows are streamed into Parquet and hashed as they arrive; it is visible once it is complete."""

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sqlite_file import rows_digest
from benchwright.benchmarks.hashing import ContentHash, json_digest
from benchwright.benchmarks.release import BATCH_ROWS, CARD, MANIFEST, Manifest, Release, list_files
from benchwright.benchmarks.schemas import DEFAULT_CONFIG, SCHEMAS, document_batch, question_batch
from benchwright.benchmarks.types import Document, Question

SHARD_BYTES = 400_000_000
ROW_GROUP_BYTES = 48_000_000
_UNIQUE_TEXTS = {"id", "question", "_id", "text", "title", "query-id"}
"""Columns whose values hardly repeat: a Parquet dictionary would only cost time and space."""
_PENDING = (1, 7)
"""Pieces of work that may wait for each of the two threads."""
_STAGING = ".building-"

Row = TypeVar("Row")


class ReleaseWriter:
    """Collects the parts of a release in a folder. Of what the builder's thread has made, one thread encodes the
    questions; another hashes everything and encodes the configs beside them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if "jemalloc" in pa.supported_memory_backends():
            pa.set_memory_pool(pa.jemalloc_memory_pool())  # gives freed memory back, which the default pool keeps
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
        for batch in _batches(rows, question_batch):
            self._write("questions", split, batch)
            queries = [batch.column("id"), batch.column("question")]
            self._write("queries", split, pa.RecordBatch.from_arrays(queries, schema=SCHEMAS["queries"]))
            self._write("qrels", split, _qrels(batch))

    def documents(self, rows: Iterable[Document] | pa.RecordBatch) -> None:
        """Writes documents of the corpus."""
        for batch in _batches(rows, document_batch):
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


@contextmanager
def staging(root: Path, name: str, version: str) -> Iterator[Path]:
    """A hidden folder to build a version in. It is gone afterwards unless `publish` moved it to its place.

    Raises:
        BenchwrightError: the folder is not ours, cannot be written, or another build is at work in it.
    """
    home = root / name
    for place in (root, home):
        if place.exists() and not place.is_dir():
            raise BenchwrightError(f"{place} is a file: choose another folder with --output")
    _check_ours(home, version)
    try:
        home.mkdir(parents=True, exist_ok=True)
        lock = os.open(home, os.O_RDONLY)
    except OSError as error:
        raise BenchwrightError(
            f"{home} cannot be written ({error.strerror}): choose another folder with --output"
        ) from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BenchwrightError(f"another build is writing to {home}: wait for it to end, or use --name") from None
        for left in home.glob(f"{_STAGING}*"):
            shutil.rmtree(left)
        folder = home / f"{_STAGING}{version}"
        try:
            folder.mkdir()
        except OSError as error:
            raise BenchwrightError(
                f"{home} cannot be written ({error.strerror}): choose another folder with --output"
            ) from None
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)


def publish(folder: Path, target: Path) -> bool:
    """Moves a finished folder to its place in one step. False: the same content was there already, and stays.

    Raises:
        BenchwrightError: the version is there with other content.
    """
    if not target.exists():
        folder.rename(target)
        return True
    there, new = Release.load(target).manifest, Release.load(folder).manifest
    if there.content_hash == new.content_hash:
        return False
    major, minor, _ = there.version.split(".")
    raise BenchwrightError(
        f"{target} is there with other content, and a version is never changed: "
        f"build it as the next one with --as-version {int(major) + 1}.0.0 (or {major}.{int(minor) + 1}.0 where "
        f"questions were only added), or under another --name"
    )


def _check_ours(home: Path, version: str) -> None:
    target = home / version
    if target.exists() and not (target / MANIFEST).is_file():
        raise BenchwrightError(f"{target} is there and is not a release: choose another --output or --name")
    if home.is_dir():
        entries = [path for path in home.iterdir() if not path.name.startswith(_STAGING)]
        if entries and not any((path / MANIFEST).is_file() for path in entries):
            raise BenchwrightError(f"{home} holds other files and no release: choose another --output or --name")


def _batches(
    rows: Iterable[Row] | pa.RecordBatch, to_batch: Callable[[Sequence[Row]], pa.RecordBatch], size: int = 2_000
) -> Iterator[pa.RecordBatch]:
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
