"""Intervals of a mean for new templates and entities of the same kind: what is drawn are both at once.

A question is made of a template and an entity, and both are a draw: a system that fails one template fails it for many
entities, and one entity that it does not know fails many templates. The intervals of `shares` and `intervals` hold this
benchmark fixed but for its semantic groups; these ask what a benchmark of other templates and entities would have said.
"""

import math
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.statistics.intervals import Floats, Interval, Ints

LEAST_TEMPLATES, LEAST_ENTITIES = 20, 50
"""With fewer of either an interval of 95 % does not reliably hold the mean in at least 93 % (`simulate_intervals`)."""


@dataclass(frozen=True, slots=True)
class CrossedVariance:
    """The variance of a mean over questions that share templates and entities."""

    mean: float
    variance: float
    """max(V_T, V_E, V_T + V_E - V_TE), each by the clusters of its kind."""
    templates: int
    entities: int
    freedom: float
    """Degrees of freedom: the smaller count less one, and no more than as many clusters as the variance comes from."""


def crossed_variance(values: Floats, templates: Ints, entities: Ints) -> CrossedVariance | None:
    """The two-way clustered variance of a mean; None of fewer than two templates or entities, which cannot tell.

    V = V_T + V_E - V_TE (Cameron, Gelbach and Miller 2011, Journal of Business & Economic Statistics 29), each term
    with its factor G / (G - 1), and never less than either way alone, which the difference may be by chance.

    Args:
        values: one of each question, of any scale.
        templates: the code of each question's template.
        entities: the code of its entity.

    Raises:
        ValueError: a value is not finite, or the arrays differ in length.
    """
    if not len(values) == len(templates) == len(entities):
        raise ValueError(f"{len(values)} values, {len(templates)} templates and {len(entities)} entities: one of each")
    if not np.isfinite(values).all():
        raise ValueError("a value is not finite: leave out what is unscored")
    if not len(values):
        return None
    mean = float(values.mean())
    rests = values - mean
    _, template = np.unique(templates, return_inverse=True)
    _, entity = np.unique(entities, return_inverse=True)
    of_template, of_entity = np.bincount(template, weights=rests), np.bincount(entity, weights=rests)
    rows, columns = len(of_template), len(of_entity)
    if min(rows, columns) < 2:
        return None
    _, both = np.unique(template * columns + entity, return_inverse=True)
    by_template, by_entity, by_both = (
        _variance(sums, len(values)) for sums in (of_template, of_entity, np.bincount(both, weights=rests))
    )
    variance = max(by_template, by_entity, by_template + by_entity - by_both)
    leading = of_template if by_template >= by_entity else of_entity
    freedom = max(1.0, min(rows - 1, columns - 1, _contributing(leading)))
    return CrossedVariance(mean, variance, rows, columns, freedom)


def crossed_share(
    values: Floats,
    templates: Ints,
    entities: Ints,
    *,
    limits: tuple[float, float] = (0.0, 1.0),
    confidence: float = 0.95,
) -> Interval | None:
    """The mean of grades between two limits with its two-way clustered interval; None where nothing tells a spread.

    Wilson's interval (1927, Journal of the American Statistical Association 22) with as many observations as the
    questions are worth by `crossed_variance`, and Student's t with its degrees of freedom. Where all values are at one
    limit their variance says nothing of how many they are worth: then as many as there are clusters of the rarer kind.

    Args:
        values: one of each question, within the limits.
        templates: the code of each question's template.
        entities: the code of its entity.
        limits: the least and the largest that a value can be.
        confidence: how often such intervals hold the mean.

    Raises:
        ValueError: a value is not finite or not within the limits, or the arrays differ in length.
    """
    from scipy.stats import t

    low, high = limits
    if len(values) and not (low <= float(values.min()) and float(values.max()) <= high):
        raise ValueError(f"a value is not between {low:g} and {high:g}")
    found = crossed_variance((values - low) / (high - low), templates, entities)
    if found is None:
        return None
    z = float(t.ppf((1 + confidence) / 2, found.freedom))
    share, worth = found.mean, float(min(found.templates, found.entities))
    if found.variance > 0:
        worth = min(float(len(values)), share * (1 - share) / found.variance)
    middle = (share + z * z / (2 * worth)) / (1 + z * z / worth)
    half = z / (1 + z * z / worth) * math.sqrt(share * (1 - share) / worth + z * z / (4 * worth * worth))
    below, above = max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
    width = high - low
    return Interval(low + width * share, low + width * below, low + width * above)


def _variance(sums: Floats, values: int) -> float:
    """The variance of a mean of so many values, from what each cluster adds to it."""
    return len(sums) / max(len(sums) - 1, 1) * float(sums @ sums) / values**2


def _contributing(sums: Floats) -> float:
    """How many clusters a variance comes from: where three templates make all the difference, three and not fifty.

    (Σ s²)² / Σ s⁴, as of Satterthwaite's degrees of freedom for a sum of squares of unequal sizes.
    """
    squares = np.square(sums)
    largest = float(squares.max(initial=0.0))
    if largest == 0:
        return float(len(sums))
    shares = squares / largest
    return float(shares.sum()) ** 2 / float(np.square(shares).sum())
