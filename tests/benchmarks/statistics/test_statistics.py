"""Intervals and tests over semantic groups."""

import itertools
import math
import random
from typing import Any

import numpy as np
import pytest

from benchwright.benchmarks.statistics.consistency import pair_agreement, pair_consistency, within_cluster_correlation
from benchwright.benchmarks.statistics.differences import independent_mean_difference
from benchwright.benchmarks.statistics.intervals import (
    Interval,
    Sample,
    bootstrap_t,
    codes_of,
    resamples_for,
)
from benchwright.benchmarks.statistics.power import (
    groups_to_detect,
    least_share_found,
    minimum_detectable_difference,
)
from benchwright.benchmarks.statistics.shares import clustered_share, few_hold_most
from benchwright.benchmarks.statistics.tests import holm


def drawn(values: Any, clusters: Any, *, seed: int = 0) -> Interval | None:
    """The studentised interval of a mean whose clusters may be named by any keys."""
    return bootstrap_t(Sample(np.asarray(values, dtype=float), codes_of(clusters)), seed=seed)


def test_the_bootstrap_is_deterministic_and_by_group() -> None:
    levels = [source / 40 for source in random.Random(1).sample(range(40), 40)]
    values = [level for level in levels for _ in range(3)]
    groups = [number // 3 for number in range(120)]
    interval = drawn(values, groups, seed=1)
    assert interval == drawn(values, groups, seed=1) != drawn(values, groups, seed=2)
    assert interval is not None and interval.value == pytest.approx(sum(levels) / 40)
    alone = drawn(values, list(range(120)), seed=1)
    assert alone is not None
    ratio = (interval.high - interval.low) / (alone.high - alone.low)
    assert ratio == pytest.approx(math.sqrt(3), rel=0.1)


def test_the_bootstrap_at_its_edges() -> None:
    assert drawn([], []) is None and drawn([1.0, 0.0], ["a", "a"]) is None
    with pytest.raises(ValueError, match="2 values and 1 clusters: each value needs its own"):
        drawn([1.0, 0.0], ["a"])
    with pytest.raises(ValueError, match="a value is not finite: leave out what is unscored"):
        drawn([1.0, float("nan")], ["a", "b"])
    assert [resamples_for(groups) for groups in (1, 1_000, 2_500, 100_000)] == [10_000, 10_000, 4_000, 1_000]


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_minimum_detectable_difference() -> None:
    assert minimum_detectable_difference(108) == pytest.approx(0.26029, abs=1e-5)
    assert minimum_detectable_difference(157) == pytest.approx(0.21820, abs=1e-5)
    assert minimum_detectable_difference(10_000) == pytest.approx(0.028, abs=1e-4)
    assert minimum_detectable_difference(1) < 1
    with pytest.raises(ValueError, match="0 groups: at least one is needed"):
        minimum_detectable_difference(0)
    assert [groups_to_detect(difference) for difference in (0.05, 0.02, 0.01, 1.0)] == [3132, 19615, 78481, 1]
    for groups in (1, 3, 108, 10_000):
        assert groups_to_detect(minimum_detectable_difference(groups)) == groups
    difference, groups = minimum_detectable_difference(400), 400
    deviation = math.sqrt(1 - difference**2)
    assert difference == pytest.approx((1.959964 + 0.841621) * deviation / math.sqrt(groups), abs=1e-6)


@pytest.mark.parametrize(("count", "least"), [(6, 6), (20, 15), (33, 23), (50, 33), (1000, 532)])
def test_the_least_share_that_a_sign_test_finds(count: int, least: int) -> None:
    """`least` of so many is the smallest number that is significant, by the binomial distribution written out."""

    def at_least(number: int, share: float) -> float:
        return sum(math.comb(count, k) * share**k * (1 - share) ** (count - k) for k in range(number, count + 1))

    assert 2 * at_least(least, 0.5) < 0.05 <= 2 * at_least(least - 1, 0.5)
    share = least_share_found(count)
    assert share is not None and at_least(least, share) == pytest.approx(0.8, abs=1e-9)


def test_too_few_for_a_sign_test() -> None:
    assert [least_share_found(count) for count in (0, 1, 5)] == [None, None, None]


def test_consistency_does_not_depend_on_the_number_of_wordings() -> None:
    assert [pair_consistency(*counts) for counts in ((0, 1), (1, 2), (2, 2), (2, 3), (5, 10))] == [
        None,
        0,
        1,
        1 / 3,
        2 / 9,
    ]
    outcomes = [(True, True, False, True)[:3], (True, True, False, True)]
    subsets = [(a, b, c) for a in range(4) for b in range(a) for c in range(b)]
    full = pair_consistency(3, 4)
    mean = sum(pair_consistency(sum(outcomes[1][i] for i in subset), 3) or 0 for subset in subsets) / len(subsets)
    assert full == pytest.approx(mean)


def test_agreement_of_wordings_does_not_depend_on_their_number() -> None:
    assert [pair_agreement(*counts) for counts in ((0, 1), (0, 2), (1, 2), (2, 2), (1, 4))] == [None, 1, 0, 1, 1 / 2]
    pairs = list(itertools.combinations((True, True, True, False, False), 2))
    assert pair_agreement(3, 5) == pytest.approx(sum(one == two for one, two in pairs) / len(pairs))


def test_within_cluster_correlation() -> None:
    assert within_cluster_correlation([[True, True], [False, False]]) == 1.0
    assert within_cluster_correlation([[True, False], [True, False]]) == -1.0
    assert within_cluster_correlation([[True, True, False], [False, False], [True, True]]) == pytest.approx(15 / 31)
    assert within_cluster_correlation([[True, True]]) is None
    assert within_cluster_correlation([[True], [False]]) is None
    assert within_cluster_correlation([[True, True], [True, True]]) is None


GRADES = (2.0, 10.0)


def clustered(generator: np.random.Generator, clusters: int, share: float, alike: float, start: int = 0) -> Sample:
    """Grades of 2 and 10 in clusters of one to three, each the same as its cluster's with a chance of `alike`."""
    sizes = generator.integers(1, 4, size=clusters)
    own = generator.random(clusters) < share
    codes = np.repeat(np.arange(clusters), sizes)
    single = generator.random(len(codes)) < share
    hits = np.where(generator.random(len(codes)) < alike, own[codes], single)
    return Sample(np.where(hits, 10.0, 2.0), codes + start)


@pytest.mark.parametrize(("first", "second", "share"), [(6, 40, 0.2), (15, 15, 0.5), (30, 12, 0.1)])
def test_the_difference_of_different_questions_keeps_its_level(first: int, second: int, share: float) -> None:
    generator, found = np.random.default_rng(5), 0
    trials = 200
    for seed in range(trials):
        one = clustered(generator, first, share, 0.7)
        other = clustered(generator, second, share, 0.7, start=1000)
        tested = independent_mean_difference(one, other, limits=GRADES, seed=seed, resamples=199)
        assert tested is not None
        found += tested.p <= 0.05
    assert found / trials <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / trials)


