"""Whether metrics agree with people more than chance would, and whether one agrees more than another.

Both are paired tests over the same pairs, by question (Dror et al. 2018, The Hitchhiker's Guide to Testing Statistical
Significance in Natural Language Processing; sign flips of whole clusters), corrected for their number in each dimension
(Holm 1979).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, TypeVar

import numpy as np

from benchwright.benchmarks.reports.pairs.preferences import Protocol
from benchwright.benchmarks.statistics.intervals import Floats, Ints
from benchwright.benchmarks.statistics.paired import PairedComparison, compare_pair
from benchwright.benchmarks.statistics.tests import holm
from benchwright.benchmarks.types import Dimension

LEVEL = 0.05
CHANCE = 0.5
"""The agreement of a metric that has nothing to do with what people choose."""
Beside = Literal["above", "below", "not told from"]


@dataclass(frozen=True, slots=True)
class Said:
    """What one metric said of the pairs of a dimension, beside what people chose."""

    dimension: Dimension
    name: str
    """Of its row: `ragas`, `gpt_score`, `gpt_ranking`, or the metric's."""
    protocol: Protocol
    right: Floats
    """(pairs,): 1 where it prefers what people chose, 0 the other, 0.5 of a tie, NaN where it is unscored."""
    clusters: Ints
    """(pairs,): the question of each."""


@dataclass(frozen=True, slots=True)
class ChanceTest:
    """The agreement of one metric with people, held against one half."""

    dimension: Dimension
    name: str
    """Of its row."""
    protocol: Protocol
    value: float
    """The agreement."""
    pairs: int
    p: float
    """By sign flips of whole questions, two-sided."""
    p_corrected: float
    """For the number of metrics of the dimension."""

    @property
    def beside(self) -> Beside:
        """On which side of chance the metric is, as far as it can be told."""
        if self.p_corrected >= LEVEL:
            return "not told from"
        return "above" if self.value > CHANCE else "below"


@dataclass(frozen=True, slots=True)
class MetricTest:
    """Two metrics of a dimension compared, on the pairs that both have a preference or a tie of."""

    dimension: Dimension
    first: str
    """Of its row."""
    first_protocol: Protocol
    second: str
    second_protocol: Protocol
    pairs: int
    value: float
    """The agreement of the first with people less that of the second."""
    low: float
    """Of the interval of 95 % by question."""
    high: float
    only_first: int
    """Questions of which the first agrees with people more."""
    only_second: int
    p: float
    """By sign flips of whole questions, two-sided."""
    p_corrected: float
    """For the number of tests of the dimension."""

    @property
    def is_separated(self) -> bool:
        """Whether the corrected test tells the two apart."""
        return self.p_corrected < LEVEL


_Test = TypeVar("_Test", ChanceTest, MetricTest)


def against_chance(said: Sequence[Said]) -> list[ChanceTest]:
    """The agreement of each metric held against one half; a metric of fewer than two questions has no test."""
    found = []
    for each in said:
        test = _compared(each, replace(each, right=np.full(len(each.right), CHANCE)))
        if test is not None:
            pairs = int((~np.isnan(each.right)).sum())
            found.append(ChanceTest(each.dimension, each.name, each.protocol, test.first, pairs, test.p, test.p))
    return _corrected(found)


def between_metrics(said: Sequence[Said]) -> list[MetricTest]:
    """Each two metrics of a dimension compared; the two protocols of one metric are not."""
    return _corrected(list(_between(said)))


def _between(said: Sequence[Said]) -> Iterator[MetricTest]:
    for one, other in combinations(said, 2):
        if one.dimension != other.dimension or one.name == other.name:
            continue
        test = _compared(one, other)
        if test is not None:
            yield MetricTest(
                dimension=one.dimension,
                first=one.name,
                first_protocol=one.protocol,
                second=other.name,
                second_protocol=other.protocol,
                pairs=int((~np.isnan(one.right + other.right)).sum()),
                value=test.value,
                low=test.low,
                high=test.high,
                only_first=test.first_larger,
                only_second=test.second_larger,
                p=test.p,
                p_corrected=test.p,
            )


def _compared(one: Said, other: Said) -> PairedComparison | None:
    both = ~np.isnan(one.right + other.right)
    return compare_pair(one.right[both], other.right[both], one.clusters[both])


def _corrected(tests: Sequence[_Test]) -> list[_Test]:
    """The same tests, dimension by dimension, each corrected for the number of its dimension's."""
    found: list[_Test] = []
    for dimension in dict.fromkeys(each.dimension for each in tests):
        some = [each for each in tests if each.dimension == dimension]
        found += [replace(each, p_corrected=p) for each, p in zip(some, holm([each.p for each in some]), strict=True)]
    return found
