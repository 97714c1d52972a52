"""What people chose of a release's pairs, and how far they agree among themselves."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.releases.pairs import Choice, LabelledPair, LabelledPairs
from benchwright.benchmarks.statistics.agreement import Kappa, cohen_kappa, fleiss_kappa
from benchwright.benchmarks.statistics.intervals import Ints, codes_of
from benchwright.benchmarks.statistics.reliability import Proportion, proportion
from benchwright.benchmarks.types import Dimension

_CHOICES: tuple[Choice, ...] = ("first", "second", "tie")


@dataclass(frozen=True, slots=True)
class DimensionLabels:
    """What people chose in one dimension."""

    first: int
    """Pairs of which they chose the first candidate."""
    second: int
    tie: int
    """Pairs that they called alike: no metric is held against them."""
    divided: int
    """Pairs that they are divided over: likewise."""
    resolved: int
    """Pairs that were settled after a discussion."""
    annotators: Mapping[str, int]
    """Who chose → pairs, before anything was settled."""
    same: Proportion
    """Of the pairs that several chose from, those of which all chose the same."""
    kappa: Kappa | None
    """Of two annotators Cohen's, of more Fleiss'; None where chance leaves nothing to agree on."""


def labels_of(found: LabelledPairs, dimension: Dimension) -> DimensionLabels:
    """What people chose of a release's pairs in a dimension."""
    some = [each for each in found.labelled if each.dimension == dimension]
    counts = Counter(each.choice for each in some)
    several = [each for each in some if len(each.votes) > 1]
    clusters = codes_of([" ".join(each.pair.question.casefold().split()) for each in several])
    same = proportion(np.array([len(set(each.votes.values())) == 1 for each in several], dtype=bool), clusters)
    return DimensionLabels(
        first=counts["first"],
        second=counts["second"],
        tie=counts["tie"],
        divided=counts[None],
        resolved=sum(each.was_resolved for each in some),
        annotators=dict(Counter(name for each in some for name in each.votes)),
        same=same,
        kappa=_kappa(several, clusters) if several else None,
    )


def _kappa(several: Sequence[LabelledPair], clusters: Ints) -> Kappa | None:
    names = sorted({name for each in several for name in each.votes})
    if len(names) == 2:
        one, other = (
            np.array([_CHOICES.index(each.votes[name]) for each in several], dtype=np.int64) for name in names
        )
        return cohen_kappa(one, other, clusters)
    counts = [[list(each.votes.values()).count(choice) for choice in _CHOICES] for each in several]
    return fleiss_kappa(np.array(counts, dtype=np.int64), clusters)
