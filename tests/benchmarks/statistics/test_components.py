"""Variance components of nested draws, and what other designs would make of a mean."""

import math

import numpy as np
import pytest

from benchwright.benchmarks.statistics.components import (
    Design,
    Level,
    Part,
    design_of,
    nested_parts,
    projected_errors,
)
from benchwright.scripts.measure.simulate_components import parts_in_the_mean

Units = dict[Level, np.ndarray]


def units(groups: list[int], wordings: list[int], repeats: list[int] | None = None) -> Units:
    answers = list(range(len(groups))) if repeats is None else repeats
    return {"groups": np.array(groups), "wordings": np.array(wordings), "repeats": np.array(answers)}


def parts_of(values: list[float], of: Units) -> dict[tuple[str, ...], float]:
    found = nested_parts(np.array(values, dtype=float), of)
    assert found is not None
    return {part.levels: part.variance for part in found}


def test_parts_by_hand() -> None:
    # group 0: questions 0 (1, 1) and 1 (0, 1); group 1: questions 2 (0, 0) and 3 (0, 0)
    of = units([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 2, 2, 3, 3])
    found = parts_of([1, 1, 0, 1, 0, 0, 0, 0], of)
    repeats = (0 + 1 / 2 + 0 + 0) / 4
    wordings = ((1 / 8 - (0 + 1 / 4) / 2) + 0) / 2  # means 1 and 1/2 have variance 1/8; question 1 adds half of 1/2
    groups = 9 / 32 - (1 / 8 / 2 + 0) / 2  # means 3/4 and 0 have variance 9/32; group 0's adds half of 1/8
    assert found == {
        ("groups",): pytest.approx(groups),
        ("wordings",): pytest.approx(wordings),
        ("repeats", "judge"): pytest.approx(repeats),
    }


def test_equal_sizes_give_the_analysis_of_variance() -> None:
    values = np.random.default_rng(1).normal(size=(7, 3, 2)) + np.random.default_rng(2).normal(size=(7, 3, 1))
    of = units([g for g in range(7) for _ in range(6)], [q for q in range(21) for _ in range(2)])
    by_question, by_group = values.mean(axis=2), values.mean(axis=(1, 2))
    within = float(values.var(axis=2, ddof=1).mean())
    between_questions = 2 * float(by_question.var(axis=1, ddof=1).mean())
    between_groups = 6 * float(by_group.var(ddof=1))
    assert parts_of(values.ravel().tolist(), of) == {
        ("groups",): pytest.approx((between_groups - between_questions) / 6),
        ("wordings",): pytest.approx((between_questions - within) / 2),
        ("repeats", "judge"): pytest.approx(within),
    }


def test_wording_noise_is_what_products_of_pairs_say() -> None:
    # two groups with unequal sizes: 2/3 and 1/2 of the wordings are right; pairs of right ones: 1/3 and 1/6
    found = parts_of([1, 1, 0, 1, 0, 1, 0], units([0, 0, 0, 1, 1, 1, 1], list(range(7))))
    pairs, squares = (1 / 3 + 1 / 6) / 2, (2 / 3 + 1 / 2) / 2
    across = 2 / 3 * 1 / 2
    assert found[("wordings", "repeats", "judge")] == pytest.approx(squares - pairs)
    assert found[("groups",)] == pytest.approx(pairs - across)


def test_what_was_drawn_once_is_one_part_with_what_is_around_it() -> None:
    once = nested_parts(np.array([0.0, 1, 1]), units([0, 1, 2], [0, 1, 2]))
    assert once is not None and [(part.levels, part.told_by) for part in once] == [
        (("groups", "wordings", "repeats", "judge"), 3)
    ]
    assert once[0].variance == pytest.approx(1 / 3)
    no_wordings = nested_parts(np.array([0.0, 1, 1, 1]), units([0, 0, 1, 1], [0, 0, 1, 1]))
    assert no_wordings is not None
    assert [(part.levels, part.told_by) for part in no_wordings] == [
        (("groups", "wordings"), 2),
        (("repeats", "judge"), 2),
    ]
    # the second look at answer 0 tells the judge's noise of it alone
    judged = nested_parts(np.array([0.0, 1, 1, 1]), units([0, 0, 0, 1], [0, 0, 1, 2], [0, 0, 1, 2]))
    assert judged is not None and judged[-1] == Part(("judge",), 0.5, 1)
    assert nested_parts(np.array([0.0, 1]), units([4, 4], [0, 1])) is None
    assert nested_parts(np.zeros(0), units([], [])) is None
    with pytest.raises(ValueError, match="not finite"):
        nested_parts(np.array([0.0, math.nan]), units([0, 1], [0, 1]))
    with pytest.raises(ValueError, match="one of each"):
        nested_parts(np.array([0.0]), units([0, 1], [0, 1]))


def test_parts_are_unbiased_where_sizes_and_variances_differ() -> None:
    found = parts_in_the_mean(groups=30, power=2, simulations=1_500, seed=3)
    for name, truth, mean, error in found:
        assert abs(mean - truth) < 4 * error, name
        assert error < 0.03 * max(truth, 0.1), name


def test_the_design_of_a_run() -> None:
    # group 0 has questions 0 (answers 0, 1, the latter looked at twice) and 1 (2); group 1 has question 2 (3)
    found = design_of(units([0, 0, 0, 0, 1], [0, 0, 0, 1, 2], [0, 1, 1, 2, 3]))
    assert found.groups == pytest.approx(9 / 5) and found.divisor("wordings") == pytest.approx(3)
    assert found.repeats == pytest.approx(3 / (1 / 2 + 1 + 1)) and found.judge == 1


def test_projections_by_hand() -> None:
    parts = (Part(("groups",), 0.08, 50), Part(("wordings",), 0.04, 50), Part(("repeats", "judge"), 0.02, 100))
    now = Design(50, 2, 4)
    assert now.divisor("judge") == 400
    least, most = projected_errors(parts, now, now)
    assert least == most == pytest.approx(math.sqrt(0.08 / 50 + 0.04 / 100 + 0.02 / 400))
    both = projected_errors(parts, now, Design(100, 2, 4))
    assert both == (pytest.approx(most / math.sqrt(2)),) * 2
    ten = projected_errors(parts, now, Design(50, 2, 14))
    assert ten == (pytest.approx(math.sqrt(0.08 / 50 + 0.04 / 100 + 0.02 / 1400)),) * 2


def test_a_projection_says_between_where_parts_are_not_told_apart() -> None:
    parts = (Part(("groups",), 0.08, 50), Part(("wordings", "repeats", "judge"), 0.06, 50), Part(("judge",), -0.01, 9))
    now = Design(50, 2, 1)
    least, most = projected_errors(parts, now, Design(50, 2, 3))
    assert least == pytest.approx(math.sqrt(0.08 / 50 + 0.06 / 300)), "all of it is the repeats'"
    assert most == pytest.approx(math.sqrt(0.08 / 50 + 0.06 / 100)), "none of it is"
    wordings = projected_errors(parts, now, Design(50, 4, 1))
    assert wordings[0] == wordings[1] == pytest.approx(math.sqrt(0.08 / 50 + 0.06 / 200))
    fewer = projected_errors(parts, Design(50, 2, 2), Design(50, 2, 1))
    assert fewer[0] < fewer[1]
