"""Held-out questions: one build gives a public release and a private one, split by semantic group.

The public release NAME holds the questions of the held-out groups as the split `heldout`: id, wording, group, form,
template and entity, which the wording and the files of templates give away anyway, and a commitment to the answer.
`kind`, `hops` and `subset` are left out with the gold: a builder may choose them by the answer (`unanswerable`), and of
ours the other questions of the same template say the same. The private release NAME-private holds the same questions
with everything, as the split `test`. The corpus and the templates are in both; a database only in the private one.
"""

import json
import secrets
from collections.abc import Iterable, Mapping
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
from benchwright.benchmarks.releases.writer import ReleaseWriter, batches
from benchwright.benchmarks.schemas import DEFAULT_CONFIG, ConfigSchema, document_batch, json_text, question_batch
from benchwright.benchmarks.types import Document, Question


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

    def holds_out(self, group: str) -> bool:
        """Whether a semantic group is held out: nobody can steer it, and rows of one group stay together."""
        return int.from_bytes(derive(self.secret, "group", group), "big") < self.share * 2**256


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
        self._held, self._open, self._all = QuestionCounts(), QuestionCounts(), QuestionCounts()
        self._known: dict[str, bool] = {}
        self._where: dict[bool, list[np.ndarray]] = {True: [], False: []}
        """Whether they are held out → hashes of the ids of questions, for the rows of other configs that name them."""
        self._public_content_hash: str | None = None

    def with_columns(self, *names: str) -> None:
        """Announces optional columns of `questions`, to both."""
        super().with_columns(*names)
        self.public.with_columns(*names)

    def questions(self, rows: Iterable[Question] | pa.RecordBatch, split: str = TEST) -> None:
        """Writes questions: those of the split `test` to where their group belongs, the others to the public release.

        Dictionary arrays are unpacked first: a part of one keeps the values of the whole, and Parquet would store them.
        """
        schema = self.schema(DEFAULT_CONFIG)
        for batch in batches(rows, lambda part: question_batch(part, schema)):
            plain = conform(aligned(batch, schema), schema)
            self._all.add(plain, split)
            if split == TEST:
                held = self._is_held(plain)
                self._hold_out(plain.filter(held))
                plain = plain.filter(pc.invert(held))
            self._open.add(plain, split)
            self._where[False].append(hash_texts(plain.column("id")))
            self.public.questions(plain, split)

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
        column = next((name for name, target in config.references.items() if target == DEFAULT_CONFIG), None)
        if column is None:
            raise BenchwrightError(
                f"the config {config.name} names no question, so that nothing says which of its rows are held out: "
                "declare a column of it as a reference to questions, or build without --holdout"
            )
        ids = hash_texts(batch.column(column))
        held, shown = (np.isin(ids, np.concatenate([*self._where[which], ids[:0]])) for which in (True, False))
        if not (held | shown).all():
            name = batch.column(column)[int(np.argmin(held | shown))].as_py()
            raise BenchwrightError(
                f"a row of {config.name} names the question {name}, which was not written: write questions before the "
                "rows that name them"
            )
        super()._write_rows(config, split, batch.filter(pa.array(held)))
        self.public.rows(config.name, batch.filter(pa.array(shown)), split)

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
        """Closes the files of the public release. Returns its manifest. Comes before `finish`.

        Raises:
            BenchwrightError: there is nothing in one of the two.
        """
        self._check_both()
        told = public_checks(self.checks, self._declared)
        self.public.checks = recount(told, self._declared, Half(self._all, self._open))
        self.public.models = self.models
        self.public.texts = self.texts
        self.public.sources = [
            {**source, "rows_shipped": "none"} if "rows_shipped" in source else source for source in self.sources
        ]
        holdout = {
            "share": self.holdout.share,
            "questions": self._held.questions,
            "groups": len(self._held.groups),
            "commitment": SCHEME,
            "private": self.holdout.private_name,
        }
        manifest = self.public.finish(**{**facts, "name": self.holdout.name, "holdout": holdout})
        self._public_content_hash = manifest.content_hash
        return manifest

    def _check_both(self) -> None:
        held, shown = len(self._held.groups), sum(group.split == TEST for group in self._open.groups.values())
        if not held or not shown:
            self.abandon()
            raise BenchwrightError(
                f"of {held + shown} semantic groups of the split test {held} would be held out, and neither part may "
                "be empty: ask more groups, or choose another --holdout"
            )

    def _hold_out(self, batch: pa.RecordBatch) -> None:
        self._held.add(batch, TEST)
        self._where[True].append(hash_texts(batch.column("id")))
        private, public = _sealed(batch, self.holdout.secret)
        super().questions(private, TEST)
        self.public.questions(public, HELDOUT)

    def _is_held(self, batch: pa.RecordBatch) -> pa.Array:
        """Whether each row's group is held out; a question without a group is one of its own."""
        groups = pc.coalesce(batch.column("group"), batch.column("id")).dictionary_encode()
        known = self._known
        for group in groups.dictionary.to_pylist():
            if group not in known:
                known[group] = self.holdout.holds_out(group)
        return pa.array([known[group] for group in groups.dictionary.to_pylist()], pa.bool_()).take(groups.indices)


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
