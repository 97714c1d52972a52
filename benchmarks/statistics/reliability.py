"""How far a score can be believed: its verdicts against the truth, alone and together, and two parts of answers apart.

Verdicts    precision and recall of a score taken for a verdict (GRAMMAR, first version, section 4.1 and Table 1)
Concordance how often answers with high scores are right, and with low ones wrong (RAG metrics in the telecom domain,
            equations 1 and 2, Table 4)
TwoParts    means and standard deviations of two parts of the answers, with a one-sided test (ibid., Tables 2 and 3)

Questions of one semantic group are not independent: beside the papers' tests, which take them to be, stand intervals
and p-values by cluster.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.statistics.agreement import Kappa, cohen_kappa
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Floats, Ints, Sample, Target
from benchwright.benchmarks.statistics.shares import clustered_share
from benchwright.benchmarks.statistics.signs import Alternative
from benchwright.benchmarks.statistics.tests import all_alike, part_is_larger
from benchwright.benchmarks.statistics.wald import wald_z

Bools = npt.NDArray[np.bool_]

LEAST_CLUSTERS = 5
"""Clusters on either side with which a one-sided test by cluster is asked; `part_is_larger` says why."""


@dataclass(frozen=True, slots=True)
class Proportion:
    """A share with its interval by cluster and the z-intervals that papers print."""

    value: float | None
    """None of nothing."""
    low: float | None
    """By cluster; None of fewer than two."""
    high: float | None
    z_low: float | None
    """Wald's z-interval of independent answers: value ± 1.96 √(value (1 - value) / total), cut to 0 and 1."""
    z_high: float | None
    count: int
    total: int
    target: Target = THIS_BENCHMARK
    """What the interval by cluster, of 95 %, speaks of."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """A score taken for a verdict, right above a threshold, against the truth."""

    threshold: float
    precision: Proportion
    """Of answers called right those that are: low where a metric is optimistic."""
    recall: Proportion
    """Of right answers those called right: low where it is cynical."""
    accuracy: Proportion
    """Verdicts that are as the truth."""
    published: tuple[float, float, float, float] | None
    """The limits of precision and of recall as GRAMMAR's Table 1 prints them: the z-interval of as many answers as
    there are, not of those that the share is of. None where either share is of nothing."""
    kappa: Kappa | None
    """Cohen's, of verdict and truth; None where both say the same throughout."""
    right_called_right: int
    wrong_called_right: int
    right_called_wrong: int
    wrong_called_wrong: int
    clusters: int


@dataclass(frozen=True, slots=True)
class Concordance:
    """What high and low values of scores say of an answer; of several scores, all of them high or all of them low."""

    above: tuple[float, ...]
    """The score must be above this, one for each score."""
    below: tuple[float, ...]
    right: Proportion
    """P(right | all above): equation 1."""
    wrong: Proportion
    """P(wrong | all below): equation 2."""
    answers: int


@dataclass(frozen=True, slots=True)
class Moments:
    """The mean and the standard deviation (of n - 1) of some values."""

    mean: float | None
    deviation: float | None
    """None of fewer than two."""
    answers: int
    clusters: int


@dataclass(frozen=True, slots=True)
class TwoParts:
    """A score over two parts of the answers."""

    first: Moments
    second: Moments
    p_t: float | None
    """One-sided, that the first mean is larger: Welch's t-test of independent answers, as the paper tests. None where
    either part has fewer than two values, or neither spreads."""
    p: float | None
    """The same by cluster, by `part_is_larger`; None where either part lies in fewer than LEAST_CLUSTERS."""


def proportion(outcomes: Bools, clusters: Ints) -> Proportion:
    """The share of outcomes that are true."""
    count, total = int(outcomes.sum()), len(outcomes)
    if not total:
        return Proportion(None, None, None, None, None, 0, 0)
    found = clustered_share(Sample(outcomes.astype(float), clusters))
    limits = wald_z(count / total, total)
    return Proportion(
        count / total, found.low if found else None, found.high if found else None, *limits, count=count, total=total
    )


