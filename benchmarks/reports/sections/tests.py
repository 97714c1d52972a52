"""Tested differences between forms, within the groups that both have."""

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from benchwright.benchmarks.reports.answers.outcomes import judged_questions
from benchwright.benchmarks.reports.blocks import Cell, Column, Table, Text, foreign, missing
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import count, figure, interval, minus, p_value, signed
from benchwright.benchmarks.reports.groups import unavailable
from benchwright.benchmarks.reports.metrics.figures import evidence_metric
from benchwright.benchmarks.reports.section import Content, ReportSection, per_run
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Target
from benchwright.benchmarks.statistics.paired import compare_pair
from benchwright.benchmarks.statistics.tests import holm

NO_SECOND_FORM = "not available because no two forms have two judged groups in common"


@dataclass(frozen=True, slots=True)
class FormDifference:
    """Two forms by one metric, first minus second, over the groups that both have."""

    metric: str
    first: str
    second: str
    first_mean: float
    second_mean: float
    difference: float
    low: float
    high: float
    effect: float | None
    """Cohen's d of pairs."""
    groups: int
    first_better: int
    """Groups."""
    second_better: int
    equal: int
    p: float
    p_corrected: float
    p_t: float | None
    """Of the paired t-test over groups, not corrected; null where all groups differ alike."""
    target: Target = THIS_BENCHMARK
    """What the interval, of 95 %, speaks of."""


@dataclass(frozen=True, slots=True)
class FormTests:
    """All tests between forms, corrected for their number."""

    reason: str | None
    correction: str = "Holm"
    method: str = "sign flips of whole semantic groups, two-sided; intervals of 95 % by Student's t over groups"
    target: Target = THIS_BENCHMARK
    """What intervals and tests speak of: this benchmark, of which groups are drawn."""
    differences: tuple[FormDifference, ...] = ()


@per_run
def form_tests(run: RunData) -> FormTests:
    """Paired differences between forms within the headline's groups, by `correct` and by evidence recall."""
    reason = unavailable(run)
    means = {} if reason else _form_means(run)
    tests = [
        found
        for metric, forms in means.items()
        for pair in combinations(forms, 2)
        if (found := _paired(metric, *pair, *(forms[form] for form in pair))) is not None
    ]
    corrected = holm([test.p for test in tests])
    differences = tuple(replace(test, p_corrected=p) for test, p in zip(tests, corrected, strict=True))
    return FormTests(reason or (None if tests else NO_SECOND_FORM), differences=differences)


def _form_means(run: RunData) -> dict[str, dict[str, dict[int, float]]]:
    """Metric → form → group → mean, of the headline's questions that have a group."""
    questions = run.questions
    wanted = questions.headline & (questions.group.codes >= 0)
    values: dict[str, dict[int, float]] = {
        "correct": {place: float(right) for place, right in judged_questions(run).items()}
    }
    evidence = evidence_metric(run.metrics)
    if evidence is not None:
        values[evidence] = run.first_values(evidence, run.shown)
    form = questions.form
    found: dict[str, dict[str, dict[int, float]]] = {}
    for metric, by_question in values.items():
        places = np.array([place for place in by_question if wanted[place]], dtype=int)
        said = np.array([by_question[int(place)] for place in places], dtype=float)
        for code, name in enumerate(form.names):
            mask = form.codes[places] == code
            groups, inverse = np.unique(questions.clusters[places[mask]], return_inverse=True)
            sums, counts = np.bincount(inverse, weights=said[mask]), np.bincount(inverse)
            means = dict(zip(groups.tolist(), (sums / counts).tolist(), strict=True))
            found.setdefault(metric, {})[name] = means
    return found


def _paired(
    metric: str, first: str, second: str, one: dict[int, float], two: dict[int, float]
) -> FormDifference | None:
    """The difference of two forms over the groups that both have; None with fewer than two such groups."""
    shared = [group for group in one if group in two]
    first_means, second_means = (np.array([each[group] for group in shared]) for each in (one, two))
    found = compare_pair(first_means, second_means, np.arange(len(shared)))
    if found is None:
        return None
    return FormDifference(
        metric=metric,
        first=first,
        second=second,
        first_mean=found.first,
        second_mean=found.second,
        difference=found.value,
        low=found.low,
        high=found.high,
        effect=found.effect,
        groups=found.clusters,
        first_better=found.first_larger,
        second_better=found.second_larger,
        equal=found.equal,
        p=found.p,
        p_corrected=found.p,
        p_t=found.p_t,
    )


def compute(run: RunData) -> Content:
    """A table of the differences."""
    tests = form_tests(run)
    if tests.reason:
        return Content([missing(tests.reason)], ())
    how = f"{tests.method}; p-values corrected for their number ({tests.correction}). They speak of {tests.target}."
    names = (
        "difference",
        "95 % interval",
        "effect d",
        "p corrected",
        "first better",
        "second better",
        "equal",
        "groups",
    )
    columns = (Column("metric"), Column("forms", "left"), *(Column(name) for name in names))
    rows = tuple(_row(test) for test in tests.differences)
    table = Table("Differences in percentage points, first minus second", columns, rows, "wide")
    return Content([Text(f"Paired differences between forms over the groups that both have; {how}", "soft"), table], ())


def _row(test: FormDifference) -> tuple[Cell, ...]:
    return (
        foreign(test.metric, 40),
        (foreign(test.first, 40), " − ", foreign(test.second, 40)),
        signed(test.difference),
        minus(interval(test.low, test.high)),
        minus(figure(test.effect, 2)),
        p_value(test.p_corrected),
        count(test.first_better),
        count(test.second_better),
        count(test.equal),
        count(test.groups),
    )


SECTION = ReportSection("tests", "Tests", compute, order=110)
