"""What people chose of a release's pairs, and how far they agree among themselves."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.releases.pairs import Choice, LabelledPairs
from benchwright.benchmarks.statistics.agreement import Kappa, cohen_kappa, fleiss_kappa
from benchwright.benchmarks.statistics.intervals import Interval, Ints, Sample, codes_of
from benchwright.benchmarks.statistics.reliability import Proportion, proportion
from benchwright.benchmarks.statistics.shares import clustered_share
from benchwright.benchmarks.types import Dimension

_CHOICES: tuple[Choice, ...] = ("first", "second", "tie")
_TURNED = (1, 0, 2)
"""The choices where the candidates change places."""
Votes = Mapping[str, Choice]
"""Annotator → choice, of one pair."""


@dataclass(frozen=True, slots=True)
class VotesAgreement:
    """How far people agree who chose from the same pairs."""

    people: int
    same: Proportion
    """Of the pairs that several chose from, those of which all chose the same."""
    share: float | None
    """How often two people chose the same: of each pair that share of its twos, and the mean of these (Es et al. 2024,
    section 4, for two annotators). None of no pair."""
    interval: Interval | None
    """Of that share; None of fewer than two questions."""
    kappa: Kappa | None
    """Of two annotators Cohen's, of more Fleiss'; None where chance leaves nothing to agree on. Near 0 where nearly all
    choices are of the first candidate, however often people agree."""
    kappa_unordered: Kappa | None
    """Fleiss', each pair in both orders of its candidates: which one is called the first was not to be seen."""


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
    agreement: VotesAgreement
    """How far they agree, before anything was settled."""


def labels_of(found: LabelledPairs, dimension: Dimension) -> DimensionLabels:
    """What people chose of a release's pairs in a dimension."""
    some = [each for each in found.labelled if each.dimension == dimension]
    counts = Counter(each.choice for each in some)
    questions = [" ".join(each.pair.question.casefold().split()) for each in some]
    return DimensionLabels(
        first=counts["first"],
        second=counts["second"],
        tie=counts["tie"],
        divided=counts[None],
        resolved=sum(each.was_resolved for each in some),
        annotators=dict(Counter(name for each in some for name in each.votes)),
        agreement=agreement_of_votes([each.votes for each in some], questions),
    )


def agreement_of_votes(votes: Sequence[Votes], questions: Sequence[str]) -> VotesAgreement:
    """How far people agree.

    Args:
        votes: of each pair.
        questions: the question of each pair: intervals take these to be drawn.
    """
    kept = [place for place, each in enumerate(votes) if len(each) > 1]
    several, clusters = [votes[place] for place in kept], codes_of([questions[place] for place in kept])
    counts = np.array([list(_counts(each)) for each in several], dtype=np.int64).reshape(-1, len(_CHOICES))
    number = counts.sum(axis=1)
    shares = (counts * (counts - 1)).sum(axis=1) / (number * (number - 1))
    return VotesAgreement(
        people=len({name for each in votes for name in each}),
        same=proportion(counts.max(axis=1, initial=0) == number, clusters),
        share=float(shares.mean()) if several else None,
        interval=clustered_share(Sample(shares, clusters)) if several else None,
        kappa=_kappa(several, counts, clusters) if several else None,
        kappa_unordered=fleiss_kappa(counts, clusters, turned=_TURNED) if several else None,
    )


def _counts(votes: Votes) -> Iterator[int]:
    said = list(votes.values())
    return (said.count(choice) for choice in _CHOICES)


def _kappa(several: Sequence[Votes], counts: Ints, clusters: Ints) -> Kappa | None:
    names = sorted({name for each in several for name in each})
    if len(names) != 2:
        return fleiss_kappa(counts, clusters)
    one, other = (np.array([_CHOICES.index(each[name]) for each in several], dtype=np.int64) for name in names)
    return cohen_kappa(one, other, clusters)
