"""A release on disk: its manifest, and reading its rows as a stream.

ROOT/NAME/VERSION/
  README.md  manifest.json
  questions/ corpus/ queries/ qrels/     one Parquet shard or more per split
  database/NAME.sqlite  templates/*.json where the builder has them
"""

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import ContentHash, file_sha256, json_digest
from benchwright.benchmarks.schemas import SCHEMAS

FORMAT = 1
"""The newest format of a release that this program reads and the one that it writes."""
MANIFEST = "manifest.json"
CARD = "README.md"
BATCH_ROWS = 20_000
TEST = "test"
HELDOUT = "heldout"
"""The split of a public release whose answers are in the private one."""


@dataclass(frozen=True)
class Manifest:
    """What a release says of itself. `benchmarks/release.py` is the only place that reads or writes it."""

    name: str
    version: str
    builder: str
    builder_version: str
    parameters: Mapping[str, Any]
    seed: int | None
    """Null where it is secret."""
    sources: Sequence[Mapping[str, Any]]
    """Per source: uri (no credentials, no absolute path), revision, sha256, licence, and what of it is shipped."""
    canary: str
    rows: Mapping[str, int]
    """Config → rows, over all its splits."""
    splits: Mapping[str, Mapping[str, int]]
    """Config → split → rows, in stored order."""
    checks: Mapping[str, Any]
    """What the build proved and what it left out, with counts."""
    content_hash: str
    files: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Path → `sha256` and `bytes`, of every file but the manifest."""
    models: Sequence[Mapping[str, Any]] = ()
    holdout: Mapping[str, Any] | None = None
    """Of a public release with held-out questions: share, questions, groups, commitment (how it is computed), private
    (the name of the other half). Of the private one: share, public and public_content_hash (the other half), secret."""
    format: int = FORMAT

    def to_json(self) -> str:
        """The text of `manifest.json`."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a release's folder.

    Raises:
        BenchwrightError: there is none, it cannot be read, or a newer program wrote it.
    """
    path = folder / MANIFEST
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BenchwrightError(f"{folder} is not a release: it has no {MANIFEST}") from None
    except (OSError, ValueError) as error:
        raise BenchwrightError(f"{path} cannot be read: {error}; build or download the release again") from None
    written = data.get("format") if isinstance(data, dict) else None
    if not isinstance(written, int) or isinstance(written, bool) or written < 1:
        raise BenchwrightError(f"{path} has no format number: it is not the manifest of a release")
    if written > FORMAT:
        raise BenchwrightError(
            f"{path} has format {written}, this program reads up to {FORMAT}: install a newer benchwright"
        )
    known = {item.name for item in dataclasses.fields(Manifest)}
    missing = [
        item.name
        for item in dataclasses.fields(Manifest)
        if item.name not in data and item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING
    ]
    if missing:
        raise BenchwrightError(f"{path} lacks {', '.join(missing)}: build or download the release again")
    return Manifest(**{key: value for key, value in data.items() if key in known})


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


def list_files(folder: Path) -> dict[str, dict[str, Any]]:
    """Path → `sha256` and `bytes` of every file of a folder but the manifest and what is hidden, such as `.git`."""
    found = {path.relative_to(folder): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {
        name.as_posix(): {"sha256": file_sha256(path), "bytes": path.stat().st_size}
        for name, path in found.items()
        if name != Path(MANIFEST) and not any(part.startswith(".") for part in name.parts)
    }


def conform(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The batch with exactly the schema's columns and types; a column that it lacks is null."""
    arrays = [
        batch.column(item.name).cast(item.type) if item.name in batch.schema.names else pa.nulls(len(batch), item.type)
        for item in schema
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
