"""Proving a release again from its files: hashes, ids, queries, qrels, evidence spans, and every SQL query executed.

Of a release with held-out questions: that the public half tells no answer, and that the private one changed none.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database, open_for_checking
from benchwright.benchmarks.grounding.evidence import evidence_problem
from benchwright.benchmarks.grounding.execution import difference
from benchwright.benchmarks.hashing import short_hash
from benchwright.benchmarks.releases.holdout import is_private
from benchwright.benchmarks.releases.manifest import MANIFEST, list_files
from benchwright.benchmarks.releases.proofs.holdout import commitment_problems, leaks, public_half, row_leak
from benchwright.benchmarks.releases.proofs.wordings import WordingCheck
from benchwright.benchmarks.releases.release import HELDOUT, TEST, Release

SHOWN = 20
"""Problems of one kind that are named; the others are counted."""


@dataclass
class Verification:
    """What was proved, what could not be checked, and what is wrong."""

    proved: Counter[str] = field(default_factory=Counter)
    unchecked: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    _counts: Counter[str] = field(default_factory=Counter)

    def problem(self, kind: str, text: str) -> None:
        """Notes something that is wrong; only the first of a kind are named."""
        self._counts[kind] += 1
        if self._counts[kind] <= SHOWN:
            self.problems.append(f"{kind}: {text}")

    def finish(self) -> "Verification":
        """Adds how many problems were not named."""
        for kind, count in self._counts.items():
            if count > SHOWN:
                self.problems.append(f"{kind}: {count - SHOWN} more")
        return self


def verify_release(release: Release, database: str | None = None, public: Release | None = None) -> Verification:
    """Checks everything that a release claims and that can be checked.

    Args:
        release: the release.
        database: the URL of the database that the questions came from, where it is not shipped.
        public: the public half of a private release; its neighbour where none is given.

    Raises:
        BenchwrightError: the database cannot be opened, or `public` is not the public half.
    """
    found = Verification()
    public = public_half(release, public)
    _check_files(release, found)
    for text in leaks(release):
        found.problem("holdout", text)
    with ExitStack() as stack:
        opened = _databases(release, database, stack)
        try:
            texts = dict(_corpus(release, found))
            for split in release.manifest.splits.get("questions", {}):
                _check_questions(release, split, texts, opened, found)
                _check_queries(release, split, found)
                _check_qrels(release, split, found)
            _check_ids(release, found)
            if is_private(release.manifest):
                _check_commitments(release, public, found)
            if release.content_hash() == release.manifest.content_hash:
                found.proved["content hash"] += 1
            else:
                found.problem("content hash", "the rows, templates or databases are not those that the manifest names")
        except BenchwrightError as error:
            found.problem("unreadable", str(error))
    return found.finish()


def _check_files(release: Release, found: Verification) -> None:
    there = list_files(release.folder)
    for path, facts in release.manifest.files.items():
        if path not in there:
            found.problem("file", f"{path} is missing")
        elif there[path] != dict(facts):
            found.problem("file", f"{path} has changed: its bytes are not those that the manifest names")
        else:
            found.proved["files"] += 1
    for path in there.keys() - release.manifest.files.keys():
        found.problem("file", f"{path} is not in {MANIFEST}")


def _databases(release: Release, url: str | None, stack: ExitStack) -> list[Database]:
    if url is not None:
        return [stack.enter_context(open_for_checking(url))]
    return [stack.enter_context(open_for_checking(f"sqlite:///{path}")) for path in release.databases()]


def _rows(release: Release, config: str, split: str) -> Iterator[dict[str, Any]]:
    """The rows of a split; none where the release has no such split."""
    if split in release.manifest.splits.get(config, {}):
        for batch in release.batches(config, split):
            yield from batch.to_pylist()


def _corpus(release: Release, found: Verification) -> Iterator[tuple[str, str]]:
    count = 0
    for split in release.manifest.splits.get("corpus", {}):
        for row in _rows(release, "corpus", split):
            count += 1
            yield row["_id"], row["text"] or ""
    _check_count(release, "corpus", count, found)


def _check_count(release: Release, config: str, count: int, found: Verification) -> None:
    claimed = release.manifest.rows.get(config)
    if claimed != count:
        found.problem("rows", f"{config} has {count} rows, {MANIFEST} says {claimed}")


def _check_questions(
    release: Release, split: str, texts: Mapping[str, str], databases: list[Database], found: Verification
) -> None:
    wordings = WordingCheck(release.manifest.builder, release.templates())
    executed: tuple[str, str | None] | None = None
    for row in _rows(release, "questions", split):
        name = f"question {row['id']}"
        if not row["id"] or not row["question"]:
            found.problem("question", f"{name} has no id or no text")
        if split == HELDOUT:
            text = row_leak(row)
            if text:
                found.problem("holdout", f"{name}: {text}")
            else:
                found.proved["held-out questions without their answers"] += 1
            continue
        for text in _shape_problems(row):
            found.problem("answer", f"{name}: {text}")
        text = wordings.problem(row)
        if text:
            found.problem("id", f"{name}: {text}")
        elif wordings.covers(row):
            found.proved["ids and wordings"] += 1
        for document in row["documents"] or []:
            if document not in texts:
                found.problem("document", f"{name} names {document}, which is not in the corpus")
        for text in evidence_problem(row, texts):
            found.problem("evidence", f"{name}: {text}")
        found.proved["evidence spans"] += len(row["evidence"] or [])
        if row["sql"]:
            if executed is None or executed[0] != row["sql"]:
                executed = (row["sql"], _execute(row, databases, found))
            if executed[1] is not None:
                found.problem("sql", f"{name}: {executed[1]}")


def _shape_problems(row: Mapping[str, Any]) -> Iterator[str]:
    answers, aliases, kind = row["answers"] or [], row["aliases"], row["answer_type"]
    if aliases is not None and len(aliases) != len(answers):
        yield f"it has {len(answers)} answers and aliases for {len(aliases)}"
    if kind in ("one", "boolean") and len(answers) != 1:
        yield f"its answer type is {kind}, and it has {len(answers)} answers"
    if row["answerability"] in ("answerable", "gap") and not answers:
        yield f"it is {row['answerability']} and has no answer"
    if row["answerability"] in ("gap", "unanswerable") and (row["documents"] or row["evidence"]):
        yield f"it is {row['answerability']} and names documents"


def _execute(row: Mapping[str, Any], databases: list[Database], found: Verification) -> str | None:
    if not databases:
        found.unchecked["SQL queries"] += 1
        return None
    problems = [
        difference(base, row["sql"], row["answers"] or [], row["answer_type"] == "boolean") for base in databases
    ]
    if None in problems:
        found.proved["SQL queries"] += 1
        return None
    return problems[0]


def _check_queries(release: Release, split: str, found: Verification) -> None:
    questions = (
        (row["id"], row["question"])
        for batch in release.batches("questions", split, ["id", "question"])
        for row in batch.to_pylist()
    )
    queries = ((row["_id"], row["text"]) for row in _rows(release, "queries", split))
    for expected, there in zip_longest(questions, queries):
        if expected == there:
            found.proved["queries"] += 1
        else:
            found.problem("query", f"{(there or expected or ('?',))[0]} is not the question of the same row")


def _check_qrels(release: Release, split: str, found: Verification) -> None:
    expected = (
        (row["id"], document)
        for batch in release.batches("questions", split, ["id", "documents"])
        for row in batch.to_pylist()
        for document in row["documents"] or []
    )
    qrels = ((row["query-id"], row["corpus-id"], row["score"]) for row in _rows(release, "qrels", split))
    for wanted, there in zip_longest(expected, qrels):
        if wanted is not None and there == (*wanted, 1):
            found.proved["qrels"] += 1
        else:
            found.problem("qrel", f"there is {_arrow(there)} where the questions say {_arrow(wanted)}")


def _check_commitments(release: Release, public: Release | None, found: Verification) -> None:
    if public is None:
        found.unchecked["commitments"] += release.manifest.splits["questions"][TEST]
        return
    for text in commitment_problems(release, public):
        if text is None:
            found.proved["commitments"] += 1
        else:
            found.problem("commitment", text)


def _arrow(qrel: tuple[Any, ...] | None) -> str:
    return (
        "none"
        if qrel is None
        else f"{qrel[0]} → {qrel[1]}" + (f" with score {qrel[2]}" if qrel[2:] not in ((), (1,)) else "")
    )


def _check_ids(release: Release, found: Verification) -> None:
    """Whether ids repeat, with eight bytes a question."""
    hashes, count = array("Q"), 0
    splits = list(release.manifest.splits.get("questions", {}))
    for split in splits:
        for batch in release.batches("questions", split, ["id"]):
            hashes.extend(int(short_hash([value or ""]), 16) for value in batch.column("id").to_pylist())
    count = len(hashes)
    _check_count(release, "questions", count, found)
    values, repeats = np.unique(np.frombuffer(hashes, dtype=np.uint64), return_counts=True) if count else ([], [])
    doubled = {int(value) for value, repeat in zip(values, repeats, strict=True) if repeat > 1}
    if not doubled:
        found.proved["unique ids"] += count
        return
    for split in splits:
        for batch in release.batches("questions", split, ["id"]):
            for value in batch.column("id").to_pylist():
                if int(short_hash([value or ""]), 16) in doubled:
                    found.problem("id", f"question {value} is there more than once")
