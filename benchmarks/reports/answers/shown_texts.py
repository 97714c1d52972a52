"""The texts that a report shows: questions, answers, gold, contexts and evidence of few questions, cut to a length."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.metrics.evidence_recall import holds
from benchwright.benchmarks.predictions import Context, Prediction, read_prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.blocks import cut
from benchwright.benchmarks.reports.columns import Questions, RunData
from benchwright.benchmarks.reports.failures.missed_evidence import matcher_of
from benchwright.benchmarks.reports.prediction_facts import read_predictions
from benchwright.benchmarks.runs.run import PREDICTIONS
from benchwright.benchmarks.schemas import DEFAULT_CONFIG
from benchwright.benchmarks.types import Evidence

CONTEXTS_SHOWN = 3
EVIDENCE_SHOWN = 3
AROUND = 90
"""Characters of a document that are shown before and after evidence."""
ANSWER_LENGTH = 600
CONTEXT_LENGTH = 700
_COLUMNS = ["id", "question", "answers", "form", "evidence"]


@dataclass(frozen=True, slots=True)
class QuestionTexts:
    """A question as it stands in the release."""

    question: str
    form: str | None
    gold: tuple[str, ...]
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class ShownEvidence:
    """The stretch of a document that states a fact."""

    document: str
    fact: int
    before: str | None
    """What stands before it; null, as `text` and `after`, where the corpus does not hold the document."""
    text: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class ShownContext:
    """A context that a system answered from."""

    id: str | None
    text: str | None
    holds_evidence: bool | None
    """Whether it holds any evidence of the question; null where the question has none."""


@dataclass(frozen=True, slots=True)
class ShownPrediction:
    """What a system said."""

    answer: str | None
    error: str | None = None
    contexts: tuple[ShownContext, ...] = ()
    """The first few."""
    more_contexts: int = 0
    evidence_in_more: bool = False
    """Whether those that are not shown hold evidence."""
    shows_retrieval: bool = False
    """Without contexts: whether it says that none were found, and did not just hand in none."""


class Asked(Protocol):
    """What has questions: a run, or runs that are compared."""

    @property
    def release(self) -> Release:
        """The release of the questions."""
        ...

    @property
    def questions(self) -> Questions:
        """The questions."""
        ...


def question_texts(run: Asked, places: Iterable[int]) -> dict[int, QuestionTexts]:
    """The texts of questions, by their place in the run."""
    wanted = pa.array([run.questions.ids[place] for place in places], pa.string())
    found: dict[int, QuestionTexts] = {}
    for split in run.release.manifest.splits.get(DEFAULT_CONFIG, {}) if len(wanted) else ():
        for batch in run.release.batches(DEFAULT_CONFIG, split, _COLUMNS):
            for row in batch.filter(pc.is_in(batch.column("id"), value_set=wanted)).to_pylist():
                evidence = tuple(
                    Evidence(item["document"], item["start"], item["end"], item["fact"] or 0)
                    for item in row["evidence"] or ()
                )
                gold = tuple(cut(text, 200) for text in row["answers"] or ())
                texts = QuestionTexts(cut(row["question"] or "", ANSWER_LENGTH), row["form"], gold, evidence)
                found[run.questions.index[row["id"]]] = texts
    return found


Surroundings = Mapping[Evidence, tuple[str, str, str]]
"""Of each evidence that the corpus holds: what stands before it, its text, what stands after it."""


def evidence_texts(release: Release, items: Iterable[Evidence]) -> Surroundings:
    """The texts of evidence, with what stands around them."""
    wanted: dict[str, set[Evidence]] = {}
    for item in items:
        wanted.setdefault(item.document, set()).add(item)
    found: dict[Evidence, tuple[str, str, str]] = {}
    ids = pa.array(sorted(wanted), pa.string())
    for split in release.manifest.splits.get("corpus", {}) if wanted else ():
        for batch in release.batches("corpus", split, ["_id", "text"]):
            for row in batch.filter(pc.is_in(batch.column("_id"), value_set=ids)).to_pylist():
                if row["text"] is not None:
                    found |= {item: around(row["text"], item) for item in wanted[row["_id"]]}
    return found


def around(text: str, item: Evidence) -> tuple[str, str, str]:
    """What stands before evidence, its text, and what stands after it."""
    start, end = max(0, item.start - AROUND), item.end + AROUND
    before, after = text[start : item.start], text[item.end : end]
    return ("…" if start else "") + before, text[item.start : item.end], after + ("…" if end < len(text) else "")


def shown_evidence(evidence: Sequence[Evidence], texts: Surroundings) -> tuple[ShownEvidence, ...]:
    """Of each fact the first evidence."""
    first: dict[int, Evidence] = {}
    for item in evidence:
        first.setdefault(item.fact, item)
    found = []
    for _, item in sorted(first.items())[:EVIDENCE_SHOWN]:
        before, text, after = texts.get(item) or (None, None, None)
        found.append(ShownEvidence(item.document, item.fact, before, None if text is None else cut(text, 400), after))
    return tuple(found)


def shown_prediction(run: RunData, place: int, evidence: Mapping[Evidence, str]) -> ShownPrediction:
    """Answer and contexts of a question's first repeat, cut. `evidence`: the question's, with its texts."""
    facts = read_predictions(run)
    offset = facts.offsets.get((place, facts.first.get(place, 0)))
    if offset is None:
        return ShownPrediction(None, "no prediction")
    with (run.folder / PREDICTIONS).open("rb") as file:
        file.seek(offset)
        line = file.readline()
    try:
        prediction = read_prediction(line, PREDICTIONS)
    except BenchwrightError as error:
        return ShownPrediction(None, cut(str(error), 300))
    if evidence:  # what a context holds depends on the document that it is of
        prediction = replace(prediction, contexts=matcher_of(run).match(prediction.contexts))
    return cut_prediction(prediction, evidence)


def cut_prediction(prediction: Prediction, evidence: Mapping[Evidence, str]) -> ShownPrediction:
    """Answer and contexts of a prediction, cut. `evidence`: the question's, with its texts."""
    contexts = prediction.contexts
    return ShownPrediction(
        answer=None if prediction.answer is None else cut(prediction.answer, ANSWER_LENGTH),
        error=None if prediction.error is None else cut(prediction.error, 300),
        contexts=tuple(_shown_context(context, evidence) for context in contexts[:CONTEXTS_SHOWN]),
        more_contexts=max(0, len(contexts) - CONTEXTS_SHOWN),
        evidence_in_more=any(
            holds(context, *item) for context in contexts[CONTEXTS_SHOWN:] for item in evidence.items()
        ),
        shows_retrieval=prediction.shows_retrieval,
    )


def _shown_context(context: Context, evidence: Mapping[Evidence, str]) -> ShownContext:
    return ShownContext(
        id=None if context.source is None else cut(context.id or context.source, 120),
        text=None if context.text is None else cut(context.text, CONTEXT_LENGTH),
        holds_evidence=any(holds(context, item, text) for item, text in evidence.items()) if evidence else None,
    )
