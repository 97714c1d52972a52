"""The gap between two releases that ask the same: of a metric, and of answers that are right in the other release."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.comparisons.compared import CORRECT, NOT_ASKED
from benchwright.benchmarks.comparisons.counterfactual_questions import SharedQuestions
from benchwright.benchmarks.comparisons.judges import said_judges
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.judgments import COMPUTED
from benchwright.benchmarks.metrics import ReleaseData, find_metric
from benchwright.benchmarks.reports.columns import Bools, Floats, Ints, RunData
from benchwright.benchmarks.reports.metrics.figures import NO_REASON, metric_sense, tally
from benchwright.benchmarks.runs.run import PREDICTIONS
from benchwright.benchmarks.runs.store import stored_predictions
from benchwright.benchmarks.statistics.paired import compare_pair
from benchwright.benchmarks.types import Question


@dataclass(frozen=True, slots=True)
class Gap:
    """A metric on the published release and on the fresh one, of the same questions: published minus fresh."""

    published: float
    fresh: float
    value: float
    low: float
    """Of the 95 % interval."""
    high: float
    p: float
    """Two-sided, by sign flips of whole semantic groups."""
    separated: bool
    questions: int
    groups: int


@dataclass(frozen=True, slots=True)
class MetricGap:
    """The gap of one metric, over all questions and over parts of them; None where fewer than two groups are there."""

    metric: str
    range: tuple[float, float]
    every: Gap | None
    """Over the questions that can be answered in both releases and that both runs have a score of."""
    changed: Gap | None
    """Over those of them whose answer is another."""
    unchanged: Gap | None
    """Over those whose answer stayed: the control, for who remembers them is right in both."""
    unscored: Mapping[str, Mapping[str, int]]
    """Run → reason → questions that can be answered in both and that this run has no score of."""


@dataclass(frozen=True, slots=True)
class OldAnswers:
    """Answers that are right in the other release, of the questions whose answer changed, by rule; with an answer both
    times."""

    remembered: float
    """The share of those on the fresh release that are right in the published one."""
    by_chance: float
    """The share of those on the published release that are right in the fresh one, which nobody can remember."""
    value: float
    """The difference."""
    low: float
    """Of the 95 % interval."""
    high: float
    p: float
    """Two-sided, by sign flips of whole semantic groups."""
    separated: bool
    questions: int
    groups: int


def metric_gap(shared: SharedQuestions, metric: str, changed: Bools, *, mix_judges: bool) -> MetricGap:
    """The gap of a metric.

    Args:
        shared: the questions.
        metric: its name.
        changed: of which of them the answer is another.
        mix_judges: compare scores also where other judges judged.

    Raises:
        UsageError: a run lacks the metric. BenchwrightError: other judges judged one run than the other.
    """
    values: list[Floats] = []
    scored: list[Bools] = []
    for run, places in zip(shared.runs, shared.places, strict=True):
        mean, has = _means(run, metric, shared.condition)
        values.append(mean[places])
        scored.append(has[places])
    if not mix_judges:
        _check_judges(shared, metric)
    both = scored[0] & scored[1]
    _, limits = metric_sense(metric)
    every, other, same = (
        _gap(values, shared.clusters, limits, part) for part in (both, both & changed, both & ~changed)
    )
    reasons = {
        name: _why_unscored(run, metric, shared.condition, places[~has])
        for name, run, places, has in zip(shared.names, shared.runs, shared.places, scored, strict=True)
    }
    return MetricGap(metric, limits, every, other, same, {name: why for name, why in reasons.items() if why})


def old_answers(shared: SharedQuestions, golds: Sequence[Mapping[str, Question]], changed: Bools) -> OldAnswers | None:
    """How often what was said on one release is right in the other.

    Args:
        shared: the questions.
        golds: of each release, by id.
        changed: of which questions the answer is another.
    """
    wanted = {shared.ids[place]: place for place in np.flatnonzero(changed).tolist()}
    remembered, is_first = _right_elsewhere(shared.runs[1], golds[0], wanted, shared.condition, len(shared.ids))
    by_chance, is_second = _right_elsewhere(shared.runs[0], golds[1], wanted, shared.condition, len(shared.ids))
    found = _gap((remembered, by_chance), shared.clusters, (0.0, 1.0), is_first & is_second)
    if found is None:
        return None
    own = (found.value, found.low, found.high, found.p, found.separated, found.questions, found.groups)
    return OldAnswers(found.published, found.fresh, *own)


def _means(run: RunData, metric: str, condition: str) -> tuple[Floats, Bools]:
    """Of each question of a run the mean over its repeats, and whether it has a score."""
    if metric not in run.metrics:
        raise UsageError(f"{run.folder} has no metric {metric!r}: there is {', '.join(run.metrics)}")
    rows, column = run.rows(metric, condition), run.metrics.index(metric)
    rows = rows[run.is_scored[rows, column]]
    size = len(run.questions.ids)
    counts = np.bincount(run.question[rows], minlength=size)
    sums = np.bincount(run.question[rows], weights=run.values[rows, column], minlength=size)
    return sums / np.maximum(counts, 1), counts > 0


def _check_judges(shared: SharedQuestions, metric: str) -> None:
    """Raises BenchwrightError where other judges judged one run than the other."""
    judges = []
    for run in shared.runs:
        rows, column = run.rows(metric, shared.condition), run.metrics.index(metric)
        codes = np.unique(run.judges.codes[rows[run.is_scored[rows, column]], column]).tolist()
        judges.append(sorted(run.judges.names[code] if code >= 0 else COMPUTED for code in codes))
    if judges[0] and judges[1] and judges[0] != judges[1]:
        said = "; ".join(f"{name} {said_judges(its)}" for name, its in zip(shared.names, judges, strict=True))
        raise BenchwrightError(
            f"{metric} was judged otherwise in one run than in the other ({said}), so that the gap may be the judges': "
            "have both judged alike, or compare them all the same with --mix-judges"
        )


def _gap(values: Sequence[Floats], clusters: Ints, limits: tuple[float, float], wanted: Bools) -> Gap | None:
    found = (
        compare_pair(values[0][wanted], values[1][wanted], clusters[wanted], limits=limits) if wanted.any() else None
    )
    if found is None:
        return None
    return Gap(
        published=found.first,
        fresh=found.second,
        value=found.value,
        low=found.low,
        high=found.high,
        p=found.p,
        separated=found.separated,
        questions=int(wanted.sum()),
        groups=found.clusters,
    )


def _why_unscored(run: RunData, metric: str, condition: str, lacking: Ints) -> dict[str, int]:
    """Reasons of the questions of a run that it has no score of."""
    rows, column = run.rows(metric, condition), run.metrics.index(metric)
    rows = rows[np.isin(run.question[rows], lacking)]
    _, firsts = np.unique(run.question[rows], return_index=True)
    found = tally(run.reasons.names, run.reasons.codes[rows[firsts], column], NO_REASON)
    absent = len(lacking) - len(firsts)
    return {**found, **({NOT_ASKED: absent} if absent else {})}


def _right_elsewhere(
    run: RunData, gold: Mapping[str, Question], wanted: Mapping[str, int], condition: str, size: int
) -> tuple[Floats, Bools]:
    """Of each question the share of a run's answers that are right in the other release, and whether there is any."""
    sums, counts = np.zeros(size), np.zeros(size)
    path, rule = run.folder / PREDICTIONS, find_metric(CORRECT).rule
    if rule is None or not path.is_file() or not wanted:
        return sums, counts > 0
    score = rule(ReleaseData(tuple(gold.values())))
    for said in stored_predictions(path):
        if said.id in wanted and said.condition == condition and said.answer is not None:
            value = score([gold[said.id]], [said])[0].value
            if value is not None:
                sums[wanted[said.id]] += value
                counts[wanted[said.id]] += 1
    return sums / np.maximum(counts, 1), counts > 0