def test_clusters_that_lie_in_both_sides_count_once() -> None:
    """Articles that differ much between each other, with a question on either side: only within them is there news."""
    generator = np.random.default_rng(2)
    levels, places = generator.normal(6, 3, size=40), np.arange(40)
    found = 0
    for seed in range(100):
        one, other = (Sample(levels + generator.normal(0, 0.5, size=40), places) for _ in range(2))
        tested = independent_mean_difference(one, other, limits=GRADES, seed=seed, resamples=199)
        assert tested is not None and tested.clusters == 40
        found += tested.p <= 0.05
    assert found <= 12
    shifted = Sample(levels + 0.5 + generator.normal(0, 0.5, size=40), places)
    tested = independent_mean_difference(shifted, Sample(levels, places), limits=GRADES)
    apart = independent_mean_difference(shifted, Sample(levels, places + 100), limits=GRADES)
    assert tested is not None and tested.p < 0.001 and 0 < tested.low < 0.5 < tested.high
    assert apart is not None and apart.p > 0.3, "as articles of their own it is lost in what they differ"


def test_differences_at_their_edges() -> None:
    ten, two = (Sample(np.full(8, value), np.arange(8)) for value in (10.0, 2.0))
    apart = independent_mean_difference(ten, Sample(two.values, np.arange(8, 16)), limits=GRADES)
    assert apart is not None and (apart.value, apart.high, apart.clusters) == (8, 8, 16)
    assert apart.p < 0.001 and 0 < apart.low < 8
    alike = independent_mean_difference(ten, Sample(ten.values, np.arange(8, 16)), limits=GRADES)
    assert alike is not None and (alike.value, alike.p) == (0, 1) and alike.low < 0 < alike.high
    assert independent_mean_difference(ten, Sample(np.ones(3), np.zeros(3, int)), limits=GRADES) is None


@pytest.mark.parametrize(
    ("clusters", "share", "alike"), [(5, 0.1, 0.7), (20, 0.5, 0.7), (60, 0.02, 0.5), (12, 0.9, 1.0)]
)
def test_intervals_of_clustered_shares_hold_the_share(clusters: int, share: float, alike: float) -> None:
    generator, held = np.random.default_rng(3), 0
    for _ in range(400):
        sample = clustered(generator, clusters, share, alike)
        found = clustered_share(Sample((sample.values > 5).astype(float), sample.clusters))
        assert found is not None and 0 <= found.low <= found.value <= found.high <= 1
        held += found.low <= share <= found.high
    assert held / 400 >= 0.92


def test_shares_of_single_questions_are_wilsons() -> None:
    from scipy.stats import binomtest

    values = np.array([1.0] * 30 + [0.0] * 170)
    found = clustered_share(Sample(values, np.arange(200)))
    wilson = binomtest(30, 200).proportion_ci(method="wilson")
    assert found is not None and (found.low, found.high) == pytest.approx((wilson.low, wilson.high), abs=0.002)
    whole = clustered_share(Sample(np.ones(20), np.arange(20)))
    assert whole is not None and whole.low == pytest.approx(0.82, abs=0.01) and whole.high == 1
    assert clustered_share(Sample(np.ones(3), np.zeros(3, int))) is None


