"""Values in clusters, what an interval of their mean speaks of, and the interval of a mean without limits.

Values of one cluster (the wordings of one semantic group, say) are not independent, so that a cluster counts as one.
Means between two limits have better intervals than a resampled one: see `shares`. Random numbers come from numpy's
PCG64 with a fixed seed, so that figures can be computed again; nothing here enters a release.
"""

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Target = Literal["this benchmark", "new templates and entities"]
"""What an interval speaks of: this benchmark, with its templates and entities, of which semantic groups are a draw; or
a benchmark of other templates and entities of the same kind."""
THIS_BENCHMARK: Target = "this benchmark"
NEW_TEMPLATES_AND_ENTITIES: Target = "new templates and entities"

_CELLS = 1_000_000
"""Draws that are held at once: bounds memory at some 20 MB."""
_BUDGET = 10_000_000
"""Draws of one call."""
_COST_OF_KIND = 10
"""Clusters that can be drawn one by one in the time that it takes to draw how many there are of one kind."""
_NOTHING = 1e-12
"""What rounding leaves of a spread that is 0, for a mean of 1."""
_ROUNDING = 1e-12
"""What rounding leaves of a sum of squares about a mean that is 0, for one of 1 about another."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its interval."""

    value: float
    low: float
    high: float
    target: Target = THIS_BENCHMARK
    """What it speaks of."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Values and the cluster of each, of the same length."""

    values: Floats
    clusters: Ints


def resamples_for(clusters: int) -> int:
    """How often clusters are drawn: 10,000 times, fewer with more than a thousand of them, and at least 1,000 times."""
    return max(1_000, min(10_000, _BUDGET // max(clusters, 1)))


def codes_of(keys: Sequence[Hashable]) -> Ints:
    """A number for each key, in the order of first appearance."""
    index: dict[Hashable, int] = {}
    return np.fromiter((index.setdefault(key, len(index)) for key in keys), dtype=np.int64, count=len(keys))


def cluster_sums(sample: Sample) -> tuple[Ints, Floats, Floats]:
    """The clusters that have values, and the sum and number of values of each.

    Raises:
        ValueError: a value is not finite, or values and clusters differ in number.
    """
    if len(sample.values) != len(sample.clusters):
        raise ValueError(f"{len(sample.values)} values and {len(sample.clusters)} clusters: each value needs its own")
    if not np.isfinite(sample.values).all():
        raise ValueError("a value is not finite: leave out what is unscored")
    there, codes = np.unique(sample.clusters, return_inverse=True)
    sums = np.bincount(codes, weights=sample.values, minlength=len(there)).astype(float)
    return there, sums, np.bincount(codes, minlength=len(there)).astype(float)


def bootstrap_t(
    sample: Sample, *, seed: int = 0, resamples: int | None = None, confidence: float = 0.95
) -> Interval | None:
    """The mean of values without limits with its interval; None of fewer than two clusters, or where all are alike.

    The cluster bootstrap with a standard error of its own in each resample (Efron and Tibshirani 1993, An Introduction
    to the Bootstrap, section 12.5; Hall 1988, The Annals of Statistics 16): it bends to skewed values, which the
    percentiles of resampled means do not. Clusters that add the same are drawn as one kind.

    Args:
        sample: values with their clusters.
        seed: of the draws.
        resamples: how often clusters are drawn; by default as `resamples_for` says.
        confidence: how often such intervals hold the mean.

    Raises:
        ValueError: a value is not finite, or values and clusters differ in number.
    """
    _, sums, counts = cluster_sums(sample)
    size = len(sums)
    if size < 2:
        return None
    mean = float(sums.sum() / counts.sum())
    rests = sums - counts * mean
    error = math.sqrt(size / (size - 1) * float(rests @ rests)) / float(counts.sum())
    if error <= _NOTHING * max(1.0, abs(mean)):
        return None
    kinds, times = np.unique(np.stack([counts, rests], axis=1), axis=0, return_counts=True)
    many, rest = kinds.T
    parts = np.stack([many, rest, rest * rest, rest * many, many * many], axis=1)
    generator = np.random.Generator(np.random.PCG64(seed))
    drawn = _draws(generator, times, resamples or resamples_for(size))
    found = [_studentised(weights @ parts, size) for weights in drawn]
    low, high = np.nanquantile(np.concatenate(found), [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(mean, mean - float(high) * error, mean - float(low) * error)


def _studentised(totals: Floats, size: int) -> Floats:
    """Of each resample its mean's distance from the mean over its own standard error; not a number where that is 0."""
    count, rest, squares, mixed, sizes = totals.T
    distance = rest / count
    spread = squares - 2 * distance * mixed + distance * distance * sizes
    error = np.sqrt(size / (size - 1) * np.maximum(spread, 0.0)) / count
    return np.divide(distance, error, out=np.full_like(distance, np.nan), where=spread > _ROUNDING * squares)


def _draws(generator: np.random.Generator, times: Ints, resamples: int) -> Iterator[Floats]:
    """How often each kind of cluster is drawn where there are so many of each, some resamples at a time."""
    size, kinds = int(times.sum()), len(times)
    step = max(1, _CELLS // size)
    shares, of = times / size, np.repeat(np.arange(kinds), times)
    for first in range(0, resamples, step):
        rows = min(step, resamples - first)
        if kinds * _COST_OF_KIND < size:
            yield generator.multinomial(size, shares, size=rows).astype(float)
        else:
            drawn = generator.integers(0, size, size=(rows, size))
            drawn = (drawn if kinds == size else of[drawn]) + np.arange(rows)[:, None] * kinds
            yield np.bincount(drawn.ravel(), minlength=rows * kinds).reshape(rows, kinds).astype(float)
