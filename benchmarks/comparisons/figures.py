"""Systems beside each other by one metric: means over the questions that all have, sorted, with intervals."""

from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.comparisons.read import Compared
from benchwright.benchmarks.reports.columns import Bools
from benchwright.benchmarks.statistics.intervals import Sample, bootstrap_means


@dataclass(frozen=True, slots=True)
class SystemFigure:
    """One system by one metric."""

    run: str
    value: float
    """The mean over the questions that all compared runs have a score of."""
    low: float
    high: float
    own_value: float | None
    """The mean over all questions of the headline that this run has a score of."""
    scored: int
    """Of so many of them."""
    total: int
    """The headline's questions that any run has."""


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """Systems by one metric, the best first."""

    metric: str
    higher_is_better: bool
    range: tuple[float, float]
    questions: int
    """Those that all compared runs have a score of."""
    groups: int
    systems: tuple[SystemFigure, ...]


def compare_by(compared: Compared, metric: str) -> MetricComparison:
    """The systems by one metric; none where they have no scored question in common."""
    scored, common, headline = compared.scored[metric], compared.common(metric), compared.questions.headline
    clusters = compared.questions.clusters[common]
    samples = [Sample(scored.values[common, run].astype(float), clusters) for run in range(len(compared.runs))]
    found = []
    for place, (run, interval) in enumerate(zip(compared.runs, bootstrap_means(samples), strict=True)):
        own: Bools = headline & scored.is_scored[:, place]
        number = int(own.sum())
        if interval is not None:
            found.append(
                SystemFigure(
                    run=run.name,
                    value=interval.value,
                    low=interval.low,
                    high=interval.high,
                    own_value=float(scored.values[own, place].mean(dtype=float)) if number else None,
                    scored=number,
                    total=int(headline.sum()),
                )
            )
    sign = -1 if scored.higher_is_better else 1
    return MetricComparison(
        metric=metric,
        higher_is_better=scored.higher_is_better,
        range=scored.range,
        questions=int(common.sum()),
        groups=len(np.unique(clusters)),
        systems=tuple(sorted(found, key=lambda each: (sign * each.value, each.run))),
    )
