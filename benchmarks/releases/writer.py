"""Writing a release: rows are streamed into Parquet and hashed as they arrive."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sqlite_file import rows_digest
from benchwright.benchmarks.hashing import ContentHash, json_digest
from benchwright.benchmarks.releases.budget import conform
from benchwright.benchmarks.releases.canary import KEY, canary_line
from benchwright.benchmarks.releases.configs import find_config
from benchwright.benchmarks.releases.integrity import Integrity
from benchwright.benchmarks.releases.manifest import CARD, Manifest, list_files, write_manifest
from benchwright.benchmarks.releases.release import TEST, Release, aligned
from benchwright.benchmarks.releases.split_files import SplitFiles, batches, qrels_of
from benchwright.benchmarks.schemas import (
    BASIC,
    CONFIGS,
    CORPUS,
    QRELS,
    QUERIES,
    QUESTIONS,
    ConfigSchema,
    document_batch,
    in_order,
    question_batch,
)
from benchwright.benchmarks.types import Document, Question

AS_QUESTIONS = "questions"
"""What a source says in `rows_shipped` whose rows are the questions and documents, and no database: both halves of a
release with held-out answers hold some."""
_SPLIT = re.compile(r"[a-z][a-z0-9_]*")
_PENDING = (1, 7)
"""Pieces of work that may wait for each of the two threads."""


class ReleaseWriter:
    """Collects the parts of a release in a folder. Of what the builder's thread has made, one thread encodes the
    questions; another hashes everything, checks that it goes together and encodes the other configs."""

    wants_cells = False
    """Whether questions are held out, so that a builder should say with `needs` which cells each group needs."""

    def __init__(self, folder: Path, configs: Iterable[ConfigSchema] = (), canary: str = "") -> None:
        """
        Args:
            folder: where the files go.
            configs: those that the builder declares.
            canary: the GUID that files of data and templates carry, that of the manifest; see `canary.py`.
        """
        self.folder = folder
        self.canary = canary
        self.checks: dict[str, Any] = {}
        """What the build proved and what it left out, with counts; see `Spec.checks` for what is told of them."""
        self.parameters: dict[str, Any] = {}
        """Parameters that are another release's, not those that were asked for: what the manifest tells instead."""
        self.seed: int | None = None
        """Likewise the seed."""
        self.texts: dict[str, dict[str, int]] = {}
        """Sort of text, such as `wordings` or `documents` → who wrote them → how many; see `Manifest.texts`. Cards and
        reports warn of what rules wrote."""
        self.sources: list[Mapping[str, Any]] = []
        self.models: list[Mapping[str, Any]] = []
        self._configs = {config.name: config for config in configs}
        self._columns: set[str] = set()
        self._schemas: dict[str, pa.Schema] = {}
        self._content = ContentHash()
        self._integrity = Integrity()
        self._splits: dict[tuple[str, str], SplitFiles] = {}
        self._workers = [ThreadPoolExecutor(1, f"release-writer-{i}") for i in range(2)]
        self._pending: list[list[Future[None]]] = [[], []]

    def with_columns(self, *names: str) -> None:
        """Announces optional columns of `questions` (`fact_date`), before the first question: they are then written and
        hashed for every question, null where there is none.

        Raises:
            BenchwrightError: there is no such column, or questions were written already.
        """
        for name in names:
            if name not in QUESTIONS.optional:
                raise BenchwrightError(
                    f"{name!r} is no optional column of questions: {', '.join(QUESTIONS.optional)} is"
                )
        if QUESTIONS.name in self._schemas and not set(names) <= self._columns:
            raise BenchwrightError(f"the column {names[0]} must be announced before the first question is written")
        self._columns.update(names)

    def needs(
        self, groups: Sequence[str], cells: Sequence[Sequence[str]], silent: Sequence[Sequence[str]] | None = None
    ) -> None:
        """Says which cells of the database some semantic groups need, before their questions are written.

        Where questions are held out, every group that needs a drawn cell is; elsewhere nothing comes of it.

        Args:
            groups: their ids.
            cells: for each, every cell that its answer depends on, under a name that is the same in every group that
                needs it. Cells that determine one another, or of which one makes the other easier to guess, have one
                name. A cell is not named where the public half gives its value away by other means: it is never drawn.
            silent: for each, those that no document states, so that it is a known gap; "" for each that is not named.
        """

    def questions(self, rows: Iterable[Question] | pa.RecordBatch, split: str = TEST) -> None:
        """Writes questions, and the queries and qrels that follow from them.

        A batch may hold dictionary arrays where the schema says text: what repeats is then neither copied nor hashed
        into a dictionary again.
        """
        schema = self.schema(QUESTIONS.name)
        for batch in batches(rows, lambda part: question_batch(part, schema)):
            self._write(QUESTIONS, split, aligned(batch, schema))
            queries = [batch.column("id"), batch.column("question")]
            self._write(QUERIES, split, pa.RecordBatch.from_arrays(queries, schema=QUERIES.columns))
            self._write(QRELS, split, qrels_of(batch))

    def documents(self, rows: Iterable[Document] | pa.RecordBatch) -> None:
        """Writes documents of the corpus."""
        for batch in batches(rows, document_batch):
            self._write(CORPUS, CORPUS.name, batch)

    def rows(self, config: str, rows: Iterable[Mapping[str, Any]] | pa.RecordBatch, split: str | None = None) -> None:
        """Writes rows of a further config: one that every program knows, such as `pairs`, or that the builder declares.

        Args:
            config: its name.
            rows: each with the config's columns by name; a column that it lacks is null.
            split: `test` where none is given, or the config's own name where it has no splits.

        Raises:
            BenchwrightError: the config is not known, has no such split, or a row does not have its columns.
        """
        known = self.config(config)
        split = split or (TEST if known.has_splits else config)
        if not known.has_splits and split != config:
            raise BenchwrightError(f"the config {config} has no split {split!r}: all of its rows are in {config!r}")
        if not _SPLIT.fullmatch(split):
            raise BenchwrightError(f"{split!r} cannot be a split's name: use lower-case letters, digits and '_'")
        for batch in batches(rows, lambda part: self._mapped(known, part)):
            self._write_rows(known, split, self._checked(known, batch))

    def config(self, name: str) -> ConfigSchema:
        """The schema of a further config that this release may hold.

        Raises:
            BenchwrightError: it is not known, or it is one of those that questions and documents are written to.
        """
        if name in BASIC:
            raise BenchwrightError(f"rows of {name} are written with writer.questions and writer.documents")
        known = self._configs.get(name) or find_config(name, None)
        if known is None:
            raise BenchwrightError(f"there is no config {name!r}: declare it in CONFIGS of the builder's module")
        return known

    def schema(self, config: str) -> pa.Schema:
        """The columns of one of the four basic configs, as this release has them."""
        if config not in self._schemas:
            known = next(one for one in CONFIGS if one.name == config)
            self._schemas[config] = known.resolve(self._columns)
        return self._schemas[config]

    def _mapped(self, config: ConfigSchema, rows: Sequence[Mapping[str, Any]]) -> pa.RecordBatch:
        schema = self._schemas.get(config.name) or config.resolve(rows[0].keys())
        known = set(schema.names)
        for row in rows:
            if unknown := row.keys() - known:
                raise BenchwrightError(
                    f"the config {config.name} has no column {min(unknown)!r} (row {dict(row)!r:.200})"
                )
        try:
            return pa.RecordBatch.from_pylist(list(rows), schema=schema)
        except (pa.ArrowException, TypeError) as error:
            raise BenchwrightError(f"a row of {config.name} is not as its columns want: {error}") from None

    def _checked(self, config: ConfigSchema, batch: pa.RecordBatch) -> pa.RecordBatch:
        """A batch with exactly the columns that the first one of its config had."""
        schema = self._schemas.setdefault(config.name, config.resolve(batch.schema.names))
        if unknown := set(batch.schema.names) - set(schema.names):
            raise BenchwrightError(f"the config {config.name} has no column {min(unknown)!r}")
        try:
            return conform(batch, schema)
        except pa.ArrowException as error:
            raise BenchwrightError(f"rows of {config.name} are not as its columns want: {error}") from None

    def templates(self, name: str, content: Mapping[str, Any]) -> None:
        """Writes `templates/NAME.json`."""
        path = self.folder / "templates" / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        line = canary_line(self.canary)
        whole = {**({KEY: line} if line else {}), **content}
        path.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        self._content.add(f"templates/{path.name}", json_digest(content))

    def schema_file(self, name: str, text: str) -> None:
        """Writes `templates/NAME.schema.toml`: how the tables that templates name are to be understood. It is a file of
        the release with its hash in the manifest, but no content, as the same templates are the same benchmark."""
        path = self.folder / "templates" / f"{name}.schema.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def database(self, name: str) -> Path:
        """Where the builder puts a SQLite database that is shipped: `database/NAME.sqlite`."""
        path = self.folder / "database" / f"{name}.sqlite"
        path.parent.mkdir(exist_ok=True)
        return path

    def inherit(self, release: Release, config: str) -> None:
        """Takes in the rows of another release's config, whose files were copied to this one's folder: they are hashed
        and checked with the rest.

        Raises:
            BenchwrightError: its files cannot be read.
        """
        known, schema = release.config(config), release.schema(config)
        self._schemas[config] = schema
        for split in release.manifest.splits[config]:
            target = self._splits[config, split] = SplitFiles(self.folder / config, split, self.canary)
            for batch in release.batches(config, split):
                target.rows += len(batch)
                self._submit(1, partial(self._hash, known, split, batch, schema))

    def inherit_templates(self, release: Release) -> None:
        """Takes in the templates of another release, whose files were copied to this one's folder."""
        for name, content in release.templates().items():
            self._content.add(f"templates/{name}", json_digest(content))

    def _write_rows(self, config: ConfigSchema, split: str, batch: pa.RecordBatch) -> None:
        """Where checked rows of a further config go; `HoldoutWriter` writes them to one half or the other."""
        self._write(config, split, batch)

    def _write(self, config: ConfigSchema, split: str, batch: pa.RecordBatch) -> None:
        if not batch.num_rows:
            return
        schema = self._schemas[config.name] if config.name not in BASIC else self.schema(config.name)
        key = (config.name, split)
        if key not in self._splits:
            self._splits[key] = SplitFiles(self.folder / config.name, split, self.canary)
        target = self._splits[key]
        self._submit(1, lambda: self._hash(config, split, batch, schema))
        self._submit(0 if config is QUESTIONS else 1, lambda: target.write(batch))

    def _hash(self, config: ConfigSchema, split: str, batch: pa.RecordBatch, schema: pa.Schema) -> None:
        self._content.update(config.name, split, batch, schema)
        self._integrity.see(config, split, batch)

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

        Raises:
            BenchwrightError: the rows do not go together: an id is there twice, a document that is named is not there,
                a span is outside its text, a group has two answers, or a held-out question tells its answer.
        """
        self.close()
        for path in sorted((self.folder / "database").glob("*.sqlite")):
            self._content.add(f"database/{path.name}", rows_digest(path))
        found: dict[str, dict[str, int]] = {}
        for (config, name), split in self._splits.items():
            found.setdefault(config, {})[name] = split.rows
        splits = {config: found[config] for config in in_order(found)}
        facts |= {"parameters": {**facts["parameters"], **self.parameters}}
        if self.seed is not None and facts["seed"] is not None:  # None: it is secret
            facts |= {"seed": self.seed}
        manifest = Manifest(
            **facts,
            sources=self.sources,
            models=self.models,
            rows={config: sum(splits.get(config, {}).values()) for config in in_order({*BASIC, *splits})},
            splits=splits,
            checks=self.checks,
            texts=self.texts,
            content_hash=self._content.hexdigest(),
        )
        if self._integrity.is_suspicious():
            _refuse(Release(self.folder, manifest))
        return manifest

    def seal(self, manifest: Manifest, card: str) -> None:
        """Writes the card and the manifest, the last two files.

        Raises:
            BenchwrightError: the manifest would be one that nobody can read.
        """
        (self.folder / CARD).write_text(card, encoding="utf-8")
        whole = replace(manifest, files=list_files(self.folder))
        write_manifest(self.folder, whole)


def _refuse(release: Release) -> None:
    """Raises what is wrong with the rows of a release; nothing where two texts had one hash and all is well."""
    from benchwright.benchmarks.releases.proofs.verify import verify_rows

    found = verify_rows(release)
    if not found.problems:
        return
    first = found.problems[0]
    kind, count = first.partition(":")[0], sum(found.counts.values())
    more = f" ({found.counts[kind]:,} such)" if found.counts[kind] > 1 else ""
    others = f"; {count:,} problems in all" if count > found.counts[kind] else ""
    raise BenchwrightError(f"{release.manifest.name} is not built, for its rows do not hold: {first}{more}{others}")
