"""Two values of the same questions compared: the mean difference with its interval, and whether chance would make it.

What is drawn are clusters, so the target is this benchmark's kind of questions with other semantic groups. Pairs belong
together by their place: whoever calls puts both sides in the order of the same questions.
"""

import math
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.statistics.discordance import Moments, Sizes, softened_error, standard_error
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Ints, Sample, Target, cluster_sums
from benchwright.benchmarks.statistics.signs import Alternative, Reals, sign_flip_p


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Two values of each question compared, first minus second."""

    first: float
    """The mean of the first values, each question counting as one."""
    second: float
    value: float
    """The mean difference."""
    error: float
    """Its standard error by cluster; 0 where all clusters differ alike."""
    low: float
    """The interval: of a one-sided comparison the other limit is the most that there can be."""
    high: float
    p: float
    """By sign flips of whole clusters."""
    p_t: float | None
    """Of the paired t-test over clusters; None where the error is 0."""
    separated: bool
    """p is below 1 - confidence, and the interval leaves out the null."""
    effect: float | None
    """Cohen's d of pairs, of the means of clusters; None where their differences do not spread."""
    clusters: int
    first_larger: int
    """Clusters in which the first mean is larger."""
    second_larger: int
    equal: int
    target: Target = THIS_BENCHMARK
    """What the interval and both tests speak of."""


def compare_pair(
    first: Reals,
    second: Reals,
    clusters: Ints,
    *,
    limits: tuple[float, float] | None = (0.0, 1.0),
    alternative: Alternative = "two-sided",
    null: float = 0.0,
    confidence: float = 0.95,
    seed: int = 0,
    resamples: int = 10_000,
) -> PairedComparison | None:
    """Compares two values of each question, given in the same order; None of fewer than two clusters: they cannot tell.

    The p-value is that of `sign_flip_p`. Beside it stands the t-test of the difference over its standard error by
    cluster (with clusters of one the paired t-test), and the interval is that test's turned round, with an error that
    `softened_error` keeps from 0. With fewer than six clusters that differ nothing is separated at 0.05.

    Args:
        first: values of questions.
        second: the same of the other side.
        clusters: of each question.
        limits: the least and the largest that a value can be; None where it has none.
        alternative: "greater" asks whether the first is larger, and gives the interval only its lower limit.
        null: the difference that is tested against: below 0 for "no worse than so much".
        confidence: of the interval; 1 - confidence is the level of `separated`.
        seed: of the flips.
        resamples: random flips where they are drawn.

    Raises:
        ValueError: a value is not finite or outside the limits, or the arrays differ in length.
    """
    if not len(first) == len(second) == len(clusters):
        raise ValueError(
            f"{len(first)} and {len(second)} values in {len(clusters)} clusters: the test is of pairs, in one each"
        )
    reach = reach_of(limits, first, second)
    _, sums, counts = cluster_sums(Sample(np.subtract(first, second, dtype=float), clusters))
    number, questions = len(counts), float(counts.sum())
    if number < 2:
        return None
    # what rounding leaves of a cluster that does not differ is no difference
    sums[np.abs(sums) < 1e-12 * counts * max(1.0, reach)] = 0.0
    sizes = Sizes(number, questions, float(counts @ counts))
    moments = Moments(*(np.array(each) for each in (sums.sum(), sums @ sums, (sums**4).sum(), sums @ counts)))
    value, error = float(moments.total) / questions, float(standard_error(moments, sizes))
    low, high = _interval(moments, sizes, value, reach, alternative, confidence)
    p = sign_flip_p(sums - null * counts, alternative, seed=seed, resamples=resamples)
    means = sums / counts
    deviation = float(means.std(ddof=1))
    return PairedComparison(
        first=float(np.mean(first, dtype=float)),
        second=float(np.mean(second, dtype=float)),
        value=value,
        error=error,
        low=max(low, -reach) if limits else low,
        high=min(high, reach) if limits else high,
        p=p,
        p_t=_t_test(value - null, error, number, alternative),
        separated=p < 1 - confidence and not low <= null <= high,
        effect=float(means.mean()) / deviation if deviation > 1e-12 else None,
        clusters=number,
        first_larger=int((sums > 0).sum()),
        second_larger=int((sums < 0).sum()),
        equal=int((sums == 0).sum()),
    )


def reach_of(limits: tuple[float, float] | None, *values: Reals) -> float:
    """The most that two values can differ by; without limits the most that any two of these do.

    Raises:
        ValueError: a value is not finite or outside the limits.
    """
    shown = [each for each in values if each.size]
    if not shown:
        return 0.0 if limits is None else limits[1] - limits[0]
    least, most = min(float(each.min()) for each in shown), max(float(each.max()) for each in shown)
    if not math.isfinite(least) or not math.isfinite(most):
        raise ValueError("a value is not finite: leave out what is unscored")
    if limits is None:
        return most - least
    if least < limits[0] or most > limits[1]:
        raise ValueError(f"a value is not between {limits[0]:g} and {limits[1]:g}")
    return limits[1] - limits[0]


def _interval(
    moments: Moments, sizes: Sizes, value: float, reach: float, alternative: Alternative, confidence: float
) -> tuple[float, float]:
    from scipy.special import stdtrit

    error = float(softened_error(moments, sizes, reach))
    two_sided = alternative == "two-sided"
    half = float(stdtrit(sizes.clusters - 1, (1 + confidence) / 2 if two_sided else confidence)) * error
    low = -math.inf if alternative == "less" else value - half
    high = math.inf if alternative == "greater" else value + half
    return low, high


def _t_test(difference: float, error: float, clusters: int, alternative: Alternative) -> float | None:
    from scipy.special import stdtr

    if error == 0:
        return None
    ratio = difference / error
    if alternative == "two-sided":
        return 2 * float(stdtr(clusters - 1, -abs(ratio)))
    return float(stdtr(clusters - 1, -ratio if alternative == "greater" else ratio))