def test_a_share_of_three_groups_worked_by_hand() -> None:
    """3 of 4, 4 of 4, 0 of 3: worth at least 121 / 41 outcomes, as which they count: two groups make the variance."""
    found = clustered_share(Sample(np.array([1.0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0]), np.repeat([0, 1, 2], [4, 4, 3])))
    from scipy.stats import beta

    spread = 4.302652730**2 / (121 / 41)
    middle, half = (7 / 11 + spread / 2) / (1 + spread), math.sqrt(28 / 121 * spread + spread**2 / 4) / (1 + spread)
    assert found is not None and found.low == pytest.approx(middle - half)
    worth = 1.959963985**2 / spread
    of_few = 1 - float(beta.ppf(0.05, 4 / 11 * worth, 7 / 11 * worth + 1))
    assert found.high == pytest.approx(of_few) and of_few > middle + half


def test_many_clusters_count_by_their_variance() -> None:
    """40 groups of ten, of which half answer 6 and half 8 rightly: worth 0.21 / variance, by 39 degrees of freedom."""
    values = np.concatenate([np.repeat([1.0, 0.0], [right, 10 - right]) for right in [6, 8] * 20])
    found = clustered_share(Sample(values, np.repeat(np.arange(40), 10)))
    variance = 40 / 39 * 40 * 1 / 400**2
    spread = 2.022690920**2 / min(400, 0.21 / variance)
    assert found is not None and found.value == pytest.approx(0.7)
    assert found.low == pytest.approx((0.7 + spread / 2 - math.sqrt(0.21 * spread + spread**2 / 4)) / (1 + spread))


def test_of_groups_of_which_few_have_most_the_variance_is_not_believed() -> None:
    """One group of 20 with 18 right and four of one, right: worth 24² / 404, whatever they answered."""
    values = np.concatenate([np.ones(18), np.zeros(2), np.ones(4)])
    found = clustered_share(Sample(values, np.repeat(np.arange(5), [20, 1, 1, 1, 1])))
    share, spread = 22 / 24, 2.776445105**2 / (24**2 / 404)
    half = math.sqrt(share * (1 - share) * spread + spread**2 / 4) / (1 + spread)
    assert found is not None and found.low == pytest.approx((share + spread / 2) / (1 + spread) - half)
    assert few_hold_most(np.array([1000.0, 1])) and not few_hold_most(np.array([2.0, 1]))
    assert not few_hold_most(np.ones(1)) and not few_hold_most(np.arange(1.0, 21))


def test_grades_that_are_all_alike_have_an_interval_and_no_limit_is_passed() -> None:
    top, middle = (clustered_share(Sample(np.full(20, grade), np.arange(20)), limits=GRADES) for grade in (10.0, 6.0))
    assert (
        top is not None
        and (top.value, top.high) == (10, 10)
        and top.low == pytest.approx(2 + 8 * 20 / (20 + 2.0930**2), abs=1e-3)
    )
    assert middle is not None and 2 < middle.low < 6 < middle.high < 10
    with pytest.raises(ValueError, match="a value is not between 2 and 10"):
        clustered_share(Sample(np.array([1.0, 3.0]), np.arange(2)), limits=GRADES)


@pytest.mark.parametrize("ratings", [[5.0] * 19 + [4.1], [0.0, 2.0, 2.0, 2.0], [0.3, 0.1]])
def test_rounding_is_no_spread_of_a_resample(ratings: list[float]) -> None:
    """Resamples that are all alike have no standard error, though rounding may leave 1e-17 of one."""
    found = bootstrap_t(Sample(np.array(ratings), np.arange(len(ratings))))
    assert found is None or found.high - found.low < 100


def test_the_studentised_bootstrap_bends_to_skewed_values() -> None:
    from scipy import stats

    generator = np.random.default_rng(4)
    values = generator.exponential(size=60)
    found = bootstrap_t(Sample(values, np.arange(60)), resamples=4000)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=4000, method="BCa", rng=1).confidence_interval
    assert found is not None and found.value == pytest.approx(values.mean())
    assert found.high - found.value > found.value - found.low
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), rel=0.08)
    right = Sample(np.repeat([1.0, 0.0], 200), np.arange(400))
    drawn = bootstrap_t(right, resamples=4000)
    normal = 0.5 - 1.96 * 0.5 / math.sqrt(400)
    assert (
        drawn is not None
        and drawn.low == pytest.approx(normal, abs=0.003)
        and drawn == bootstrap_t(right, resamples=4000)
    )
    assert bootstrap_t(Sample(np.ones(9), np.arange(9))) is None
    assert bootstrap_t(Sample(values[:3], np.zeros(3, int))) is None
