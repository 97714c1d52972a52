"""Intervals of a mean for new templates and entities of the same kind: what is drawn are both at once.

A question is made of a template and an entity, and both are a draw: a system that fails one template fails it for many
entities, and one entity that it does not know fails many templates. The intervals of `shares` hold this benchmark fixed
but for its semantic groups; these ask what a benchmark of other templates and entities would have said.
"""

from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.statistics.intervals import NEW_TEMPLATES_AND_ENTITIES, Floats, Interval, Ints
from benchwright.benchmarks.statistics.shares import (
    SHARE,
    Limits,
    check_limits,
    contributing,
    least_worth,
    rescaled,
    score_interval,
    variance_of,
    worth_alike,
)

LEAST_TEMPLATES, LEAST_ENTITIES = 20, 50
"""With fewer of either an interval of 95 % does not reliably hold the mean in at least 93 % (`simulate_intervals`)."""
LEAST_WORTH = 15
"""And with templates that are worth fewer of one size: where a few of them hold most of the values. Neither they nor
entities are to be less even than `least_worth` says."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """The clusters of values two ways: codes from 0 of each one's template, of its entity, and of both together."""

    templates: Ints
    entities: Ints
    both: Ints

    def take(self, places: Ints) -> "Crossing":
        """The clusters of other values: those at the places."""
        return Crossing(self.templates[places], self.entities[places], self.both[places])


def cross(templates: Ints, entities: Ints) -> Crossing:
    """The clusters of values that have these templates and entities, in any codes.

    Raises:
        ValueError: the arrays differ in length.
    """
    if len(templates) != len(entities):
        raise ValueError(f"{len(templates)} templates and {len(entities)} entities: one of each for a value")
    template, entity = (np.unique(each, return_inverse=True)[1].reshape(-1) for each in (templates, entities))
    both = np.unique(template * (int(entity.max(initial=0)) + 1) + entity, return_inverse=True)[1].reshape(-1)
    return Crossing(template, entity, both)


def too_few(of_template: Floats, of_entity: Floats) -> str | None:
    """Why a mean over values has no interval for new templates and entities, if so.

    Args:
        of_template: how many values each template has that has any.
        of_entity: the same of each entity.
    """
    templates, entities = len(of_template), len(of_entity)
    if templates < LEAST_TEMPLATES or entities < LEAST_ENTITIES:
        there = f"{templates:,} template{'' if templates == 1 else 's'}"
        there += f" and {entities:,} {'entity' if entities == 1 else 'entities'}"
        return f"of {there}: at least {LEAST_TEMPLATES} and {LEAST_ENTITIES} are needed"
    for of_each, least, what in ((of_template, LEAST_WORTH, "templates"), (of_entity, 0, "entities")):
        worth, needed = worth_alike(of_each), max(least, least_worth(len(of_each)))
        if worth < needed:
            there = f"{len(of_each):,} {what} a few have most questions, so that they are worth {worth:.1f} of one size"
            return f"of {there}: at least {needed:.1f} are needed"
    return None


@dataclass(frozen=True, slots=True)
class CrossedVariance:
    """The variance of a mean over questions that share templates and entities."""

    mean: float
    variance: float
    """max(V_T, V_E, V_T + V_E - V_TE), each by the clusters of its kind."""
    templates: int
    entities: int
    freedom: float
    """Degrees of freedom: the smaller count less one, and no more than of the clusters that the variance comes from."""
    least: float
    """How many independent values they are worth where all of a template, or all of an entity, are alike."""


def crossed_variance(values: Floats, crossing: Crossing, counts: Floats | None = None) -> CrossedVariance | None:
    """The two-way clustered variance of a mean; None of fewer than two templates or entities, which cannot tell.

    V = V_T + V_E - V_TE (Cameron, Gelbach and Miller 2011, Journal of Business & Economic Statistics 29), each term
    with its factor G / (G - 1), and never less than either way alone, which the difference may be by chance.

    Args:
        values: one of each question, of any scale; or means of several.
        crossing: their templates and entities.
        counts: of how many values each is the mean; None: of one.

    Raises:
        ValueError: a value is not finite, or there are not as many as clusters.
    """
    if len(values) != len(crossing.both):
        raise ValueError(f"{len(values)} values and {len(crossing.both)} clusters: each value needs its own")
    if not np.isfinite(values).all():
        raise ValueError("a value is not finite: leave out what is unscored")
    weights = np.ones(len(values)) if counts is None else counts
    total = float(weights.sum())
    if not total:
        return None
    mean = float((weights * values).sum()) / total
    rests = weights * (values - mean)
    ways = [_by_cluster(codes, rests, weights) for codes in (crossing.templates, crossing.entities, crossing.both)]
    (of_template, _), (of_entity, _), _ = ways
    least = min(len(of_template), len(of_entity))
    if least < 2:
        return None
    by_template, by_entity, by_both = (variance_of(sums, total) for sums, _ in ways)
    leading = of_template if by_template >= by_entity else of_entity
    return CrossedVariance(
        mean=mean,
        variance=max(by_template, by_entity, by_template + by_entity - by_both),
        templates=len(of_template),
        entities=len(of_entity),
        freedom=max(1.0, min(least - 1.0, contributing(leading) - 1)),
        least=min(worth_alike(sizes) for _, sizes in ways[:2]),
    )


def crossed_share(
    values: Floats,
    crossing: Crossing,
    counts: Floats | None = None,
    *,
    limits: Limits = SHARE,
    confidence: float = 0.95,
) -> Interval | None:
    """The mean of grades between two limits with its two-way clustered interval; None where nothing tells a spread.

    `score_interval` with the variance of `crossed_variance`: Wilson's with as many observations as the questions are
    worth, and Student's t with the degrees of freedom of the rarer clusters.

    Args:
        values: one of each question, within the limits; or means of several.
        crossing: their templates and entities.
        counts: of how many values each is the mean; None: of one.
        limits: the least and the largest that a value can be.
        confidence: how often such intervals hold the mean.

    Raises:
        ValueError: a value is not finite or not within the limits, or there are not as many as clusters.
    """
    check_limits(values, limits)
    low, high = limits
    found = crossed_variance((values - low) / (high - low), crossing, counts)
    if found is None:
        return None
    interval = score_interval(
        min(1.0, max(0.0, found.mean)),
        variance=found.variance,
        total=float(len(values) if counts is None else counts.sum()),
        least=found.least,
        freedom=found.freedom,
        clusters=min(found.templates, found.entities),
        confidence=confidence,
    )
    return rescaled(interval, limits, NEW_TEMPLATES_AND_ENTITIES)


def _by_cluster(codes: Ints, rests: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Of each cluster that there is what it adds, and how many values it has."""
    sizes = np.bincount(codes, weights=weights).astype(float)
    there = sizes > 0
    return np.bincount(codes, weights=rests).astype(float)[there], sizes[there]
