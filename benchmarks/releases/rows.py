"""A release's questions and documents as objects, for programs that need all of them at once."""

import functools
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from benchwright.benchmarks.arrow import release_unused
from benchwright.benchmarks.collector import settled_memory
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.types import Document, Evidence, Question

_Gold = TypeVar("_Gold", bound=tuple[Any, ...])


def read_metadata(text: str | None) -> Mapping[str, Any]:
    """The column `metadata` of a row: a JSON object; nothing where the text is missing or is something else."""
    return _read(text) if text else {}


@functools.lru_cache(maxsize=100_000)
def _read(text: str) -> Mapping[str, Any]:
    """Read once however many rows share it."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def read_question(row: Mapping[str, Any], known: dict[str, str], like: Question | None = None) -> Question:
    """A row of `questions` as an object.

    Texts that many rows share are held once, in `known`; gold that is that of another wording, `like`, once with it.
    """

    def shared(text: str | None) -> str | None:
        return None if text is None else known.setdefault(text, text)

    def gold(name: str, value: _Gold) -> _Gold:
        return same if like is not None and (same := getattr(like, name)) == value else value

    return Question(
        id=row["id"],
        question=row["question"],
        answers=gold("answers", tuple(row["answers"] or ())),
        aliases=gold("aliases", tuple(tuple(others or ()) for others in row["aliases"] or ())),
        answer_type=row["answer_type"] or "none",
        answerability=row["answerability"],
        group=shared(row["group"]),
        form=shared(row["form"]),
        template=shared(row["template"]),
        entity=shared(row["entity"]),
        kind=shared(row["kind"]),
        hops=row["hops"],
        subset=shared(row["subset"]),
        documents=gold("documents", tuple(known.setdefault(each, each) for each in row["documents"] or ())),
        evidence=gold(
            "evidence",
            tuple(
                Evidence(
                    known.setdefault(each["document"], each["document"]), each["start"], each["end"], each["fact"] or 0
                )
                for each in row["evidence"] or ()
            ),
        ),
        sql=shared(row["sql"]),
        fact_date=shared(row.get("fact_date")),
        metadata=read_metadata(row["metadata"]),
    )


def load_questions(release: Release, split: str) -> list[Question]:
    """All questions of a split, in stored order.

    Raises:
        BenchwrightError: the release has no such split, or a file cannot be read.
    """
    splits = release.manifest.splits.get("questions", {})
    if split not in splits:
        name = f"{release.manifest.name} {release.manifest.version}"
        raise BenchwrightError(f"{name} has no split {split!r}: there are {', '.join(splits) or 'none'}")
    known: dict[str, str] = {}
    earlier: dict[str | None, Question] = {}
    questions: list[Question] = []
    with settled_memory():
        for batch in release.batches("questions", split):
            for first in range(0, len(batch), 2_000):
                for row in batch.slice(first, 2_000).to_pylist():
                    questions.append(question := read_question(row, known, earlier.get(row["group"])))
                    if question.group is not None:
                        earlier[question.group] = question
    release_unused()
    return questions


def load_documents(release: Release) -> dict[str, Document]:
    """All documents of the corpus by id, in stored order; none where the release has no corpus."""
    found: dict[str, Document] = {}
    for split in release.manifest.splits.get("corpus", {}):
        for batch in release.batches("corpus", split):
            for row in batch.to_pylist():
                metadata = read_metadata(row["metadata"])
                found[row["_id"]] = Document(row["_id"], row["title"] or "", row["text"], metadata)
    return found


def _ids(questions: Iterable[Question]) -> frozenset[str]:
    return frozenset(question.id for question in questions)


@dataclass(frozen=True)
class ReleaseSplit:
    """A split of a release: its questions and the documents, each read when they are first wanted."""

    release: Release
    split: str

    @cached_property
    def questions(self) -> list[Question]:
        """All questions, in stored order."""
        return load_questions(self.release, self.split)

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids of all questions."""
        return _ids(self.questions)

    @cached_property
    def documents(self) -> dict[str, Document]:
        """The corpus by id."""
        return load_documents(self.release)

    def split_of(self, question: str) -> str | None:
        """The split that holds a question; None where none does."""
        for split in self.release.manifest.splits.get("questions", {}):
            for batch in self.release.batches("questions", split, ["id"]):
                if question in batch.column("id").to_pylist():
                    return split
        return None

    @property
    def where(self) -> str:
        """What it is called in messages."""
        manifest = self.release.manifest
        return f"the split {self.split} of {manifest.name} {manifest.version}"
