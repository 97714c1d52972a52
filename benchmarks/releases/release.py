"""A release on disk: its rows read as a stream, its templates and databases.

ROOT/NAME/VERSION/
  README.md  manifest.json
  questions/ corpus/ queries/ qrels/     one Parquet shard or more per split
  pairs/ labels/ squad/ triplets/ …      the same of further configs, where the builder has them
  database/NAME.sqlite  templates/*.json where the builder has them
  templates/NAME.rejected.jsonl  proposals/refused.jsonl    what models proposed and nobody used
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import ContentHash, json_digest
from benchwright.benchmarks.releases.budget import FileReader, ReadingClock, advice, factor, hold_rows
from benchwright.benchmarks.releases.canary import KEY
from benchwright.benchmarks.releases.configs import find_config
from benchwright.benchmarks.releases.manifest import Manifest, read_manifest
from benchwright.benchmarks.releases.plain_files import check_folder
from benchwright.benchmarks.releases.sound import always_there, check_sound
from benchwright.benchmarks.schemas import DEFAULT_CONFIG, ConfigSchema

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

TEST = "test"
HELDOUT = "heldout"
"""The split of a public release whose answers are in the private one."""
TEMPLATE_BYTES = 20_000_000
"""Bytes that all files of templates may have together."""


@dataclass(frozen=True)
class Release:
    """One version of one benchmark: a folder and its manifest."""

    folder: Path
    manifest: Manifest

    @classmethod
    def load(cls, folder: Path) -> "Release":
        """Opens a folder.

        Raises:
            BenchwrightError: it is no release that this program can read, its manifest is not as it must be, or it
                holds anything but files and folders.
        """
        manifest = read_manifest(folder)
        check_folder(folder)
        return cls(folder, manifest)

    def config(self, name: str) -> ConfigSchema:
        """The schema of one of its configs; of one that a builder declared who is not installed, as its files have it.

        Raises:
            BenchwrightError: there is no such config, or its files cannot be read.
        """
        found = find_config(name, self.manifest.builder)
        if found is not None:
            return found
        splits = self.manifest.splits.get(name, {})
        shards = [path for split in splits for path in self.shards(name, split)]
        if not shards:
            there = ", ".join(self.manifest.splits)
            raise BenchwrightError(
                f"{self.manifest.name} {self.manifest.version} has no config {name!r}: there are {there}"
            )
        return ConfigSchema(name, _read_schema(shards[0]), "", has_splits=list(splits) != [name])

    def schema(self, config: str) -> pa.Schema:
        """The columns of a config as its files have them: all of the contract but optional ones that are not there.

        Raises:
            BenchwrightError: the config is not known, or its files cannot be read.
        """
        known = self.config(config)
        there: set[str] = set()
        for split in self.manifest.splits.get(config, {}):
            for path in self.shards(config, split)[:1]:
                there.update(_read_schema(path).names)
        return known.resolve(there)

    def shards(self, config: str, split: str) -> list[Path]:
        """The Parquet files of a split, in stored order."""
        return sorted((self.folder / config).glob(f"{split}-*.parquet"))

    def batches(self, config: str, split: str, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """The rows of a split as a stream of batches. A column of the contract that the files lack is null.

        Args:
            config: the config.
            split: one of its splits.
            columns: those that are wanted; None: those of `schema`.

        Raises:
            BenchwrightError: the config is not known, or a file is missing, is not Parquet, unfolds to more than it
                may, or has a row without what every row must have.
        """
        known, shards = self.config(config), self.shards(config, split)
        if not shards:
            raise BenchwrightError(f"{self.folder / config} has no file of the split {split!r}")
        wanted = self.schema(config)
        if columns is not None:
            wanted = pa.schema([(wanted if name in wanted.names else known.columns).field(name) for name in columns])
        needed = always_there(known)
        clock = ReadingClock(self.folder / config, sum(path.stat().st_size for path in shards))
        try:
            said = self.manifest.splits.get(config, {}).get(split)
            hold_rows(self.folder / config, shards, said)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise BenchwrightError(f"{self.folder / config} cannot be read: {_first_line(error)}") from None
        for path in shards:
            try:
                row = 0
                for batch in clock.watch(FileReader(path).batches(wanted)):
                    check_sound(batch, needed, path, row)
                    row += len(batch)
                    yield batch
            except (pa.ArrowException, OSError, ValueError) as error:
                raise BenchwrightError(f"{path} cannot be read: {_first_line(error)}") from None

    def dataset(self, config: str = DEFAULT_CONFIG, split: str | None = None) -> "Dataset":
        """The rows of a split as a `datasets.Dataset`: memory-mapped, so that they take no memory until they are read.

        `datasets` unpacks the Parquet files once, into its own cache under this release's content hash, and maps them
        from there the next time. `load_dataset` of a local folder would look in the cache by the folder's name.

        Args:
            config: the config.
            split: one of its splits; None: `test` where there is one, else the first.

        Raises:
            BenchwrightError: the config is not known, there is no such split, or its files cannot be read.
        """
        splits = self.manifest.splits.get(config, {})
        split = split or (TEST if TEST in splits else next(iter(splits), TEST))
        shards = self.shards(config, split) if split in splits else []
        if not shards:
            there = ", ".join(splits) or "none"
            raise BenchwrightError(
                f"{self.manifest.name} {self.manifest.version} has no split {split!r} of {config}: there are {there}"
            )
        there = pa.schema([item for item in self.schema(config) if item.name in _read_schema(shards[0]).names])
        for path in shards:
            try:
                FileReader(path).check(there)
            except (pa.ArrowException, OSError, ValueError) as error:
                raise BenchwrightError(f"{path} cannot be read: {_first_line(error)}") from None
        from benchwright.benchmarks.releases.memory_map import map_parquet

        return map_parquet(shards, split, there, self.manifest.content_hash)

    def datasets(self, config: str = DEFAULT_CONFIG) -> "DatasetDict":
        """All splits of a config as a `datasets.DatasetDict`; see `dataset`.

        Raises:
            BenchwrightError: the config is not known, the release has no rows of it, or its files cannot be read.
        """
        from datasets import DatasetDict

        splits = self.manifest.splits.get(config, {})
        return DatasetDict({split: self.dataset(config, split) for split in splits or [TEST]})

    def templates(self) -> dict[str, Any]:
        """File name → content of each file of templates, without its canary.

        Raises:
            BenchwrightError: one is not JSON, or no JSON object, or they are too large.
        """
        found = {}
        paths = sorted((self.folder / "templates").glob("*.json"))
        size = sum(path.stat().st_size for path in paths)
        if size > TEMPLATE_BYTES * factor():
            raise BenchwrightError(
                f"{self.folder / 'templates'} is not read: it has {size:,} bytes, and may have "
                f"{int(TEMPLATE_BYTES * factor()):,}; {advice()}"
            )
        for path in paths:
            try:
                content = json.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError, RecursionError) as error:
                raise BenchwrightError(f"{path} cannot be read: {error}") from None
            if not isinstance(content, dict):
                raise BenchwrightError(f"{path} cannot be read: it is no JSON object")
            found[path.name] = {key: value for key, value in content.items() if key != KEY}
        return found

    def sql_templates(self) -> Iterator[str]:
        """The text of each SQL template in the files of templates; what has another shape is left out.

        Raises:
            BenchwrightError: as `templates`.
        """
        for content in self.templates().values():
            lists = content.get("sql_templates")
            for statements in lists.values() if isinstance(lists, dict) else ():
                yield from (sql for sql in statements if isinstance(sql, str)) if isinstance(statements, list) else ()

    def databases(self) -> list[Path]:
        """The databases that are shipped."""
        return sorted((self.folder / "database").glob("*.sqlite"))

    def content_hash(self) -> str:
        """The content hash, computed again from the files."""
        return self.hash_content().hexdigest()

    def hash_content(self) -> ContentHash:
        """What the content hash is of, read again from the files."""
        from benchwright.benchmarks.grounding.sqlite_file import rows_digest

        content = ContentHash()
        for config, splits in self.manifest.splits.items():
            schema = self.schema(config)
            for split in splits:
                for batch in self.batches(config, split):
                    content.update(config, split, batch, schema)
        for name, value in self.templates().items():
            content.add(f"templates/{name}", json_digest(value))
        for path in self.databases():
            content.add(f"database/{path.name}", rows_digest(path))
        return content


def _read_schema(path: Path) -> pa.Schema:
    try:
        return pq.read_schema(path).remove_metadata()
    except (pa.ArrowException, OSError) as error:
        raise BenchwrightError(f"{path} cannot be read: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def aligned(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The batch with the schema's columns in their order and of its own types; a column that it lacks is null.

    Raises:
        BenchwrightError: it has a column that the schema has not.
    """
    if batch.schema.names == schema.names:
        return batch
    if unknown := [name for name in batch.schema.names if name not in schema.names]:
        raise BenchwrightError(
            f"questions have a column {unknown[0]!r}, which is not known or was not announced with writer.with_columns"
        )
    there = [
        batch.column(item.name) if item.name in batch.schema.names else pa.nulls(len(batch), item.type)
        for item in schema
    ]
    return pa.RecordBatch.from_arrays(there, names=schema.names)
