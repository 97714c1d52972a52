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

import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.naming import check_name
from benchwright.benchmarks.releases.commitments import COMMITTED, SCHEME, SECRET_BYTES, commitment, derive, salt_of
from benchwright.benchmarks.releases.holdout_counts import Tally, counted_anew, told_in_public
from benchwright.benchmarks.releases.manifest import MANIFEST, Manifest, read_manifest
from benchwright.benchmarks.releases.release import HELDOUT, TEST, conform
from benchwright.benchmarks.releases.writer import ReleaseWriter, batches
from benchwright.benchmarks.schemas import SCHEMAS, document_batch, json_text, question_batch
from benchwright.benchmarks.types import Document, Question

SHOWN = ("id", "question", "group", "form", "template", "entity")
"""The columns of a held-out question that are public, beside `metadata` with its commitment."""


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


def is_seed(parameter: str) -> bool:
    """Whether a builder's parameter is a seed, by its name: where questions are held out it is secret."""
    return parameter == "seed" or parameter.endswith("_seed")


def is_private(manifest: Manifest) -> bool:
    """Whether a release is the private half: whoever has it has the held-out answers, and the secret."""
    return bool((manifest.holdout or {}).get("secret"))


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

    def __init__(self, folder: Path, public: Path, holdout: Holdout) -> None:
        super().__init__(folder)
        self.holdout = holdout
        self.public = ReleaseWriter(public)
        self._held, self._open, self._all = Tally(), Tally(), Tally()
        self._known: dict[str, bool] = {}
        self._public_content_hash: str | None = None

    def questions(self, rows: Iterable[Question] | pa.RecordBatch, split: str = TEST) -> None:
        """Writes questions: those of the split `test` to where their group belongs, the others to the public release.

        Dictionary arrays are unpacked first: a part of one keeps the values of the whole, and Parquet would store them.
        """
        for batch in batches(rows, question_batch):
            plain = conform(batch, SCHEMAS["questions"])
            self._all.add(plain, split)
            if split == TEST:
                held = self._is_held(plain)
                self._hold_out(plain.filter(held))
                plain = plain.filter(pc.invert(held))
            self._open.add(plain, split)
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

    def abandon(self) -> None:
        """Stops writing; both folders may be deleted."""
        super().abandon()
        self.public.abandon()

    def finish(self, **facts: Any) -> Manifest:
        """Closes the files of the private release. Returns its manifest, the only place that holds the secret."""
        self.checks = counted_anew(self.checks, self._held, self._held)
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
        self.public.checks = counted_anew(told_in_public(self.checks), self._all, self._open)
        self.public.models = self.models
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
    schema = SCHEMAS["questions"]
    place = schema.get_field_index("metadata")
    private = batch.set_column(place, schema.field(place), pa.array(salted, pa.string()))
    shown = [
        pa.array(committed, pa.string())
        if item.name == "metadata"
        else batch.column(item.name)
        if item.name in SHOWN
        else pa.nulls(len(batch), item.type)
        for item in schema
    ]
    return private, pa.RecordBatch.from_arrays(shown, schema=schema)
