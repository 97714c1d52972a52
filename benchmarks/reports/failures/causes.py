"""The cause of each answer that is not right, as `causes.toml` names them: each answer has one at most."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.metrics.base import NO_ANSWER, NO_CONTEXTS
from benchwright.benchmarks.predictions import UNSUPPORTED
from benchwright.benchmarks.reports.answers.outcomes import OUTCOMES, AttemptOutcomes, attempt_outcomes
from benchwright.benchmarks.reports.columns import Bools, Floats, Ints, RunData
from benchwright.benchmarks.reports.failures.missed_evidence import where_missed
from benchwright.benchmarks.reports.metrics.figures import evidence_metric, largest_cut_off
from benchwright.benchmarks.reports.section import per_run

_NOT_ANSWERED = (NO_ANSWER.reason, "no prediction")
_BY_MISS = {"ranked-low": "ranked-low", "foreign": "foreign", "passage-missed": "passage-missed"}

Basis = Literal["evidence", "documents"]


@dataclass(frozen=True, slots=True)
class CauseTexts:
    """What is said of a cause; see `causes.toml`."""

    key: str
    name: str
    is_lost: bool
    """It is one of answers that the documents would have allowed."""
    says: str = ""
    documents: str = ""
    advice: str = ""
    steps: str = ""


@dataclass(frozen=True, slots=True)
class ReasonTexts:
    """What a wrong answer does, by the reason that `correct` gave."""

    says: str
    hint: str


@cache
def cause_texts() -> tuple[CauseTexts, ...]:
    """All causes, in the order in which they are looked for."""
    table = read_toml(__package__, "causes.toml")
    return tuple(CauseTexts(is_lost=kind == "lost", **each) for kind in ("lost", "beside") for each in table[kind])


@cache
def reason_texts() -> Mapping[str, ReasonTexts]:
    """By the reason of `correct`."""
    return {reason: ReasonTexts(**said) for reason, said in read_toml(__package__, "causes.toml")["reasons"].items()}


def code_of(key: str) -> int:
    """A cause's place in `cause_texts`."""
    return [texts.key for texts in cause_texts()].index(key)


@dataclass(frozen=True, slots=True)
class ContextBasis:
    """By what is said whether an answer's contexts held what it needed."""

    metric: str
    kind: Basis
    k: int


@dataclass(frozen=True)
class AttemptCauses:
    """The cause of each attempt of `attempt_outcomes`, parallel to its arrays."""

    code: Ints
    """Place in `cause_texts`; -1 of right answers that a document states, and of abstaining where that is right."""
    lost: Bools
    """Wrong or abstained, though the documents can answer the question."""
    basis: ContextBasis | None
    held: Floats
    """The share of what was needed that the contexts held; NaN where it is not known."""
    unseen: Mapping[str, int]
    """Why it is not known, of lost attempts → how many."""


@per_run
def context_basis(run: RunData) -> ContextBasis | None:
    """Evidence recall, else, where questions name documents only, the recall of documents."""
    found: tuple[tuple[Basis, str | None], ...] = (
        ("evidence", evidence_metric(run.metrics)),
        ("documents", largest_cut_off(run.metrics, "recall")),
    )
    for kind, name in found:
        if name is not None and run.is_scored[run.rows(name, run.shown), run.metrics.index(name)].any():
            return ContextBasis(name, kind, int(name.partition("@")[2]))
    return None


@per_run
def attempt_causes(run: RunData) -> AttemptCauses:
    """The causes, in the condition shown."""
    outcomes, basis = attempt_outcomes(run), context_basis(run)
    rows = run.rows("correct", run.shown)
    headline = run.questions.headline[outcomes.question]
    lost = headline & np.isin(outcomes.outcome, [OUTCOMES.index("wrong"), OUTCOMES.index("abstained")])
    held, why = _held(run, rows, basis)
    code = np.full(len(rows), -1)
    abstained = outcomes.outcome == OUTCOMES.index("abstained")
    _lay(code, lost & np.isnan(held), abstained, "unseen-abstained", "unseen-wrong")
    if basis is not None:
        code[lost & (why == NO_CONTEXTS.reason)] = code_of("no-contexts")
        enough = held >= 1 if basis.kind == "evidence" else held > 0
        _lay(code, lost & enough, abstained, "unused", "misread")
        _lay(code, lost & ~enough & ~np.isnan(held), held > 0, "in-part", "not-found")
        if basis.kind == "evidence":
            _look_closer(run, outcomes, code, basis.k)
    _mark_beside(run, rows, code, outcomes)
    unknown = [code_of("unseen-abstained"), code_of("unseen-wrong")]
    reasons, counts = np.unique(why[lost & np.isin(code, unknown)], return_counts=True)
    unseen = dict(sorted(zip(reasons.tolist(), counts.tolist(), strict=True), key=lambda pair: -pair[1]))
    return AttemptCauses(code, lost, basis, held, unseen)


def _lay(code: Ints, wanted: Bools, first: Bools, one: str, other: str) -> None:
    """Sets the cause of the wanted attempts, of those that are `first` to one, of the rest to the other."""
    code[wanted & first], code[wanted & ~first] = code_of(one), code_of(other)


def _held(run: RunData, rows: Ints, basis: ContextBasis | None) -> tuple[Floats, np.ndarray]:
    """What the contexts held, and why that is not known, of each attempt."""
    if basis is None:
        return np.full(len(rows), np.nan), np.full(len(rows), "", dtype=object)
    column = run.metrics.index(basis.metric)
    scored = run.is_scored[rows, column]
    names = np.array([*run.reasons.names, ""], dtype=object)
    return np.where(scored, run.values[rows, column], np.nan), names[run.reasons.codes[rows, column]]


def _look_closer(run: RunData, outcomes: AttemptOutcomes, code: Ints, k: int) -> None:
    """Tells apart why evidence was not in the contexts looked at."""
    places = np.flatnonzero((code == code_of("in-part")) | (code == code_of("not-found")))
    attempts = list(zip(outcomes.question[places].tolist(), outcomes.repeat[places].tolist(), strict=True))
    for place, miss in zip(places.tolist(), where_missed(run, attempts, k), strict=True):
        if miss in _BY_MISS:
            code[place] = code_of(_BY_MISS[miss])


def _mark_beside(run: RunData, rows: Ints, code: Ints, outcomes: AttemptOutcomes) -> None:
    """The causes of answers that are not lost ones: no answer, not judged, or an answer where there is none to give."""
    if not len(rows):
        return
    codes = run.reasons.codes[rows, run.metrics.index("correct")]
    absent = [
        place for place, name in enumerate(run.reasons.names) if name in _NOT_ANSWERED or name.startswith(UNSUPPORTED)
    ]
    missing = ~outcomes.is_scored & np.isin(codes, absent)
    headline = run.questions.headline[outcomes.question]
    code[missing] = code_of("failed")
    code[headline & ~outcomes.is_scored & ~missing] = code_of("unjudged")
    code[~headline & ~outcomes.abstained & ~missing] = code_of("made-up")


@per_run
def causes_of_attempts(run: RunData) -> dict[tuple[int, int], int]:
    """Question and repeat → place of the cause in `cause_texts`, of the attempts that have one."""
    outcomes, code = attempt_outcomes(run), attempt_causes(run).code
    triples = zip(outcomes.question.tolist(), outcomes.repeat.tolist(), code.tolist(), strict=True)
    return {(question, repeat): cause for question, repeat, cause in triples if cause >= 0}
