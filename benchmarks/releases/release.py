"""A release on disk: its rows read as a stream, its templates and databases.

ROOT/NAME/VERSION/
  README.md  manifest.json
  questions/ corpus/ queries/ qrels/     one Parquet shard or more per split
  database/NAME.sqlite  templates/*.json where the builder has them
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import ContentHash, json_digest
from benchwright.benchmarks.releases.manifest import Manifest, read_manifest
from benchwright.benchmarks.schemas import SCHEMAS

BATCH_ROWS = 20_000
TEST = "test"
HELDOUT = "heldout"
"""The split of a public release whose answers are in the private one."""


@dataclass(frozen=True)
class Release:
    """One version of one benchmark: a folder and its manifest."""

    folder: Path
    manifest: Manifest

    @classmethod
    def load(cls, folder: Path) -> "Release":
        """Opens a folder. Raises BenchwrightError where it is no release that this program can read."""
        return cls(folder, read_manifest(folder))

    def shards(self, config: str, split: str) -> list[Path]:
        """The Parquet files of a split, in stored order."""
        return sorted((self.folder / config).glob(f"{split}-*.parquet"))

    def batches(self, config: str, split: str, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """The rows of a split as a stream of batches. A column of the contract that the files lack is null.

        Raises:
            BenchwrightError: a file is missing or is not Parquet.
        """
        schema = SCHEMAS[config]
        wanted = schema if columns is None else pa.schema([schema.field(name) for name in columns])
        shards = self.shards(config, split)
        if not shards:
            raise BenchwrightError(f"{self.folder / config} has no file of the split {split!r}")
        for path in shards:
            try:
                file = pq.ParquetFile(path)
                there = [name for name in wanted.names if name in file.schema_arrow.names]
                for batch in file.iter_batches(BATCH_ROWS, columns=there):
                    yield conform(batch, wanted)
            except (pa.ArrowException, OSError) as error:
                raise BenchwrightError(f"{path} cannot be read: {str(error).splitlines()[0]}") from None

    def templates(self) -> dict[str, Any]:
        """File name → content of each file of templates.

        Raises:
            BenchwrightError: one is not JSON.
        """
        found = {}
        for path in sorted((self.folder / "templates").glob("*.json")):
            try:
                found[path.name] = json.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                raise BenchwrightError(f"{path} cannot be read: {error}") from None
        return found

    def databases(self) -> list[Path]:
        """The databases that are shipped."""
        return sorted((self.folder / "database").glob("*.sqlite"))

    def content_hash(self) -> str:
        """The content hash, computed again from the files."""
        from benchwright.benchmarks.grounding.sqlite_file import rows_digest

        content = ContentHash()
        for config, splits in self.manifest.splits.items():
            for split in splits:
                for batch in self.batches(config, split):
                    content.update(config, split, batch)
        for name, value in self.templates().items():
            content.add(f"templates/{name}", json_digest(value))
        for path in self.databases():
            content.add(f"database/{path.name}", rows_digest(path))
        return content.hexdigest()


def conform(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The batch with exactly the schema's columns and types; a column that it lacks is null."""
    arrays = [
        batch.column(item.name).cast(item.type) if item.name in batch.schema.names else pa.nulls(len(batch), item.type)
        for item in schema
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
