"""The metrics of two runs on one release beside each other, where retrieval was right and where it was wrong.

Table 3 of the paper on RAG metrics in the telecom domain marks what differs from a baseline. Its tests are of different
questions, for each system retrieves right for others; so beside them stand the questions on which both did.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.reports.columns import Bools, RunData, in_condition
from benchwright.benchmarks.reports.metrics.figures import metric_sense
from benchwright.benchmarks.reports.metrics.retrieval_split import Sides, retrieval_sides
from benchwright.benchmarks.reports.metrics.scale import scale_of
from benchwright.benchmarks.statistics.paired import PairedComparison, compare_pair
from benchwright.benchmarks.statistics.reliability import Moments, moments, welch_p
from benchwright.benchmarks.statistics.tests import holm

SIDES = ("all", "right", "wrong")


@dataclass(frozen=True, slots=True)
class BaselineDifference:
    """One metric of two runs, over one part of the answers."""

    metric: str
    retrieval: str
    """all, right or wrong: of the answers to the headline's questions."""
    run: Moments
    """Over the answers of that part in this run."""
    baseline: Moments
    p_t: float | None
    """Two-sided, of these different answers: Welch's t-test, as the paper tests."""
    paired: PairedComparison | None
    """Over the questions that belong to the part in both runs, this one less the baseline. None of fewer than two
    groups."""
    questions: int
    """That both runs have in the part."""
    p_corrected: float | None
    """Of `paired`, for the number of tests, by Holm."""

    @property
    def verdict(self) -> str:
        """Larger, smaller, or not separated."""
        if self.paired is None:
            return "not tested"
        if not self.paired.separated or self.p_corrected is None or self.p_corrected >= 0.05:
            return "not separated"
        return "larger" if self.paired.value > 0 else "smaller"


@dataclass(frozen=True, slots=True)
class BaselineFigures:
    """A run beside a baseline."""

    run: str
    """The baseline's."""
    system: str
    by: str | None
    """What says whether retrieval was right, in both; the baseline may have read another number of contexts."""
    differences: tuple[BaselineDifference, ...]
    lacking: Mapping[str, str]
    """Metric → why it is not compared."""


def compare_with_baseline(run: RunData, baseline: RunData, names: Sequence[str]) -> BaselineFigures:
    """The metrics of a run and of a baseline.

    Raises:
        BenchwrightError: the baseline is of another release.
    """
    mine, other = run.settings, baseline.settings
    if mine.content_hash != other.content_hash:
        raise BenchwrightError(
            f"{run.folder} is a run on {mine.benchmark} {mine.version} (content {mine.content_hash[:12]}…) and "
            f"{baseline.folder} on {other.benchmark} {other.version} (content {other.content_hash[:12]}…): only runs "
            "on one release are compared"
        )
    baseline = in_condition(baseline, run.shown)
    sides = [retrieval_sides(each) for each in (run, baseline)]
    by = sides[0].by if sides[0] and sides[1] and _kind(sides[0]) == _kind(sides[1]) else None
    compared, lacking = [], {}
    for name in names:
        if not _is_scored(baseline, name):
            lacking[name] = "the baseline has no score of it"
            continue
        if (found := beyond_scale(baseline, name)) is not None:
            lacking[name] = f"in the baseline it goes {found}"
            continue
        parts = SIDES if by else SIDES[:1]
        compared += [_compare(run, baseline, sides, name, part) for part in parts]
    tested = [(place, each.paired.p) for place, each in enumerate(compared) if each.paired is not None]
    for (place, _), p in zip(tested, holm([p for _, p in tested]), strict=True):
        compared[place] = replace(compared[place], p_corrected=p)
    return BaselineFigures(baseline.folder.name, baseline.settings.system.name, by, tuple(compared), lacking)


def _kind(sides: Sides) -> str:
    """What says whether retrieval was right, whatever the number of contexts."""
    return sides.by.partition("@")[0]


def _is_scored(run: RunData, name: str) -> bool:
    """Whether any of the headline's answers in the condition shown has a score of a metric."""
    if name not in run.metrics:
        return False
    wanted = run.condition.where(run.shown) & run.questions.headline[run.question]
    return bool((wanted & run.is_scored[:, run.metrics.index(name)]).any())


def beyond_scale(run: RunData, name: str) -> str | None:
    """In words how far a metric's scores reach, where that is beyond its scale: verdicts made elsewhere may."""
    if name not in run.metrics:
        return None
    column, (low, high) = run.metrics.index(name), scale_of(name).range
    values = run.values[run.is_scored[:, column] & run.condition.where(run.shown), column]
    if not len(values) or (low <= float(values.min()) and float(values.max()) <= high):
        return None
    return f"from {values.min():g} to {values.max():g}, and not from {low:g} to {high:g}"


def _compare(
    run: RunData, baseline: RunData, sides: Sequence[Sides | None], name: str, part: str
) -> BaselineDifference:
    wanted = [_wanted(each, side, name, part) for each, side in zip((run, baseline), sides, strict=True)]
    values = [each.values[mask, each.metrics.index(name)] for each, mask in zip((run, baseline), wanted, strict=True)]
    first, second = (_by_question(each, mask, name) for each, mask in zip((run, baseline), wanted, strict=True))
    shared = [identity for identity in first if identity in second]
    clusters = run.questions.clusters[np.array([run.questions.index[identity] for identity in shared], dtype=int)]
    one, other = (np.array([each[identity] for identity in shared], dtype=float) for each in (first, second))
    limits = metric_sense(name)[1]
    paired = compare_pair(one, other, clusters, limits=limits) if shared else None
    return BaselineDifference(
        metric=name,
        retrieval=part,
        run=moments(values[0], run.clusters[wanted[0]]),
        baseline=moments(values[1], baseline.clusters[wanted[1]]),
        p_t=welch_p(values[0], values[1], "two-sided"),
        paired=paired,
        questions=len(shared),
        p_corrected=None,
    )


def _wanted(run: RunData, sides: Sides | None, name: str, part: str) -> Bools:
    """The attempts of a part that a metric has scored."""
    mask = run.condition.where(run.shown) & run.questions.headline[run.question]
    mask = mask & run.is_scored[:, run.metrics.index(name)]
    if part == "all" or sides is None:
        return mask
    return mask & sides.is_known & (sides.is_right if part == "right" else ~sides.is_right)


def _by_question(run: RunData, mask: Bools, name: str) -> dict[str, float]:
    """Question → the mean of its answers in the part."""
    places, values = run.question[mask], run.values[mask, run.metrics.index(name)]
    sums = np.bincount(places, weights=values, minlength=len(run.questions.ids))
    counts = np.bincount(places, minlength=len(run.questions.ids))
    return {run.questions.ids[place]: float(sums[place] / counts[place]) for place in np.flatnonzero(counts).tolist()}
