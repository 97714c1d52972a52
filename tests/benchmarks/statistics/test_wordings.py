"""Shares of robust, non-robust and gap groups at an equal number of wordings."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import hypergeom

from benchwright.benchmarks.statistics.consistency import pair_consistency
from benchwright.benchmarks.statistics.wordings import (
    GroupCounts,
    ThinnedTags,
    equal_wordings,
    group_counts,
    tag_chances,
    thinned_tags,
)


def whole(*numbers: int) -> np.ndarray:
    return np.array(numbers, dtype=np.int64)


def test_chances_are_those_of_every_way_to_draw() -> None:
    outcomes = (True, True, True, False, False)
    drawn = list(combinations(outcomes, 2))
    gap, robust = sum(not any(pair) for pair in drawn), sum(all(pair) for pair in drawn)
    assert (gap, robust, len(drawn)) == (1, 3, 10)
    assert tag_chances(whole(3), whole(5), 2)[0] == pytest.approx([0.1, 0.6, 0.3])
    assert pair_consistency(3, 5) == pytest.approx(0.3)


def test_chances_are_the_hypergeometric_ones() -> None:
    correct = np.arange(13)
    for number in (2, 5, 12):
        found = tag_chances(correct, np.full(13, 12), number)
        assert found[:, 2] == pytest.approx(hypergeom.pmf(number, 12, correct, number))
        assert found[:, 0] == pytest.approx(hypergeom.pmf(0, 12, correct, number))
        assert found.sum(axis=1) == pytest.approx(np.ones(13))


def test_all_wordings_give_the_tags_themselves() -> None:
    counts = group_counts([True, True, False, True, False, False], whole(7, 7, 3, 3, 5, 5))
    assert counts.codes.tolist() == [3, 5, 7]
    assert tag_chances(counts.correct, counts.wordings, 2).tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 1]]


def test_shares_at_an_equal_number_do_not_depend_on_how_many_were_asked() -> None:
    generator = np.random.default_rng(0)
    chance = generator.beta(2, 1, size=20_000)
    few, many = (generator.binomial(size, chance) for size in (3, 10))
    three = thinned_tags(group_counts_of(few, 3), 3)
    ten = thinned_tags(group_counts_of(many, 10), 3)
    assert three is not None and ten is not None
    truth = 2 / 5  # E p³ of Beta(2, 1): ∫ 2p⁴
    for found in (three, ten):
        assert found.robust.value == pytest.approx(truth, abs=0.01)
        assert found.robust.low < truth < found.robust.high
    assert float((many == 10).mean()) == pytest.approx(2 / 12, abs=0.01)  # as asked: ∫ 2p¹¹, far fewer


def group_counts_of(correct: np.ndarray, wordings: int) -> GroupCounts:
    outcomes = np.arange(wordings)[None, :] < correct[:, None]
    return group_counts(outcomes.ravel().astype(float), np.repeat(np.arange(len(correct)), wordings))


def test_groups_with_fewer_wordings_are_left_out_and_counted() -> None:
    counts = group_counts([True] * 6 + [False], whole(0, 0, 0, 1, 1, 1, 2))
    found = thinned_tags(counts, 3)
    assert isinstance(found, ThinnedTags)
    assert (found.groups, found.left_out, found.robust.value, found.gap.value) == (2, 1, 1.0, 0.0)
    assert found.robust.low < 0.3, "two groups say little"
    assert thinned_tags(counts, 4) is None
    assert thinned_tags(group_counts([], whole()), 2) is None
    with pytest.raises(ValueError, match="from two on"):
        tag_chances(whole(1), whole(2), 1)
    with pytest.raises(ValueError, match="3 cannot be drawn"):
        tag_chances(whole(1), whole(2), 3)


def test_the_equal_number_is_the_largest_that_nine_groups_in_ten_have() -> None:
    assert equal_wordings([np.full(10, 5), np.full(4, 3)]) == 3
    assert equal_wordings([whole(2, *[10] * 9)]) == 10
    assert equal_wordings([whole(2, 2, *[10] * 8)]) == 2
    assert equal_wordings([whole(1, 1, 1, 4, 4)]) == 4
    assert equal_wordings([whole(1, 1), whole(4, 4)]) is None
    assert equal_wordings([]) is None
