"""Kappas, correlations and accuracy on pairs: published examples, figures worked by hand, scipy's, and other ways."""

import math
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from benchwright.benchmarks.statistics.agreement import cohen_kappa, confusion_matrix, fleiss_kappa, grade_weights
from benchwright.benchmarks.statistics.association import pair_accuracy, pearson, spearman
from benchwright.scripts.measure.simulate_agreement import FIGURES, Setting, coverage, found_by_chance

FLEISS = """
0 0 0 0 14 / 0 2 6 4 2 / 0 0 3 5 6 / 0 3 9 2 0 / 2 2 8 1 1 / 7 7 0 0 0 / 3 2 6 3 0 / 2 5 3 2 2 / 6 5 2 1 0 / 0 2 2 3 7
"""


def _from_table(table: list[list[int]]) -> tuple[Any, Any, Any]:
    """The codes of both judges of each item, and a cluster for each."""
    cells = [
        (row, column) for row, line in enumerate(table) for column, number in enumerate(line) for _ in range(number)
    ]
    first, second = np.array(cells).T
    return first, second, np.arange(len(cells))


def _jackknife(figure: Callable[[Any], Any], clusters: Any) -> float:
    """The standard error by leaving out one cluster after the other."""
    values = np.array([figure(clusters != cluster) for cluster in np.unique(clusters)])
    return math.sqrt((len(values) - 1) / len(values) * float(np.square(values - values.mean()).sum()))


def test_cohen_worked_by_hand() -> None:
    """20 both yes, 15 both no, 5 and 10 apart: 0.7 agree, chance would make 0.5."""
    first, second, items = _from_table([[20, 5], [10, 15]])
    found = cohen_kappa(first, second, items)
    assert found is not None
    assert (found.observed, found.expected, found.value) == pytest.approx((0.7, 0.5, 0.4))
    assert confusion_matrix(first, second, 2).tolist() == [[20, 5], [10, 15]]
    assert (found.items, found.clusters) == (50, 50)


def test_names_of_categories_that_say_nothing() -> None:
    """Nine of ten pairs alike, nearly all of them yes: Cohen's and Fleiss' are low, turned it is (0.9 - 0.5) / 0.5.

    The interval is as that of as many items whose names are drawn: no narrower for counting both ways.
    """
    counts = np.array([[2, 0, 0]] * 18 + [[1, 1, 0]] * 2)
    items = np.arange(20)
    plain, turned = fleiss_kappa(counts, items), fleiss_kappa(counts, items, turned=(1, 0, 2))
    assert plain is not None and turned is not None and turned.low is not None and turned.high is not None
    assert (plain.value, turned.value) == pytest.approx((1 - 0.1 / (2 * 0.95 * 0.05), 0.8))
    drawn = counts.copy()
    drawn[::2] = drawn[::2][:, [1, 0, 2]]
    other = fleiss_kappa(drawn, items)
    assert other is not None and other.low is not None
    assert (other.value, turned.low) == pytest.approx((turned.value, other.low), abs=0.02)
    ties = fleiss_kappa(np.array([[2, 0, 0], [0, 0, 2], [1, 0, 1], [0, 2, 0]]), np.arange(4), turned=(1, 0, 2))
    expected = (3 / 8) ** 2 + (5 / 8) ** 2 / 2
    assert ties is not None and ties.value == pytest.approx((0.75 - expected) / (1 - expected))


def test_the_variance_of_cohens_kappa_is_that_of_fleiss_cohen_and_everitt() -> None:
    """Of their formula with four terms, for three categories; ours has G / (G - 1) besides."""
    table = np.array([[44, 5, 1], [7, 20, 3], [9, 5, 6]])
    shares = table / table.sum()
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    observed, expected = float(np.trace(shares)), float(rows @ columns)
    kappa = (observed - expected) / (1 - expected)
    apart = sum(shares[i, j] * (columns[i] + rows[j]) ** 2 for i in range(3) for j in range(3) if i != j)
    together = sum(shares[i, i] * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2 for i in range(3))
    constant = (kappa - expected * (1 - kappa)) ** 2
    variance = (together + (1 - kappa) ** 2 * apart - constant) / (table.sum() * (1 - expected) ** 2)
    found = cohen_kappa(*_from_table(table.tolist()))
    assert found is not None and found.error is not None
    assert found.value == pytest.approx(kappa)
    assert found.error**2 == pytest.approx(variance * 100 / 99)


