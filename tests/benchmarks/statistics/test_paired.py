"""Two systems on the same questions: sign flips, the t-test, intervals that are honest where little differs."""

import math

import numpy as np
import pytest
from scipy import stats

from benchwright.benchmarks.statistics.paired import PairedComparison, compare_pair
from benchwright.benchmarks.statistics.power import clusters_needed, detectable_difference
from benchwright.benchmarks.statistics.signs import sign_flip_p


def compared(first: list[float], second: list[float], **settings: object) -> PairedComparison:
    """Clusters of one."""
    found = compare_pair(np.array(first), np.array(second), np.arange(len(first)), **settings)  # pyright: ignore[reportArgumentType]
    assert found is not None
    return found


def test_sign_flips_by_hand() -> None:
    five = np.array([1.0, 1, 1, -1, 1])
    # of 32 signings 6 have a sum of 3 or more, 6 of -3 or less, and 31 of -3 or more
    assert sign_flip_p(five) == pytest.approx(12 / 32)
    assert sign_flip_p(five, "greater") == pytest.approx(6 / 32)
    assert sign_flip_p(five, "less") == pytest.approx(31 / 32)
    # sums of 1 and 2 and √2, of which no part is common: 2 of 8 signings reach |1 + 2 + √2|
    assert sign_flip_p(np.array([1, 2, math.sqrt(2)])) == 2 / 8
    assert sign_flip_p(np.array([1, -2, math.sqrt(2)]), "greater") == 4 / 8
    assert sign_flip_p(np.zeros(4)) == 1.0


def test_sign_flips_of_right_and_wrong_answers_are_the_exact_test_of_mcnemar() -> None:
    for more, fewer in ((14, 4), (9, 9), (400, 311), (30, 0)):
        differences = np.array([1.0] * more + [-1.0] * fewer + [0.0] * 50)
        ours, theirs = sign_flip_p(differences), stats.binomtest(more, more + fewer).pvalue
        assert ours == pytest.approx(theirs, rel=1e-6)
        one_sided = stats.binomtest(more, more + fewer, alternative="greater").pvalue
        assert sign_flip_p(differences, "greater") == pytest.approx(one_sided, rel=1e-6)
    assert sign_flip_p(np.ones(2000)) == 1e-14, "no p-value is said to be smaller than rounding can tell"


def test_exact_and_drawn_sign_flips_agree_with_scipy() -> None:
    source = np.random.default_rng(5)
    whole = np.rint(source.normal(0.3, 2, 60))
    for differences in (whole, whole / 3, source.normal(0.2, 1, 60)):
        theirs = stats.permutation_test(
            (differences,), np.mean, permutation_type="samples", n_resamples=20_000, vectorized=True, rng=1
        ).pvalue
        assert sign_flip_p(differences, resamples=20_000) == pytest.approx(theirs, abs=0.012)
    thirds = (whole / 3).astype(np.float32).astype(float)
    assert sign_flip_p(thirds) == sign_flip_p(whole), "thirds in single precision are thirds"
    drawn = source.normal(0.2, 1, 60)
    assert sign_flip_p(drawn, seed=1) == sign_flip_p(drawn, seed=1) != sign_flip_p(drawn, seed=2)


def test_a_pair_by_hand() -> None:
    found = compared([1.0, 0.5, 0.0, 1.0], [0.0, 0.5, 0.5, 0.0])
    assert (found.first, found.second, found.value) == (0.625, 0.25, 0.375)
    assert (found.clusters, found.first_larger, found.second_larger, found.equal) == (4, 2, 1, 1)
    deviation = np.std([1, 0, -0.5, 1], ddof=1)
    assert found.effect == pytest.approx(0.375 / deviation) and found.error == pytest.approx(deviation / 2)
    assert found.p == 4 / 8 and not found.separated
    theirs = stats.ttest_rel([1.0, 0.5, 0.0, 1.0], [0.0, 0.5, 0.5, 0.0])
    assert found.p_t == pytest.approx(theirs.pvalue)


def test_clusters_of_questions_by_hand() -> None:
    """Sums of differences 2, 0, -1, 1 over 2, 1, 1 and 2 questions."""
    first, second = np.array([1.0, 1, 0, 0, 1, 1]), np.array([0.0, 0, 0, 1, 1, 0])
    found = compare_pair(first, second, np.array([4, 4, 2, 9, 7, 7]))
    assert found is not None and (found.value, found.clusters) == (pytest.approx(2 / 6), 4)
    rests = np.array([2 - 2 / 3, 0 - 1 / 3, -1 - 1 / 3, 1 - 2 / 3])
    assert found.error == pytest.approx(math.sqrt(4 / 3 * (rests @ rests)) / 6)
    # |±2 ± 1 ± 1| is at least 2 in six of eight signings
    assert found.p == pytest.approx(6 / 8)
    assert compare_pair(first, second, np.zeros(6, int)) is None


