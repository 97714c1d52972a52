"""Systems by form, kind, hops, needed facts and documents, and subset: means on the questions that all have.

Of two systems also what differs."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.comparisons.compared import Compared
from benchwright.benchmarks.comparisons.figures import CONFIDENCE, limits_of
from benchwright.benchmarks.reports.columns import Bools
from benchwright.benchmarks.reports.needed import in_order, lacking, titled
from benchwright.benchmarks.reports.sections.slices import DIMENSIONS, NO_VALUE
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Target
from benchwright.benchmarks.statistics.paired import compare_pair

_SHOWN = 40
NOT_TESTED = "not tested: so many differences would find some by chance; compare two runs alone to test their slices"


@dataclass(frozen=True, slots=True)
class SliceDifference:
    """The first run minus the second on the questions of a slice."""

    value: float
    low: float
    """Of the interval; those of all slices hold together."""
    high: float
    p: float
    """Corrected for the number of slices."""
    separated: bool


@dataclass(frozen=True, slots=True)
class ComparedSlice:
    """The questions with one value."""

    value: str
    questions: int
    """That all runs have a score of."""
    groups: int
    means: tuple[float, ...]
    """Of the runs, in the order given."""
    difference: SliceDifference | None
    """Of two runs; null where the slice has one group, or other numbers of runs."""


@dataclass(frozen=True, slots=True)
class ComparedDimension:
    """Questions split by one column, the largest slices first; numbers in their order."""

    slices: tuple[ComparedSlice, ...]
    omitted: int
    """Slices that are left out, the smallest."""
    reason: str | None


@dataclass(frozen=True, slots=True)
class ComparedSlices:
    """By the leading metric."""

    metric: str
    correction: str | None
    """Of the tests; null where nothing was tested, for which `reason` says why."""
    reason: str | None
    dimensions: Mapping[str, ComparedDimension]
    target: Target = THIS_BENCHMARK
    """What intervals and tests are of: semantic groups are what is drawn."""


def compare_slices(compared: Compared) -> ComparedSlices:
    """The leading metric by each dimension.

    Of two runs each slice's difference is tested, at the level divided by the number of slices (Bonferroni), so that
    figures and words hold for all of them together.
    """
    metric = compared.metrics[0]
    wanted = {name: _parts(compared, name) for name in DIMENSIONS}
    is_pair = len(compared.runs) == 2
    number = sum(len(parts) for parts, _ in wanted.values() if len(parts) > 1)
    found: dict[str, ComparedDimension] = {}
    for name, (parts, omitted) in wanted.items():
        reason = None
        if compared.questions.column(name).is_empty:
            reason = f"the release's questions {lacking(name)}"
        elif len(parts) < 2:
            reason = f"all questions that the systems have in common have the same {titled(name)}"
        level = 0.05 / number if is_pair and number else None
        slices = tuple(_slice(compared, value, part, None if reason else level) for value, part in parts)
        found[name] = ComparedDimension(slices, omitted, reason)
    correction = f"Bonferroni, for {number} slices" if is_pair and number else None
    return ComparedSlices(metric, correction, None if is_pair else NOT_TESTED, found)


def _parts(compared: Compared, name: str) -> tuple[list[tuple[str, Bools]], int]:
    """The values of a column with their questions among those in common, and how many values are left out."""
    column = compared.questions.column(name)
    codes = np.where(compared.common(compared.metrics[0]), column.codes, -2)
    values, counts = np.unique(codes[codes >= -1], return_counts=True)
    if column.is_empty:
        return [], 0
    kept = values[np.argsort(-counts, kind="stable")][:_SHOWN].tolist()
    ordered = in_order(name, column.names, kept)
    parts = [(column.names[code] if code >= 0 else NO_VALUE, codes == code) for code in ordered]
    return parts, len(values) - len(kept)


def _slice(compared: Compared, value: str, part: Bools, level: float | None) -> ComparedSlice:
    scored, clusters = compared.scored[compared.metrics[0]], compared.questions.clusters[part]
    values = scored.values[part]
    found = None
    if level is not None:
        one, two = values.astype(float).T
        found = compare_pair(one, two, clusters, limits=limits_of(scored, part), confidence=1 - level)
    difference = None
    if found is not None and level is not None:
        corrected = min(1.0, found.p * (1 - CONFIDENCE) / level)
        difference = SliceDifference(found.value, found.low, found.high, corrected, found.separated)
    means = tuple(values.mean(axis=0, dtype=float).tolist())
    return ComparedSlice(value, int(part.sum()), len(np.unique(clusters)), means, difference)
