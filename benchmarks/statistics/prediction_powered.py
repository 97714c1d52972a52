"""A mean of people's scores from a judge's scores of all answers and people's of a random sample of them.

Prediction-powered inference: Angelopoulos et al. 2023, Science 382; with a tuned weight: Angelopoulos, Duchi and Zrnic
2023, "PPI++: Efficient Prediction-Powered Inference", arXiv:2311.01453. Semantic groups are what is drawn: those of the
benchmark from others of their kind, and the sample's from them. Of each group of the sample people score one answer.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.statistics.agreement import freedom_of
from benchwright.benchmarks.statistics.intervals import Floats, Interval, Ints
from benchwright.benchmarks.statistics.shares import SHARE, Limits, rescaled, score_interval, worth_alike

Bools = npt.NDArray[np.bool_]
FOLDS = 10
_NOTHING = 1e-12


@dataclass(frozen=True, slots=True)
class PoweredMean:
    """What people would give on average, had they scored all answers."""

    interval: Interval
    weight: float
    """λ, from 0 to 1: how much the judge counts. 0: people's scores alone."""
    gain: float | None
    """How many scores of people one is worth beside the judge's: the variance without the judge over that with it. None
    where it shows none."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """What enters the estimate: of all groups A, of those of the sample all else."""

    size: Floats
    """Answers of each group that was drawn."""
    label: Floats
    score: Floats
    """The judge's of the same answer."""
    of_group: Floats
    """What each group that was drawn adds to the judge's mean over all answers, beyond its part."""
    spread: float
    """The variance of that over all groups."""
    mean: float
    """The judge's, over all answers."""
    share: float
    """Of the groups, those that were drawn."""
    groups: int


def powered_mean(
    scores: Floats, groups: Ints, drawn: Ints, labels: Floats, *, limits: Limits = SHARE, confidence: float = 0.95
) -> PoweredMean:
    """The mean over all answers of what people would give, with its interval.

    λ · mean of all f + Σ m (y - λ f) / Σ m, with y and f people's and the judge's score of an answer that was drawn,
    and m the answers of its group, which was drawn with one chance and the answer within it with 1 / m. The second term
    is Hájek's form (1971) of the estimate of Horvitz and Thompson (1952): its weights add up to one, so that groups of
    unequal size do not add to its variance where y - λ f is the same in all of them.

    λ is the one with the least variance, from 0 to 1, found for each tenth of the sample from the other nine, so that
    what is corrected has no part in how much. The variance is linearised and summed by group: a group of the sample is
    in both terms, the others in the first. The interval is Wilson's of as many answers as that variance says the mean
    is worth, with Student's t and degrees of freedom of Satterthwaite's kind: where ten groups make all the difference,
    those of ten (`score_interval`).

    Args:
        scores: the judge's, of all answers.
        groups: of each answer; of the same length.
        drawn: places of the answers that people scored, one of a group, in the order of the draw.
        labels: what people gave them.
        limits: the least and the largest score there can be.
        confidence: how often such intervals hold the mean.

    Raises:
        ValueError: a score is not within the limits, fewer than two answers were drawn, or two of one group.
    """
    low, high = limits
    for values in (scores, labels):
        if not (np.isfinite(values).all() and (values >= low).all() and (values <= high).all()):
            raise ValueError(f"a score is not between {low:g} and {high:g}")
    if len(drawn) < 2 or len(np.unique(groups[drawn])) != len(drawn) != len(labels):
        raise ValueError("a sample is of two groups or more, with one answer and one label of each")
    parts = _parts((scores - low) / (high - low), groups, drawn, (labels - low) / (high - low))
    weights = _weights(parts)
    value, variance, freedom = _estimate(parts, weights)
    alone = _estimate(parts, np.zeros_like(weights))[1]
    found = score_interval(
        min(1.0, max(0.0, value)),
        variance=variance,
        total=float(len(scores)),
        least=worth_alike(parts.size),
        freedom=freedom,
        clusters=len(drawn),
        confidence=confidence,
    )
    return PoweredMean(
        interval=rescaled(found, limits),
        weight=float(parts.size @ weights / parts.size.sum()),
        gain=alone / variance if variance > _NOTHING else None,
    )


def _parts(scores: Floats, groups: Ints, drawn: Ints, labels: Floats) -> _Parts:
    _, codes = np.unique(groups, return_inverse=True)
    sizes = np.bincount(codes).astype(float)
    mean = float(scores.mean())
    added = (np.bincount(codes, weights=scores) - sizes * mean) / sizes.mean()
    places = codes[drawn]
    return _Parts(
        size=sizes[places],
        label=labels,
        score=scores[drawn],
        of_group=added[places],
        spread=float(added @ added) / (len(sizes) - 1),
        mean=mean,
        share=len(drawn) / len(sizes),
        groups=len(sizes),
    )


def _weights(parts: _Parts) -> Floats:
    """λ of each answer of the sample, from the other folds."""
    judge = _added(parts.score, parts.size) - parts.share * parts.of_group
    folds = np.arange(len(parts.label)) % FOLDS
    found = np.zeros(len(folds))
    for fold in range(min(FOLDS, len(folds))):
        found[folds == fold] = _weight(parts, judge, folds != fold)
    return found


def _weight(parts: _Parts, judge: Floats, rows: Bools) -> float:
    """The λ of the least variance of part of the sample: Cov(Y, X) / (Var(X) + r (1 - r) Var(A)), with X = F - r A.

    Y and F are what an answer adds to people's and the judge's mean over the sample, A its group to the judge's over
    all answers, and r is the share of groups that were drawn. X is of the whole sample: where all groups were drawn and
    the judge gives one score to a group it is 0, and would be noise if it were of some of them.
    """
    people, moved = _added(parts.label[rows], parts.size[rows]), judge[rows] - judge[rows].mean()
    below = float(moved @ moved) + (len(moved) - 1) * parts.share * (1 - parts.share) * parts.spread
    return 0.0 if below < _NOTHING else min(1.0, max(0.0, float(people @ moved) / below))


def _added(values: Floats, sizes: Floats) -> Floats:
    """What each answer of a sample adds to its mean."""
    return sizes * (values - float(sizes @ values) / sizes.sum()) / sizes.mean()


def _estimate(parts: _Parts, weights: Floats) -> tuple[float, float, float]:
    """The mean, its variance, and the degrees of freedom of that."""
    count, total = len(parts.size), float(parts.size.sum())
    weight = float(parts.size @ weights) / total
    rests = parts.label - weights * parts.score
    corrected = float(parts.size @ rests) / total
    sums = parts.size * (rests - corrected) * count / total + weight * parts.share * parts.of_group
    drawn = float(sums @ sums) / (count * (count - 1))
    others = weight**2 * parts.spread * (1 - parts.share) / parts.groups
    variance = drawn + others
    freedom = count - 1.0
    if variance > _NOTHING:
        freedom = variance**2 / (drawn**2 / freedom_of(sums) + others**2 / (parts.groups - 1))
    return weight * parts.mean + corrected, variance, freedom
