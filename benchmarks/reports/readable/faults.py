"""Why an answer from the gold documents is not right, decided by rule from question, answer and documents alone."""

from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.grounding.stating import has_quantity
from benchwright.benchmarks.metrics.base import Score
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.readable_figures import Fault
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.readable.asked import Item
from benchwright.benchmarks.schemas import DEFAULT_CONFIG
from benchwright.benchmarks.text.dates import parse_date
from benchwright.benchmarks.text.numbers import parse_number
from benchwright.benchmarks.types import Question

_WORKED_OUT = frozenset(("count", "sum", "average", "yes_no", "comparison"))
"""Kinds whose answer no document need have, so that its words, where one has them, may be another fact's."""
_LOOKUPS = frozenset((None, "lookup"))
_SHORTEST = 3
"""Characters of an answer that a question gives away; fewer are there by chance."""
_SHOWN = 100

Twins = Mapping[str, frozenset[tuple[str, ...]]]
"""A question's text → the answers that it has in the release."""


def find_twins(release: Release, split: str, questions: Sequence[Question]) -> Twins:
    """The answers of all questions of a split that have the very text of one of these."""
    wanted = pa.array(sorted({question.question for question in questions}), pa.string())
    found: dict[str, set[tuple[str, ...]]] = {}
    for batch in release.batches(DEFAULT_CONFIG, split, ["question", "answers"]) if len(wanted) else ():
        for row in batch.filter(pc.is_in(batch.column("question"), wanted)).to_pylist():
            found.setdefault(row["question"], set()).add(tuple(row["answers"] or ()))
    return {text: frozenset(answers) for text, answers in found.items()}


def fault_of(item: Item, prediction: Prediction, score: Score, twins: Twins) -> tuple[Fault, str]:
    """Why an answer is not right, and what was looked at, in words.

    Args:
        item: the question and what the reader was given.
        prediction: what the reader said.
        score: of the metric `correct`, below 1 or unscored.
        twins: of the release; see `find_twins`.
    """
    question = item.question
    if score.value is None:
        return "cannot be judged", f"{prediction.error or score.reason:.{_SHOWN}}"
    if odd := next(_odd(question, twins), None):
        return "question odd", odd
    worked_out = _worked_out(item)
    if worked_out and (question.kind in _WORKED_OUT or question.answer_type == "boolean"):
        return "must be worked out", worked_out
    unstated = [
        answer
        for answer, *others in _forms(question)
        if not _is_stated((answer, *others), [f"{each.title}\n{each.text}" for each in item.passages])
    ]
    if unstated:
        return "not stated", f"{unstated[0]:.{_SHOWN}} is in none of its {len(item.passages)} documents"
    if worked_out:
        return "must be worked out", worked_out
    return "reader's miss", "it found nothing" if score.outcome == "abstained" else "it took something else"


def _worked_out(item: Item) -> str:
    """From what an answer has to be worked out, in words; empty where a document has it as it is, as a record may, or
    where one fact leads to the next, as those of a lookup do.
    """
    question = item.question
    if question.kind in _LOOKUPS and question.answer_type != "boolean":
        return ""
    facts = len({span.fact for span in question.evidence})
    spans = list(_spans(item))
    if facts <= max(1, len(question.answers)) and all(_is_stated(forms, spans) for forms in _forms(question)):
        return ""
    kind = "yes or no" if question.answer_type == "boolean" else (question.kind or "").replace("_", " ")
    if question.kind in _WORKED_OUT or question.answer_type == "boolean" or facts > 1:
        return f"{kind}, from {facts} fact{'s' if facts != 1 else ''}" if facts else kind
    return ""


def _spans(item: Item) -> Iterator[str]:
    """The stretches of the given passages that are the question's evidence."""
    for span in item.question.evidence:
        for passage in item.passages:
            if passage.document == span.document and passage.start <= span.start <= span.end <= passage.end:
                yield passage.text[span.start - passage.start : span.end - passage.start]


def _forms(question: Question) -> Iterator[tuple[str, ...]]:
    """Each answer with its aliases."""
    for place, answer in enumerate(question.answers):
        yield answer, *(question.aliases[place] if place < len(question.aliases) else ())


def _is_stated(forms: Sequence[str], texts: Sequence[str]) -> bool:
    if states([plain(text) for text in texts], forms):
        return True
    quantities = [form for form in forms if parse_date(form) or parse_number(form)]
    return any(has_quantity(text, quantities) for text in texts)


def _odd(question: Question, twins: Twins) -> Iterator[str]:
    """What is odd about a question."""
    text, entity = plain(question.question), question.entity
    if question.kind in _LOOKUPS and question.answer_type != "boolean":
        for answer in question.answers:
            if len(answer) >= _SHORTEST and states([text], [answer]):
                yield f"it has its own answer in it: {answer:.{_SHOWN}}"
    is_figure = entity is not None and (parse_date(entity) or parse_number(entity))
    if entity and not is_figure and not all(states([text], [word.strip(",;")]) for word in entity.split()):
        yield f"it does not name what it is about: {entity:.{_SHOWN}}"
    others = twins.get(question.question, frozenset()) - {question.answers}
    if others:
        yield f"the same words are asked with another answer, too: {', '.join(min(others)):.{_SHOWN}}"
