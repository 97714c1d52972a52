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

Until all questions are known, nobody knows which cells give the share that is asked for: they wait on disk meanwhile.
"""

import json
import logging
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.hashing import hash_texts
from benchwright.benchmarks.naming import check_name
from benchwright.benchmarks.releases.budget import conform
from benchwright.benchmarks.releases.cells import Drawn, GroupStratum, Needs, default_cells, numbers
from benchwright.benchmarks.releases.commitments import (
    COMMITTED,
    PUBLIC_COLUMNS,
    SCHEME,
    SECRET_BYTES,
    commitment,
    derive,
    salt_of,
)
from benchwright.benchmarks.releases.manifest import MANIFEST, Manifest, read_manifest
from benchwright.benchmarks.releases.recount import Half, QuestionCounts, public_checks, recount
from benchwright.benchmarks.releases.release import HELDOUT, TEST, aligned
from benchwright.benchmarks.releases.spool import Spool
from benchwright.benchmarks.releases.writer import ReleaseWriter, batches
from benchwright.benchmarks.schemas import (
    CELLS,
    DEFAULT_CONFIG,
    ConfigSchema,
    document_batch,
    json_text,
    question_batch,
)
from benchwright.benchmarks.types import Document, Question

MARGIN = 0.02
"""By how much the share that is held out may miss the one that was asked for before it is said."""
_DRAWS = 6
_NEAR = 0.003
_NEVER = 1_000
"""Hops of a group that nobody asks."""

log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class Holdout:
    """How a build is split."""

    name: str
    """The name of the public release."""
    share: float
    """The share of the semantic groups of `test` that is held out, between 0 and 1."""
    secret: bytes = field(repr=False)

    @property
    def private_name(self) -> str:
        """The name of the private release."""
        return private_name(self.name)

    def seed(self, parameter: str = "seed") -> int:
        """A seed of 256 bits that only the secret gives."""
        return int.from_bytes(derive(self.secret, parameter), "big")


def private_name(name: str) -> str:
    """The name of the private half of a release.

    Raises:
        BenchwrightError: it would be too long.
    """
    return check_name(f"{name}-private")


def check_share(share: float) -> float:
    """The share itself, if it is one that can be held out.

    Raises:
        UsageError: it is not between 0 and 1.
    """
    if not 0 < share < 1:
        raise UsageError(f"--holdout {share:g} is not possible: give a share between 0 and 1, such as 0.5")
    return share


def open_holdout(root: Path, name: str, version: str, share: float) -> Holdout:
    """How a version is split: with the secret of its private half, where that is there already, else with a new one.

    Raises:
        BenchwrightError: what is there is not the private half, or only the public half is there.
    """
    public, private = root / name / version, root / private_name(name) / version
    if (private / MANIFEST).is_file():
        section = read_manifest(private).holdout or {}
        if section.get("public") != name:
            raise BenchwrightError(f"{private} is not the private half of {name}: choose another --name or --releases")
        return Holdout(name, share, _secret(section.get("secret"), private))
    if (public / MANIFEST).is_file() and read_manifest(public).holdout:
        raise BenchwrightError(
            f"{public} is there without its private half, whose secret it takes to build it again: put {private.name} "
            f"of {private.parent.name} back into {root}, or build the next version with --as-version"
        )
    return Holdout(name, share, secrets.token_bytes(SECRET_BYTES))


def _secret(text: Any, folder: Path) -> bytes:
    try:
        secret = bytes.fromhex(text)
    except (TypeError, ValueError):
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise BenchwrightError(f"{folder / MANIFEST} holds no secret of {SECRET_BYTES} bytes: it was changed")
    return secret


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
        self._needs = Needs(holdout.secret)
        self._silent = Needs(holdout.secret)
        """The cells that make a group a known gap."""
        self._given_away = np.zeros(0, dtype=bool)
        """For each group, whether it is a known gap, and an open one says so."""
        self._dropped: list[np.ndarray] = []
        """Hashes of the ids of questions that are in neither half."""
        self._dropped_groups = 0
        self._told: dict[str, int] = {}
        """Group → its number, of those whose cells are known."""
        self._strata: dict[str, GroupStratum] = {}
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
        new = [place for place, group in enumerate(groups) if group not in self._told]
        named = [groups[place] for place in new]
        self._told.update(zip(named, range(len(self._told), len(self._told) + len(named)), strict=True))
        found = [list(dict.fromkeys(cells[place])) for place in new]
        self._needs.add([self._told[group] for group in named], found)
        if silent is not None:
            self._silent.add([self._told[group] for group in named], [silent[place] for place in new])
        columns = [pa.array(named, pa.string()), pa.array(found, pa.list_(pa.string()))]
        self._spool.add((CELLS.name, CELLS.name), pa.RecordBatch.from_arrays(columns, names=["group", "cells"]))

    def questions(self, rows: Iterable[Question] | pa.RecordBatch, split: str = TEST) -> None:
        """Takes in questions; where they go is known when all of them are there.

        Dictionary arrays are unpacked first: a part of one keeps the values of the whole, and Parquet would store them.
        """
        schema = self.schema(DEFAULT_CONFIG)
        for batch in batches(rows, lambda part: question_batch(part, schema)):
            plain = conform(aligned(batch, schema), schema)
            self._know(plain, split)
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
        unasked = [
            GroupStratum(number, _NEVER, False, False)
            for name, number in self._told.items()
            if name not in self._strata
        ]
        self._schemas[CELLS.name] = CELLS.columns
        self._part(self._draw([*self._strata.values(), *unasked]))
        self._spool.delete()
        told = public_checks(self.checks, self._declared)
        self.public.checks = recount(told, self._declared, Half(self._shown, self._open))
        self.public.models = self.models
        self.public.parameters = self.parameters
        self.public.texts = self.texts
        self.public.sources = [
            {**source, "rows_shipped": "none"} if "rows_shipped" in source else source for source in self.sources
        ]
        held, shown = (counts.per_split.get(TEST, []) for counts in (self._held, self._open))
        holdout = {
            "share": self.holdout.share,
            "share_held_out": round(len(held) / (len(held) + len(shown)), 4),
            "questions": self._shown.questions - self._open.questions,
            "groups": len(held),
            "groups_given_away": self._dropped_groups,
            "groups_left_out": {split: len(groups) for split, groups in self._held.per_split.items() if split != TEST},
            "commitment": SCHEME,
            "private": self.holdout.private_name,
        }
        manifest = self.public.finish(**{**facts, "name": self.holdout.name, "holdout": holdout})
        self._public_content_hash = manifest.content_hash
        return manifest

    def _know(self, batch: pa.RecordBatch, split: str) -> None:
        """Notes of every group, at its first question, its stratum, and what it needs where nobody said it."""
        groups = _groups(batch)
        encoded = groups.dictionary_encode()
        names = encoded.dictionary.to_pylist()
        first = np.full(len(names), -1)
        places = encoded.indices.to_numpy()
        first[places[::-1]] = np.arange(len(places))[::-1]
        columns = ["entity", "hops", "answerability", "evidence"]
        rows = batch.select(columns).take(pa.array(first)).to_pylist()
        silent = [place for place, name in enumerate(names) if name not in self._told]
        if silent:
            self.needs([names[at] for at in silent], [default_cells(names[at], rows[at]) for at in silent])
        for name, row in zip(names, rows, strict=True):
            if name not in self._strata:
                gap = row["answerability"] == "gap"
                self._strata[name] = GroupStratum(self._told[name], row["hops"] or 0, gap, split == TEST)

    def _draw(self, strata: Sequence[GroupStratum]) -> Drawn:
        """Draws cells until the share of what is held out is the one that was asked for, without what is given away."""
        counted = np.array([one.number for one in strata if one.counts], dtype=np.int64)
        share = wanted = self.holdout.share
        drawn = self._draw_once(strata, share)
        for _ in range(_DRAWS):
            held = drawn.groups[counted] & ~self._given_away[counted]
            came_out = held.sum() / max(1, len(counted) - self._given_away[counted].sum())
            if not self._given_away.any() or abs(came_out - wanted) < _NEAR:
                break
            share = min(0.999, max(0.001, share + wanted - came_out))
            drawn = self._draw_once(strata, share)
        return drawn

    def _draw_once(self, strata: Sequence[GroupStratum], share: float) -> Drawn:
        """Draws cells, and notes what is given away then."""
        drawn = self._needs.draw(strata, share)
        self._given_away = drawn.groups & self._silent.any_but(drawn, len(drawn.groups))
        return drawn

    def _part(self, drawn: Drawn) -> None:
        """Writes everything that waits to where it belongs.

        Raises:
            BenchwrightError: there would be nothing in one of the two.
        """
        counted = [one for one in self._strata.values() if one.counts and not self._given_away[one.number]]
        held = sum(bool(drawn.groups[one.number]) for one in counted)
        self._dropped_groups = sum(one.counts and bool(self._given_away[one.number]) for one in self._strata.values())
        if not held or held == len(counted):
            self.abandon()
            raise BenchwrightError(
                f"of {len(counted)} semantic groups of the split test {held} would be held out, and neither part may "
                "be empty: ask more groups, or choose another --holdout"
            )
        self._say_share(held / len(counted), drawn.most, len(counted))
        hidden: list[np.ndarray] = []
        for name in self._spool.names():
            for batch in self._spool.read(name):
                if name[0] == DEFAULT_CONFIG:
                    hidden.append(self._part_questions(batch, name[1], drawn))
                elif name[0] == CELLS.name:
                    self._write(CELLS, CELLS.name, self._with_drawn(batch, drawn))
                else:
                    self._part_rows(self.config(name[0]), name[1], batch, hidden)

    def _say_share(self, share: float, most: float, count: int) -> None:
        """Warns of a share that is not the one that was asked for; on few groups each weighs more."""
        wanted = self.holdout.share
        if abs(share - wanted) <= max(MARGIN, 1.5 / count):
            return
        why = "facts that many questions need are held out as a whole"
        if share < wanted:
            why = f"the most that can be is {100 * most:.1f} %, for the others need nothing that can be held out"
        said = "%.1f %% of the semantic groups of test are held out, where --holdout %g was asked for: %s"
        log.warning(said, 100 * share, wanted, why)

    def _part_questions(self, batch: pa.RecordBatch, split: str, drawn: Drawn) -> np.ndarray:
        """Writes questions to the half that they are of. Returns the hashes of the ids of those that are held out."""
        if split == TEST:
            batch = self._without_given_away(batch)
        groups = _groups(batch).dictionary_encode()
        held = [bool(drawn.groups[self._told[name]]) for name in groups.dictionary.to_pylist()]
        mask = pa.array(held, pa.bool_()).take(groups.indices)
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
        groups = _groups(batch).dictionary_encode()
        told = [bool(self._given_away[self._told[name]]) for name in groups.dictionary.to_pylist()]
        mask = pa.array(told, pa.bool_()).take(groups.indices)
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

    def _with_drawn(self, batch: pa.RecordBatch, drawn: Drawn) -> pa.RecordBatch:
        """What groups need, with what of it was drawn."""
        asked = [self._is_asked(name) for name in batch.column("group").to_pylist()]
        batch = batch.filter(pa.array(asked, pa.bool_()))
        cells = batch.column("cells")
        is_drawn = drawn.among(numbers(self.holdout.secret, cells.flatten().to_pylist()))
        before = np.concatenate([[0], np.cumsum(is_drawn)])
        offsets = pa.array(before[cells.offsets.to_numpy() - cells.offsets[0].as_py()].astype(np.int32))
        found = pa.ListArray.from_arrays(offsets, cells.flatten().filter(pa.array(is_drawn)))
        return pa.RecordBatch.from_arrays([batch.column("group"), cells, found], schema=CELLS.columns)

    def _is_asked(self, group: str) -> bool:
        """Whether a half has questions of a group: of `test` not where it is given away."""
        one = self._strata.get(group)
        return one is None or not (one.counts and self._given_away[one.number])


def _groups(batch: pa.RecordBatch) -> pa.Array:
    """The group of each row; a question without one is a group of its own."""
    return pc.coalesce(batch.column("group"), batch.column("id"))


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
