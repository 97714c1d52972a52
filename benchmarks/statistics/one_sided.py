"""One-sided limits of a mean over clusters, right also where what would pull it down was not seen yet.

A system that loses one question in fifty loses none of forty four times in nine: then all differences are alike, their
spread is 0 or nearly so, and Student's limit says that nothing was lost. What was not seen has to be allowed for.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.statistics.intervals import Floats, Sample, cluster_sums

_LARGEST = 10_000_000
"""Clusters beyond which nobody asks how many would do."""
_DECIMALS = 7
"""Sums of clusters that agree so far are one: single-precision grades of repeats differ in what follows."""
_MEAN = 1e-4
"""Standard deviations within which the saddlepoint is the mean, where its formula divides 0 by 0."""


@dataclass(frozen=True, slots=True)
class OneSided:
    """A mean over clusters with a limit to either side, each of which holds it alone with the confidence asked for."""

    value: float
    low: float
    high: float
    confidence: float
    clusters: int


@dataclass(frozen=True, slots=True)
class BoundedClusters:
    """The sums and sizes of clusters, alike ones as one with their number, and the limits of a value."""

    sums: Floats
    sizes: Floats
    numbers: Floats
    limits: tuple[float, float]

    @property
    def value(self) -> float:
        """The mean."""
        return float(self.sums @ self.numbers / (self.sizes @ self.numbers))

    @property
    def unseen(self) -> float:
        """The size that the unseen cluster is taken to have: that of the largest there is.

        Of a smaller size it would miss losses that only large clusters have, however few of the questions they hold.
        """
        return float(self.sizes.max())

    def below(self, bound: float, factor: float = 1.0) -> float:
        """The probability that the mean lies below a bound, with so many times as many clusters and one unseen."""
        return self._tail(bound, factor, self.limits[0])

    def above(self, bound: float, factor: float = 1.0) -> float:
        """The same of above."""
        return 1 - self._tail(bound, factor, self.limits[1])

    def _tail(self, bound: float, factor: float, worst: float) -> float:
        """The probability that the weighted mean of the clusters and of one whose values are all the worst is at most
        the bound."""
        rests = np.append(self.sums - self.sizes * bound, self.unseen * (worst - bound))
        return _below_zero(rests, np.append(self.numbers * factor, 1.0))


def one_sided_limits(values: Sample, limits: tuple[float, float], *, confidence: float = 0.95) -> OneSided | None:
    """The mean of values with a lower and an upper limit, each one-sided; None without values.

    Gaffke's bound (2005, Mathematical Methods of Statistics 14; Learned-Miller and Thomas 2020, "A New Confidence
    Interval for the Mean of a Bounded Random Variable"): the quantile of the mean under weights that are uniform over
    the simplex, as of the Bayesian bootstrap (Rubin 1981), where one more observation lies at the worst value there can
    be. Of outcomes that are 0 or 1 it is the exact limit of Clopper and Pearson (1934), and for many observations that
    of the normal distribution. Here clusters are weighted; the unseen one has the size of the largest that
    was seen, so that what larger ones would lose is not allowed for. No proof is known for all distributions; what it
    errs by is simulated (`simulate_gate`).

    Args:
        values: within the limits, each with its cluster.
        limits: the least and the largest that a value can be.
        confidence: how often each of the two limits holds the mean.

    Raises:
        ValueError: a value is not finite or not within the limits, or values and clusters differ in number.
    """
    clusters = clusters_of(values, limits)
    if clusters is None:
        return None
    least, value, most = limits[0], clusters.value, limits[1]
    low, high = least, most
    if value > least:
        low = _root(lambda bound: clusters.below(bound) - (1 - confidence), least, value)
    if value < most:
        high = _root(lambda bound: clusters.above(bound) - (1 - confidence), value, most)
    return OneSided(value, low, high, confidence, int(clusters.numbers.sum()))


def chance_below(values: Sample, limits: tuple[float, float], bound: float) -> float | None:
    """The one-sided p-value of the hypothesis that the mean lies below a bound, as of `one_sided_limits`.

    Raises:
        ValueError: as `one_sided_limits`.
    """
    clusters = clusters_of(values, limits)
    return None if clusters is None else clusters.below(bound)


def clusters_to_decide(
    values: Sample, limits: tuple[float, float], bound: float, *, confidence: float = 0.95, power: float = 0.8
) -> int | None:
    """How many clusters would show on which side of a bound the mean lies, were they like those that there are.

    With so many a limit of `one_sided_limits` lies on the mean's side of the bound with the given power: their tail
    beyond the bound is that of the normal distribution at the sum of both quantiles (Chow, Shao and Wang 2008, Sample
    Size Calculations in Clinical Research, section 3.2).

    Returns:
        At least the clusters there are; None where the mean is the bound, without values, or of more than ten million.

    Raises:
        ValueError: as `one_sided_limits`.
    """
    from scipy.special import ndtr, ndtri

    clusters = clusters_of(values, limits)
    if clusters is None or math.isclose(clusters.value, bound, abs_tol=10**-_DECIMALS):
        return None
    there = float(clusters.numbers.sum())
    tail = clusters.below if clusters.value > bound else clusters.above
    wanted = float(ndtr(-(ndtri(confidence) + ndtri(power))))
    most = 1.0
    while tail(bound, most) > wanted:
        if most * there > _LARGEST:
            return None
        most *= 2
    least = most / 2 if most > 1 else most
    while (most - least) * there > 0.5:
        middle = (least + most) / 2
        least, most = (middle, most) if tail(bound, middle) > wanted else (least, middle)
    return math.ceil(most * there - 1e-9)


def clusters_of(values: Sample, limits: tuple[float, float]) -> BoundedClusters | None:
    """The clusters of values, alike ones as one; None without values."""
    _, sums, sizes = cluster_sums(values)
    if not len(sizes):
        return None
    slack = 10**-_DECIMALS
    if not (limits[0] - slack <= values.values.min() and values.values.max() <= limits[1] + slack):
        raise ValueError(f"a value is not between {limits[0]:g} and {limits[1]:g}")
    return alike_as_one(sums, sizes, limits)


def alike_as_one(sums: Floats, sizes: Floats, limits: tuple[float, float]) -> BoundedClusters:
    """Clusters of the same sum and size as one."""
    pairs, numbers = np.unique(sums.round(_DECIMALS) + 1j * sizes, return_counts=True)
    return BoundedClusters(pairs.real, pairs.imag, numbers.astype(float), limits)


def _below_zero(factors: Floats, shapes: Floats) -> float:
    """The probability that a sum of gamma variables of these shapes, each times its factor, is at most 0.

    The saddlepoint approximation of Lugannani and Rice (1980, Advances in Applied Probability 12). Held against the
    beta distribution it is at most a twentieth too large at 0.05, with one cluster as with a thousand.
    """
    if not (factors > 0).any():
        return 1.0
    if not (factors < 0).any():
        return 0.0
    from scipy.special import ndtr

    scaled = factors / np.abs(factors).max()
    low, high = 1 / scaled.min(), 1 / scaled.max()
    edge = 1e-13 * (high - low)
    place = _root(lambda at: float((shapes * scaled / (1 - at * scaled)).sum()), low + edge, high - edge)
    grown = scaled / (1 - place * scaled)
    cumulant = -float((shapes * np.log1p(-place * scaled)).sum())
    second, third = float((shapes * grown**2).sum()), float((2 * shapes * grown**3).sum())
    root = math.copysign(math.sqrt(max(-2 * cumulant, 0.0)), place)
    if abs(root) < _MEAN:
        return 0.5 + third / (6 * math.sqrt(2 * math.pi) * second**1.5)
    density = math.exp(-root * root / 2) / math.sqrt(2 * math.pi)
    found = float(ndtr(root)) + density * (1 / root - 1 / (place * math.sqrt(second)))
    return min(1.0, max(0.0, found))


def _root(function: Callable[[float], float], low: float, high: float, error: float = 1e-13) -> float:
    """Where a function between two places, at which it has different signs, is 0."""
    from scipy.optimize import brentq

    found = brentq(function, low, high, xtol=error)
    assert isinstance(found, float)
    return found
