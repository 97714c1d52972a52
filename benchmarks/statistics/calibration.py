"""What a run's mean would be by people, from a judge's scores and a random sample that people scored; or why not.

With few groups in the sample, or few of which judge and people differ, the interval of `prediction_powered` holds the
truth too seldom: of a judge who errs in one answer of fifty, thirty groups show no error more often than not, and their
variance says that there is none. Then the judge's error rates are bounded instead, and the mean with them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Floats, Interval, Ints, Sample, Target
from benchwright.benchmarks.statistics.one_sided import one_sided_limits
from benchwright.benchmarks.statistics.prediction_powered import powered_mean
from benchwright.benchmarks.statistics.shares import (
    SHARE,
    Limits,
    clustered_share,
    few_hold_most,
    share_of_clusters,
)

Bools = npt.NDArray[np.bool_]
LEAST_GROUPS = 100
"""Groups with labels below which there is no calibrated mean."""
LEAST_DISAGREEMENTS = 10
"""Groups of which judge and people differ below which there is none."""
MOST_MISSING = 0.05
"""The share of the sample that may lack people's scores. Up to it, the interval allows for the worst of them."""
_CONFIDENCE = 0.95
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class LabelledSample:
    """A judge's scores of all answers, and people's of a random sample of them: one answer of each group drawn."""

    scores: Floats
    """The judge's, of all answers; 0 where `is_scored` is false."""
    is_scored: Bools
    groups: Ints
    """Of all answers."""
    drawn: Ints
    """Places of the answers that were drawn, in the order of the draw."""
    labels: Floats
    """Of those answers; 0 where `is_labelled` is false."""
    is_labelled: Bools
    limits: Limits = SHARE


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """Of the answers of the sample of which the judge says one thing, those of which people say the other."""

    errors: float
    """An answer of which people are divided is a part of one."""
    answers: int
    value: float | None
    low: float
    """Of 95 %: Clopper and Pearson's limits, of groups of one size."""
    high: float


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known where there is no calibrated mean."""

    false_correct: ErrorRate | None
    """Of the answers that the judge calls right, those that people call wrong. None of a judge who gives grades."""
    false_wrong: ErrorRate | None
    """Of the answers that it calls wrong, those that people call right."""
    low: float
    """With `high`, what people's mean over all answers may be: from the judge's and its errors, all bounds together
    with 95 %; of grades from people's alone."""
    high: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """What people would give on average over all answers."""

    answers: int
    groups: int
    judge_mean: float | None
    """Over the answers that it scored."""
    judge_unscored: int
    drawn: int
    """Groups of the sample, one answer of each."""
    labelled: int
    """Those with people's score."""
    people: Interval | None
    """People's mean over the sample alone."""
    disagreements: int
    """Groups of which judge and people differ."""
    estimate: Interval | None
    """The calibrated mean; None where it is refused."""
    weight: float | None
    """How much the judge counts in it, from 0 to 1."""
    gain: float | None
    """How many of people's scores one of the sample is worth with the judge's beside it."""
    refused: tuple[str, ...] = ()
    """Why there is no estimate."""
    bounds: Bounds | None = None
    """Where it is refused."""
    target: Target = THIS_BENCHMARK
    """What intervals and bounds, of 95 %, speak of."""