def verdicts_of(scores: Floats, right: Bools, clusters: Ints, threshold: float) -> Verdicts | None:
    """The verdicts of a score against the truth; None of no answer.

    Args:
        scores: of each answer; above `threshold` it calls the answer right.
        right: whether it is.
        clusters: of each answer.
        threshold: on the score's own scale.

    Raises:
        ValueError: a score is not finite, or the arrays differ in length.
    """
    _check(scores, right, clusters)
    if not len(scores):
        return None
    called = scores > threshold
    precision, recall = proportion(right[called], clusters[called]), proportion(called[right], clusters[right])
    published = None
    if precision.value is not None and recall.value is not None:
        published = (*wald_z(precision.value, len(scores)), *wald_z(recall.value, len(scores)))
    return Verdicts(
        threshold=threshold,
        precision=precision,
        recall=recall,
        accuracy=proportion(called == right, clusters),
        published=published,
        kappa=cohen_kappa(called.astype(np.int64), right.astype(np.int64), clusters),
        right_called_right=int((called & right).sum()),
        wrong_called_right=int((called & ~right).sum()),
        right_called_wrong=int((~called & right).sum()),
        wrong_called_wrong=int((~called & ~right).sum()),
        clusters=len(np.unique(clusters)),
    )


def concordance(
    scores: Sequence[Floats], right: Bools, clusters: Ints, above: Sequence[float], below: Sequence[float]
) -> Concordance:
    """Among answers whose scores are all above, the share of right ones; among those all below, of wrong ones.

    The papers' equations 1 and 2 write this by Bayes' rule, which gives the same share.

    Args:
        scores: of each answer, one array for each score.
        right: whether the answer is right.
        clusters: of each answer.
        above: θ11, θ12, …: one for each score, which must be larger.
        below: θ21, θ22, …: one for each score, which must be smaller.

    Raises:
        ValueError: a score is not finite, or the arrays differ in length.
    """
    for each in scores:
        _check(each, right, clusters)
    high, low = all_high(scores, above), all_low(scores, below)
    return Concordance(
        above=tuple(above),
        below=tuple(below),
        right=proportion(right[high], clusters[high]),
        wrong=proportion(~right[low], clusters[low]),
        answers=len(right),
    )


def all_high(scores: Sequence[Floats], above: Sequence[float]) -> Bools:
    """Of which answers all scores are above their limits."""
    return np.all([each > limit for each, limit in zip(scores, above, strict=True)], axis=0)


def all_low(scores: Sequence[Floats], below: Sequence[float]) -> Bools:
    """Of which answers all scores are below their limits."""
    return np.all([each < limit for each, limit in zip(scores, below, strict=True)], axis=0)


def two_parts(scores: Floats, first: Bools, clusters: Ints) -> TwoParts:
    """The means of two parts of the answers, `first` and the rest, and whether the first is larger.

    Raises:
        ValueError: a score is not finite, or the arrays differ in length.
    """
    _check(scores, first, clusters)
    sides = moments(scores[first], clusters[first]), moments(scores[~first], clusters[~first])
    enough = min(side.clusters for side in sides) >= LEAST_CLUSTERS
    p = part_is_larger(scores, clusters, first) if enough else None
    return TwoParts(*sides, p_t=welch_p(scores[first], scores[~first], "greater"), p=p)


def moments(values: Floats, clusters: Ints) -> Moments:
    """The mean and the standard deviation of values."""
    return Moments(
        mean=float(values.mean()) if len(values) else None,
        deviation=(0.0 if all_alike(values) else float(values.std(ddof=1))) if len(values) > 1 else None,
        answers=len(values),
        clusters=len(np.unique(clusters)),
    )


def welch_p(first: Floats, second: Floats, alternative: Alternative) -> float | None:
    """The p-value of Welch's t-test (1947, Biometrika 34) of independent values; None where nothing spreads.

    Args:
        first: values.
        second: others.
        alternative: "two-sided", or "greater": that the first mean is larger.
    """
    from scipy.special import stdtr

    if min(len(first), len(second)) < 2:
        return None
    shares = [0.0 if all_alike(each) else float(each.var(ddof=1)) / len(each) for each in (first, second)]
    if sum(shares) <= 0:
        return None
    freedom = sum(shares) ** 2 / sum(
        share**2 / (len(each) - 1) for share, each in zip(shares, (first, second), strict=True)
    )
    ratio = float(first.mean() - second.mean()) / math.sqrt(sum(shares))
    return float(stdtr(freedom, -ratio) if alternative == "greater" else 2 * stdtr(freedom, -abs(ratio)))


def _check(scores: Floats, marks: Bools, clusters: Ints) -> None:
    if not len(scores) == len(marks) == len(clusters):
        raise ValueError(f"{len(scores)} scores, {len(marks)} marks and {len(clusters)} clusters: one of each")
    if not np.isfinite(scores).all():
        raise ValueError("a score is not finite: leave out what is unscored")
