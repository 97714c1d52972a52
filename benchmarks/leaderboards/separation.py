"""Which systems are truly better than which, and the ranks that this leaves open."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.leaderboards.part_scores import PartScores
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.reports.columns import Bools, Ints
from benchwright.benchmarks.statistics.joint import compare_jointly


@dataclass(frozen=True)
class Separation:
    """All pairs of systems held against each other."""

    is_better: Bools
    """(systems, systems): the first is better than the second, with 95 % for all pairs together."""

    @property
    def ranks(self) -> list[tuple[int, int]]:
        """Of each system the best and the worst rank that is left open, from 1."""
        size = len(self.is_better)
        best, worst = 1 + self.is_better.sum(axis=0), size - self.is_better.sum(axis=1)
        return [(int(low), int(high)) for low, high in zip(best, worst, strict=True)]

    @property
    def separated(self) -> list[tuple[int, ...]]:
        """Of each system those that are better or worse."""
        either = self.is_better | self.is_better.T
        return [tuple(np.flatnonzero(row).tolist()) for row in either]


def separate(
    scores: Sequence[PartScores],
    counted: Bools,
    clusters: Ints,
    *,
    limits: tuple[float, float],
    higher_is_better: bool,
    progress: Progress = silent,
) -> Separation:
    """Holds all systems against each other with one level for all pairs; see `compare_jointly`.

    What is undecided of a system is never a reason to call it better or worse: it is better than another only if what
    it surely has is better than what the other has at best. What follows is said too: who is better than one that is
    better than a third is better than the third, so that no three systems contradict each other. All statements hold
    together in 95 % of cases, and then what follows from them does.

    Args:
        scores: of each system.
        counted: the questions that count.
        clusters: of all questions, their semantic groups.
        limits: the least and the largest value that there should be.
        higher_is_better: which way.
        progress: is told of the flips.
    """
    size = len(scores)
    doubled = [place for place, each in enumerate(scores) if (each.undecided & counted).any()]
    values = np.empty((int(counted.sum()), size + len(doubled)), dtype=np.float32)
    for place, each in enumerate(scores):
        values[:, place] = each.surely[counted]
    for place, each in enumerate(doubled, start=size):
        values[:, place] = scores[each].at_best[counted]
    is_within = not values.size or (values.min() >= limits[0] and values.max() <= limits[1])
    found = compare_jointly(
        values,
        clusters[counted],
        limits=limits if is_within else None,
        higher_is_better=higher_is_better,
        progress=progress,
    )
    is_better = np.zeros((values.shape[1], values.shape[1]), dtype=bool)
    if found is not None:
        first, second = found.pairs.T
        of_first = (found.differences > 0) == higher_is_better
        is_better[first, second] = found.separated & of_first
        is_better[second, first] = found.separated & ~of_first
    at_best = np.arange(size)
    at_best[doubled] = np.arange(size, values.shape[1])
    return Separation(_closed(is_better[:size][:, at_best]))


def _closed(is_better: Bools) -> Bools:
    """With what follows from two pairs, and from that again."""
    closed = is_better.copy()
    for middle in range(len(closed)):
        closed |= np.outer(closed[:, middle], closed[middle])
    return closed
