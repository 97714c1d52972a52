"""What a proof is, and what it is given.

A proof of the core is a module here with `PROOF`. A builder registers what only it can prove in its module's attribute
`PROOFS`, another package by an entry point `benchwright.proofs`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.registry import Kind, instance_of
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import read_metadata

ROWS = 30
"""The place of proofs before which nothing of the questions was read."""
SHOWN = 20
"""Problems of one kind that are named; the others are counted."""


@dataclass
class Verification:
    """What was proved, what could not be checked, and what is wrong."""

    proved: Counter[str] = field(default_factory=Counter)
    """What → how many."""
    unchecked: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, str] = field(default_factory=dict)
    """What was not checked → why, and what to do."""
    problems: list[str] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    """Checks of the manifest that are the builder's word: nothing that is in the files shows them."""
    counted: set[str] = field(default_factory=set)
    """Checks that a builder's own proof counted again."""
    limits: list[str] = field(default_factory=list)
    """What the proofs that were run cannot show, a clause each."""
    counts: Counter[str] = field(default_factory=Counter)
    """Kind of problem → how many there are."""

    def problem(self, kind: str, text: str) -> None:
        """Notes something that is wrong; only the first of a kind are named."""
        self.counts[kind] += 1
        if self.counts[kind] <= SHOWN:
            self.problems.append(f"{kind}: {text}")

    def leave(self, what: str, count: int, reason: str) -> None:
        """Notes what could not be checked."""
        self.unchecked[what] += count
        self.reasons[what] = reason

    def finish(self) -> "Verification":
        """Adds how many problems were not named."""
        for kind, count in self.counts.items():
            if count > SHOWN:
                self.problems.append(f"{kind}: {count - SHOWN} more")
        return self


@dataclass(frozen=True)
class Text:
    """A document's text as far as the release has it."""

    text: str | None
    length: int | None
    """In characters; None where the release tells neither text nor length."""


@dataclass(frozen=True)
class GivenDatabase:
    """The database that questions came from, as whoever verifies names it."""

    url: str
    sha256: str | None = None
    """Of the CSV files that it was made from; None: that of its file, if it has one."""


@dataclass(frozen=True)
class Material:
    """What proofs are given."""

    release: Release
    found: Verification
    """Where they note what they find."""
    public: Release | None = None
    """The public half of a private release, where it is there."""
    databases: Sequence[Database] = ()
    """The one that is given, else those that are shipped."""
    given: GivenDatabase | None = None
    kept: dict[str, Any] = field(default_factory=dict)
    """What a proof keeps from one of its functions to the next, by its name."""

    @cached_property
    def texts(self) -> Mapping[str, Text]:
        """The documents by id. All of them are held in memory."""
        return {row["_id"]: _text(row) for row in self.rows("corpus", "corpus")}

    def splits(self, config: str) -> Sequence[str]:
        """The splits of a config, in stored order."""
        return list(self.release.manifest.splits.get(config, {}))

    def rows(self, config: str, split: str, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        """The rows of a split; none where the release has no such split."""
        if split in self.splits(config):
            for batch in self.release.batches(config, split, columns):
                yield from batch.to_pylist()


CheckRow = Callable[[str, Mapping[str, Any]], None]
"""Given the split and a row of `questions`: notes what is wrong with it, or that it is right."""


@dataclass(frozen=True)
class CheckRows:
    """The same, and what is to be noted once all rows went by."""

    row: CheckRow
    finish: Callable[[], None]


@dataclass(frozen=True)
class Proof:
    """Something that is proved of a release. Proofs are run in the order of their places, those of rows in one pass.

    One of a builder takes the place of the core's of the same name, where it proves more.
    """

    name: str
    meaning: str
    """What is right once it is proved, in a sentence."""
    place: int
    rows: Callable[[Material], CheckRow | CheckRows] | None = None
    """Makes what looks at every row of `questions` that is not held out."""
    held_out_rows: Callable[[Material], CheckRow | CheckRows] | None = None
    """The same for the rows that are."""
    whole: Callable[[Material], None] | None = None
    """Looks at everything else: before the rows where its place is before `ROWS`, else after them."""
    is_of_rows: bool = False
    """Whether it is about the rows alone, so that it can be run before the files are sealed."""
    limits: Sequence[str] = ()
    """What it cannot show, whatever it finds, a clause each: "that the wiki had these texts"."""


PROOFS: Kind[Proof] = Kind(
    "proof",
    "benchwright.proofs",
    instance_of(Proof),
    package="benchwright.benchmarks.releases.proofs",
    attribute="PROOF",
    name_of=lambda proof: proof.name,
)


def _text(row: Mapping[str, Any]) -> Text:
    if row["text"] is not None:
        return Text(row["text"], len(row["text"]))
    length = read_metadata(row["metadata"]).get("text_length")
    return Text(None, length if isinstance(length, int) else None)
