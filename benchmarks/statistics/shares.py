"""Intervals of shares whose outcomes lie in clusters, which stay honest where a share is 0 or 1."""

import math

import numpy as np

from benchwright.benchmarks.statistics.intervals import Floats, Interval, Ints, Sample, cluster_sums


def clustered_share(outcomes: Sample, confidence: float = 0.95) -> Interval | None:
    """The share of outcomes that are 1 with its interval; None of fewer than two clusters, which cannot tell.

    Wilson's interval (1927, Journal of the American Statistical Association 22) with as many observations as the
    clusters are worth, and Student's t with one degree of freedom fewer than clusters (Korn and Graubard 1998, Survey
    Methodology 24; Dean and Pagano 2015, Journal of Survey Statistics and Methodology 3). Where all outcomes are alike
    their variance says nothing of how many they are worth: then a cluster counts as one.

    Args:
        outcomes: 0 or 1 each, with its cluster.
        confidence: how often such intervals hold the share.

    Raises:
        ValueError: a value is not finite, or values and clusters differ in number.
    """
    from scipy.stats import t

    _, sums, counts = cluster_sums(outcomes)
    clusters = len(counts)
    if clusters < 2:
        return None
    value = float(sums.sum() / counts.sum())
    worth = _effective_size(sums, counts, value)
    z = float(t.ppf((1 + confidence) / 2, clusters - 1))
    middle = (value + z * z / (2 * worth)) / (1 + z * z / worth)
    half = z / (1 + z * z / worth) * math.sqrt(value * (1 - value) / worth + z * z / (4 * worth * worth))
    return Interval(value, max(0.0, min(value, middle - half)), min(1.0, max(value, middle + half)))


def mean_of_alike(value: float, limits: tuple[float, float], clusters: Ints) -> Interval | None:
    """The interval of a mean of which all values are alike; None of fewer than two clusters, which cannot tell.

    No resampling shows a spread there. The share of such values is at least the lower limit of `clustered_share`, and
    the others may lie anywhere within the limits.

    Args:
        value: all of them.
        limits: the least and the largest that a value can be.
        clusters: of each value.
    """
    share = clustered_share(Sample(np.ones(len(clusters)), clusters))
    if share is None:
        return None
    others = 1 - share.low
    return Interval(value, value - others * (value - limits[0]), value + others * (limits[1] - value))


def _effective_size(sums: Floats, counts: Floats, value: float) -> float:
    """How many independent outcomes the clusters are worth: never more than there are outcomes."""
    clusters, total = len(counts), float(counts.sum())
    rests = sums - counts * value
    variance = clusters / (clusters - 1) * float(np.square(rests).sum()) / total**2
    return min(total, value * (1 - value) / variance) if variance > 0 else float(clusters)
