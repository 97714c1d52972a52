"""Systems beside each other by one metric, over the questions that all have: means, ranks, all pairs tested at once.

SystemFigure      one system: its mean with an interval, the ranks that are left open to it
Difference        two systems: their difference with its simultaneous interval
MetricComparison  both of all systems
"""

from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.comparisons.compared import Compared, Scored
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.reports.columns import Bools, Ints
from benchwright.benchmarks.reports.noise.spread import spread_of
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Sample, Target
from benchwright.benchmarks.statistics.joint import JointComparison, compare_jointly
from benchwright.benchmarks.statistics.power import clusters_needed, detectable_difference

_FLIPS = "sign flips of whole semantic groups, with the standard error of each flip"
METHOD_OF_PAIR = _FLIPS
METHOD = f"{_FLIPS}, the same for all systems (max-T): intervals and p-values hold for all pairs together"
CONFIDENCE = 0.95
ALL_PAIRS = 50
"""Of more systems not every pair is listed, only those with the baseline or the best, and neighbours."""
ONE_GROUP = "the questions that all systems have are of one semantic group, of which nobody can say what chance does"
NO_COMMON = "there is no question that all systems have a score of"
ONE_SYSTEM = "fewer than two systems have a score of it"
NOT_ASKED_FOR = "only the leading metric is, and those that are named with --metric"


@dataclass(frozen=True, slots=True)
class SystemFigure:
    """One system by one metric."""

    run: str
    value: float | None
    """The mean over the questions that all these systems have a score of; null where there is none."""
    low: float | None
    """Of its own 95 % interval, in which it is not compared with anything; null where nothing tells a spread."""
    high: float | None
    method: str | None
    """Of this interval."""
    note: str | None
    """Why there is none, or what to know of it."""
    best_rank: int | None
    """The ranks that the separated pairs leave open to it; null where nothing was tested."""
    worst_rank: int | None
    not_separated: int | None
    """From how many of the other systems it is not separated."""
    not_separated_from: tuple[str, ...]
    """Their names, the best first; of very many systems the first few."""
    own_value: float | None
    """The mean over all questions of the headline that this run has a score of."""
    scored: int
    """Of so many of them."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Two systems, the first minus the second."""

    first: str
    second: str
    value: float
    low: float
    """Of the simultaneous interval."""
    high: float
    p: float
    """Adjusted for all pairs."""
    separated: bool


@dataclass(frozen=True, slots=True)
class Detectable:
    """What of a difference these questions show, for the pair whose difference is known least."""

    difference: float
    """The smallest true difference between two systems that a test of one pair finds four times in five."""
    groups_needed: int | None
    """Groups with which the difference of the leading two would be found four times in five; null where it is 0."""


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """Systems by one metric, the best first, without those that have no score of it at all."""

    metric: str
    higher_is_better: bool
    range: tuple[float, float]
    """The least and the largest that a value can be; of a metric whose values keep to no known range, that there is."""
    judges: tuple[str, ...]
    """Who judged."""
    questions: int
    """Of the headline those that all these systems have a score of."""
    groups: int
    """That they are of."""
    of_questions: int
    """The headline's questions that any run has."""
    target: Target
    """What intervals and tests speak of: this benchmark's questions, of which semantic groups are a draw."""
    method: str | None
    """Of the tests; null where nothing was tested, for which `reason` says why."""
    reason: str | None
    confidence: float
    """Of the simultaneous intervals, all together."""
    systems: tuple[SystemFigure, ...]
    differences: tuple[Difference, ...]
    """Of all pairs; of very many systems of some of them."""
    pairs: int
    """That were tested."""
    detectable: Detectable | None
    """Null where nothing was tested, or where each pair differs alike in each group."""