def calibrate(sample: LabelledSample) -> Calibration:
    """The calibrated mean of a run; or, where its interval would not hold, why, and bounds.

    An answer that the judge did not score stands with its mean of the others, which corrects itself where such answers
    were drawn. Where few answers of the sample lack people's score, the interval reaches from that with the worst score
    for all of them to that with the best.

    Raises:
        ValueError: a score is not within the limits, or two answers of one group were drawn.
    """
    found = _seen(sample)
    scored = sample.scores[sample.is_scored]
    judge_mean = float(scored.mean()) if len(scored) else None
    refused = _refused(sample, found)
    estimate = weight = gain = None
    if not refused and judge_mean is not None:
        filled = np.where(sample.is_scored, sample.scores, judge_mean)
        known = sample.is_labelled
        powered = powered_mean(filled, sample.groups, sample.drawn[known], sample.labels[known], limits=sample.limits)
        weight, gain = powered.weight, powered.gain
        ends = [
            powered_mean(
                filled, sample.groups, sample.drawn, np.where(known, sample.labels, worst), limits=sample.limits
            ).interval
            for worst in (sample.limits if not known.all() else ())
        ]
        reached = [powered.interval, *ends]
        low, high = min(each.low for each in reached), max(each.high for each in reached)
        estimate = Interval(powered.interval.value, low, high)
    return Calibration(
        answers=len(sample.scores),
        groups=len(np.unique(sample.groups)),
        judge_mean=judge_mean,
        judge_unscored=int((~sample.is_scored).sum()),
        drawn=len(sample.drawn),
        labelled=int(sample.is_labelled.sum()),
        people=found.people,
        disagreements=found.disagreements,
        estimate=estimate,
        weight=weight,
        gain=gain,
        refused=refused,
        bounds=_bounds(sample, found) if refused else None,
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is known of the answers that were drawn."""

    sizes: Ints
    """Answers of the group of each."""
    disagreements: int
    people: Interval | None
    holds_most: bool
    """Whether a few groups have most of the answers."""


def _seen(sample: LabelledSample) -> _Seen:
    if len(np.unique(sample.groups[sample.drawn])) != len(sample.drawn):
        raise ValueError("two answers of one group were drawn: a sample has one of each")
    known = sample.is_labelled
    _, codes, counts = np.unique(sample.groups, return_inverse=True, return_counts=True)
    sizes = counts[codes[sample.drawn]]
    differ = known & sample.is_scored[sample.drawn] & (np.abs(sample.scores[sample.drawn] - sample.labels) > _SAME)
    labelled = sizes[known].astype(float)
    people = share_of_clusters(sample.labels[known] * labelled, labelled, limits=sample.limits)
    return _Seen(sizes, int(differ.sum()), people, few_hold_most(counts.astype(float)))


def _refused(sample: LabelledSample, seen: _Seen) -> tuple[str, ...]:
    """Why a calibrated mean would not hold."""
    labelled, drawn = int(sample.is_labelled.sum()), len(sample.drawn)
    found = []
    if not sample.is_scored.any():
        found.append("the judge scored no answer")
    if labelled < LEAST_GROUPS:
        found.append(f"people scored answers of {labelled:,} semantic groups, and it takes {LEAST_GROUPS}")
    if seen.disagreements < LEAST_DISAGREEMENTS:
        found.append(f"judge and people differ in {seen.disagreements:,} groups, and it takes {LEAST_DISAGREEMENTS}")
    if drawn - labelled > MOST_MISSING * drawn:
        found.append(
            f"people scored {labelled:,} of {drawn:,} answers that were drawn: at most {100 * MOST_MISSING:g} % may be "
            "left, for they may be the hard ones"
        )
    if seen.holds_most:
        found.append("a few semantic groups hold most of the answers")
    return tuple(found)


def _bounds(sample: LabelledSample, seen: _Seen) -> Bounds:
    """Limits of what people say of the answers of each kind, and of how many there are of it, put together.

    A kind is what the judge calls right, what it calls wrong, and what it did not score. Each of the limits gets its
    part of the 5 % (Bonferroni). Where answers that were drawn lack people's score, they are taken at their worst. Of
    grades there are no kinds: the mean of people's is bounded, without the judge's.
    """
    low, high = sample.limits
    if not np.isin(sample.scores[sample.is_scored], sample.limits).all():
        return Bounds(None, None, *_means_of(sample, seen, np.ones_like(sample.is_scored), _CONFIDENCE))
    right, wrong = (sample.is_scored & (sample.scores == said) for said in (high, low))
    kinds = [right, wrong] if sample.is_scored.all() else [right, wrong, ~sample.is_scored]
    confidence = 1 - (1 - _CONFIDENCE) / (3 if len(kinds) == 2 else 6)  # the shares of two kinds are one
    shares = [_share(sample, kind, confidence) for kind in kinds]
    means = [_means_of(sample, seen, kind, confidence) for kind in kinds]
    return Bounds(
        _rate(sample, seen, right, high),
        _rate(sample, seen, wrong, low),
        _mixed([each[0] for each in means], shares, is_least=True),
        _mixed([each[1] for each in means], shares, is_least=False),
    )


def _rate(sample: LabelledSample, seen: _Seen, kind: Bools, said: float) -> ErrorRate:
    """How often people differ from what the judge says of the answers of a kind."""
    width = sample.limits[1] - sample.limits[0]
    chosen = kind[sample.drawn] & sample.is_labelled
    errors, sizes = np.abs(sample.labels[chosen] - said) / width, seen.sizes[chosen]
    low, high = sorted(abs(mean - said) / width for mean in _means_of(sample, seen, kind, _CONFIDENCE))
    value = float(sizes @ errors / sizes.sum()) if len(errors) else None
    return ErrorRate(float(errors.sum()), len(errors), value, low, high)


def _means_of(sample: LabelledSample, seen: _Seen, kind: Bools, confidence: float) -> tuple[float, float]:
    """Limits of people's mean over the answers of a kind."""
    chosen = kind[sample.drawn]
    labels, sizes, known = sample.labels[chosen], seen.sizes[chosen], sample.is_labelled[chosen]
    if known.all():
        return _limits(labels, sizes, sample.limits, confidence)
    low, high = (_limits(np.where(known, labels, worst), sizes, sample.limits, confidence) for worst in sample.limits)
    return low[0], high[1]


def _limits(values: Floats, sizes: Ints, limits: Limits, confidence: float) -> tuple[float, float]:
    """Limits of the mean of values, one of each group, which stands for the group's answers.

    Of groups of one size, with values at the limits, those of Clopper and Pearson (1934, Biometrika 26), which are
    exact; else Gaffke's, which they are a case of (`one_sided_limits`).
    """
    low, high = limits
    if not len(values):
        return limits
    if sizes.min() == sizes.max() and np.isin(values, limits).all():
        from scipy.special import betaincinv

        count, total, tail = int((values == high).sum()), len(values), (1 - confidence) / 2
        least = float(betaincinv(count, total - count + 1, tail)) if count else 0.0
        most = float(betaincinv(count + 1, total - count, 1 - tail)) if count < total else 1.0
        return low + (high - low) * least, low + (high - low) * most
    places = np.repeat(np.arange(len(sizes)), sizes)
    found = one_sided_limits(Sample(values[places], places), limits, confidence=(1 + confidence) / 2)
    assert found is not None
    return found.low, found.high


def _share(sample: LabelledSample, kind: Bools, confidence: float) -> tuple[float, float]:
    """Limits of the share of answers that are of a kind."""
    found = clustered_share(Sample(kind.astype(float), sample.groups), confidence=confidence)
    return (0.0, 1.0) if found is None else (found.low, found.high)


def _mixed(means: Sequence[float], shares: Sequence[tuple[float, float]], *, is_least: bool) -> float:
    """The least, or the most, that kinds of such means come to, whose shares have limits and add up to 1.

    What is left over the lower limits goes to the kinds with the lowest, or the highest, means.
    """
    left = 1 - sum(low for low, _ in shares)
    total = sum(mean * low for mean, (low, _) in zip(means, shares, strict=True))
    for mean, (low, high) in sorted(zip(means, shares, strict=True), reverse=not is_least):
        more = min(left, high - low)
        total, left = total + mean * more, left - more
    return total
