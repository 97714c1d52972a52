"""Precision and recall, concordance, and two parts of answers: the papers' arithmetic, and figures worked by hand."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from benchwright.benchmarks.statistics.reliability import concordance, two_parts, verdicts_of, welch_p
from benchwright.benchmarks.statistics.wald import wald_z

TABLE_1 = {"RAGAS-Fact": ((19, 11, 27), (92, 86, 97)), "SelfCheck": ((15, 8, 22), (50, 40, 59))}
"""Precision and recall in per cent with their intervals, as GRAMMAR's first version prints them, of 198 answers."""


def _is_printed(share: float, total: int, printed: tuple[int, int, int]) -> bool:
    """Whether a share and its z-interval round to what is printed; a half may go either way."""
    figures = (share, *wald_z(share, total))
    return all(abs(100 * figure - said) <= 0.5 + 1e-9 for figure, said in zip(figures, printed, strict=True))


def test_table_1_is_of_one_number_of_answers_for_precision_and_recall() -> None:
    """All four intervals follow from one number of answers, 97 to 105; half of the 198 is 99."""

    def fits(total: int, printed: tuple[int, int, int]) -> bool:
        return any(_is_printed((printed[0] - 0.5 + place / 100) / 100, total, printed) for place in range(101))

    every = [figure for row in TABLE_1.values() for figure in row]
    assert [total for total in range(1, 199) if all(fits(total, figure) for figure in every)] == list(range(97, 106))


def test_table_1_is_not_of_what_the_shares_are_of() -> None:
    """No counts within 198 answers give the printed intervals with the denominators of precision and of recall."""
    called = {
        total: [n for n in range(total + 1) if _is_printed(n / total, total, (19, 11, 27))] for total in range(1, 199)
    }
    right = {
        total: {n for n in range(total + 1) if _is_printed(n / total, total, (92, 86, 97))} for total in range(1, 199)
    }
    found = [
        (both, one, other)
        for one, other in product(range(1, 199), repeat=2)
        for both in called[one]
        if both in right[other] and one + other - both <= 198
    ]
    assert found == []


def test_verdicts_worked_by_hand() -> None:
    """Of ten answers six are called right, four of them truly; one right answer is called wrong."""
    scores = np.array([0.9, 0.8, 0.7, 0.5, 0.9, 0.6, 0.4, 0.1, 0.2, 0.3])
    right = np.array([1, 1, 1, 1, 0, 0, 1, 0, 0, 0], dtype=bool)
    found = verdicts_of(scores, right, np.arange(10), 0.45)
    assert found is not None
    assert (found.precision.count, found.precision.total) == (4, 6)
    assert (found.recall.count, found.recall.total) == (4, 5)
    assert found.accuracy.value == 0.7
    assert (found.right_called_right, found.wrong_called_right) == (4, 2)
    assert (found.right_called_wrong, found.wrong_called_wrong) == (1, 3)
    assert (found.precision.z_low, found.precision.z_high) == pytest.approx((0.28947, 1.0), abs=1e-5)
    assert found.published == pytest.approx((0.37449, 0.95884, 0.55208, 1.0), abs=1e-5)
    assert found.kappa is not None and found.kappa.value == pytest.approx(0.4)


def test_verdicts_of_nothing_called_right() -> None:
    found = verdicts_of(np.zeros(4), np.array([1, 0, 1, 0], dtype=bool), np.arange(4), 0.5)
    assert found is not None
    assert (found.precision.value, found.precision.total, found.recall.value) == (None, 0, 0)
    assert found.published is None
    assert found.recall.high is not None and found.recall.high > 0.5
    assert verdicts_of(np.zeros(0), np.zeros(0, bool), np.zeros(0, int), 0.5) is None


