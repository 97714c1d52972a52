"""What high and low scores of a run say of whether its answers are right: of one metric, or of several at once.

Equations 1 and 2 and Table 4 of the paper on RAG metrics in the telecom domain.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchwright.benchmarks.reports.columns import Bools, RunData
from benchwright.benchmarks.reports.metrics.scale import Asked, Scale, limits_of, scale_of
from benchwright.benchmarks.statistics.reliability import Concordance, all_high, all_low, concordance


@dataclass(frozen=True)
class Extremes:
    """The answers whose scores are all high, and those whose scores are all low."""

    concordance: Concordance
    """Thresholds are on the metrics' own scales, also of what is better when lower."""
    high: Bools
    """Of each attempt whether all its scores are high."""
    low: Bools


def extremes_of(run: RunData, names: Sequence[str], asked: Asked, is_right: Bools, counted: Bools) -> Extremes:
    """The answers with high and with low scores by metrics of a run.

    Args:
        run: with its scores.
        names: metrics of the run.
        asked: where each is high and where low.
        is_right: of each attempt.
        counted: the attempts of which that is known.
    """
    scales = [scale_of(name) for name in names]
    columns = [run.metrics.index(name) for name in names]
    both = np.flatnonzero(counted & run.condition.where(run.shown) & run.is_scored[:, columns].all(axis=1))
    limits = [limits_of(name, asked, scale) for name, scale in zip(names, scales, strict=True)]
    above, below = ([each[side][0] for each in limits] for side in (0, 1))
    better = [scale.turned(run.values[both, column]) for scale, column in zip(scales, columns, strict=True)]
    high, low = np.zeros(len(counted), dtype=bool), np.zeros(len(counted), dtype=bool)
    high[both[all_high(better, above)]] = True
    low[both[all_low(better, below)]] = True
    found = concordance(better, is_right[both], run.clusters[both], above, below)
    return Extremes(replace(found, above=_as_given(scales, above), below=_as_given(scales, below)), high, low)


def concordance_of(run: RunData, names: Sequence[str], asked: Asked, is_right: Bools, counted: Bools) -> Concordance:
    """The shares of `extremes_of` alone."""
    return extremes_of(run, names, asked, is_right, counted).concordance


def _as_given(scales: Sequence[Scale], limits: Sequence[float]) -> tuple[float, ...]:
    """Limits on the metrics' own scales."""
    return tuple(float(scale.turned(limit)) for scale, limit in zip(scales, limits, strict=True))