def compare_by(
    compared: Compared,
    metric: str,
    *,
    confidence: float = CONFIDENCE,
    baseline: int | None = None,
    tested: bool = True,
    progress: Progress = silent,
) -> MetricComparison:
    """The systems by one metric, without those that have no score of it at all.

    Args:
        compared: the runs.
        metric: one of its metrics.
        confidence: of the simultaneous intervals; below it by what other metrics take of the level.
        baseline: the run whose differences are listed however many runs there are.
        tested: whether pairs are.
        progress: is told of the tests.
    """
    there = compared.with_scores(metric)
    baseline = there.index(baseline) if baseline in there else None
    compared = compared.of_runs(there, metric)
    scored, common = compared.scored[metric], compared.common(metric) & bool(there)
    clusters = compared.questions.clusters[common]
    values, groups = scored.values[common], len(np.unique(clusters))
    reason = ONE_SYSTEM if len(there) < 2 else NO_COMMON if not len(values) else ONE_GROUP if groups < 2 else None
    if reason is None and not tested:
        reason = NOT_ASKED_FOR
    joint = None
    if reason is None:
        joint = compare_jointly(
            values,
            clusters,
            limits=limits_of(scored, common),
            higher_is_better=scored.higher_is_better,
            confidence=confidence,
            progress=progress,
        )
    means = values.mean(axis=0, dtype=float) if len(values) else np.zeros(len(there))
    order = sorted(range(len(means)), key=lambda run: (-means[run] if scored.higher_is_better else means[run], run))
    return MetricComparison(
        metric=metric,
        higher_is_better=scored.higher_is_better,
        range=limits_of(scored, common) or (float(values.min()), float(values.max())),
        judges=tuple(dict.fromkeys(name for names in scored.judges for name in names)),
        questions=int(common.sum()),
        groups=groups,
        of_questions=int(compared.questions.headline.sum()),
        target=THIS_BENCHMARK,
        method=None if joint is None else METHOD if len(joint.pairs) > 1 else METHOD_OF_PAIR,
        reason=reason,
        confidence=confidence,
        systems=_systems(compared, scored, common, clusters, joint, order),
        differences=() if joint is None else _differences(compared, joint, order, baseline),
        pairs=0 if joint is None else len(joint.pairs),
        detectable=None if joint is None else _detectable(joint, order, confidence),
    )


def limits_of(scored: Scored, wanted: Bools) -> tuple[float, float] | None:
    """The least and the largest that a value can be; None where values keep to no range that is known."""
    values = scored.values[wanted]
    low, high = scored.range
    return scored.range if not len(values) or (low <= values.min() and values.max() <= high) else None


def _systems(
    compared: Compared, scored: Scored, common: Bools, clusters: Ints, joint: JointComparison | None, order: list[int]
) -> tuple[SystemFigure, ...]:
    apart = _separated(joint, len(compared.runs))
    found = []
    for run in order:
        own = compared.questions.headline & scored.is_scored[:, run]
        number = int(own.sum())
        spread = spread_of(Sample(scored.values[common, run].astype(float), clusters), scored.range)
        others = [] if apart is None else [each for each in order if each != run and not apart[run, each]]
        found.append(
            SystemFigure(
                run=compared.names[run],
                value=spread.value,
                low=spread.low,
                high=spread.high,
                method=spread.method,
                note=spread.note,
                best_rank=None if joint is None else int(joint.ranks[run, 0]),
                worst_rank=None if joint is None else int(joint.ranks[run, 1]),
                not_separated=None if apart is None else len(others),
                not_separated_from=tuple(compared.names[each] for each in others[:ALL_PAIRS]),
                own_value=float(scored.values[own, run].mean(dtype=float)) if number else None,
                scored=number,
            )
        )
    return tuple(found)


def _separated(joint: JointComparison | None, runs: int) -> Bools | None:
    """Of shape (runs, runs)."""
    if joint is None:
        return None
    apart = np.zeros((runs, runs), dtype=bool)
    apart[joint.pairs[:, 0], joint.pairs[:, 1]] = joint.separated
    return apart | apart.T


def _differences(
    compared: Compared, joint: JointComparison, order: list[int], baseline: int | None
) -> tuple[Difference, ...]:
    """Pairs in the order of the systems, of each pair the better one first; with a baseline, it second."""
    place = {run: number for number, run in enumerate(order)}
    number = {(int(one), int(two)): pair for pair, (one, two) in enumerate(joint.pairs)}
    leading = order[0] if baseline is None else baseline
    found = []
    for better, one in enumerate(order):
        for two in order[better + 1 :]:
            listed = len(order) <= ALL_PAIRS or leading in (one, two) or place[two] == better + 1
            if not listed:
                continue
            first, second = (two, one) if one == baseline else (one, two)
            pair, sign = (number[first, second], 1) if first < second else (number[second, first], -1)
            ends = sorted((sign * float(joint.low[pair]), sign * float(joint.high[pair])))
            found.append(
                Difference(
                    first=compared.names[first],
                    second=compared.names[second],
                    value=sign * float(joint.differences[pair]) + 0.0,
                    low=ends[0] + 0.0,
                    high=ends[1] + 0.0,
                    p=float(joint.p[pair]),
                    separated=bool(joint.separated[pair]),
                )
            )
    return tuple(found)


def _detectable(joint: JointComparison, order: list[int], confidence: float) -> Detectable | None:
    worst = int(np.argmax(joint.errors))
    if joint.errors[worst] == 0:
        return None
    one, two = sorted(order[:2])
    pair = int(np.flatnonzero((joint.pairs == (one, two)).all(axis=1))[0])
    needed = clusters_needed(
        float(joint.errors[pair]), joint.clusters, float(joint.differences[pair]), confidence=confidence
    )
    return Detectable(detectable_difference(float(joint.errors[worst]), confidence=confidence), needed)
