"""A share with what it is of."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.benchmarks.reports.columns import Bools, Ints
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Sample, Target
from benchwright.benchmarks.statistics.shares import clustered_share


@dataclass(frozen=True, slots=True)
class Share:
    """A count of a total; of nothing there is no value, and the reason says why."""

    value: float | None
    count: int | float
    """Whole, but of an expected count."""
    total: int
    reason: str | None = None


def share(count: int | float, total: int, reason: str | None = None) -> Share:
    """A share; `reason` says why there is none where the total is 0."""
    return Share(count / total, count, total) if total else Share(None, count, total, reason)


def share_of(outcomes: Sequence[bool], reason: str | None = None) -> Share:
    """The share of outcomes that are true."""
    return share(sum(outcomes), len(outcomes), reason)


@dataclass(frozen=True, slots=True)
class DrawnShare(Share):
    """A share of answers or of groups, with its interval of 95 % by semantic group; none of fewer than two groups."""

    low: float | None = None
    high: float | None = None
    target: Target = THIS_BENCHMARK
    """What the interval speaks of."""


def drawn_share(outcomes: Bools, clusters: Ints, reason: str | None = None) -> DrawnShare:
    """The share of outcomes that are true, each with its semantic group; `reason` says why there is none of none."""
    count, total = int(outcomes.sum()), len(outcomes)
    if not total:
        return DrawnShare(None, 0, 0, reason)
    found = clustered_share(Sample(outcomes.astype(float), clusters))
    low, high = (found.low, found.high) if found else (None, None)
    return DrawnShare(count / total, count, total, None, low, high)
