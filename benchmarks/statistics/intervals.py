"""Intervals of many means at once: what `statistics.bootstrap_mean` gives for one, with the draws shared.

A report has hundreds of means over the same semantic groups. Drawing the groups once for all metrics of a slice makes
100,000 predictions a matter of seconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.statistics.tests import Interval

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_CELLS = 1_000_000
"""Draws that are held at once: bounds memory at some 20 MB."""
_BUDGET = 10_000_000
"""Draws of one slice."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The values of one metric and the group of each."""

    values: Floats
    groups: Ints


def resamples_for(groups: int) -> int:
    """How often groups are drawn: 10,000 times, fewer with more than a thousand groups, and at least 1,000 times."""
    return max(1_000, min(10_000, _BUDGET // max(groups, 1)))


def bootstrap_means(samples: Sequence[Sample], *, seed: int = 0) -> list[Interval | None]:
    """The mean of each sample with the percentile interval of the cluster bootstrap; None without values.

    As `statistics.bootstrap_mean` (Field and Welsh 2007), but for the number of resamples. Samples with values in the
    same groups share their draws.
    """
    found: list[Interval | None] = [None] * len(samples)
    shared: dict[bytes, list[tuple[int, Floats, Floats]]] = {}
    for place, sample in enumerate(samples):
        if len(sample.values):
            there, codes = np.unique(sample.groups, return_inverse=True)
            sums: Floats = np.bincount(codes, weights=sample.values).astype(float)
            counts: Floats = np.bincount(codes).astype(float)
            shared.setdefault(there.tobytes(), []).append((place, sums, counts))
    for members in shared.values():
        sums, counts = (np.stack([member[part] for member in members], axis=1) for part in (1, 2))
        for column, (low, high) in enumerate(_quantiles(sums, counts, seed)):
            mean = float(sums[:, column].sum() / counts[:, column].sum())
            found[members[column][0]] = Interval(mean, low, high)
    return found


def _quantiles(sums: Floats, counts: Floats, seed: int) -> list[tuple[float, float]]:
    """Of arrays (groups, metrics), the 2.5 % and 97.5 % quantile of each metric's resampled mean."""
    size, metrics = sums.shape
    resamples = resamples_for(size)
    generator = np.random.Generator(np.random.PCG64(seed))
    both = np.concatenate([sums, counts], axis=1)
    means = np.empty((resamples, metrics))
    step = max(1, _CELLS // size)
    for first in range(0, resamples, step):
        rows = min(step, resamples - first)
        drawn = generator.integers(0, size, size=(rows, size)) + np.arange(rows)[:, None] * size
        weights = np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size)
        totals = weights.astype(float) @ both
        means[first : first + rows] = totals[:, :metrics] / totals[:, metrics:]
    low, high = np.quantile(means, [0.025, 0.975], axis=0)
    return [(float(a), float(b)) for a, b in zip(low, high, strict=True)]
