"""The rows of Table 2: accuracy and robustness of two sides in a sample, and a test of their groups.

The test is of pairs where both sides have the same groups, and else of two samples.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from benchwright.benchmarks.comparisons.between_samples import Groups, Judged, Sides, several
from benchwright.benchmarks.reports.grammar_figures import tag_group
from benchwright.benchmarks.reports.share import Share, share, share_of
from benchwright.benchmarks.statistics.differences import Difference, independent_mean_difference
from benchwright.benchmarks.statistics.intervals import Sample, resamples_for
from benchwright.benchmarks.statistics.paired import PairedComparison, compare_pair
from benchwright.benchmarks.statistics.tests import holm

Figure = Literal["accuracy", "robustness"]
Sampling = Literal["unbalanced", "stratified"]
TestOf = Literal["pairs", "two samples"]
LEVEL = 0.05
METHODS = {
    "pairs": "sign flips of whole semantic groups that both sides have, of robustness of those that are a gap in "
    "neither; two-sided, with intervals of 95 % by Student's t over groups",
    "two samples": "permutations of whole semantic groups between the sides, which share no two, by the studentised "
    "difference of their means (Chung and Romano 2013); two-sided, with intervals of 95 % by Welch's t over groups",
}
"""Of each test, what it does."""
NO_WORDINGS = "a side has no group of which two wordings were judged"
NO_PARTS = "the groups are of one table and one template, so that there is none to lose questions"


@dataclass(frozen=True, slots=True)
class GroupTest:
    """First minus second, of means of groups."""

    of: TestOf
    """`pairs`: within the groups that both sides have, of robustness those that are a gap in neither. `two samples`: of
    all groups, of robustness those that are no gap, where fewer than two are on both sides."""
    difference: float
    low: float
    """Of the interval of 95 %, not corrected."""
    high: float
    p: float
    """Two-sided, by sign flips of whole semantic groups, or by permutations of them between two samples."""
    p_corrected: float
    """By Holm, for the tests of this table."""
    higher: Literal["first", "second"] | None
    """Which side is shown to be higher; null where neither is."""
    groups: int
    """Of two samples those of both together."""
    first_better: int | None
    """Groups; null of two samples."""
    second_better: int | None
    equal: int | None


@dataclass(frozen=True, slots=True)
class Table2Row:
    """One row of Table 2."""

    figure: Figure
    sampling: Sampling
    modular: bool
    """Errors of the language model are removed."""
    first: Share
    second: Share
    success: bool | None
    """Whether the first is higher; null where one of them is not available."""
    successes: int | None
    """Of the unbalanced samples of `draws` seeds, in how many it is higher; null of a sample that is not drawn so."""
    test: GroupTest | None
    reason: str | None
    """Why there is no test."""


@dataclass(frozen=True, slots=True)
class SideOfSample:
    """What a sample holds of a side."""

    questions: int
    groups: int
    """With two questions or more."""
    once: int
    """Groups that are left out: only one of their questions is in the sample."""
    gap_share: Share
    """Questions in gap groups: what an unbalanced sample changes."""
    model_errors: int | None
    """Wrong answers whose retrieval was right: what `modular` removes; null where no retrieval was judged."""
    retrieval_unknown: int
    """Questions whose retrieval was not judged: `modular` leaves them out."""


@dataclass(frozen=True, slots=True)
class SampleFacts:
    """One of the two samples."""

    sampling: Sampling
    first: SideOfSample
    second: SideOfSample
    reason: str | None = None
    """Why there is none."""


def sample_facts(sampling: Sampling, sides: Sides | str) -> SampleFacts:
    """What a sample holds of both sides, or why there is none."""
    if isinstance(sides, str):
        nothing = SideOfSample(0, 0, 0, share(0, 0, sides), None, 0)
        return SampleFacts(sampling, nothing, nothing, sides)
    first, second = (_side(each) for each in sides)
    return SampleFacts(sampling, first, second)


def _side(groups: Groups) -> SideOfSample:
    kept = several(groups)
    questions = [each for group in kept.values() for each in group]
    known = [each for each in questions if each.right_without_model is not None]
    return SideOfSample(
        questions=len(questions),
        groups=len(kept),
        once=len(groups) - len(kept),
        gap_share=share_of([_is_gap(kept[each.group]) for each in questions], "there is no question"),
        model_errors=sum(bool(each.right_without_model) and not each.correct for each in known) if known else None,
        retrieval_unknown=len(questions) - len(known),
    )


def _is_gap(group: Sequence[Judged]) -> bool:
    return tag_group([each.correct for each in group]) == "gap"


def table_row(figure: Figure, sampling: Sampling, modular: bool, sides: Sides | str, drawn: list[Sides]) -> Table2Row:
    """A row, its test not yet corrected."""
    if isinstance(sides, str):
        nothing = share(0, 0, sides)
        return Table2Row(figure, sampling, modular, nothing, nothing, None, None, None, f"not tested: {sides}")
    first, second = _values(sides, figure, modular)
    test, reason = _test(sides, figure, modular)
    successes = None
    if sampling == "unbalanced" and drawn:
        successes = sum(_is_higher(*_values(each, figure, modular)) is True for each in drawn)
    return Table2Row(figure, sampling, modular, first, second, _is_higher(first, second), successes, test, reason)


def _is_higher(first: Share, second: Share) -> bool | None:
    return None if first.value is None or second.value is None else first.value > second.value


def _values(sides: Sides, figure: Figure, modular: bool) -> tuple[Share, Share]:
    first, second = (_value(several(side), figure, modular) for side in sides)
    return first, second


def _value(groups: Groups, figure: Figure, modular: bool) -> Share:
    """Accuracy, or robustness (equation 1): the same without gap groups."""
    kept = [group for group in groups.values() if figure == "accuracy" or not _is_gap(group)]
    outcomes = [right for group in kept for right in _outcomes(group, modular)]
    if not kept:
        return share_of([], "every group is a gap group" if groups else "no group is left")
    return share_of(outcomes, "no retrieval was judged")


def _outcomes(group: Sequence[Judged], modular: bool) -> list[bool]:
    if not modular:
        return [each.correct for each in group]
    return [each.right_without_model for each in group if each.right_without_model is not None]


def test_of(sides: Sides) -> TestOf:
    """The test that sides can be put to: of pairs where both have two groups or more in common."""
    first, second = (several(side) for side in sides)
    return "pairs" if len(set(first) & set(second)) > 1 else "two samples"


def _two_samples(first: Groups, second: Groups, figure: Figure, modular: bool) -> tuple[GroupTest | None, str | None]:
    samples: list[Sample] = []
    for side in (first, second):
        means = [
            sum(outcomes) / len(outcomes)
            for group in side.values()
            if (figure == "accuracy" or not _is_gap(group)) and (outcomes := _outcomes(group, modular))
        ]
        samples.append(Sample(np.array(means, dtype=float), np.arange(len(means)) + len(first) * len(samples)))
    groups = sum(len(sample.values) for sample in samples)
    found = independent_mean_difference(
        samples[0], samples[1], limits=(0.0, 1.0), resamples=resamples_for(max(groups, 1))
    )
    if found is None:
        why = "of which retrieval was judged" if modular else "that are no gap" if figure == "robustness" else "to test"
        return None, f"not tested: a side has fewer than two groups {why}"
    return _not_corrected("two samples", found), None


def _test(sides: Sides, figure: Figure, modular: bool) -> tuple[GroupTest | None, str | None]:
    first, second = (several(side) for side in sides)
    if test_of(sides) == "two samples":
        return _two_samples(first, second, figure, modular)
    names = [name for name in first if name in second]
    if figure == "robustness":
        names = [name for name in names if not _is_gap(first[name]) and not _is_gap(second[name])]
    pairs = [
        (one, two)
        for name in names
        if (one := _outcomes(first[name], modular)) and (two := _outcomes(second[name], modular))
    ]
    if len(pairs) < 2:
        why = "of which retrieval was judged" if modular else "that are a gap in neither"
        return None, f"not tested: both sides have fewer than two groups {why}"
    one, two = (np.array([sum(pair[side]) / len(pair[side]) for pair in pairs]) for side in (0, 1))
    found = compare_pair(one, two, np.arange(len(pairs)))
    assert found is not None  # there are two groups
    return replace(
        _not_corrected("pairs", found),
        first_better=found.first_larger,
        second_better=found.second_larger,
        equal=found.equal,
    ), None


def _not_corrected(of: TestOf, found: Difference | PairedComparison) -> GroupTest:
    """A test before the correction for the number of tests, without the counts that only pairs have."""
    return GroupTest(
        of=of,
        difference=found.value,
        low=found.low,
        high=found.high,
        p=found.p,
        p_corrected=found.p,
        higher=None,
        groups=found.clusters,
        first_better=None,
        second_better=None,
        equal=None,
    )


def corrected(rows: list[Table2Row]) -> list[Table2Row]:
    """The rows with their tests corrected for their number."""
    p_values = iter(holm([row.test.p for row in rows if row.test is not None]))
    return [row if row.test is None else replace(row, test=_decided(row.test, next(p_values))) for row in rows]


def _decided(test: GroupTest, p: float) -> GroupTest:
    is_shown = p < LEVEL and not test.low <= 0 <= test.high
    higher = None if not is_shown else "first" if test.difference > 0 else "second"
    return replace(test, p_corrected=p, higher=higher)
