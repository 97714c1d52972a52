"""What a metric's values mean: its range, which end is better, and from where on it calls an answer right.

Asked    what is to be rated, and how           Scale    the values of one metric
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.reports.blocks import Range
from benchwright.benchmarks.reports.columns import Floats
from benchwright.benchmarks.reports.format import SHARE
from benchwright.benchmarks.reports.metrics.figures import metric_sense

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
    """The range of a metric, and whether higher is better. What has no limits is read as a share."""
    higher, found = metric_sense(name)
    return Scale(found if all(map(math.isfinite, found)) else SHARE, higher)


def refuse_thresholds(asked: Asked, names: Sequence[str]) -> None:
    """Raises UsageError where a threshold is of no metric that is rated, or beyond its scale."""
    for option, given in (("--threshold", asked.thresholds), ("--above", asked.above), ("--below", asked.below)):
        for name, value in given.items():
            if name not in names:
                raise UsageError(
                    f"{option} {name}={value:g}: {name} is not rated here, but {', '.join(dict.fromkeys(names))}"
                )
            low, high = scale_of(name).range
            if not low <= value <= high:
                raise UsageError(f"{option} {name}={value:g}: {name} goes from {low:g} to {high:g}")
