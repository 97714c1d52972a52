"""Shares of robust, non-robust and gap groups of a run and its forms at one number of wordings: those that compare."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.reports.answers.outcomes import judged_questions
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.groups import Group, all_groups, by_form, collect
from benchwright.benchmarks.statistics.wordings import GroupCounts, ThinnedTags, equal_wordings, thinned_tags


@dataclass(frozen=True, slots=True)
class EqualWordings:
    """Shares of tags, had each group been asked in the same number of wordings: over all forms and within each."""

    wordings: int
    all: ThinnedTags
    forms: Mapping[str, ThinnedTags]


def at_equal_wordings(run: RunData) -> EqualWordings | None:
    """At the number of wordings that all forms and each of them have, but forms of which no group was judged twice."""
    correct = judged_questions(run)
    counted = {name: _counts(collect(run.questions, correct, mask)) for name, mask in by_form(run.questions)}
    sides = {name: side for name, side in counted.items() if (side.wordings > 1).any()}
    every = _counts(all_groups(run))
    number = equal_wordings([every.wordings, *(side.wordings for side in sides.values())])
    if number is None:
        return None
    thinned = thinned_tags(every, number)
    forms = {name: found for name, side in sides.items() if (found := thinned_tags(side, number)) is not None}
    return EqualWordings(number, thinned, forms) if thinned is not None else None


def _counts(groups: Sequence[Group]) -> GroupCounts:
    correct, wordings = ([rule(group.outcomes) for group in groups] for rule in (sum, len))
    codes = [group.code for group in groups]
    return GroupCounts(*(np.array(column, dtype=np.int64) for column in (codes, correct, wordings)))
