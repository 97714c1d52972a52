"""Several systems at once: one level for all pairs, intervals that hold together, ranks that are left open."""

import math

import numpy as np
import pytest
from scipy import stats

from benchwright.benchmarks.statistics.joint import JointComparison, compare_jointly
from benchwright.benchmarks.statistics.paired import compare_pair


def compared(values: np.ndarray, clusters: np.ndarray | None = None, **settings: object) -> JointComparison:
    """Clusters of one unless given."""
    groups = np.arange(len(values)) if clusters is None else clusters
    found = compare_jointly(values, groups, **settings)  # pyright: ignore[reportArgumentType]
    assert found is not None
    return found


def test_all_signs_of_three_systems_by_hand() -> None:
    """Eight groups, of which A has all, B half and C none: every signing is tried here in plain words."""
    values = np.array([[1, number % 2, 0] for number in range(8)], dtype=float)
    found = compared(values)
    pairs = [(0, 1), (0, 2), (1, 2)]
    assert found.pairs.tolist() == [list(pair) for pair in pairs]
    differences = [values[:, i] - values[:, j] for i, j in pairs]
    signs = np.array([[1 - 2 * ((number >> bit) & 1) for bit in range(8)] for number in range(256)])
    ratios = np.array([np.abs(signs @ each) / math.sqrt(each @ each) for each in differences])
    largest = ratios.max(axis=0)
    expected = [np.mean(largest >= ratio[0] - 1e-9) for ratio in ratios]
    assert found.p.tolist() == pytest.approx(expected) and expected[1] == 2 / 256
    assert found.means.tolist() == [1, 0.5, 0] and found.differences.tolist() == [0.5, 1, 0.5]
    assert found.errors.tolist() == pytest.approx([math.sqrt(2 / 7 / 8), 0, math.sqrt(2 / 7 / 8)])
    assert found.separated.tolist() == [False, True, False]
    assert found.ranks.tolist() == [[1, 2], [1, 3], [2, 3]]
    worse = compared(values, higher_is_better=False)
    assert worse.ranks.tolist() == [[2, 3], [1, 3], [1, 2]]


def test_two_systems_are_a_pair() -> None:
    source = np.random.default_rng(4)
    clusters = np.repeat(np.arange(60), source.integers(1, 6, size=60))
    values = (source.random((len(clusters), 2)) < (0.7, 0.6)).astype(float)
    joint, pair = compared(values, clusters), compare_pair(values[:, 0], values[:, 1], clusters)
    assert pair is not None and joint.p[0] == pytest.approx(pair.p, abs=0.012)
    assert (joint.differences[0], joint.errors[0]) == (pytest.approx(pair.value), pytest.approx(pair.error))
    assert (joint.low[0], joint.high[0]) == pytest.approx((pair.low, pair.high), abs=0.02)
    assert joint.clusters == pair.clusters == 60


def test_whole_and_real_values_are_flipped_alike() -> None:
    """Sums of whole numbers are added up in half the space: the same flips, the same figures."""
    source = np.random.default_rng(7)
    clusters = source.integers(0, 50, size=150)
    values = (source.random((150, 5)) < 0.6).astype(float)
    whole, real = compared(values, clusters), compared(values / 3, clusters, limits=(0.0, 1 / 3))
    assert whole.p.tolist() == real.p.tolist()
    assert (whole.low / 3).tolist() == pytest.approx(real.low.tolist(), rel=1e-5)
    assert whole.p.tolist() == compared(values.astype(np.float32), clusters).p.tolist()


def test_a_copy_is_never_separated_from_its_original() -> None:
    source = np.random.default_rng(1)
    values = source.random((300, 4))
    values[:, 3] = values[:, 0]
    values[:, 2] -= np.minimum(0.5, values[:, 2])
    found = compared(values)
    copy = found.pairs.tolist().index([0, 3])
    assert (found.differences[copy], found.errors[copy], found.p[copy]) == (0, 0, 1)
    assert not found.separated[copy] and found.low[copy] < 0 < found.high[copy]
    assert found.ranks[0].tolist() == found.ranks[3].tolist() == [1, 3]
    # a difference that rounding alone makes is none
    values[:, 3] = values[:, 0] * 3 / 3 + 1e-17
    assert compared(values).p[copy] == 1
    # and one that is small but the same way in every group is found
    values[:, 3] = np.maximum(0, values[:, 0] - 1e-6)
    assert compared(values).separated[copy]


def test_systems_that_are_all_alike() -> None:
    for level in (0.0, 1.0):
        found = compared(np.full((40, 3), level))
        assert found.p.tolist() == [1, 1, 1] and not found.separated.any()
        assert found.ranks.tolist() == [[1, 3]] * 3
        critical = stats.t.ppf(0.975, 39)
        half = critical * math.sqrt(40 / 39 * critical**2 / 4) / 40
        assert found.high.tolist() == pytest.approx([half] * 3) and found.low.tolist() == pytest.approx([-half] * 3)


def test_few_groups_separate_nothing() -> None:
    values = np.zeros((4, 3))
    values[:, 0] = 1
    found = compared(values)
    assert found.p.tolist() == [2 / 16, 2 / 16, 1] and not found.separated.any()
    assert compare_jointly(values, np.zeros(4, int)) is None
    assert compare_jointly(values[:, :1], np.arange(4)) is None
    assert compare_jointly(values[:1], np.arange(1)) is None
    assert compare_jointly(values[:0], np.arange(0)) is None


def test_what_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match=r"values of shape \(2, 2\) and 3 clusters: a row for each question"):
        compare_jointly(np.ones((2, 2)), np.arange(3))
    with pytest.raises(ValueError, match="a value is not finite: leave out what is unscored"):
        compare_jointly(np.array([[1, np.nan], [0, 1]]), np.arange(2))
    with pytest.raises(ValueError, match="a value is not between 0 and 1"):
        compare_jointly(np.full((3, 2), 5.0), np.arange(3))


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    compared(np.eye(20), resamples=500, progress=lambda *what: told.append(what))
    assert told[-1] == ("flips", 500, 500)
