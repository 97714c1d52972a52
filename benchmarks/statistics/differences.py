"""Differences of means of different questions over clusters, with intervals and p-values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.statistics.intervals import Floats, Ints, Sample, cluster_sums
from benchwright.benchmarks.statistics.shares import clustered_share

_CELLS = 2_000_000
"""Random cells that are held at once: bounds memory at some 50 MB."""
_NOTHING = 1e-10
"""What rounding leaves of a difference or a variance of grades that is 0."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Two means compared, first minus second."""

    first: float
    second: float
    value: float
    low: float
    high: float
    """The interval of 95 %."""
    p: float
    """Two-sided."""
    clusters: int
    """That either side has values in."""


def independent_mean_difference(
    first: Sample, second: Sample, *, limits: tuple[float, float], seed: int = 0, resamples: int = 10_000
) -> Difference | None:
    """Compares the means of different questions; None where either side has fewer than two clusters.

    The p-value is that of the permutation test of whole clusters with the studentised difference (Chung and Romano
    2013, The Annals of Statistics 41): exact where clusters of both sides are alike, and right for many clusters where
    only their means are. A cluster that lies in both sides changes its two parts. The variance is linearised by cluster
    (Cochran 1977, Sampling Techniques, section 6.4), the interval Student's with Welch's degrees of freedom.

    Args:
        first: values with their clusters.
        second: the same of the other side; equal clusters are the same ones.
        limits: the least and the largest that a value can be.
        seed: of the permutations.
        resamples: random permutations, of which the observed order counts as one (Phipson and Smyth 2010).

    Raises:
        ValueError: a value is not finite, or values and clusters differ in number.
    """
    sides = [cluster_sums(each) for each in (first, second)]
    if any(len(there) < 2 for there, _, _ in sides):
        return None
    every = np.union1d(sides[0][0], sides[1][0])
    cells = np.zeros((len(every), 4))
    for side, (there, sums, counts) in enumerate(sides):
        places = np.searchsorted(every, there)
        cells[places, side], cells[places, 2 + side] = sums, counts
    totals = cells.sum(axis=0)
    means = totals[:2] / totals[2:]
    value = float(means[0] - means[1])
    half = _half_width(cells, np.array([len(there) for there, _, _ in sides]))
    below, above = (half, half) if half > 0 else _alike(limits, (first, second))
    most = limits[1] - limits[0]
    low, high = max(-most, value - below), min(most, value + above)
    p = _permuted(cells, seed, resamples)
    return Difference(float(means[0]), float(means[1]), value, low, high, p, len(every))


def _alike(limits: tuple[float, float], sides: Sequence[Sample]) -> tuple[float, float]:
    """How far the interval reaches to either side where all values are alike (Zou and Donner 2008, Statistics in
    Medicine 27)."""
    one, other = (clustered_share(side, limits=limits) for side in sides)
    if one is None or other is None:
        return 0.0, 0.0
    below = math.hypot(one.value - one.low, other.high - other.value)
    return below, math.hypot(one.high - one.value, other.value - other.low)


def _half_width(cells: Floats, numbers: Ints) -> float:
    """Half the interval's width, given how many clusters each side has.

    A side whose values are all alike shows no spread, which a few clusters may hide: it is taken to be that of all.
    """
    from scipy.special import stdtrit

    _, own, shared = _spread(_features(cells).sum(axis=0)[None])
    totals = cells[:, 2:].sum(axis=0)
    overall = cells[:, :2].sum() / totals.sum()
    rests = (cells[:, :2] - cells[:, 2:] * overall).sum(axis=1) / totals.sum()
    pooled = float(np.square(rests).sum()) * len(cells) / numbers
    taken = np.where(own[0] > _NOTHING, own[0], pooled)
    error = math.sqrt(max(float(taken.sum() - shared[0]), 0.0))
    if error == 0:
        return 0.0
    freedom = float(taken.sum()) ** 2 / float((np.square(taken) / (numbers - 1)).sum())
    return float(stdtrit(freedom, 0.975)) * error


def _features(cells: Floats) -> Floats:
    """Of each cluster, what the studentised difference is a function of the sums of."""
    (s, u), (c, d) = cells[:, :2].T, cells[:, 2:].T
    first, second = ([a, b, a * a, a * b, b * b, (b > 0).astype(float)] for a, b in ((s, c), (u, d)))
    return np.stack([*first, *second, s * u, s * d, c * u, c * d], axis=1)


def _spread(sums: Floats) -> tuple[Floats, Floats, Floats]:
    """Of sums of features (orders, 16): differences, the variances of both sides' means, and twice their covariance."""
    means, variances, grown = [], [], []
    for side in (sums[:, :6], sums[:, 6:12]):
        s, c, ss, sc, cc, n = side.T
        mean = s / c
        grown.append(n / np.maximum(n - 1, 1))
        means.append(mean)
        variances.append(grown[-1] * np.maximum(ss - 2 * mean * sc + mean * mean * cc, 0.0) / (c * c))
    su, sd, cu, cd = sums[:, 12:].T
    covariance = (su - means[1] * sd - means[0] * cu + means[0] * means[1] * cd) / (sums[:, 1] * sums[:, 7])
    shared = 2 * np.sqrt(grown[0] * grown[1]) * covariance
    return means[0] - means[1], np.stack(variances, axis=1), shared


def _permuted(cells: Floats, seed: int, resamples: int) -> float:
    """The share of orders, the observed one among them, in which the studentised difference is as large."""
    generator = np.random.Generator(np.random.PCG64(seed))
    as_is, swapped = _features(cells), _features(cells[:, [1, 0, 3, 2]])
    observed = float(_ratio(as_is.sum(axis=0)[None])[0])
    limit = observed - 1e-6 * max(1.0, observed) if math.isfinite(observed) else observed
    has = cells[:, 2:] > 0
    alone, both = np.flatnonzero(~has.all(axis=1)), np.flatnonzero(has.all(axis=1))
    is_first = has[alone, 0]
    extreme, step = 1, max(1, _CELLS // len(cells))
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        changed = np.empty((rows, len(cells)))
        changed[:, both] = generator.random((rows, len(both))) < 0.5
        changed[:, alone] = generator.permuted(np.tile(is_first, (rows, 1)), axis=1) != is_first
        extreme += int((_ratio(as_is.sum(axis=0) + changed @ (swapped - as_is)) >= limit).sum())
    return extreme / (resamples + 1)


def _ratio(sums: Floats) -> Floats:
    """How many errors large each difference is: 0 where there is none, infinite where there is nothing but it."""
    values, variances, shared = _spread(sums)
    values = np.where(np.abs(values) < _NOTHING, 0.0, np.abs(values))
    squares = variances.sum(axis=1) - shared
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(values == 0, 0.0, values / np.sqrt(np.where(squares < _NOTHING, 0.0, squares)))
