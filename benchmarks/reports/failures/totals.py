"""What each module costs or brings over all questions: one condition against another, as paired differences."""

from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.reports.columns import Floats, RunData
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Target
from benchwright.benchmarks.statistics.paired import compare_pair

ALL_RIGHT = "all right"
"""Stands in `decisions.toml` for 1 for every question."""
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Total:
    """The share of right answers in one condition less that in another, over the questions judged in both."""

    key: str
    name: str
    says: str
    first: str
    """A condition, or `all right`."""
    second: str
    first_value: float
    """The mean over questions; of one that was asked several times its share of right answers."""
    second_value: float
    value: float
    low: float | None
    """Of the 95 % interval by semantic group; None of fewer than two groups."""
    high: float | None
    p: float | None
    separated: bool
    """The interval leaves out 0, and p is below 0.05."""
    won: int
    """Questions of which the first share is larger."""
    lost: int
    """Of which the second one is: where the first gives all that the second does, such are noise or harm."""
    questions: int
    groups: int
    target: Target = THIS_BENCHMARK
    """What the interval speaks of."""


@per_run
def condition_totals(run: RunData) -> tuple[Total, ...]:
    """The differences of `decisions.toml` that the run's conditions allow, over the headline's questions."""
    found = []
    for each in read_toml(__package__, "decisions.toml")["totals"]:
        total = _total(run, **each)
        if total is not None:
            found.append(total)
    return tuple(found)


def _total(run: RunData, key: str, name: str, says: str, first: str, second: str) -> Total | None:
    seconds = right_shares(run, second)
    firsts = np.where(np.isnan(seconds), np.nan, 1.0) if first == ALL_RIGHT else right_shares(run, first)
    places = np.flatnonzero(run.questions.headline & ~np.isnan(firsts) & ~np.isnan(seconds))
    if not len(places):
        return None
    one, two, clusters = firsts[places], seconds[places], run.questions.clusters[places]
    compared = compare_pair(one, two, clusters)
    return Total(
        key=key,
        name=name,
        says=says,
        first=first,
        second=second,
        first_value=float(one.mean()),
        second_value=float(two.mean()),
        value=float((one - two).mean()),
        low=compared.low if compared else None,
        high=compared.high if compared else None,
        p=compared.p if compared else None,
        separated=compared is not None and compared.separated,
        won=int((one - two > _SAME).sum()),
        lost=int((two - one > _SAME).sum()),
        questions=len(places),
        groups=len(np.unique(clusters)),
    )


def right_shares(run: RunData, condition: str) -> Floats:
    """Of each question the share of its judged answers in a condition that are right; NaN where none was judged."""
    size, rows = len(run.questions.ids), run.rows("correct", condition)
    if not len(rows):
        return np.full(size, np.nan)
    column = run.metrics.index("correct")
    rows = rows[run.is_scored[rows, column]]
    judged = np.bincount(run.question[rows], minlength=size).astype(float)
    right = np.bincount(run.question[rows], weights=run.values[rows, column] > 0.5, minlength=size)
    return np.divide(right, judged, out=np.full(size, np.nan), where=judged > 0)
