"""Intervals of a run's means: of this benchmark, and of new templates and entities."""

from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.reports.blocks import Range
from benchwright.benchmarks.reports.columns import Column, Floats, Ints, Questions, RunData
from benchwright.benchmarks.reports.format import SHARE
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.statistics.crossed import (
    Crossing,
    cross,
    crossed_share,
    too_few,
)
from benchwright.benchmarks.statistics.intervals import (
    NEW_TEMPLATES_AND_ENTITIES,
    Sample,
    Target,
    bootstrap_t,
    cluster_sums,
)
from benchwright.benchmarks.statistics.shares import clustered_share, contributing, few_hold_most, worth_alike

BY_GROUP = "Wilson's interval by semantic group"
BY_TEMPLATE_AND_ENTITY = "Wilson's interval by template and entity"
BOOTSTRAP = "bootstrap-t of whole semantic groups"
ALL_ALIKE = "values that are all alike tell no spread"
NOTHING_SCORED = "nothing is scored"
LEAST_DIFFERING = 30
"""Of values whose scale nobody knows, the bootstrap-t interval of fewer groups that make up how much the values vary
does not reliably hold the mean: of ratings of which most are the best, of 20 groups in 82 % (`contributing`)."""
_ROUNDING = 1e-12
"""What rounding leaves of a difference that is 0, for a sum of 1."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean with its interval for this benchmark."""

    value: float | None
    low: float | None
    high: float | None
    groups: int
    """Semantic groups that have values."""
    method: str | None
    note: str | None
    """Why there is no interval, or why it is wide."""


@dataclass(frozen=True, slots=True)
class CrossedFigure:
    """The 95 % interval of a mean for other templates and entities of the same kind."""

    low: float | None
    high: float | None
    templates: int | None
    """That have values; None where the release names none."""
    entities: int | None
    reason: str | None
    """Why there is no such interval."""
    method: str = BY_TEMPLATE_AND_ENTITY
    target: Target = NEW_TEMPLATES_AND_ENTITIES


def spread_of(sample: Sample, scale: Range = SHARE) -> Spread:
    """The mean of values, and its interval by cluster.

    Values beyond their scale (a verdict of nobody's metric, a rule that does not keep to its range) have no Wilson
    interval: theirs comes from resampling, where enough groups differ.
    """
    values = sample.values
    if not len(values):
        return Spread(None, None, None, 0, None, NOTHING_SCORED)
    _, sums, counts = cluster_sums(sample)
    groups = len(counts)
    if scale[0] <= values.min() and values.max() <= scale[1]:
        found, method, note = clustered_share(sample, limits=scale), BY_GROUP, _uneven(counts)
    else:
        note = _too_alike(sums, counts)
        found, method = None if note else bootstrap_t(sample), BOOTSTRAP
    if found is None:
        why = "one semantic group tells no spread" if groups < 2 else note or ALL_ALIKE
        return Spread(float(values.mean()), None, None, groups, None, why)
    return Spread(found.value, found.low, found.high, groups, method, note)


def _uneven(counts: Floats) -> str | None:
    """What is said where the variance of groups of these sizes is not believed."""
    if not few_hold_most(counts):
        return None
    there = f"{len(counts):,} groups are worth {worth_alike(counts):.1f} of one size"
    return (
        f"few groups hold most questions: {there}, and the interval is as wide as if all of a group went the same way"
    )


def _too_alike(sums: Floats, counts: Floats) -> str | None:
    """Why values beyond their scale have no interval: too few groups differ."""
    rests = sums - counts * (sums.sum() / counts.sum())
    if np.abs(rests).max() <= _ROUNDING * np.abs(sums).max():
        return ALL_ALIKE
    differing = contributing(rests)
    if differing >= LEAST_DIFFERING:
        return None
    there = f"only {differing:.1f} of {len(counts):,} groups make up how much the values vary"
    return f"the scale of the values is not known, and {there}: at least {LEAST_DIFFERING} are needed"


@per_run
def _crossing(run: RunData) -> Crossing:
    """The templates and entities of the run's questions; one that names none shares it with its group alone."""
    questions = run.questions
    return cross(_own_where_none(questions, questions.template), _own_where_none(questions, questions.entity))


def _own_where_none(questions: Questions, column: Column) -> Ints:
    return np.where(column.codes >= 0, column.codes, len(column.names) + questions.clusters)


def crossed_figure(run: RunData, values: Floats, question: Ints, scale: Range = SHARE) -> CrossedFigure:
    """The interval for new templates and entities of the mean of values, each with its question's place."""
    named = {"template": run.questions.template, "entity": run.questions.entity}
    lacking = [name for name, column in named.items() if column.is_empty]
    if lacking:
        return CrossedFigure(None, None, None, None, f"the release's questions name no {' and no '.join(lacking)}")
    sizes = [np.bincount(column.codes[question] + 1)[1:].astype(float) for column in named.values()]
    of_template, of_entity = (each[each > 0] for each in sizes)
    templates, entities = len(of_template), len(of_entity)
    reason = too_few(of_template, of_entity) if len(values) else NOTHING_SCORED
    if reason:
        return CrossedFigure(None, None, templates, entities, reason)
    if not (scale[0] <= values.min() and values.max() <= scale[1]):
        return CrossedFigure(None, None, templates, entities, f"values lie beyond {scale[0]:g} to {scale[1]:g}")
    found = crossed_share(values, _crossing(run).take(question), limits=scale)
    low, high = (None, None) if found is None else (found.low, found.high)
    return CrossedFigure(low, high, templates, entities, None)