def test_the_interval_has_the_spread_of_agresti_and_min() -> None:
    """12 pairs one way, 2 the other, of 50: as if there were a half more of either."""
    first, second = np.zeros(50), np.zeros(50)
    first[:12], second[12:14] = 1, 1
    found = compared(first.tolist(), second.tolist())
    b, c = 12.5, 2.5
    half = stats.t.ppf(0.975, 49) * math.sqrt(50 / 49 * (b + c - (12 - 2) ** 2 / 50)) / 50
    assert (found.low, found.high) == pytest.approx((0.2 - half, 0.2 + half))
    assert found.separated and found.p == pytest.approx(stats.binomtest(12, 14).pvalue)
    wordings = compare_pair(np.repeat(first, 2), np.repeat(second, 2), np.repeat(np.arange(50), 2))
    assert wordings is not None and (wordings.low, wordings.high) == pytest.approx((found.low, found.high))


def test_the_interval_is_students_where_there_is_much_to_see() -> None:
    source = np.random.default_rng(2)
    first, second = source.random(2000), source.random(2000)
    found, theirs = compared(first.tolist(), second.tolist()), stats.ttest_rel(first, second)
    assert found.p_t == pytest.approx(theirs.pvalue)
    assert (found.low, found.high) == pytest.approx(tuple(theirs.confidence_interval()), abs=1e-4)
    one_sided = compared(first.tolist(), second.tolist(), alternative="greater")
    limits = stats.ttest_rel(first, second, alternative="greater").confidence_interval()
    assert (one_sided.low, one_sided.high) == (pytest.approx(limits.low, abs=1e-4), 1.0)
    less = compared(first.tolist(), second.tolist(), alternative="less")
    assert less.low == -1.0 and less.p == pytest.approx(1 - one_sided.p, abs=0.03)


def test_no_difference_seen_is_no_proof_of_none() -> None:
    alike = compared([1.0] * 40, [1.0] * 40)
    assert (alike.value, alike.error, alike.p, alike.p_t, alike.separated) == (0, 0, 1, None, False)
    assert -alike.low == alike.high == pytest.approx(stats.t.ppf(0.975, 39) * math.sqrt(40 / 39) / 40)
    # each group differs alike: the signs decide, and the interval is not a point
    shifted = compared([1.0] * 5, [0.0] * 5)
    assert (shifted.p, shifted.p_t, shifted.separated, shifted.high) == (pytest.approx(2 / 32), None, False, 1.0)
    shifted = compared([1.0] * 8, [0.0] * 8)
    assert (shifted.p, shifted.separated) == (pytest.approx(2 / 2**8), True) and 0 < shifted.low < 1


def test_one_large_group_does_not_speak_for_all() -> None:
    """Of 30 groups one has 1,000 questions: the t-test takes its rest for all there is, the interval does not."""
    source = np.random.default_rng(0)
    clusters = np.concatenate([np.zeros(1000, int), np.arange(1, 30)])
    first, second = (source.random((2, 1029)) < 0.5).astype(float)
    found = compare_pair(first, second, clusters)
    assert found is not None and found.high - found.low > 0.1 and not found.separated and found.p > 0.05


def test_a_pair_is_tested_against_a_margin() -> None:
    first, second = [1.0] * 90 + [0.0] * 10, [1.0] * 91 + [0.0] * 9
    assert compared(first, second, alternative="greater").p == pytest.approx(1.0)
    worse = compared(first, second, alternative="greater", null=-0.2)
    assert worse.p < 0.001 and worse.separated and -0.2 < worse.low < -0.01
    far = compared(first, second, alternative="greater", null=0.2)
    assert far.p == pytest.approx(1.0, abs=1e-3) and not far.separated


def test_what_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="2 and 1 values in 2 clusters: the test is of pairs"):
        compare_pair(np.ones(2), np.ones(1), np.arange(2))
    with pytest.raises(ValueError, match="a value is not finite: leave out what is unscored"):
        compare_pair(np.array([1, np.nan]), np.ones(2), np.arange(2))
    with pytest.raises(ValueError, match="a value is not between 0 and 1"):
        compare_pair(np.array([1.0, 2.0]), np.ones(2), np.arange(2))
    assert compare_pair(np.array([]), np.array([]), np.array([], int)) is None
    found = compare_pair(np.array([1.0, 20.0, 7.0]), np.array([3.0, 2.0, 2.0]), np.arange(3), limits=None)
    assert found is not None and found.low < -19 and found.high > 19, "what has no limits is not cut off"


def test_power_of_an_error() -> None:
    assert detectable_difference(0.01) == pytest.approx(0.0280159, abs=1e-6)
    assert detectable_difference(0.01, power=0.5) == pytest.approx(0.0195996, abs=1e-6)
    assert clusters_needed(0.01, 400, 0.0280159) == 400
    assert clusters_needed(0.01, 400, -0.01) == 3140  # 400 · 2.8016²
    assert clusters_needed(0.01, 400, 0.01, sides=1) == 2474  # 400 · 2.4865²
    assert clusters_needed(0.01, 400, 0.0) is None
    assert clusters_needed(0.0, 5, 0.1) == 2