def test_few_answers_leave_a_kappa_within_its_limits() -> None:
    first, second = np.ones(20, dtype=int), np.ones(20, dtype=int)
    first[3], second[11] = 0, 0
    found = cohen_kappa(first, second, np.arange(20))
    assert found is not None and found.value == pytest.approx(-1 / 19) and found.low == -1
    counts = np.stack([2 - first - second, first + second], axis=1)
    several = fleiss_kappa(counts, np.arange(20))
    assert several is not None and several.low == -1 and several.high is not None and several.high <= 1


def test_weights_of_grades() -> None:
    """Grades from 1 to 3, quadratic: one apart agrees by three quarters."""
    assert grade_weights([1, 2, 3]).tolist() == [[1, 0.75, 0], [0.75, 1, 0.75], [0, 0.75, 1]]
    assert grade_weights([1, 3, 5], 1)[0].tolist() == [1, 0.5, 0]
    first, second, items = _from_table([[1, 1, 0], [0, 2, 0], [0, 0, 1]])
    found = cohen_kappa(first, second, items, weights=grade_weights([1, 2, 3]))
    assert found is not None
    assert found.observed == pytest.approx(4.75 / 5)
    assert found.expected == pytest.approx((2 * 3.25 + 2 * 4.5 + 3.25) / 25)


def test_fleiss_published_example() -> None:
    """Ten subjects and fourteen judges, a table that is often shown: 0.378 agree, chance 0.213, kappa 0.210."""
    counts = np.array([[int(each) for each in line.split()] for line in FLEISS.split("/")])
    found = fleiss_kappa(counts, np.arange(10))
    assert found is not None
    assert (found.observed, found.expected, found.value) == pytest.approx((0.378, 0.213, 0.210), abs=5e-4)


def test_errors_of_kappas_are_the_jackknifes() -> None:
    """By cluster, for three judges of whom two are compared."""
    generator = np.random.default_rng(7)
    clusters = np.repeat(np.arange(60), 3)
    right = (generator.random(60) < 0.6)[clusters]
    said = (right[:, None] ^ (generator.random((180, 3)) < 0.15)).astype(int)
    yes = said.sum(axis=1)
    counts = np.stack([3 - yes, yes], axis=1)
    for figure in (
        lambda mask: cohen_kappa(said[mask, 0], said[mask, 1], clusters[mask]),
        lambda mask: fleiss_kappa(counts[mask], clusters[mask]),
    ):
        found = figure(clusters >= 0)
        assert found is not None and found.error == pytest.approx(
            _jackknife(lambda mask, figure=figure: getattr(figure(mask), "value", 0.0), clusters), rel=0.03
        )


def test_fleiss_leaves_out_what_one_judge_judged() -> None:
    counts = np.array([[2, 0], [0, 2], [1, 1], [0, 2], [1, 0]])
    found, without = fleiss_kappa(counts, np.arange(5)), fleiss_kappa(counts[:4], np.arange(4))
    assert found == without
    assert found is not None and found.items == 4
    assert fleiss_kappa(counts[4:], np.arange(1)) is None


@pytest.mark.parametrize("size", [2, 40])
def test_all_agreeing_is_no_interval_without_width(size: int) -> None:
    verdicts = np.arange(size) % 2
    found = cohen_kappa(verdicts, verdicts, np.arange(size))
    assert found is not None
    assert (found.value, found.high) == (1, 1)
    assert found.low is not None and found.low < 0.9


