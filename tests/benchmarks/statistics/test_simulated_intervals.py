"""Intervals of 95 % hold the truth: exactly for single questions, simulated for groups, templates and entities."""

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import binom

from benchwright.benchmarks.statistics.shares import share_of_clusters
from benchwright.scripts.measure import simulate_intervals
from benchwright.scripts.measure.simulate_intervals import EFFECTS, PROMISED, UNEQUAL, Size, simulate

RUNS = 300
BY_CHANCE = 3 * (0.05 * 0.95 / RUNS) ** 0.5
"""Three standard errors of a share of so many runs."""


@pytest.mark.parametrize("questions", [10, 50, 400])
def test_of_single_questions_every_share_is_held(questions: int) -> None:
    """By the binomial distribution, without simulation: Wilson's own limits hold some shares in 84 of 100 cases."""
    counts = np.arange(questions + 1)
    found = [share_of_clusters(np.repeat([1.0, 0.0], [n, questions - n]), np.ones(questions)) for n in counts]
    limits = np.array([(each.low, each.high) for each in found if each is not None])
    held = [
        binom.pmf(counts, questions, share)[(limits[:, 0] <= share) & (share <= limits[:, 1])].sum()
        for share in np.linspace(0.0005, 0.5, 300)
    ]
    assert min(held) > PROMISED
    assert np.allclose(limits, 1 - limits[::-1, ::-1]), "right and wrong are treated alike"


@pytest.mark.parametrize("effects", EFFECTS)
@pytest.mark.parametrize(("groups", "share"), [(20, 0.9), (100, 0.99)])
def test_groups_of_wordings_hold_this_benchmark(groups: int, share: float, effects: str) -> None:
    found = simulate(Size(groups, 20, 50), (1, 20), share, effects, 1, RUNS)
    assert found.here.there == RUNS and found.here.share > PROMISED - BY_CHANCE
    assert found.by_question.share < 0.85, "questions of a group are not independent"


@pytest.mark.parametrize("effects", EFFECTS)
@pytest.mark.parametrize("share", [0.5, 0.99])
def test_new_templates_and_entities_are_held(share: float, effects: str) -> None:
    found = simulate(Size(500, 20, 50), (1, 20), share, effects, 2, RUNS)
    assert found.new.there == RUNS and found.new.share > PROMISED - BY_CHANCE
    if effects == "of templates":
        assert found.here_of_new.share < 0.7, "the interval of this benchmark says nothing of new ones"


@pytest.mark.parametrize("size", UNEQUAL, ids=lambda size: size.said)
def test_few_groups_with_most_questions_hold_this_benchmark(size: Size) -> None:
    """With the variance of one group of 1,000 and 29 of one, or of five of 50 and 200 of one, it was in 29 to 79 %."""
    found = simulate(size, (1, 1), 0.9, "of groups", 4, RUNS)
    assert found.here.there == RUNS and found.here.share > PROMISED - BY_CHANCE


def test_entities_of_unequal_size_have_no_interval() -> None:
    assert simulate(Size(2_000, 50, 200, steep=1.0), (1, 1), 0.9, "alike", 3, 3).new.there == 0


def test_too_few_templates_have_no_interval() -> None:
    assert simulate(Size(200, 19, 100), (1, 1), 0.5, "alike", 3, 3).new.there == 0


def test_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate_intervals, "SIZES", (Size(150, 22, 55),))
    monkeypatch.setattr(simulate_intervals, "UNEQUAL", ())
    monkeypatch.setattr(simulate_intervals, "WORDINGS", ((1, 20),))
    monkeypatch.setattr(simulate_intervals, "SHARES", (0.9,))
    printed = CliRunner().invoke(simulate_intervals.main, ["--quick"], catch_exceptions=False).output
    assert "400 simulated runs for each of 4 kinds of effects" in printed
    assert printed.count("| 150 | 22 × 55 | 1 to 20 | 90 |") == 1
    assert "0 of 4 cells below 93%" in printed
