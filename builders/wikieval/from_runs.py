"""Pairs from two runs of real systems on one benchmark: what both said to the same question, for people to choose from.

The first run's answer is `answer`, its contexts are `context_v1`; the second's answer is both `ungrounded_answer` and
`poor_answer`, its contexts are `context_v2`; `provenance` names the systems. `source` holds the passages that either of
them read, so that both answers are held against the same text. Neither candidate was made to be the better one: the
release's checks say so, and until people have chosen no metric is held against these pairs.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.hashing import file_sha256, rank
from benchwright.benchmarks.metrics.steps.contexts import context_text
from benchwright.benchmarks.predictions import OWN, Prediction
from benchwright.benchmarks.releases.manifest import is_private
from benchwright.benchmarks.releases.pairs import WITHOUT_PREFERENCE
from benchwright.benchmarks.releases.release import HELDOUT, Release
from benchwright.benchmarks.releases.rows import load_documents, load_questions
from benchwright.benchmarks.releases.writer import AS_QUESTIONS, ReleaseWriter
from benchwright.benchmarks.runs.find import find_run, release_of
from benchwright.benchmarks.runs.run import PREDICTIONS, Run
from benchwright.benchmarks.runs.store import stored_predictions
from benchwright.benchmarks.runs.stored_run import run_on
from benchwright.benchmarks.types import Document, Question
from benchwright.builders.base import BuildRequest

LEFT_OUT = "run_pairs_left_out"
"""In the manifest's checks: why two runs give no pair of a question, or none in a dimension → how many."""
_SPLIT = "test"
SIDES = ("first", "second")
_RUN = "run:"


@dataclass(frozen=True, slots=True)
class Compared:
    """Two runs on one release."""

    release: Release
    folders: tuple[Path, Path]
    runs: tuple[Run, Run]

    @property
    def names(self) -> tuple[str, str]:
        """Of the systems, in the order of the sides."""
        return self.runs[0].system.name, self.runs[1].system.name


def write_run_pairs(request: BuildRequest, writer: ReleaseWriter) -> None:
    """Writes the pairs of the two runs that `runs` names, at most `pages` of them, and their questions.

    Runs are folders or NAME[/VERSION]/SYSTEM in the folder `runs` beside that of the releases.

    Raises:
        UsageError: not two different runs are named.
        BenchwrightError: one cannot be read, they are not of one release, or they give no pair.
    """
    compared = _open(request.parameters["runs"], request.releases)
    provenance = json.dumps(provenance_of(compared.names), ensure_ascii=False, sort_keys=True)
    left_out: Counter[str] = Counter()
    questions: list[Question] = []
    rows: list[dict[str, Any]] = []
    for question, row in _pairs(compared, request, left_out):
        questions.append(question)
        rows.append({**row, "provenance": provenance})
    if not rows:
        why = "; ".join(f"{reason}: {number:,}" for reason, number in (+left_out).most_common()) or "no common question"
        raise BenchwrightError(f"{' and '.join(compared.names)} give no pair to choose from ({why}): name other runs")
    writer.questions(questions)
    writer.rows("pairs", rows, _SPLIT)
    writer.texts["questions"] = {"given": len(questions)}
    holds_source = any(each.get("rows_shipped", "none") != "none" for each in compared.release.manifest.sources)
    writer.sources += [
        {
            "uri": f"{_RUN}{run.benchmark}/{run.version}/{run.system.name}",
            "revision": run.content_hash,
            "sha256": file_sha256(folder / PREDICTIONS),
            "licence": None,
            "side": side,
            "rows_shipped": AS_QUESTIONS if holds_source else "none",
        }
        for side, run, folder in zip(SIDES, compared.runs, compared.folders, strict=True)
    ]
    writer.checks |= {WITHOUT_PREFERENCE: len(rows), LEFT_OUT: dict((+left_out).most_common())}


