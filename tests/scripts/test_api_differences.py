"""Scores that lie in no run, compared from Python."""

import pytest

import benchwright
from benchwright import UsageError

OLD = [1, 0, 0, 0, 0, 1, 0, 0]
NEW = [1, 1, 1, 1, 1, 1, 1, 1]


def test_a_pair_of_scores() -> None:
    found = benchwright.compare_pair(NEW, OLD, "abcdefgh")
    assert (found.value, found.clusters, found.first_larger, found.equal) == (0.75, 8, 6, 2)
    assert found.p == pytest.approx(2 / 2**6) and found.separated
    assert benchwright.compare_pair(NEW, OLD, "abcdefgh", alternative="greater").p == pytest.approx(1 / 2**6)
    assert benchwright.compare_pair(OLD, NEW, "abcdefgh", alternative="greater", null=-0.9).p < 0.5
    grades = benchwright.compare_pair([5, 4, 5], [1, 2, 2], ["x", "y", "z"], limits=(1, 5))
    assert grades.value == 3 and not grades.separated and grades.high == 4


def test_several_systems() -> None:
    found = benchwright.compare_jointly({"new": NEW, "old": OLD, "again": list(NEW)}, range(8))
    assert found.separated.tolist() == [True, False, True]
    assert found.ranks.tolist() == [[1, 2], [3, 3], [1, 2]]
    lower = benchwright.compare_jointly({"new": NEW, "old": OLD}, range(8), higher_is_better=False)
    assert lower.ranks.tolist() == [[2, 2], [1, 1]]


def test_what_cannot_be_compared_is_said_in_a_line() -> None:
    one_group = "all questions are of one semantic group, which cannot tell what chance does: two are needed"
    with pytest.raises(UsageError, match=one_group):
        benchwright.compare_pair([1, 0], [0, 0], "aa")
    with pytest.raises(UsageError, match=one_group):
        benchwright.compare_jointly({"a": [1, 0], "b": [0, 0]}, "aa")
    with pytest.raises(UsageError, match="2 and 1 values in 2 clusters: the test is of pairs"):
        benchwright.compare_pair([1, 0], [0], "ab")
    with pytest.raises(UsageError, match="'b' has 1 scores of 2 questions: give each system all of them"):
        benchwright.compare_jointly({"a": [1, 0], "b": [0]}, "ab")
    with pytest.raises(UsageError, match="a comparison is of two systems or more"):
        benchwright.compare_jointly({"a": [1, 0]}, "ab")
    with pytest.raises(UsageError, match="a value is not between 0 and 1"):
        benchwright.compare_jointly({"a": [1, 3], "b": [0, 0]}, "ab")
    with pytest.raises(UsageError, match="a value is not finite: leave out what is unscored"):
        benchwright.compare_pair([1, float("nan")], [0, 0], "ab")
