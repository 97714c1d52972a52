"""What a reader made of the gold documents: `readable.json` in a release's folder, which its card shows.

It is measured when a release is built (`reports/readable/`), and is no part of the content hash. The manifest's checks
hold its counts.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from benchwright.benchmarks.releases.figures_file import figures_text, read_figures

FILE = "readable.json"
CHECK = "gold_documents_read"
"""The check of a manifest that tells its counts."""
MAX_BYTES = 100_000_000
"""A file of more bytes is not read."""
_STRICT = {"extra": "forbid", "strict": True}
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0, le=10**12)]
Words = Annotated[str, Field(max_length=1_000)]
LONGEST_SAID = 10_000
"""Characters of what a reader said that are judged and kept."""
Answer = Annotated[str, Field(max_length=LONGEST_SAID)]
Fault = Literal["not stated", "question odd", "must be worked out", "reader's miss", "cannot be judged"]
FAULTS: Mapping[Fault, str] = {
    "not stated": "no gold document has the answer's words: the data's fault, or the answer is worded otherwise",
    "question odd": "the question has its answer in it, leaves out what it is about, or has another answer elsewhere",
    "must be worked out": "no document has the answer as it is: it is counted, reckoned, compared or chosen",
    "reader's miss": "the gold documents have the answer's words, and the reader did not give them",
    "cannot be judged": "the reader failed, or the rules that judge cannot read what it said; in no share",
}
"""Why an answer is not right → what that says. A rule decides it from question, answer and documents alone."""


@dataclass(frozen=True)
class Reader:
    """Who read."""

    __pydantic_config__: ClassVar = _STRICT
    kind: Literal["rule", "model"]
    name: Words
    version: Words
    """Of benchwright, for the built-in reader and for the rules that judge."""
    prompt_sha256: Words = ""
    base_url: Words = ""


@dataclass(frozen=True)
class Asked:
    """Which questions: a seeded draw of semantic groups."""

    __pydantic_config__: ClassVar = _STRICT
    split: Words
    wanted: Words
    """Groups that were wanted, or `all`: then with all their wordings, else with one."""
    questions: Count
    groups: Count
    of_groups: Count
    """Groups of the split that are answerable and name their documents."""
    left_out: Mapping[str, Count]
    """Why something was drawn and not asked → questions."""


@dataclass(frozen=True)
class Part:
    """The questions of one kind, form or number of hops."""

    __pydantic_config__: ClassVar = _STRICT
    column: Words
    value: Words
    right: Count
    scored: Count


@dataclass(frozen=True)
class Failure:
    """An answer that is not right, and why."""

    __pydantic_config__: ClassVar = _STRICT
    id: Words
    question: Answer
    answers: tuple[Answer, ...]
    said: Answer | None
    """None: no reply, or left out (`without_said`)."""
    documents: tuple[Words, ...]
    """Those that the reader was given."""
    fault: Fault
    why: Words
    """In words, what was looked at."""


@dataclass(frozen=True)
class Readable:
    """The whole file."""

    __pydantic_config__: ClassVar = _STRICT
    reader: Reader
    asked: Asked
    right: Count
    scored: Count
    value: Share | None
    """The share of the scored answers that are right; None: none was scored."""
    low: Share | None
    """Of its 95 % interval by semantic group; None also of one group."""
    high: Share | None
    faults: Mapping[Fault, Count]
    parts: tuple[Part, ...]
    failures: tuple[Failure, ...]
    right_answers: Mapping[str, Answer]
    """Of a model, question's id → what it said, so that all can be judged again; nothing of the built-in reader, which
    can be asked again."""

    @property
    def counts(self) -> dict[str, Any]:
        """What the manifest's checks say of it."""
        return {
            "reader": self.reader.name,
            "questions": self.asked.questions,
            "groups": self.asked.groups,
            "right": self.right,
            "scored": self.scored,
            "share": self.value,
            "low": self.low,
            "high": self.high,
            **{fault: self.faults[fault] for fault in FAULTS if self.faults.get(fault)},
        }

    def told(self, most: int | None) -> Iterator[str]:
        """Lines for a terminal: the share, then the failures by sort.

        Args:
            most: of each sort that are shown; None: all.
        """
        share = "none could be judged"
        if self.value is not None:
            limits = "" if self.low is None else f", {100 * self.low:.1f} to {100 * (self.high or 0):.1f}"
            share = f"{self.right:,} of {self.scored:,} are right ({100 * self.value:.1f} %{limits})"
        asked = f"{self.asked.groups:,} of {self.asked.of_groups:,} groups of {self.asked.split}"
        yield f"gold documents read by {self.reader.name}, {asked}: {share}"
        for reason, count in self.asked.left_out.items():
            yield f"not asked: {count:,} ({reason})"
        for fault, meaning in FAULTS.items():
            if count := self.faults.get(fault, 0):
                yield f"{fault}: {count:,} ({meaning})"
                for each in self.some_failures(fault, count if most is None else most):
                    answer, said = "; ".join(each.answers), each.said or "nothing"
                    yield f"    {each.question} → {answer}; it said: {said} ({each.why}; {', '.join(each.documents)})"

    def some_failures(self, fault: str, most: int) -> list[Failure]:
        """So many failures of a sort, spread over all of it."""
        there = [each for each in self.failures if each.fault == fault]
        return there[:: -(-len(there) // most)] if there else []


def without_said(found: Readable) -> Readable:
    """The same without what was said: of a release with held-out answers, since it may be the answer to another
    question.
    """
    return replace(found, failures=tuple(replace(failure, said=None) for failure in found.failures), right_answers={})


def readable_text(found: Readable) -> str:
    """What the file holds."""
    return figures_text(found)


def read_readable(folder: Path) -> Readable | None:
    """What a release's file holds; None where nothing was read.

    Raises:
        BenchwrightError: the file is not as it must be.
    """
    return read_figures(Readable, folder, FILE, MAX_BYTES)