def run_names(sources: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names NAME/VERSION/SYSTEM of the runs that pairs were made of, in the order of their sides."""
    named = {each.get("side"): str(each["uri"]).removeprefix(_RUN) for each in sources}
    return [named[side] for side in SIDES if side in named]


def provenance_of(names: tuple[str, str]) -> dict[str, dict[str, str]]:
    """Column → whose candidate it is."""
    columns = ("answer", "context_v1"), ("ungrounded_answer", "poor_answer", "context_v2")
    return {
        column: {"how": "run", "side": side, "system": name}
        for side, name, of_side in zip(SIDES, names, columns, strict=True)
        for column in of_side
    }


def _open(names: str, releases: Path) -> Compared:
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if len(wanted) != 2:
        raise UsageError(f"runs={names}: name two runs of one benchmark, as in runs=aurp/bm25,aurp/keyword")
    one, other = (find_run(name, releases.parent / "runs") for name in wanted)
    if one.resolve() == other.resolve():
        raise UsageError(f"runs={names}: this is one run twice; name two")
    for folder in (one, other):
        if not (folder / PREDICTIONS).is_file():
            raise BenchwrightError(f"{folder} has no {PREDICTIONS}: ask its system again with score-system")
    release = release_of(one, releases)
    if is_private(release.manifest):
        raise BenchwrightError(
            f"{release.manifest.name} holds answers that are held out, and pairs are public: name runs of "
            f"{(release.manifest.holdout or {}).get('public')}"
        )
    return Compared(release, (one, other), (run_on(release, one), run_on(release, other)))


def _pairs(
    compared: Compared, request: BuildRequest, left_out: Counter[str]
) -> Iterator[tuple[Question, dict[str, Any]]]:
    """Questions with their rows of `pairs`, in the release's order."""
    chosen = _chosen(_asked(compared, left_out), request, left_out)
    said = [_said(folder, {each.id for each in chosen}) for folder in compared.folders]
    documents = load_documents(compared.release)
    sides: dict[str, str] = dict(zip(SIDES, compared.names, strict=True))
    for done, question in enumerate(chosen):
        request.progress("pairs", done, len(chosen))
        one, other = (_candidate(side[question.id], documents) for side in said)
        row = _row(question, one, other, left_out)
        if row is not None:
            yield _question(question, sides), row


def _asked(compared: Compared, left_out: Counter[str]) -> list[Question]:
    """The questions that both runs replied to."""
    splits = [run.questions.split for run in compared.runs]
    if splits[0] != splits[1]:
        raise BenchwrightError(
            f"{' and '.join(compared.names)} are runs of the splits {' and '.join(splits)}: name two of one split"
        )
    if splits[0] == HELDOUT:
        raise BenchwrightError(
            f"{' and '.join(compared.names)} are runs of questions whose answers are held out, and pairs are public: "
            "name runs of the split test"
        )
    first, second = (_ids(folder) for folder in compared.folders)
    left_out["questions that one run alone replied to"] += len(first ^ second)
    both = first & second
    return [each for each in load_questions(compared.release, splits[0]) if each.id in both]


def _ids(folder: Path) -> set[str]:
    return {each.id for each in stored_predictions(folder / PREDICTIONS) if _counts(each)}


def _counts(prediction: Prediction) -> bool:
    """Whether a system replied, with what it retrieves itself, the first time that it was asked."""
    is_reply = not prediction.is_failed and not prediction.is_unsupported
    return is_reply and prediction.condition == OWN and prediction.repeat == 0


def _chosen(asked: Sequence[Question], request: BuildRequest, left_out: Counter[str]) -> list[Question]:
    """One wording of each semantic group, and of these as many as are wanted, by the seed; in stored order."""
    ranked = sorted(asked, key=lambda each: rank(request.seed, "wikieval runs", each.id))
    first: dict[str, Question] = {}
    for question in ranked:
        first.setdefault(question.group or question.id, question)
    kept = {each.id for each in list(first.values())[: request.parameters["pages"]]}
    left_out["other wordings of questions that are asked"] += len(asked) - len(first)
    left_out["questions beyond as many as are wanted"] += len(first) - len(kept)
    return [each for each in asked if each.id in kept]


def _said(folder: Path, ids: Collection[str]) -> Mapping[str, Prediction]:
    """What a system said to some questions; of two lines of one question the later counts."""
    return {each.id: each for each in stored_predictions(folder / PREDICTIONS) if each.id in ids and _counts(each)}


def _question(question: Question, sides: Mapping[str, str]) -> Question:
    """With its gold answers, and without what only its own release has: documents, evidence, SQL and templates."""
    return replace(question, documents=(), evidence=(), sql=None, template=None, metadata=dict(sides))


@dataclass(frozen=True, slots=True)
class _Candidate:
    """What one system said, and the passages that it read, each once."""

    answer: str
    passages: list[str]


def _candidate(prediction: Prediction, documents: Mapping[str, Document]) -> _Candidate:
    texts = (context_text(each, documents) for each in prediction.contexts)
    return _Candidate((prediction.answer or "").strip(), list(dict.fromkeys(each for each in texts if each.strip())))


def _row(question: Question, one: _Candidate, other: _Candidate, left_out: Counter[str]) -> dict[str, Any] | None:
    """A row of `pairs`; None where there is nothing to choose between."""
    source = "\n\n".join(dict.fromkeys([*one.passages, *other.passages]))
    why_answers = _why_not(one.answer.split(), other.answer.split(), "answers")
    why_contexts = _why_not(sorted(one.passages), sorted(other.passages), "contexts")
    for why in (why_answers, why_contexts):
        if why is not None:
            left_out[why] += 1
    if why_answers is not None and why_contexts is not None:
        return None
    if why_answers is None and not source:
        left_out["answers that no faithfulness is asked of: neither run has a context to hold them against"] += 1
    against = other.answer if why_answers is None else ""
    return {
        "id": question.id,
        "question": question.question,
        "source": source,
        "answer": one.answer,
        "ungrounded_answer": against if source else "",
        "poor_answer": against,
        "context_v1": one.passages,
        "context_v2": other.passages if why_contexts is None else [],
    }


def _why_not(first: Sequence[str], second: Sequence[str], what: str) -> str | None:
    """Why two candidates are none to choose between."""
    if not first or not second:
        return f"{what} of which one run has none"
    return f"{what} that are the same in both runs" if first == second else None
