"""How far two values of the same items go together, with intervals by cluster: Pearson, Spearman, accuracy on pairs."""

import math
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.statistics.agreement import (
    cluster_totals,
    freedom_of,
    share_limits,
    variance_of_sums,
)
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Floats, Ints, Target

_NOTHING = 1e-12


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation, from -1 to 1, with its interval."""

    value: float
    low: float | None
    """None where it is -1 or 1, or of one cluster: no spread tells how sure it is."""
    high: float | None
    items: int
    clusters: int
    target: Target = THIS_BENCHMARK
    """What the interval, of 95 %, speaks of."""


@dataclass(frozen=True, slots=True)
class PairAccuracy:
    """How often the item with the higher truth of two has the higher score too."""

    value: float
    """Of all pairs whose truths differ; a pair of equal scores counts one half."""
    low: float | None
    """None where all but one cluster have the same truth, which cannot tell."""
    high: float | None
    pairs: int
    agreeing: int
    tied: int
    """Pairs of equal scores."""
    items: int
    clusters: int


def pearson(first: Floats, second: Floats, clusters: Ints, *, confidence: float = 0.95) -> Correlation | None:
    """The product-moment correlation of two values of each item; None where one of them is the same throughout.

    The variance is linearised by cluster, and the interval is Student's on Fisher's scale, the inverse hyperbolic
    tangent (Fisher 1921, Metron 1).

    Raises:
        ValueError: a value is not finite, or the arrays differ in length.
    """
    _check(first, second, clusters)
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    one, other = (values - values.mean() for values in (first, second))
    return _correlation((one, other), (one * other, one * one, other * other), clusters, confidence)


def spearman(first: Floats, second: Floats, clusters: Ints, *, confidence: float = 0.95) -> Correlation | None:
    """The correlation of ranks, equal values sharing the mean of theirs; None as `pearson`.

    The interval is made as `pearson` makes its own, with what each item adds to the ranks of all others (Hájek's
    projection: van der Vaart 1998, Asymptotic Statistics, chapter 12).

    Raises:
        ValueError: a value is not finite, or the arrays differ in length.
    """
    _check(first, second, clusters)
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    ranks = [_Ranks(values) for values in (first, second)]
    one, other = (each.places - 0.5 for each in ranks)
    added = (
        one * other + ranks[0].above(other) + ranks[1].above(one),
        one * one + 2 * ranks[0].above(one),
        other * other + 2 * ranks[1].above(other),
    )
    return _correlation((one, other), added, clusters, confidence)


class _Ranks:
    """The ranks of values as shares: the share of values below, and half of those that are equal."""

    def __init__(self, values: Floats) -> None:
        _, self.codes, self.counts = np.unique(values, return_inverse=True, return_counts=True)
        below = np.cumsum(self.counts) - self.counts
        self.places = ((below + self.counts / 2) / len(values))[self.codes]

    def above(self, others: Floats) -> Floats:
        """Of each item the mean of what stands at the items above it, those equal to it by half."""
        sums = np.bincount(self.codes, weights=others)
        return ((sums.sum() - np.cumsum(sums) + sums / 2) / len(others))[self.codes]


def _correlation(
    centred: tuple[Floats, Floats], added: tuple[Floats, Floats, Floats], clusters: Ints, confidence: float
) -> Correlation | None:
    """The correlation of centred values; `added` is what each item adds to their covariance and to both variances."""
    from scipy.special import stdtrit

    one, other = centred
    covariance, a, b = (float((x * y).mean()) for x, y in ((one, other), (one, one), (other, other)))
    value = max(-1.0, min(1.0, covariance / math.sqrt(a * b)))
    both, first, second = (each - each.mean() for each in added)
    sums = cluster_totals(both / math.sqrt(a * b) - value / 2 * (first / a + second / b), clusters)
    rest = 1 - value * value
    if rest < _NOTHING or len(sums) < 2:
        return Correlation(value, None, None, len(both), len(sums))
    error = math.sqrt(variance_of_sums(sums, len(both))) / rest
    half = float(stdtrit(freedom_of(sums), (1 + confidence) / 2)) * error
    middle = math.atanh(value)
    return Correlation(value, math.tanh(middle - half), math.tanh(middle + half), len(both), len(sums))


def pair_accuracy(
    scores: Floats, truth: Floats, clusters: Ints, *, within: Ints | None = None, confidence: float = 0.95
) -> PairAccuracy | None:
    """How often the better of two items has the higher score; None without pairs of different truths.

    Of a truth of 0 or 1 and all pairs it is the area under the ROC curve (Hanley and McNeil 1982, Radiology 143), else
    Harrell's concordance. The variance is that of Hájek's projection, summed by cluster (Obuchowski 1997, Biometrics
    53), the interval Wilson's with the observations that it is worth, with no more freedom than there are clusters with
    the rarer truth.

    Args:
        scores: of each item.
        truth: what the order of two items is taken from; equal truths make no pair.
        clusters: of each item.
        within: only items with the same number make pairs; None: all do.
        confidence: how often such intervals hold the accuracy.

    Raises:
        ValueError: a value is not finite, or the arrays differ in length.
    """
    _check(scores, truth, clusters)
    blocks = np.zeros(len(scores), dtype=np.int64) if within is None else within
    agreeing, tied, pairs = _pairs_of(scores, truth, blocks)
    total = float(pairs.sum())
    if total == 0:
        return None
    good = agreeing + tied / 2
    value = float(good.sum()) / total
    used = pairs > 0
    sums = cluster_totals(2 * (good - value * pairs)[used], clusters[used])
    telling = _telling(truth[used], clusters[used])
    low = high = None
    if telling > 1:
        low, high = share_limits(
            value,
            len(sums) / (len(sums) - 1) * float(sums @ sums) / total**2,
            freedom=min(freedom_of(sums), telling - 1.0),
            least=telling,
            most=total / 2,
            confidence=confidence,
        )
    return PairAccuracy(
        value=value,
        low=low,
        high=high,
        pairs=int(total) // 2,
        agreeing=int(agreeing.sum()) // 2,
        tied=int(tied.sum()) // 2,
        items=int((pairs > 0).sum()),
        clusters=len(sums),
    )


def _telling(truth: Floats, clusters: Ints) -> int:
    """Clusters with items whose truth is not the most frequent one: of one wrong answer among many right ones, one."""
    _, codes, counts = np.unique(truth, return_inverse=True, return_counts=True)
    return len(np.unique(clusters[codes != int(np.argmax(counts))]))


def _pairs_of(scores: Floats, truth: Floats, within: Ints) -> tuple[Floats, Floats, Floats]:
    """Of each item, the pairs that agree, those of equal scores, and all, of those whose truths differ."""
    _, blocks = np.unique(within, return_inverse=True)
    score, true = (_order_within(values, blocks) for values in (scores, truth))
    equal_truth = _sizes(true)
    both = _sizes(score * (len(score) + 1) + true)
    pairs = np.bincount(blocks)[blocks] - equal_truth
    tied = _sizes(score) - both
    lower, upper = _dominated(score, true), _dominated(-score, -true)
    starts = np.searchsorted(np.sort(blocks), blocks).astype(float)
    ends = len(blocks) - np.searchsorted(np.sort(blocks), blocks, side="right").astype(float)
    return lower - starts + (upper - ends), tied, pairs.astype(float)


def _order_within(values: Floats, blocks: Ints) -> Ints:
    """A number for each item that orders items by block, then by value; equal ones have the same."""
    order = np.lexsort((values, blocks))
    new = np.ones(len(values), dtype=bool)
    new[1:] = (np.diff(values[order]) != 0) | (np.diff(blocks[order]) != 0)
    found = np.empty(len(values), dtype=np.int64)
    found[order] = np.cumsum(new) - 1
    return found


def _sizes(codes: Ints) -> Floats:
    """Of each item, how many have its code."""
    _, places, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return counts[places].astype(float)


def _dominated(first: Ints, second: Ints) -> Floats:
    """Of each item, how many others are lower in both, counted bit by bit of the second (a wavelet tree)."""
    _, ranks = np.unique(second, return_inverse=True)
    order = np.argsort(first, kind="stable")
    row, ends = ranks[order], np.searchsorted(first[order], first[order])
    starts, found, wanted = np.zeros_like(ends), np.zeros(len(row)), row.copy()
    for bit in range(int(ranks.max(initial=0)).bit_length() - 1, -1, -1):
        is_one = (row >> bit) & 1
        zeros = np.concatenate([[0], np.cumsum(1 - is_one)])
        to_one = ((wanted >> bit) & 1).astype(bool)
        low_start, low_end = zeros[starts], zeros[ends]
        found += np.where(to_one, low_end - low_start, 0)
        starts = np.where(to_one, zeros[-1] + starts - low_start, low_start)
        ends = np.where(to_one, zeros[-1] + ends - low_end, low_end)
        row = np.concatenate([row[is_one == 0], row[is_one == 1]])
    counts = np.empty(len(row))
    counts[order] = found
    return counts


def _check(first: Floats, second: Floats, clusters: Ints) -> None:
    if not len(first) == len(second) == len(clusters):
        raise ValueError(f"{len(first)} and {len(second)} values and {len(clusters)} clusters: one of each")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("a value is not finite: leave out what is unscored")