def test_concordance_is_bayes_rule() -> None:
    """Equations 1 and 2 by their right-hand sides, and the shares of one score alone."""
    generator = np.random.default_rng(4)
    right = generator.random(400) < 0.6
    scores = [np.clip(right * 0.3 + generator.random(400) * 0.7, 0, 1) for _ in range(2)]
    found = concordance(scores, right, np.arange(400), (0.7, 0.6), (0.3, 0.4))
    high, low = (scores[0] > 0.7) & (scores[1] > 0.6), (scores[0] < 0.3) & (scores[1] < 0.4)
    assert found.right.value == pytest.approx(high[right].mean() * right.mean() / high.mean())
    assert found.wrong.value == pytest.approx(low[~right].mean() * (~right).mean() / low.mean())
    alone = concordance(scores[:1], right, np.arange(400), (0.7,), (0.3,))
    assert alone.right.total == (scores[0] > 0.7).sum()
    assert alone.answers == 400


def test_concordance_takes_no_notice_of_what_is_at_the_threshold() -> None:
    found = concordance([np.array([0.7, 0.3])], np.array([True, False]), np.arange(2), (0.7,), (0.3,))
    assert (found.right.value, found.right.total, found.wrong.total) == (None, 0, 0)


def test_two_parts_are_scipys() -> None:
    generator = np.random.default_rng(5)
    first = np.arange(90) % 3 > 0
    scores = generator.normal(size=90) + first / 2
    found = two_parts(scores, first, np.arange(90))
    assert found.first.mean == pytest.approx(scores[first].mean())
    assert found.second.deviation == pytest.approx(scores[~first].std(ddof=1))
    test = stats.ttest_ind(scores[first], scores[~first], equal_var=False, alternative="greater")[1]
    assert found.p_t == pytest.approx(test)
    assert found.p == pytest.approx(test, abs=0.01)
    two_sided = stats.ttest_ind(scores[first], scores[~first], equal_var=False)[1]
    assert welch_p(scores[first], scores[~first], "two-sided") == pytest.approx(two_sided)


def test_two_parts_from_a_papers_means() -> None:
    """Table 2, BGE BASE with Mistral: faithfulness 0.91 (0.19) of 502 right and 0.71 (0.35) of 213 wrong retrievals."""
    values = np.concatenate([_spread(0.91, 0.19, 502), _spread(0.71, 0.35, 213)])
    found = two_parts(values, np.arange(715) < 502, np.arange(715))
    assert (found.first.mean, found.first.deviation) == pytest.approx((0.91, 0.19))
    t = (0.91 - 0.71) / np.sqrt(0.19**2 / 502 + 0.35**2 / 213)
    assert t == pytest.approx(7.863, abs=1e-3)
    assert found.p_t is not None and found.p_t < 1e-12


def _spread(mean: float, deviation: float, size: int) -> np.ndarray:
    """Values with exactly this mean and deviation."""
    values = np.random.default_rng(size).normal(size=size)
    return mean + deviation * (values - values.mean()) / values.std(ddof=1)


def test_two_parts_of_too_little() -> None:
    few = two_parts(np.array([1.0, 0, 0, 1]), np.array([True, False, False, False]), np.arange(4))
    assert (few.first.mean, few.first.deviation, few.p_t, few.p) == (1, None, None, None)
    nothing = two_parts(np.ones(4), np.ones(4, bool), np.arange(4))
    assert (nothing.second.mean, nothing.second.answers) == (None, 0)
    assert welch_p(np.ones(3), np.ones(3), "two-sided") is None
    thirds = np.full(61, 2 / 3)
    assert float(thirds.std(ddof=1)) > 0, "rounding seems to be a spread"
    assert welch_p(thirds, thirds[:6], "two-sided") is None


def test_clusters_make_a_difference_less_sure() -> None:
    """Ten groups of ten equal answers are worth ten answers and not a hundred."""
    first = np.repeat(np.arange(10) % 2 == 0, 10)
    scores = np.repeat([1.0, 0, 1, 1, 0, 0, 1, 0, 1, 1], 10)
    found = two_parts(scores, first, np.repeat(np.arange(10), 10))
    assert found.p is not None and found.p_t is not None
    assert found.p_t < 1e-3 < 0.05 < found.p
