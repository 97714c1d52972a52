"""What answers took, and how they were graded, for each condition and subset: how the price of an answer and its worth
go together ("RAG dataset creation and boolean agent", Tables I to III)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from benchwright.benchmarks.metrics.steps.article_grades import HIGHEST, LOWEST
from benchwright.benchmarks.reports.columns import Floats, Ints, RunData
from benchwright.benchmarks.reports.prediction_facts import Amount, PartTally, StepTally, read_predictions
from benchwright.benchmarks.reports.section import per_run

UNKNOWN = "no prediction says"
GRADES = ("truthfulness", "relevance")
"""Metrics from 1 to 5; where neither is there, the first of the run stands for how good answers are."""
_ZERO_IS_UNKNOWN = ("input_tokens", "output_tokens", "cost")


@dataclass(frozen=True, slots=True)
class KnownTotal:
    """A total; what no prediction says is null and never zero."""

    total: int | float | None
    known: int
    """Of so many predictions."""
    of: int
    reason: str | None = None


UNKNOWN_TOTAL = KnownTotal(None, 0, 0, UNKNOWN)


@dataclass(frozen=True, slots=True)
class Grade:
    """The mean of a metric; without an interval, which stands beside it in `metrics` and `slices`."""

    mean: float | None
    """In the metric's own unit; None where nothing is scored."""
    scored: int
    total: int
    counts: tuple[int, ...] = ()
    """Of a grade from 1 to 5: answers graded 1, 2, 3, 4 and 5, one between two grades as the nearer, and in the middle
    as the higher."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one step of a part's answers took, such as deciding whether to retrieve."""

    step: str
    role: str | None
    """Of the model that took it."""
    answers: int
    """For which it was taken."""
    input_tokens: KnownTotal
    output_tokens: KnownTotal
    calls: KnownTotal
    cost: KnownTotal
    """In US dollars."""


@dataclass(frozen=True, slots=True)
class Part:
    """The answers of one condition to the questions of one subset."""

    condition: str
    subset: str | None
    """None: of the questions that are in no subset."""
    answers: int
    grades: Mapping[str, Grade]
    input_tokens: KnownTotal
    output_tokens: KnownTotal
    retrievals: KnownTotal
    retrieved: int
    """Answers for which was retrieved at least once, as far as they say it."""
    tokens_with_retrieval: KnownTotal = UNKNOWN_TOTAL
    """Tokens in and out together, of answers that retrieved; `of` is how many such answers there are."""
    tokens_without_retrieval: KnownTotal = UNKNOWN_TOTAL
    """Likewise, of answers that say that they did not."""
    sums: tuple[int, ...] = ()
    """Answers by the sum of both grades, from 2 to 10, where a run has both: what Figures 2 and 4 draw."""
    steps: tuple[Step, ...] = ()
    """In the order in which they are taken."""


def total_of(name: str, amount: Amount, of: int) -> KnownTotal:
    """The total of an amount over so many predictions."""
    known = 0 if name in _ZERO_IS_UNKNOWN and not amount.total else amount.known
    return KnownTotal(amount.total, known, of) if known else KnownTotal(None, 0, of, UNKNOWN)


@per_run
def effort_parts(run: RunData) -> tuple[Part, ...]:
    """The parts of a run: conditions as they were asked, the largest subsets first."""
    tallies = read_predictions(run).parts
    order = [*run.settings.conditions, *sorted({condition for condition, _ in tallies})]
    ranked = sorted(
        tallies.items(), key=lambda item: (order.index(item[0][0]), -item[1].answers, item[0][1] < 0, item[0][1])
    )
    return tuple(_part(run, condition, code, tally) for (condition, code), tally in ranked)


def _part(run: RunData, condition: str, code: int, tally: PartTally) -> Part:
    rows = np.flatnonzero(run.condition.where(condition) & (run.questions.subset.codes[run.question] == code))
    grades: dict[str, Grade] = {}
    for name in graded_by(run):
        column = run.metrics.index(name)
        listed = rows[run.is_listed[rows, column]]
        scored = listed[run.is_scored[listed, column]]
        values = run.values[scored, column]
        counts = _counts(values, LOWEST, HIGHEST) if name in GRADES else ()
        grades[name] = Grade(float(values.mean()) if len(scored) else None, len(scored), len(listed), counts)
    subset = run.questions.subset.names[code] if code >= 0 else None
    return replace(part_of(condition, subset, tally), grades=grades, sums=_sums(run, rows))


def part_of(condition: str, subset: str | None, tally: PartTally) -> Part:
    """What answers took, without how they were graded."""
    taken = {name: total_of(name, tally.amounts[name], tally.answers) for name in tally.amounts}
    others = tally.amounts["retrievals"].known - tally.retrieved
    steps = tuple(_step(name, role or None, each) for (name, role), each in tally.steps.items())
    return Part(
        condition,
        subset,
        tally.answers,
        {},
        input_tokens=taken["input_tokens"],
        output_tokens=taken["output_tokens"],
        retrievals=taken["retrievals"],
        retrieved=tally.retrieved,
        tokens_with_retrieval=total_of("input_tokens", tally.tokens[True], tally.retrieved),
        tokens_without_retrieval=total_of("input_tokens", tally.tokens[False], others),
        steps=steps,
    )


def _sums(run: RunData, rows: Ints) -> tuple[int, ...]:
    """Of answers that have both grades, how many have each sum; nothing where a run has not both."""
    if not all(name in run.metrics for name in GRADES):
        return ()
    columns = [run.metrics.index(name) for name in GRADES]
    both = rows[run.is_scored[rows][:, columns].all(axis=1)]
    return _counts(run.values[both][:, columns].sum(axis=1), 2 * LOWEST, 2 * HIGHEST)


def _counts(values: Floats, low: int, high: int) -> tuple[int, ...]:
    """How many values are nearest to each whole number of a scale."""
    whole = np.clip(np.floor(values + 0.5), low, high).astype(int)
    return tuple(np.bincount(whole - low, minlength=high - low + 1).tolist())


def _step(name: str, role: str | None, tally: StepTally) -> Step:
    totals = {each: total_of(each, amount, tally.answers) for each, amount in tally.amounts.items()}
    return Step(name, role, tally.answers, **totals)


def graded_by(run: RunData) -> tuple[str, ...]:
    """The grades that a run has, else its leading metric."""
    grades = tuple(name for name in GRADES if name in run.metrics)
    primary = run.settings.scoring.primary
    return grades or tuple(name for name in (primary,) if name in run.metrics)
