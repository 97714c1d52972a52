"""The texts of every answer of a run, one after the other: what was asked, said and handed in, the evidence marked."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchwright.benchmarks.metrics.evidence_recall import holds
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.reports.answers.every import run_answers
from benchwright.benchmarks.reports.answers.judged import JudgedScore, TracedJudgments
from benchwright.benchmarks.reports.answers.shown_texts import EVIDENCE_SHOWN, around
from benchwright.benchmarks.reports.blocks import cut
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.failures.missed_evidence import Predictions, matcher_of, read_evidence, texts_of
from benchwright.benchmarks.schemas import DEFAULT_CONFIG
from benchwright.benchmarks.types import Evidence

_ID = 120

Stretch = tuple[str, bool]
"""A stretch of a text, and whether it is evidence."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of an answer there is to read; the length of its contexts is for the page to say."""

    answer: int = 2_000
    """Characters of the question and of the answer."""
    gold: int = 200
    """Of each gold answer."""
    contexts: int = 10
    """The first few."""


@dataclass(frozen=True, slots=True)
class DetailedContext:
    """A context that was handed in."""

    id: str | None
    """The system's own, and the document that it was matched to where that is another."""
    text: tuple[Stretch, ...] | None
    """None where it was given by its id alone, or where texts are left out."""
    holds_evidence: bool | None
    """None where the question has no evidence."""
    is_foreign: bool
    """It is from no document of the corpus."""


@dataclass(frozen=True, slots=True)
class DetailedAnswer:
    """One row of `run_answers` with its texts."""

    row: int
    id: str
    question: str
    gold: tuple[str, ...]
    documents: tuple[str, ...]
    """That state the answer."""
    evidence: tuple[tuple[str, tuple[Stretch, ...]], ...]
    """Of each fact one: the document and the text, with what stands around it."""
    answer: str | None
    error: str | None
    contexts: tuple[DetailedContext, ...]
    """The first few."""
    more_contexts: int
    evidence_in_more: bool
    judged: tuple[JudgedScore, ...] = ()
    """Of metrics that a model judged in steps; none where texts are left out."""


def detailed_answers(
    run: RunData, context_length: int, wanted: Collection[int] | None = None, limits: Limits = Limits()
) -> Iterator[DetailedAnswer]:
    """The answers in the order of `run_answers`: all, or of the wanted rows.

    Args:
        run: the run.
        context_length: characters of each context; of 0 no context has a text, and no score its steps.
        wanted: rows; None: all.
        limits: of what else there is to read.
    """
    answers, predictions, judgments = run_answers(run), Predictions(run), TracedJudgments(run)
    rows: dict[int, list[int]] = {}
    for row, place in enumerate(answers.question.tolist()):
        if wanted is None or row in wanted:
            rows.setdefault(place, []).append(row)
    try:
        for place, values in _questions(run):
            for row in rows.pop(place, ()):
                attempt = place, int(answers.repeat[row])
                answer = _detailed(run, row, place, values, predictions.read(attempt), context_length, limits)
                yield replace(answer, judged=judgments.read(attempt)) if context_length else answer
    finally:
        predictions.close()
        judgments.close()


def _questions(run: RunData) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows of the run's questions, in the release's order."""
    columns = ["id", "question", "answers", "documents", "evidence"]
    for split in run.release.manifest.splits.get(DEFAULT_CONFIG, {}):
        for batch in run.release.batches(DEFAULT_CONFIG, split, columns):
            for first in range(0, len(batch), 1_000):
                for values in batch.slice(first, 1_000).to_pylist():
                    place = run.questions.index.get(values["id"])
                    if place is not None:
                        yield place, values


def _detailed(
    run: RunData,
    row: int,
    place: int,
    values: Mapping[str, Any],
    prediction: Prediction | str,
    length: int,
    limits: Limits,
) -> DetailedAnswer:
    evidence = read_evidence(values["evidence"])
    texts = texts_of(matcher_of(run), evidence)
    contexts = () if isinstance(prediction, str) else prediction.contexts
    answer = None if isinstance(prediction, str) else prediction.answer
    error = prediction if isinstance(prediction, str) else prediction.error
    return DetailedAnswer(
        row=row,
        id=run.questions.ids[place],
        question=cut(values["question"] or "", limits.answer),
        gold=tuple(cut(text, limits.gold) for text in (values["answers"] or ())[:20]),
        documents=tuple(values["documents"] or ()),
        evidence=tuple(_evidence(run, evidence)),
        answer=None if answer is None else cut(answer, limits.answer),
        error=None if error is None else cut(error, 300),
        contexts=tuple(_context(context, texts, length) for context in contexts[: limits.contexts]),
        more_contexts=max(0, len(contexts) - limits.contexts),
        evidence_in_more=any(
            holds(context, *item) for context in contexts[limits.contexts :] for item in texts.items()
        ),
    )


def _evidence(run: RunData, evidence: Sequence[Evidence]) -> Iterator[tuple[str, tuple[Stretch, ...]]]:
    """Of each fact the first evidence."""
    first: dict[int, Evidence] = {}
    for item in evidence:
        first.setdefault(item.fact, item)
    for _, item in sorted(first.items())[:EVIDENCE_SHOWN]:
        document = matcher_of(run).documents.get(item.document)
        if document is None or document.text is None:
            yield cut(item.document, _ID), ()
        else:
            before, text, after = around(document.text, item)
            yield cut(item.document, _ID), ((before, False), (cut(text, 400), True), (after, False))


def _context(context: Context, evidence: Mapping[Evidence, str | None], length: int) -> DetailedContext:
    held = [(item, text) for item, text in evidence.items() if holds(context, item, text)]
    text = None
    if context.text is not None and length:
        places = [place for item, said in held if (place := _place(context, context.text, item, said)) is not None]
        text = mark(context.text, places, length)
    return DetailedContext(
        id=_name(context),
        text=text,
        holds_evidence=bool(held) if evidence else None,
        is_foreign=context.document is None,
    )


def _name(context: Context) -> str | None:
    own, matched = context.id or context.uri, context.document
    if own is None or matched is None or own == matched:
        return None if context.source is None else cut(context.source, _ID)
    return f"{cut(own, _ID)} → {cut(matched, _ID)}"


def _place(context: Context, whole: str, item: Evidence, text: str | None) -> tuple[int, int] | None:
    """Where evidence stands in the text of a context, word for word; None where it does not."""
    if not text:
        return None
    if context.source == item.document and context.start is not None:
        start = item.start - context.start
        if start >= 0 and whole[start : start + len(text)] == text:
            return start, start + len(text)
    start = whole.find(text)
    return None if start < 0 else (start, start + len(text))


def mark(text: str, places: Sequence[tuple[int, int]], length: int) -> tuple[Stretch, ...]:
    """So many characters of a text, about the first of the places if that stands later, with what is left out said."""
    ordered = sorted(places)
    begin = 0
    if ordered and ordered[0][1] > length:
        begin = max(0, min(ordered[0][0] - length // 3, len(text) - length))
    end, at = begin + length, begin
    found: list[Stretch] = [("…", False)] if begin else []
    for start, stop in ordered:
        start, stop = max(at, start), min(stop, end)
        if start < stop:
            found += [(text[at:start], False), (text[start:stop], True)]
            at = stop
    found.append((text[at:end], False))
    if len(text) > end:
        found.append((f"… ({len(text) - end:,} more characters)", False))
    return tuple(stretch for stretch in found if stretch[0])
