"""Shares of groups that are robust, non-robust and gap at an equal number of wordings.

The more wordings of a group are asked, the less likely all of them are answered alike: of ten wordings that are right
nine times in ten, independently, all are right in 35 % of the groups, of two in 81 %. So such shares mean something
only beside their number of wordings, and are compared at an equal one. What a group would have been called with fewer
wordings needs no draws: it follows from how many of its wordings were right.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.statistics.intervals import Floats, Interval, Ints, Sample
from benchwright.benchmarks.statistics.shares import clustered_share

_KEPT = 0.9
"""Of the groups with several wordings, how many `equal_wordings` keeps at least, of each side."""


@dataclass(frozen=True, slots=True)
class GroupCounts:
    """Of each group, how many wordings were judged and how many of them were right."""

    codes: Ints
    """Of the groups, ascending."""
    correct: Ints
    wordings: Ints


@dataclass(frozen=True, slots=True)
class ThinnedTags:
    """The shares of groups that would have each tag, had each been asked in so many of its wordings, at random."""

    wordings: int
    groups: int
    """With as many wordings or more."""
    left_out: int
    """With fewer: nothing is known of them at this number."""
    gap: Interval
    """Groups of which no wording would be right; intervals hold 95 %, and are of this benchmark."""
    non_robust: Interval
    robust: Interval
    """Groups of which all would be."""


def group_counts(is_right: Sequence[bool] | Floats, clusters: Ints) -> GroupCounts:
    """Counts wordings and right ones by group.

    Args:
        is_right: of each wording that was judged.
        clusters: the code of its group.
    """
    codes, inverse, wordings = np.unique(clusters, return_inverse=True, return_counts=True)
    correct = np.bincount(inverse, weights=np.asarray(is_right, dtype=float), minlength=len(codes))
    return GroupCounts(codes, np.rint(correct).astype(np.int64), wordings.astype(np.int64))


def tag_chances(correct: Ints, wordings: Ints, number: int) -> Floats:
    """The chance of each group to be gap, non-robust and robust in so many of its wordings: shape (groups, 3).

    Drawn without replacement, k of n wordings of which c are right are all right with chance C(c, k) / C(n, k), and
    none is with C(n - c, k) / C(n, k) (the hypergeometric distribution): what a smaller sample would have found is
    known without error, as in rarefaction (Hurlbert 1971, Ecology 52, equation 2). Unbiased for a group whose k
    wordings are drawn from all that could be asked: both are U-statistics (Hoeffding 1948). With k = 2 the chance to be
    robust is `pair_consistency`.

    Raises:
        ValueError: fewer than two wordings are asked for, or a group has fewer.
    """
    if number < 2:
        raise ValueError(f"{number} wordings: a group has a tag from two on")
    if len(wordings) and int(wordings.min()) < number:
        raise ValueError(f"a group has {int(wordings.min())} wordings: {number} cannot be drawn of them")
    robust, gap = np.ones(len(correct)), np.ones(len(correct))
    wrong = wordings - correct
    for drawn in range(number):
        left = (wordings - drawn).astype(float)
        robust *= np.maximum(correct - drawn, 0) / left
        gap *= np.maximum(wrong - drawn, 0) / left
    return np.stack([gap, np.clip(1 - gap - robust, 0.0, 1.0), robust], axis=1)


def equal_wordings(sides: Sequence[Ints]) -> int | None:
    """The number of wordings at which sides are compared: the largest that nine groups in ten of each side have.

    Groups that were judged in one wording alone have no tag and do not count; None where a side has no other.

    Args:
        sides: of each side, a run or a form, the wordings of its groups.
    """
    several = [np.sort(side[side > 1]) for side in sides]
    if not several or any(not len(side) for side in several):
        return None
    return min(int(side[len(side) - int(np.ceil(_KEPT * len(side)))]) for side in several)


def thinned_tags(counts: GroupCounts, number: int) -> ThinnedTags | None:
    """The shares of groups with each tag at so many wordings; None of fewer than two groups that have them.

    Raises:
        ValueError: fewer than two wordings are asked for.
    """
    enough = counts.wordings >= number
    chances = tag_chances(counts.correct[enough], counts.wordings[enough], number)
    shares = [clustered_share(Sample(column, np.arange(len(column)))) for column in chances.T]
    gap, non_robust, robust = shares
    if gap is None or non_robust is None or robust is None:
        return None
    return ThinnedTags(number, len(chances), int((~enough).sum()), gap, non_robust, robust)
