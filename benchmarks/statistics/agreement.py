"""Agreement of judges beyond chance, with intervals by cluster: Cohen's kappa, Fleiss' kappa, the confusion matrix.

Wordings of one question are not judged independently, so that what counts as one is the cluster. All intervals are
linearised: what each item adds to a kappa (its influence) is summed by cluster, and the variance is that of those sums.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Floats, Ints, Target

_GRADED = 6
"""How many items one may be worth where agreement is graded, which spreads less than yes and no; `simulate_agreement`
prints what such intervals hold."""
_NOTHING = 1e-12
"""What rounding leaves of what is 0."""


@dataclass(frozen=True, slots=True)
class Kappa:
    """Agreement beyond chance, from -1 to 1, with its interval."""

    value: float
    low: float | None
    """None of one cluster, which cannot tell."""
    high: float | None
    error: float | None
    """The standard error."""
    observed: float
    """The share of agreeing pairs of verdicts; of grades, weighted."""
    expected: float
    """The share that chance alone would make agree."""
    items: int
    """Answers that were judged by both, or by several."""
    clusters: int
    target: Target = THIS_BENCHMARK
    """What the interval, of 95 %, speaks of."""


def confusion_matrix(rows: Ints, columns: Ints, categories: int) -> Ints:
    """How often each pair of categories was given, of shape (categories, categories): `rows` first, `columns` second.

    Args:
        rows: the code of the category that one judge gave each item.
        columns: the same of the other, in the same order.
        categories: how many there are.

    Raises:
        ValueError: the arrays differ in length, or a code is none of a category.
    """
    if len(rows) != len(columns):
        raise ValueError(f"{len(rows)} and {len(columns)} verdicts: agreement is of pairs")
    if len(rows) and not 0 <= min(rows.min(), columns.min()) <= max(rows.max(), columns.max()) < categories:
        raise ValueError(f"a code is none of {categories} categories")
    return np.bincount(rows * categories + columns, minlength=categories**2).reshape(categories, categories)


def grade_weights(grades: Sequence[float] | Floats, power: int = 2) -> Floats:
    """How much two grades agree, of shape (grades, grades): 1 where they are the same, 0 for the farthest apart.

    1 - (|a - b| / (highest - lowest)) ** power: quadratic weights (Fleiss and Cohen 1973, Educational and Psychological
    Measurement 33) or, with power 1, linear ones.
    """
    values = np.asarray(grades, dtype=float)
    width = float(np.ptp(values)) if len(values) else 0.0
    return 1 - (np.abs(values[:, None] - values) / (width or 1.0)) ** power


def cohen_kappa(
    first: Ints, second: Ints, clusters: Ints, *, weights: Floats | None = None, confidence: float = 0.95
) -> Kappa | None:
    """Cohen's kappa of two judges of the same items; None where chance leaves nothing to agree on.

    Cohen 1960, Educational and Psychological Measurement 20; with weights Cohen 1968, Psychological Bulletin 70. The
    variance is that of Fleiss, Cohen and Everitt (1969, Psychological Bulletin 72), its terms summed by cluster (Yang
    and Zhou 2014, Statistics in Medicine 33). The interval is Wilson's of the observed agreement, with as many items as
    that variance says they are worth, put through (observed - expected) / (1 - expected), and cut at -1, where a kappa
    ends: it is never of no width where all agree.

    Args:
        first: the code of the category that one judge gave each item.
        second: the same of the other, in the same order.
        clusters: of each item.
        weights: how much two categories agree, from 0 to 1, of shape (categories, categories); None: only equal ones.
        confidence: how often such intervals hold the kappa.

    Raises:
        ValueError: the arrays differ in length, or a code is none of a category.
    """
    size = len(weights) if weights is not None else int(max(first.max(initial=0), second.max(initial=0))) + 1
    _check(len(first), clusters)
    shares = confusion_matrix(first, second, size) / max(len(first), 1)
    agreeing = np.eye(size) if weights is None else weights
    one, other = shares.sum(axis=1), shares.sum(axis=0)
    seen, by_chance = agreeing[first, second], float(one @ agreeing @ other)
    pulled = (agreeing @ other)[first] + (one @ agreeing)[second]
    most = len(first) * (1 if weights is None else _GRADED)
    return _kappa(seen, by_chance, pulled - 2 * by_chance, clusters, most, confidence)


def fleiss_kappa(
    counts: Ints, clusters: Ints, *, turned: Sequence[int] | None = None, confidence: float = 0.95
) -> Kappa | None:
    """Fleiss' kappa of several judges; None where chance leaves nothing to agree on.

    Fleiss 1971, Psychological Bulletin 76. Items with fewer than two verdicts are left out; where items have different
    numbers of verdicts each item counts as one, and the variance is linearised (Gwet 2014, Handbook of Inter-Rater
    Reliability, section 5.3), summed by cluster. The interval is made as `cohen_kappa` makes its own.

    Where it says nothing which category is called by which name, as of two candidates that stood on drawn sides, each
    item counts half as it is and half turned: chance then goes by no name. Of two such categories it is one half, and
    the kappa that of Bennett, Alpert and Goldstein (1954, Public Opinion Quarterly 18).

    Args:
        counts: how many judges gave each item each category, of shape (items, categories).
        clusters: of each item.
        turned: for each category the one that takes its place where an item is turned; None: names count.
        confidence: how often such intervals hold the kappa.

    Raises:
        ValueError: the arrays differ in length.
    """
    _check(len(counts), clusters)
    judges = counts.sum(axis=1)
    counts, clusters, judges = counts[judges > 1], clusters[judges > 1], judges[judges > 1]
    if not len(counts):
        return None
    seen = (counts * (counts - 1)).sum(axis=1) / (judges * (judges - 1))
    given = counts / judges[:, None]
    if turned is not None:
        given = (given + given[:, list(turned)]) / 2
    shares = given.mean(axis=0)
    by_chance = float(shares @ shares)
    pairs = int((judges * (judges - 1)).sum()) // 2
    return _kappa(seen, by_chance, 2 * (given @ shares - by_chance), clusters, pairs, confidence)


def _check(items: int, clusters: Ints) -> None:
    if items != len(clusters):
        raise ValueError(f"{items} items and {len(clusters)} clusters: each item needs its own")


def _kappa(seen: Floats, expected: float, pulled: Floats, clusters: Ints, most: int, confidence: float) -> Kappa | None:
    """The kappa of what was seen to agree; `pulled` is what each item adds to the agreement by chance."""
    left = 1 - expected
    if not len(seen) or left < _NOTHING:
        return None
    observed = float(seen.mean())
    value = (observed - expected) / left
    added = ((seen - observed) - (1 - value) * pulled) / left
    sums = cluster_totals(added, clusters)
    limits: tuple[float | None, float | None] = (None, None)
    error = None
    if len(sums) > 1:
        error = math.sqrt(variance_of_sums(sums, len(seen)))
        variance = (error * left) ** 2
        low, high = share_limits(
            observed, variance, freedom=freedom_of(sums), least=len(sums), most=most, confidence=confidence
        )
        limits = max(-1.0, (low - expected) / left), min(1.0, (high - expected) / left)
    return Kappa(value, *limits, error=error, observed=observed, expected=expected, items=len(seen), clusters=len(sums))


def cluster_totals(added: Floats, clusters: Ints) -> Floats:
    """What the items of each cluster add together."""
    _, codes = np.unique(clusters, return_inverse=True)
    return np.bincount(codes, weights=added).astype(float)


def variance_of_sums(sums: Floats, items: int) -> float:
    """The variance of a mean over so many items, from what each cluster adds to it: G / (G - 1) Σ s² / n²."""
    return len(sums) / (len(sums) - 1) * float(sums @ sums) / items**2


def freedom_of(sums: Floats) -> float:
    """Degrees of freedom of a variance: clusters less one, and no more than (Σ s²)² / Σ s⁴, of Satterthwaite's kind:
    where three clusters make the whole difference, three and not fifty. Never fewer than 2 of three clusters or more,
    with which `simulate_agreement` prints what intervals hold."""
    most = max(1.0, len(sums) - 1.0)
    squares = np.square(sums)
    largest = float(squares.max(initial=0.0))
    if largest < _NOTHING**2:
        return most
    squares = squares / largest
    return min(most, max(2.0, float(squares.sum()) ** 2 / float(np.square(squares).sum())))


def share_limits(
    share: float, variance: float, *, freedom: float, least: float, most: float, confidence: float
) -> tuple[float, float]:
    """Wilson's limits (1927) of a share with the observations that its variance says it is worth, and Student's t.

    Args:
        share: from 0 to 1.
        variance: its own, as estimated.
        freedom: degrees of freedom of that.
        least: observations that the share is worth where no variance shows.
        most: observations that it can be worth at most.
        confidence: how often such limits hold the share.
    """
    from scipy.special import stdtrit

    worth = least
    if variance > _NOTHING**2 and share * (1 - share) > _NOTHING:
        worth = min(most, share * (1 - share) / variance)
    z = float(stdtrit(freedom, (1 + confidence) / 2))
    middle = (share + z * z / (2 * worth)) / (1 + z * z / worth)
    half = z / (1 + z * z / worth) * math.sqrt(max(share * (1 - share), 0.0) / worth + z * z / (4 * worth * worth))
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
