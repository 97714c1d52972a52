"""Where a cause is most: slices in which answers are lost by it more often than in the rest, tested."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.reports.columns import Bools, Ints, RunData
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Sample, Target
from benchwright.benchmarks.statistics.shares import clustered_share
from benchwright.benchmarks.statistics.tests import holm, part_is_larger

DIMENSIONS = ("form", "kind", "hops", "facts", "template", "subset")
LEAST_ANSWERS = 20
"""Of a slice, and of the rest."""
LEAST_GROUPS = 5
"""Groups of a slice that are lost by the cause."""
LEVEL = 0.05
LEAST_DIFFERENCE, LEAST_RATIO = 0.05, 1.25
"""By which the slice's share must be larger than the rest's, so that it is worth looking at."""
_SAME = 0.8
"""Two slices that share so much of their answers say the same."""


@dataclass(frozen=True, slots=True)
class SliceExcess:
    """A slice whose answers are lost by a cause more often than the rest's."""

    dimension: str
    value: str
    count: int
    """Answers of the slice that are lost so."""
    total: int
    """Its answers that were judged."""
    share: float
    low: float
    high: float
    share_of_rest: float
    p: float
    p_corrected: float
    """By Holm, for all slices that were looked at, of all causes."""
    target: Target = THIS_BENCHMARK
    """What `low` and `high`, of 95 %, speak of."""


@dataclass(frozen=True)
class _Slice:
    cause: int
    dimension: str
    value: str
    inside: Bools
    p: float


def find_excesses(
    run: RunData, question: Ints, by_cause: Sequence[Bools], most: int = 2
) -> list[tuple[SliceExcess, ...]]:
    """Of each cause the slices in which it is most, those first that explain most of it; none where no test says so.

    Args:
        run: for its columns.
        question: the place of each judged answer's question.
        by_cause: whether each of them is lost by the cause.
        most: of one cause.
    """
    clusters = run.questions.clusters[question]
    looked_at = [each for cause, lost in enumerate(by_cause) for each in _slices(run, question, clusters, cause, lost)]
    corrected = holm([each.p for each in looked_at])
    found: list[tuple[SliceExcess, ...]] = []
    for cause, lost in enumerate(by_cause):
        mine = [(each, p) for each, p in zip(looked_at, corrected, strict=True) if each.cause == cause and p < LEVEL]
        mine.sort(key=lambda pair: -_explained(lost, pair[0].inside))
        kept: list[tuple[_Slice, SliceExcess]] = []
        for each, p in mine:
            if len(kept) == most:
                break
            if not any(_alike(each.inside, other.inside) for other, _ in kept):
                measured = _measured(each, p, lost, clusters)
                kept += [(each, measured)] if measured is not None else []
        found.append(tuple(measured for _, measured in kept))
    return found


def _slices(run: RunData, question: Ints, clusters: Ints, cause: int, lost: Bools) -> Iterator[_Slice]:
    """The slices that have enough answers, with the p-value that more of theirs are lost by the cause."""
    values = lost.astype(float)
    for dimension in DIMENSIONS:
        column = run.questions.column(dimension)
        codes = column.codes[question]
        for code in np.flatnonzero(np.bincount(codes[codes >= 0], minlength=len(column.names)) >= LEAST_ANSWERS):
            inside = codes == code
            groups = len(np.unique(clusters[inside & lost]))
            if (~inside).sum() < LEAST_ANSWERS or groups < LEAST_GROUPS:
                continue
            p = part_is_larger(values, clusters, inside)
            if p is not None:
                yield _Slice(cause, dimension, column.names[code], inside, p)


def _explained(lost: Bools, inside: Bools) -> float:
    """How many answers of a slice are lost by the cause beyond what the rest's share would make."""
    return float(lost[inside].sum() - inside.sum() * lost[~inside].mean())


def _alike(one: Bools, other: Bools) -> bool:
    return bool((one & other).sum() >= _SAME * min(one.sum(), other.sum()))


def _measured(each: _Slice, p: float, lost: Bools, clusters: Ints) -> SliceExcess | None:
    """The figures of a slice; None where its interval does not exclude the rest's share, or hardly more are lost."""
    inside, rest = each.inside, float(lost[~each.inside].mean())
    if float(lost[inside].mean()) < max(rest + LEAST_DIFFERENCE, rest * LEAST_RATIO):
        return None
    interval = clustered_share(Sample(lost[inside].astype(float), clusters[inside]))
    if interval is None or interval.low <= rest:
        return None
    return SliceExcess(
        dimension=each.dimension,
        value=each.value,
        count=int(lost[inside].sum()),
        total=int(inside.sum()),
        share=interval.value,
        low=interval.low,
        high=interval.high,
        share_of_rest=rest,
        p=each.p,
        p_corrected=p,
    )
