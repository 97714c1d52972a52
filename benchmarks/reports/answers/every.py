"""Every answer of the run in the condition shown, and what they can be filtered by."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.reports.answers.outcomes import OUTCOMES, attempt_outcomes
from benchwright.benchmarks.reports.answers.shown_texts import question_texts
from benchwright.benchmarks.reports.blocks import Facet, FacetValue, cut
from benchwright.benchmarks.reports.columns import Column, Ints, RunData
from benchwright.benchmarks.reports.failures.causes import cause_texts, causes_of_attempts
from benchwright.benchmarks.reports.failures.decisions import decision_texts, decisions_of_questions
from benchwright.benchmarks.reports.needed import in_order
from benchwright.benchmarks.reports.section import per_run

MOST_VALUES = 200
"""Of a facet, the most frequent."""
_LABEL = 80
_QUESTION_FACETS = {
    "answerability": "In the documents",
    "form": "Form",
    "kind": "Kind",
    "hops": "Hops",
    "facts": "Facts needed",
    "documents": "Documents needed",
    "template": "Template",
    "subset": "Subset",
}
_ANSWERABILITY = {"answerable": "stated", "gap": "known gap", "unanswerable": "nothing to state"}


@dataclass(frozen=True)
class Answers:
    """The attempts of the condition shown, in the order of questions and repeats, as parallel arrays."""

    question: Ints
    """The question's place in the run."""
    repeat: Ints
    facets: tuple[Facet, ...]
    codes: Mapping[str, Ints]
    """Facet's key → place in its values; their number for one that is not listed, -1 for none."""
    verdict: Column
    """What `correct` said."""


@per_run
def run_answers(run: RunData) -> Answers:
    """The answers with the codes of their facets; a facet without two values is left out, but for the outcome."""
    rows = np.flatnonzero(run.condition.where(run.shown))
    rows = rows[np.lexsort((run.repeat[rows], run.question[rows]))]
    question, repeat = run.question[rows], run.repeat[rows]
    keys = list(zip(question.tolist(), repeat.tolist(), strict=True))
    verdict = _verdicts(run, rows)
    columns: dict[str, tuple[str, Column, Callable[[str], str]]] = {
        "outcome": ("Outcome", _outcomes(run, keys), str),
        "cause": ("Cause", _causes(run, keys), {each.key: each.name for each in cause_texts()}.__getitem__),
        "decision": ("By conditions", _decisions(run, question), _decision_names().__getitem__),
        "verdict": ("Verdict", verdict, str),
    }
    for name, label in _QUESTION_FACETS.items():
        column = run.questions.column(name).take(question)
        columns[name] = (label, column, _labels(run, name, column, question))
    facets, codes = [], {}
    for key, (label, column, named) in columns.items():
        facet, places = _facet(key, label, column, named)
        if len(facet.values) > 1 or key in ("outcome", "cause"):
            facets.append(facet)
            codes[key] = places
    return Answers(question, repeat, tuple(facets), codes, verdict)


def _outcomes(run: RunData, keys: list[tuple[int, int]]) -> Column:
    outcomes = attempt_outcomes(run)
    triples = zip(outcomes.question.tolist(), outcomes.repeat.tolist(), outcomes.outcome.tolist(), strict=True)
    known = {(question, repeat): code for question, repeat, code in triples}
    unscored = OUTCOMES.index("unscored")
    return Column(OUTCOMES, np.array([known.get(key, unscored) for key in keys], dtype=np.int64))


def _causes(run: RunData, keys: list[tuple[int, int]]) -> Column:
    known = causes_of_attempts(run)
    names = tuple(each.key for each in cause_texts())
    return Column(names, np.array([known.get(key, -1) for key in keys], dtype=np.int64))


def _decision_names() -> dict[str, str]:
    return {each.key: each.name for each in decision_texts()}


def _decisions(run: RunData, question: Ints) -> Column:
    """What is said of each answer's question, where it was asked often enough."""
    known = decisions_of_questions(run)
    codes = np.array([known.get(place, -1) for place in question.tolist()], dtype=np.int64)
    return Column(tuple(_decision_names()), codes)


def _verdicts(run: RunData, rows: Ints) -> Column:
    if "correct" not in run.metrics:
        return Column((), np.full(len(rows), -1))
    return Column(run.reasons.names, run.reasons.codes[rows, run.metrics.index("correct")])


def _labels(run: RunData, name: str, column: Column, question: Ints) -> Callable[[str], str]:
    """What a value is called: a template by one of its questions, whose name may be a hash."""
    if name == "answerability":
        return lambda value: _ANSWERABILITY.get(value, value)
    if name != "template":
        return str
    codes, places = np.unique(column.codes, return_index=True)
    first = {column.names[code]: int(question[place]) for code, place in zip(codes, places, strict=True) if code >= 0}
    texts = question_texts(run, first.values())
    return lambda value: f"{texts[first[value]].question} – {value}" if first[value] in texts else value


def _facet(key: str, label: str, column: Column, named: Callable[[str], str]) -> tuple[Facet, Ints]:
    counts = np.bincount(column.codes + 1, minlength=len(column.names) + 1)[1:]
    there = np.flatnonzero(counts)
    if key not in ("outcome", "cause", "decision"):
        there = there[np.argsort(-counts[there], kind="stable")]
    there = np.array(in_order(key, column.names, there.tolist()), dtype=np.int64)
    kept = there[:MOST_VALUES]
    places = np.full(len(column.names) + 1, -1)
    places[there], places[kept] = len(kept), np.arange(len(kept))
    values = []
    for code in kept.tolist():
        shown = cut(named(column.names[code]), _LABEL)
        values.append(FacetValue(column.names[code], int(counts[code]), shown if shown != column.names[code] else ""))
    return Facet(key, label, tuple(values), int(counts[there[MOST_VALUES:]].sum())), places[column.codes]
