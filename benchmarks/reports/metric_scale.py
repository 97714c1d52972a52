"""What a metric's values mean: its range, which end is better, and from where on it calls an answer right.

Asked    what is to be rated, and how           Scale    the values of one metric
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.metrics import find_metric
from benchwright.benchmarks.reports.blocks import Range
from benchwright.benchmarks.reports.columns import Floats
from benchwright.benchmarks.reports.format import SHARE

ABOVE, BELOW = 0.7, 0.3
"""Where a metric is high and low, as shares of its range: the thresholds of the paper's Table 4."""


@dataclass(frozen=True)
class Asked:
    """What is to be rated, and how."""

    metrics: tuple[str, ...] = ()
    """None: all of answers that are scored."""
    truth: str = "correct"
    human: Path | None = None
    judge: str | None = None
    mix_judges: bool = False
    thresholds: Mapping[str, float] = field(default_factory=dict)
    """Above which a metric calls an answer right; half-way up its range where it is not named."""
    above: Mapping[str, float] = field(default_factory=dict)
    below: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Scale:
    """What a metric's values mean."""

    range: Range
    higher: bool

    def turned(self, values: Floats | float) -> Floats:
        """The values so that more is better."""
        return np.asarray(values if self.higher else np.negative(values), dtype=float)

    def at(self, share: float) -> float:
        """The value so far up from the worst."""
        low, high = self.range
        return low + (high - low) * (share if self.higher else 1 - share)


def limits_of(name: str, asked: Asked, scale: Scale) -> tuple[list[float], list[float]]:
    """Where a metric is high and where it is low, turned so that more is better."""
    above, below = asked.above.get(name, scale.at(ABOVE)), asked.below.get(name, scale.at(BELOW))
    return [float(scale.turned(above))], [float(scale.turned(below))]


def threshold_of(name: str, asked: Asked) -> float:
    """Above which a metric says right: as asked, else half-way up its range."""
    return asked.thresholds.get(name, scale_of(name).at(0.5))


def scale_of(name: str) -> Scale:
    """The range of a metric, and whether higher is better. A judgment of no known metric is a share."""
    try:
        metric = find_metric(name)
    except BenchwrightError:
        return Scale(SHARE, True)
    low, high = (float(limit) for limit in metric.range)
    if not (math.isfinite(low) and math.isfinite(high)):
        return Scale(SHARE, metric.higher_is_better)
    return Scale((low, high), metric.higher_is_better)


def refuse_thresholds(asked: Asked, names: Sequence[str]) -> None:
    for option, given in (("--threshold", asked.thresholds), ("--above", asked.above), ("--below", asked.below)):
        for name, value in given.items():
            if name not in names:
                raise UsageError(
                    f"{option} {name}={value:g}: {name} is not rated here, but {', '.join(dict.fromkeys(names))}"
                )
            low, high = scale_of(name).range
            if not low <= value <= high:
                raise UsageError(f"{option} {name}={value:g}: {name} goes from {low:g} to {high:g}")
