"""What systems said where all were judged: right, wrong or abstained; and how alike wordings of one group go."""

from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.comparisons.read import CORRECT, Compared
from benchwright.benchmarks.statistics.wordings import ThinnedTags, equal_wordings, group_counts, thinned_tags

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
    tags: ThinnedTags


@dataclass(frozen=True, slots=True)
class ComparedWordings:
    """Groups that are right in all, some or none of their wordings."""

    reason: str | None
    """Why there is nothing to compare."""
    wordings: int | None
    """The number at which all are compared."""
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
        return ComparedWordings(NO_CORRECT, None, ())
    wanted = compared.common(CORRECT) & (compared.questions.group.codes >= 0)
    clusters, values = compared.questions.clusters[wanted], compared.scored[CORRECT].values[wanted]
    number = equal_wordings([np.unique(clusters, return_counts=True)[1]])
    if number is None:
        return ComparedWordings(NO_WORDINGS, None, ())
    counts = [group_counts(column > 0.5, clusters) for column in values.T]
    tags = [(name, thinned_tags(each, number)) for name, each in zip(compared.names, counts, strict=True)]
    found = tuple(RunTags(name, each) for name, each in tags if each is not None)
    return ComparedWordings(None if found else NO_WORDINGS, number, found)
