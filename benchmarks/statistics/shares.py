"""Intervals of means of grades between two limits, whose values lie in clusters; honest where all are at one limit.

Their target is this benchmark: its questions stay as they are, and semantic groups of the same kind are what is drawn.
For other templates and entities see `crossed`.
"""

import math

import numpy as np

from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Floats, Interval, Sample, Target, cluster_sums

Limits = tuple[float, float]
SHARE: Limits = (0.0, 1.0)
_NOTHING = 1e-20
"""What rounding leaves of a variance that is 0; one wrong answer of a hundred million makes more."""
_EVEN = 0.45
"""How even clusters are to be in size for their variance to be believed (`scripts/simulate_intervals`): 0 where one
has all values, 1 where all have as many."""


def clustered_share(sample: Sample, *, limits: Limits = SHARE, confidence: float = 0.95) -> Interval | None:
    """The mean of grades with its interval by cluster; None of fewer than two clusters, which cannot tell.

    Wilson's interval (1927, Journal of the American Statistical Association 22) with as many observations as the
    clusters are worth, and Student's t (Korn and Graubard 1998, Survey Methodology 24; Dean and Pagano 2015, Journal of
    Survey Statistics and Methodology 3). A grade within the limits varies no more than a share of the same mean does,
    so that what holds of shares holds of grades. See `score_interval` for what few clusters and few failures are worth.

    A cluster with most of the values pulls the mean to itself, and differs little from it whatever it is: the variance
    is then too small. So where few clusters have most of the values (`few_hold_most`) it is not used, and the interval
    is as wide as if all values of a cluster were alike.

    Args:
        sample: values within the limits, each with its cluster.
        limits: the least and the largest that a value can be.
        confidence: how often such intervals hold the mean.

    Raises:
        ValueError: a value is not finite or not within the limits, or values and clusters differ in number.
    """
    check_limits(sample.values, limits)
    _, sums, counts = cluster_sums(sample)
    return share_of_clusters(sums, counts, limits=limits, confidence=confidence)


def share_of_clusters(
    sums: Floats, counts: Floats, *, limits: Limits = SHARE, confidence: float = 0.95
) -> Interval | None:
    """As `clustered_share`, of the sum and the number of each cluster's values."""
    clusters, total = len(counts), float(counts.sum())
    if clusters < 2:
        return None
    low, high = limits
    scaled = (sums - low * counts) / (high - low)
    share = min(1.0, max(0.0, float(scaled.sum()) / total))
    rests = scaled - counts * share
    variance = 0.0 if few_hold_most(counts) else variance_of(rests, total)
    return rescaled(
        score_interval(
            share,
            variance=variance,
            total=total,
            least=worth_alike(counts),
            freedom=min(clusters - 1.0, contributing(rests) - 1),
            clusters=clusters,
            confidence=confidence,
        ),
        limits,
    )


def score_interval(
    share: float, *, variance: float, total: float, least: float, freedom: float, clusters: int, confidence: float
) -> Interval:
    """Wilson's interval of a share of clustered outcomes.

    It depends on z² / n alone. n is how many independent outcomes have this variance, share (1 - share) / variance, and
    z the quantile of Student's t with the degrees of freedom that this variance has. Where few clusters make all of it,
    that would be too careful: no outcomes vary more than those that are all alike within their clusters, whose number
    is known. So z² / n is never larger than theirs, with the degrees of freedom of all clusters. That also holds where
    all outcomes are alike, and their variance, 0, says nothing.

    Of one or two failures Wilson's limit towards none is too narrow. As in the modified interval of Brown, Cai and
    DasGupta (2001, Statistical Science 16, section 4.1.1), it is no narrower there than the exact limit (Clopper and
    Pearson 1934) of a test at 1 - confidence on this side alone, by the binomial distribution instead of Poisson's.

    Args:
        share: from 0 to 1.
        variance: of the share, by cluster; 0 where it says nothing.
        total: outcomes.
        least: independent outcomes that they are worth where all within a cluster are alike (`worth_alike`).
        freedom: degrees of freedom of the variance; fewer than 1 are taken as 1.
        clusters: that there are.
        confidence: how often such intervals hold the share.
    """
    from scipy.special import betaincinv, ndtri, stdtrit

    level = (1 + confidence) / 2
    spread = float(stdtrit(max(clusters - 1, 1), level)) ** 2 / least
    if variance > _NOTHING and 0 < share < 1:
        worth = min(total, share * (1 - share) / variance)
        spread = min(spread, float(stdtrit(max(freedom, 1.0), level)) ** 2 / worth)
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    low, high = middle - half, middle + half
    number, rarer = float(ndtri(level)) ** 2 / spread, min(share, 1 - share)
    if rarer > 0:
        failures = rarer * number
        fewest = float(betaincinv(failures, number - failures + 1, 1 - confidence))
        low = min(low, fewest) if share <= 0.5 else low
        high = max(high, 1 - fewest) if share >= 0.5 else high
    return Interval(share, max(0.0, min(share, low)), min(1.0, max(share, high)))


def rescaled(interval: Interval, limits: Limits, target: Target = THIS_BENCHMARK) -> Interval:
    """An interval of a share on the scale between two limits."""
    low, high = limits
    value, below, above = (low + (high - low) * each for each in (interval.value, interval.low, interval.high))
    return Interval(value, below, above, target)


def check_limits(values: Floats, limits: Limits) -> None:
    """Refuses values beyond the limits.

    Raises:
        ValueError: one is.
    """
    low, high = limits
    if len(values) and not (low <= float(values.min()) and float(values.max()) <= high):
        raise ValueError(f"a value is not between {low:g} and {high:g}")


def variance_of(rests: Floats, total: float) -> float:
    """The variance of a mean of so many values, of what each cluster adds to it beyond its part of the mean.

    The linearised variance of a ratio with the factor G / (G - 1) (Cochran 1977, Sampling Techniques, section 6.4).
    """
    clusters = len(rests)
    return clusters / max(clusters - 1, 1) * float(rests @ rests) / total**2


def worth_alike(counts: Floats) -> float:
    """How many independent values clusters of these sizes are worth where all within each are alike: (Σn)² / Σn².

    Kish 1965, Survey Sampling, section 11.7, for weights. Of clusters of one size their number.
    """
    return float(counts.sum()) ** 2 / float(counts @ counts)


def least_worth(clusters: int) -> float:
    """What so many clusters are to be worth (`worth_alike`) for a few of them not to hold most of the values."""
    return 1 + _EVEN * (clusters - 1)


def few_hold_most(counts: Floats) -> bool:
    """Whether clusters of these sizes are so unequal that their variance says nothing of their mean's."""
    return worth_alike(counts) < least_worth(len(counts))


def contributing(rests: Floats) -> float:
    """How many clusters a variance comes from: where three make all the difference, three and not fifty.

    (Σ s²)² / Σ s⁴, as of Satterthwaite's degrees of freedom for a sum of squares of unequal sizes (1946, Biometrics
    Bulletin 2). One less are its degrees of freedom.
    """
    squares = np.square(rests)
    largest = float(squares.max(initial=0.0))
    if largest == 0:
        return float(len(rests))
    parts = squares / largest
    return float(parts.sum()) ** 2 / float(parts @ parts)
