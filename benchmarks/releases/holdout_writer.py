"""Held-out questions: one build gives a public release and a private one, split by the cells that questions need.

Cells of the database are drawn by the secret, and every semantic group that needs a drawn cell is held out; see
`cells.py`. A group of `test` that needs a drawn cell, and is a known gap for the sake of another, is in neither half:
open questions say that no document states that one. The public release NAME holds the questions of the held-out groups
of `test` as the split `heldout`: id, wording, group, form, template and entity, which the wording and the files of
templates give away anyway, and a commitment to the answer. `kind`, `hops` and `subset` are left out with the gold: a
builder may choose them by the answer (`unanswerable`), and of ours the other questions of the same template say the
same. Of the other splits, what needs a drawn cell is not in the public release at all. The private release NAME-private
holds everything that is held out, in the splits that it is from, and in the config `cells` what each group of both
halves needs, drawn or not. The corpus and the templates are in both; a database only in the private one.

With a share of 1 everything is held out, of every split: the public release has no other questions than `heldout`. So
is the edition of a round of a leaderboard.

Until all questions are known, nobody knows which cells give the share that is asked for: they wait on disk meanwhile.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import hash_texts
from benchwright.benchmarks.releases.budget import conform
from benchwright.benchmarks.releases.cells import default_cells
from benchwright.benchmarks.releases.commitments import COMMITTED, PUBLIC_COLUMNS, SCHEME, commitment, salt_of
from benchwright.benchmarks.releases.held_groups import HeldGroups, first_of_groups, groups_of
from benchwright.benchmarks.releases.holdout import Holdout
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.releases.recount import Half, QuestionCounts, public_checks, recount
from benchwright.benchmarks.releases.release import HELDOUT, TEST, aligned
from benchwright.benchmarks.releases.split_files import batches
from benchwright.benchmarks.releases.spool import Spool
from benchwright.benchmarks.releases.writer import AS_QUESTIONS, ReleaseWriter
from benchwright.benchmarks.schemas import (
    CELLS,
    DEFAULT_CONFIG,
    ConfigSchema,
    document_batch,
    json_text,
    question_batch,
)
from benchwright.benchmarks.types import Document, Question


class HoldoutWriter(ReleaseWriter):
    """Writes the private release, and of everything what may be seen to the public one."""

    wants_cells = True

    def __init__(
        self,
        folder: Path,
        public: Path,
        holdout: Holdout,
        configs: Iterable[ConfigSchema] = (),
        declared: Mapping[str, Mapping[str, Any]] | None = None,
        canaries: tuple[str, str] = ("", ""),
    ) -> None:
        """
        Args:
            folder: of the private release.
            public: the folder of the public one.
            holdout: how the build is split.
            configs: those that the builder declares.
            declared: what the spec says of checks: which of them may be public; see `recount.py`.
            canaries: of the private release and of the public one.
        """
        super().__init__(folder, configs, canaries[0])
        self.holdout = holdout
        self.public = ReleaseWriter(public, configs, canaries[1])
        self._declared = declared or {}
        self._spool = Spool(folder / ".spool")
        self._groups = HeldGroups(holdout.secret, holdout.share)
        self._dropped: list[np.ndarray] = []
        """Hashes of the ids of questions that are in neither half."""
        self._asked: list[np.ndarray] = []
        """Hashes of the ids of questions."""
        self._held, self._open, self._shown = QuestionCounts(), QuestionCounts(), QuestionCounts()
        self._public_content_hash: str | None = None

    def with_columns(self, *names: str) -> None:
        """Announces optional columns of `questions`, to both."""
        super().with_columns(*names)
        self.public.with_columns(*names)

    def needs(
        self, groups: Sequence[str], cells: Sequence[Sequence[str]], silent: Sequence[Sequence[str]] | None = None
    ) -> None:
        """Notes which cells some groups need. Of a group of which the builder does not say it, see `default_cells`."""
        new = [place for place, group in enumerate(groups) if group not in self._groups]
        named = [groups[place] for place in new]
        found = [list(dict.fromkeys(cells[place])) for place in new]
        self._groups.add(named, found, None if silent is None else [silent[place] for place in new])
        columns = [pa.array(named, pa.string()), pa.array(found, pa.list_(pa.string()))]
        self._spool.add((CELLS.name, CELLS.name), pa.RecordBatch.from_arrays(columns, names=["group", "cells"]))

    def questions(self, rows: Iterable[Question] | pa.RecordBatch, split: str = TEST) -> None:
        """Takes in questions; where they go is known when all of them are there.

        Dictionary arrays are unpacked first: a part of one keeps the values of the whole, and Parquet would store them.
        """
        schema = self.schema(DEFAULT_CONFIG)
        for batch in batches(rows, lambda part: question_batch(part, schema)):
            plain = conform(aligned(batch, schema), schema)
            self._place(plain, split)
            self._asked.append(hash_texts(plain.column("id")))
            self._spool.add((DEFAULT_CONFIG, split), plain)

    def documents(self, rows: Iterable[Document] | pa.RecordBatch) -> None:
        """Writes documents of the corpus, to both."""
        for batch in batches(rows, document_batch):
            super().documents(batch)
            self.public.documents(batch)

    def templates(self, name: str, content: Mapping[str, Any]) -> None:
        """Writes `templates/NAME.json`, to both: templates hold placeholders, no values."""
        super().templates(name, content)
        self.public.templates(name, content)

    def schema_file(self, name: str, text: str) -> None:
        """Writes `templates/NAME.schema.toml`, to both."""
        super().schema_file(name, text)
        self.public.schema_file(name, text)

    def _write_rows(self, config: ConfigSchema, split: str, batch: pa.RecordBatch) -> None:
        """Rows go where the question goes that they name.

        Raises:
            BenchwrightError: the config names no question, or the question was not written before.
        """
        column = _naming(config)
        if column is None:
            raise BenchwrightError(
                f"the config {config.name} names no question, so that nothing says which of its rows are held out: "
                "declare a column of it as a reference to questions, or build without --holdout"
            )
        ids = hash_texts(batch.column(column))
        known = np.isin(ids, np.concatenate([*self._asked, ids[:0]]))
        if not known.all():
            name = batch.column(column)[int(np.argmin(known))].as_py()
            raise BenchwrightError(
                f"a row of {config.name} names the question {name}, which was not written: write questions before the "
                "rows that name them"
            )
        self._spool.add((config.name, split), batch)

    def abandon(self) -> None:
        """Stops writing; both folders may be deleted."""
        super().abandon()
        self.public.abandon()

    def finish(self, **facts: Any) -> Manifest:
        """Closes the files of the private release. Returns its manifest, the only place that holds the secret."""
        self.checks = recount(self.checks, self._declared, Half(self._held, self._held))
        holdout = {
            "share": self.holdout.share,
            "public": self.holdout.name,
            "public_content_hash": self._public_content_hash,
            "secret": self.holdout.secret.hex(),
        }
        return super().finish(**{**facts, "name": self.holdout.private_name, "holdout": holdout})

    def finish_public(self, **facts: Any) -> Manifest:
        """Draws the cells and closes the files of the public release. Returns its manifest. Comes before `finish`.

        Raises:
            BenchwrightError: there is nothing in one of the two.
        """
        self._schemas[CELLS.name] = CELLS.columns
        self._part()
        self._spool.delete()
        told = public_checks(self.checks, self._declared)
        self.public.checks = recount(told, self._declared, Half(self._shown, self._open))
        self.public.models = self.models
        self.public.parameters = self.parameters
        self.public.texts = self.texts
        self.public.sources = [
            {**source, "rows_shipped": "none"} if source.get("rows_shipped", AS_QUESTIONS) != AS_QUESTIONS else source
            for source in self.sources
        ]
        held, shown = (counts.per_split.get(TEST, []) for counts in (self._held, self._open))
        holdout = {
            "share": self.holdout.share,
            "share_held_out": round(len(held) / (len(held) + len(shown)), 4),
            "questions": self._shown.questions - self._open.questions,
            "groups": len(held),
            "groups_given_away": self._groups.given_away,
            "groups_left_out": {split: len(groups) for split, groups in self._held.per_split.items() if split != TEST},
            "commitment": SCHEME,
            "private": self.holdout.private_name,
        }
        manifest = self.public.finish(**{**facts, "name": self.holdout.name, "holdout": holdout})
        self._public_content_hash = manifest.content_hash
        return manifest

    def _place(self, batch: pa.RecordBatch, split: str) -> None:
        """Notes the stratum of each group, and what it needs where nobody said it."""
        rows = first_of_groups(batch, ("entity", "hops", "answerability", "evidence"))
        silent = [name for name in rows if name not in self._groups]
        if silent:
            self.needs(silent, [default_cells(name, rows[name]) for name in silent])
        self._groups.place(rows, split)

    def _part(self) -> None:
        """Writes everything that waits to where it belongs.

        Raises:
            BenchwrightError: there would be nothing in one of the two.
        """
        held, count = self._groups.draw()
        if not held or (held == count and self.holdout.share < 1):
            self.abandon()
            raise BenchwrightError(
                f"of {count} semantic groups of the split test {held} would be held out, and neither part may "
                "be empty: ask more groups, or choose another --holdout, of 1 for all"
            )
        self._groups.say_share(held, count)
        hidden: list[np.ndarray] = []
        for name in self._spool.names():
            for batch in self._spool.read(name):
                if name[0] == DEFAULT_CONFIG:
                    hidden.append(self._part_questions(batch, name[1]))
                elif name[0] == CELLS.name:
                    self._write(CELLS, CELLS.name, self._groups.with_drawn(batch, CELLS.columns))
                else:
                    self._part_rows(self.config(name[0]), name[1], batch, hidden)

    def _part_questions(self, batch: pa.RecordBatch, split: str) -> np.ndarray:
        """Writes questions to the half that they are of. Returns the hashes of the ids of those that are held out."""
        if split == TEST:
            batch = self._without_given_away(batch)
        mask = self._groups.are_held(groups_of(batch))
        private, public = batch.filter(mask), batch.filter(pc.invert(mask))
        for counts in (self._open, self._shown):
            counts.add(public, split)
        self.public.questions(public, split)
        if split == TEST:
            self._shown.add(private, split)
        if len(private):
            self._held.add(private, split)
            salted, sealed = _sealed(private, self.holdout.secret)
            super().questions(salted, split)
            if split == TEST:
                self.public.questions(sealed, HELDOUT)
        return hash_texts(private.column("id"))

    def _without_given_away(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        mask = self._groups.are_given_away(groups_of(batch))
        self._dropped.append(hash_texts(batch.column("id").filter(mask)))
        return batch.filter(pc.invert(mask))

    def _part_rows(self, config: ConfigSchema, split: str, batch: pa.RecordBatch, hidden: Sequence[np.ndarray]) -> None:
        column = str(_naming(config))
        is_dropped = np.isin(hash_texts(batch.column(column)), np.concatenate([np.zeros(0, np.uint64), *self._dropped]))
        batch = batch.filter(pa.array(~is_dropped))
        ids = hash_texts(batch.column(column))
        held = pa.array(np.isin(ids, np.concatenate([*hidden, ids[:0]])))
        super()._write_rows(config, split, batch.filter(held))
        self.public.rows(config.name, batch.filter(pc.invert(held)), split)


def _naming(config: ConfigSchema) -> str | None:
    """The column of a config that names a question."""
    return next((name for name, target in config.references.items() if target == DEFAULT_CONFIG), None)


def _sealed(batch: pa.RecordBatch, secret: bytes) -> tuple[pa.RecordBatch, pa.RecordBatch]:
    """Held-out questions with their salts, for the private release, and what is public of them."""
    salted, committed = [], []
    for row in batch.select([*COMMITTED, "metadata"]).to_pylist():
        salt = salt_of(secret, row["id"])
        salted.append(json_text({**(json.loads(row["metadata"]) if row["metadata"] else {}), "salt": salt.hex()}))
        committed.append(json_text({"commitment": commitment(row, salt)}))
    schema = batch.schema
    place = schema.get_field_index("metadata")
    private = batch.set_column(place, schema.field(place), pa.array(salted, pa.string()))
    shown = [
        pa.array(committed, pa.string())
        if item.name == "metadata"
        else batch.column(item.name)
        if item.name in PUBLIC_COLUMNS
        else pa.nulls(len(batch), item.type)
        for item in schema
    ]
    return private, pa.RecordBatch.from_arrays(shown, schema=schema)
