"""What systems said where all were judged: right, wrong or abstained; and how alike wordings of one group go."""

from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.comparisons.compared import CORRECT, Compared
from benchwright.benchmarks.statistics.intervals import Interval, Sample
from benchwright.benchmarks.statistics.shares import clustered_share
from benchwright.benchmarks.statistics.wordings import (
    GroupCounts,
    ThinnedTags,
    equal_wordings,
    group_counts,
    thinned_tags,
)

NO_CORRECT = "answers are not compared by `correct`"
NO_WORDINGS = "no group has two wordings that all systems have a score of"


@dataclass(frozen=True, slots=True)
class AnswerShares:
    """One system's answers to the questions that all have a score of; shares that add up to 1."""

    run: str
    correct: float
    wrong: float
    abstained: float


@dataclass(frozen=True, slots=True)
class RunTags:
    """One system's groups, each at the same number of wordings."""

    run: str
    agreement: Interval
    """How often two wordings of a group are both right or both wrong, whatever their number."""
    tags: ThinnedTags


@dataclass(frozen=True, slots=True)
class ComparedWordings:
    """Groups that are right in all, some or none of their wordings."""

    reason: str | None
    """Why there is nothing to compare."""
    wordings: int | None
    """The number at which all are compared."""
    groups: int
    """With two wordings or more that all systems have a score of."""
    systems: tuple[RunTags, ...]


def answer_shares(compared: Compared) -> tuple[AnswerShares, ...]:
    """Of each system, in the order given; none where answers were not judged."""
    scored = compared.scored.get(CORRECT)
    if scored is None or scored.abstained is None:
        return ()
    common = compared.common(CORRECT)
    if not common.any():
        return ()
    right = scored.values[common].mean(axis=0, dtype=float).tolist()
    said = scored.abstained[common].mean(axis=0, dtype=float).tolist()
    return tuple(
        AnswerShares(name, correct, max(0.0, 1 - correct - abstained), abstained)
        for name, correct, abstained in zip(compared.names, right, said, strict=True)
    )


def compare_wordings(compared: Compared) -> ComparedWordings:
    """Shares of groups by how their wordings go, all systems at one number of wordings.

    A question that was answered several times counts as right where more than half of its answers are.
    """
    if CORRECT not in compared.scored:
        return ComparedWordings(NO_CORRECT, None, 0, ())
    wanted = compared.common(CORRECT) & (compared.questions.group.codes >= 0)
    clusters, values = compared.questions.clusters[wanted], compared.scored[CORRECT].values[wanted]
    number = equal_wordings([np.unique(clusters, return_counts=True)[1]])
    if number is None:
        return ComparedWordings(NO_WORDINGS, None, 0, ())
    found = []
    for name, column in zip(compared.names, values.T, strict=True):
        counts = group_counts(column > 0.5, clusters)
        tags, agreement = thinned_tags(counts, number), _agreement(counts)
        if tags is not None and agreement is not None:
            found.append(RunTags(name, agreement, tags))
    several = int((np.unique(clusters, return_counts=True)[1] > 1).sum())
    return ComparedWordings(None if found else NO_WORDINGS, number, several, tuple(found))


def _agreement(counts: GroupCounts) -> Interval | None:
    """How often two wordings of a group agree, each group with two or more counting as one; see `pair_agreement`."""
    several = counts.wordings > 1
    right, total = counts.correct[several], counts.wordings[several]
    agreed = 1 - 2 * right * (total - right) / (total * (total - 1))
    return clustered_share(Sample(agreed, np.arange(len(agreed))))