def test_what_cannot_tell() -> None:
    """One category throughout has no kappa; of one cluster there is no interval."""
    alike, mixed = np.zeros(6, int), np.array([0, 1, 0, 1, 1, 1])
    assert cohen_kappa(alike, alike, np.arange(6)) is None
    assert fleiss_kappa(np.tile([3, 0], (6, 1)), np.arange(6)) is None
    found = cohen_kappa(mixed, mixed[::-1], np.zeros(6, int))
    assert found is not None and (found.low, found.high, found.clusters) == (None, None, 1)
    constant = np.ones(6)
    assert pearson(constant, mixed.astype(float), np.arange(6)) is None
    assert spearman(mixed.astype(float), constant, np.arange(6)) is None
    assert pair_accuracy(mixed.astype(float), constant, np.arange(6)) is None
    perfect = pearson(mixed.astype(float), 1 - 2 * mixed.astype(float), np.arange(6))
    assert perfect is not None and (perfect.value, perfect.low) == (-1, None)
    with pytest.raises(ValueError, match="not finite"):
        pearson(np.array([math.nan, 1]), np.ones(2), np.arange(2))
    with pytest.raises(ValueError, match="agreement is of pairs"):
        confusion_matrix(alike, mixed[1:], 2)
    with pytest.raises(ValueError, match="none of 2 categories"):
        confusion_matrix(alike + 2, alike, 2)


def test_correlations_are_scipys_and_their_errors_the_jackknifes() -> None:
    generator = np.random.default_rng(1)
    first = np.round(generator.normal(size=180), 1)
    second = np.round(0.6 * first + generator.normal(size=180))
    clusters = np.arange(180) // 3
    for ours, theirs in ((pearson, stats.pearsonr), (spearman, stats.spearmanr)):
        found = ours(first, second, clusters)
        assert found is not None and found.low is not None and found.high is not None
        assert found.value == pytest.approx(theirs(first, second)[0])
        halves = (math.atanh(found.high) - math.atanh(found.low)) / 2
        error = halves * (1 - found.value**2) / float(stats.t.ppf(0.975, 40))
        kept = _jackknife(lambda mask, theirs=theirs: theirs(first[mask], second[mask])[0], clusters)
        assert error == pytest.approx(kept, rel=0.05)


def test_pairs_are_those_counted_one_by_one() -> None:
    generator = np.random.default_rng(2)
    for _ in range(20):
        size = int(generator.integers(2, 20))
        scores, truth = (generator.integers(0, most, size).astype(float) for most in (5, 3))
        within = generator.integers(0, 2, size)
        for blocks in (None, within):
            pairs = [
                (scores[i] - scores[j]) * (truth[i] - truth[j])
                for i, j in combinations(range(size), 2)
                if truth[i] != truth[j] and (blocks is None or blocks[i] == blocks[j])
            ]
            found = pair_accuracy(scores, truth, np.arange(size), within=blocks)
            if not pairs:
                assert found is None
                continue
            assert found is not None
            signs = np.sign(pairs)
            assert (found.pairs, found.agreeing, found.tied) == (len(pairs), (signs > 0).sum(), (signs == 0).sum())
            assert found.value == pytest.approx(((signs > 0).sum() + (signs == 0).sum() / 2) / len(pairs))


def test_accuracy_on_all_pairs_is_the_area_under_the_curve() -> None:
    generator = np.random.default_rng(3)
    truth = (generator.random(200) < 0.3).astype(float)
    scores = truth + generator.normal(size=200)
    right, wrong = scores[truth == 1], scores[truth == 0]
    found = pair_accuracy(scores, truth, np.arange(200))
    assert found is not None
    assert found.value == pytest.approx(stats.mannwhitneyu(right, wrong).statistic / (len(right) * len(wrong)))


def test_one_wrong_answer_tells_no_interval() -> None:
    """However many right ones there are: what a second wrong one would have got nobody knows."""
    truth = np.array([0.0, *[1] * 30])
    found = pair_accuracy(np.arange(31.0), truth, np.arange(31))
    assert found is not None and (found.value, found.low, found.high) == (1, None, None)
    truth[1] = 0
    found = pair_accuracy(np.arange(31.0), truth, np.arange(31))
    assert found is not None and (found.value, found.high) == (1, 1)
    assert found.low is not None and found.low < 0.05


def test_intervals_hold_the_truth_in_simulation() -> None:
    """A quick form of `simulate_agreement`: no fewer than chance explains of 95 %."""
    held = coverage(Setting(groups=60, wordings=4, right=0.8, error=0.1), simulations=80, seed=5)
    assert set(held) == set(FIGURES)
    assert all(share > 0.9 for share in held.values())


def test_groups_and_not_answers_are_tested() -> None:
    """Where there is no difference, the papers' t-test finds one twice as often as it says, once wordings repeat."""
    by_group, welch = found_by_chance(50, 6, 0.5, simulations=500, seed=2)
    assert by_group < 0.08 < welch
