"""One-sided limits of means over clusters, held against exact ones, sampled weights and each other."""

import numpy as np
import pytest
from scipy.stats import beta, norm
from support import ROOT

from benchwright.benchmarks.statistics.intervals import Sample
from benchwright.benchmarks.statistics.one_sided import chance_below, clusters_to_decide, one_sided_limits
from benchwright.scripts.measure.simulate_gate import (
    MARGINS,
    RARE,
    SIMULATIONS,
    SINGLE,
    TEN,
    UNEQUAL,
    Cell,
    cells,
    row,
    simulate,
)


def shares(number: int, right: int) -> Sample:
    """So many outcomes, the first of which are 1, each a cluster of its own."""
    return Sample((np.arange(number) < right).astype(float), np.arange(number))


@pytest.mark.parametrize(
    ("number", "right"), [(1, 0), (1, 1), (2, 1), (40, 0), (40, 20), (40, 39), (40, 40), (1000, 985), (1000, 1000)]
)
def test_of_shares_it_is_the_exact_limit(number: int, right: int) -> None:
    """Clopper and Pearson's, of the beta distribution: never further in, and of the tail of 5 % it has at least 4.78."""
    found = one_sided_limits(shares(number, right), (0.0, 1.0))
    assert found is not None
    assert (found.value, found.clusters) == (right / number, number)
    below = beta.cdf(found.low, right, number - right + 1) if right else 0.05
    above = beta.sf(found.high, right + 1, number - right) if right < number else 0.05
    assert 0.0478 <= below <= 0.05 + 1e-9
    assert 0.0478 <= above <= 0.05 + 1e-9


def test_many_grades_have_the_normal_limit() -> None:
    values = np.random.default_rng(1).normal(0.01, 0.2, 20_000).clip(-1, 1)
    found = one_sided_limits(Sample(values, np.arange(20_000)), (-1.0, 1.0))
    assert found is not None
    assert found.low == pytest.approx(values.mean() - norm.ppf(0.95) * values.std() / np.sqrt(20_000), abs=1e-4)
    assert found.high == pytest.approx(values.mean() + norm.ppf(0.95) * values.std() / np.sqrt(20_000), abs=1e-4)


def test_unequal_clusters_against_drawn_weights() -> None:
    """Ten clusters of 1 to 4 values, and the unseen one of size 4, as the largest two, at the worst value."""
    generator = np.random.default_rng(2)
    sizes = np.array([1, 2, 3, 4, 1, 2, 3, 4, 2, 3])
    clusters, values = np.repeat(np.arange(10), sizes), generator.choice([-1.0, 0.0, 1.0], 25)
    found = one_sided_limits(Sample(values, clusters), (-1.0, 1.0))
    sums = np.append(np.bincount(clusters, weights=values), -4.0)
    weights = generator.standard_exponential((400_000, 11))
    means = weights @ sums / (weights @ np.append(sizes, 4.0))
    assert found is not None
    assert found.low == pytest.approx(float(np.quantile(means, 0.05)), abs=0.004)
    assert chance_below(Sample(values, clusters), (-1.0, 1.0), found.low) == pytest.approx(0.05, abs=1e-6)


def test_values_are_weighted_and_not_clusters() -> None:
    """Equal wordings of a group are worth one: the limits are those of its one value."""
    single = one_sided_limits(shares(30, 24), (0.0, 1.0))
    tripled = one_sided_limits(Sample(np.repeat(shares(30, 24).values, 3), np.repeat(np.arange(30), 3)), (0.0, 1.0))
    assert single is not None and tripled is not None
    assert (tripled.low, tripled.high) == pytest.approx((single.low, single.high))


def test_nothing_lost_is_no_proof() -> None:
    """Of forty groups without a difference one in fourteen may be lost; 149 show that at most one in fifty is."""
    few, enough = (one_sided_limits(Sample(np.zeros(many), np.arange(many)), (-1.0, 1.0)) for many in (40, 149))
    assert few is not None and enough is not None
    assert few.low == pytest.approx(0.05 ** (1 / 40) - 1, abs=2e-4)
    assert few.high == pytest.approx(-few.low)
    assert enough.low == pytest.approx(-0.02, abs=1e-4)


def test_clusters_that_would_decide() -> None:
    """With 251 alike the tail beyond is below Φ(-1.645 - 0.842) = 0.0065; of many the normal formula holds."""
    assert clusters_to_decide(Sample(np.zeros(40), np.arange(40)), (-1.0, 1.0), -0.02) == 251
    values = np.tile([1.0, -1.0, 0.0, 0.0, 0.0], 200)
    wanted = 0.4 * ((norm.ppf(0.95) + norm.ppf(0.8)) / 0.02) ** 2
    found = clusters_to_decide(Sample(values, np.arange(1000)), (-1.0, 1.0), -0.02)
    assert found == pytest.approx(wanted, rel=0.02)
    assert found == clusters_to_decide(Sample(-values, np.arange(1000)), (-1.0, 1.0), 0.02)
    assert clusters_to_decide(Sample(values, np.arange(1000)), (-1.0, 1.0), 0.0) is None
    assert clusters_to_decide(Sample(values, np.arange(1000)), (-1.0, 1.0), -0.5) == 1000


def test_at_the_mean_it_is_about_a_half() -> None:
    """Where the saddlepoint is 0 its formula divides 0 by 0: 20 of 100 lost, 9 gained, and the unseen one lost too."""
    values = np.repeat([-1.0, 1.0, 0.0], [20, 9, 71])
    at_mean = chance_below(Sample(values, np.arange(100)), (-1.0, 1.0), -12 / 101)
    near = chance_below(Sample(values, np.arange(100)), (-1.0, 1.0), -12 / 101 + 1e-5)
    assert at_mean == pytest.approx(0.5, abs=0.02)
    assert at_mean == pytest.approx(near, abs=1e-3)


def test_no_values_and_bad_ones() -> None:
    none = Sample(np.empty(0), np.empty(0, dtype=int))
    assert one_sided_limits(none, (0.0, 1.0)) is None
    assert chance_below(none, (0.0, 1.0), 0.5) is None
    assert clusters_to_decide(none, (0.0, 1.0), 0.5) is None
    with pytest.raises(ValueError, match="not between 0 and 1"):
        one_sided_limits(Sample(np.array([1.5]), np.zeros(1, dtype=int)), (0.0, 1.0))
    with pytest.raises(ValueError, match="not finite"):
        one_sided_limits(Sample(np.array([np.nan]), np.zeros(1, dtype=int)), (0.0, 1.0))


@pytest.mark.parametrize(
    "cell",
    [Cell(40, UNEQUAL, "large groups", 0.1, 0.02), Cell(100, TEN, "wordings", 0.1, 0.2)],
    ids=("large groups", "wordings"),
)
def test_a_limit_errs_in_a_twentieth_of_simulations(cell: Cell) -> None:
    """The quick form of `simulate_gate`, which prints all of it: 300 simulations, in which 5 % are seen as up to 8.8."""
    seen = simulate(cell, 300)
    most = 0.05 + 3 * (0.05 * 0.95 / 300) ** 0.5
    assert seen.passed <= most
    assert seen.failed <= most


@pytest.mark.parametrize(
    "cell",
    [Cell(40, SINGLE, "groups", 0.1, 0.0), Cell(400, RARE[400][0], "large groups", MARGINS[0], 0.0)],
    ids=("groups", "few large groups"),
)
def test_the_kept_table_is_what_the_program_prints(cell: Cell) -> None:
    """Rows simulated anew in full; of the second, two groups of 400 hold a question in eleven and all that is lost."""
    table = (ROOT / "benchmarks" / "facts" / "gates.md").read_text()
    assert f"\n{row(cell, simulate(cell, SIMULATIONS))}\n" in table


def test_what_only_the_largest_cluster_would_lose_is_allowed_for() -> None:
    """Of 1,000 clusters one is of 80, in which a thirteenth of the questions lie: that nothing is lost shows little."""
    sizes = np.repeat([1, 80], [999, 1])
    found = one_sided_limits(Sample(np.zeros(1079), np.repeat(np.arange(1000), sizes)), (-1.0, 1.0))
    assert found is not None
    weights = np.random.default_rng(3).standard_exponential((20_000, 3)) * np.array([1.0, 80.0, 80.0])
    weights[:, 0] = np.random.default_rng(4).gamma(999, size=20_000)
    assert found.low == pytest.approx(float(np.quantile(-weights[:, 2] / weights.sum(axis=1), 0.05)), abs=0.004)


def test_the_table_that_is_kept_says_what_the_guide_says() -> None:
    """Where a group of the largest size is there, at most 5.0 % pass wrongly; a t-test's limit lets 88 % through."""
    table = (ROOT / "benchmarks" / "facts" / "gates.md").read_text()
    lines = [line for line in table.splitlines() if line.startswith("| ")][1:]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    kept = list(cells(quick=False))
    assert [row[:5] for row in rows] == [
        [f"{cell.groups:,}", cell.sizes.words, cell.loses, f"{cell.margin:g}", f"{cell.beside:g}"] for cell in kept
    ]
    seen = [row for row, cell in zip(rows, kept, strict=True) if cell.lacking <= 0.05]
    passed, failed, student = (max(float(row[place]) for row in seen) for place in (5, 6, 7))
    assert (len(rows), len(seen), passed, failed, student) == (144, 142, 0.05, 0.051, 0.881)
    blind = [(float(row[5]), cell.lacking) for row, cell in zip(rows, kept, strict=True) if cell.lacking > 0.05]
    assert [passed for passed, _ in blind] == pytest.approx([lacking for _, lacking in blind], abs=0.025)
    guide = " ".join((ROOT / "cards" / "guides" / "compare-systems.md").read_text().split())
    assert (
        "In 142 simulated cases of 20 to 2,000 groups, of systems that are worse by just the margin at most 5.0 %"
        in guide
    )
    assert "a limit of Student's t lets up to 88 % through" in guide
    assert f"loses, {100 * blind[1][0]:.0f} % pass" in guide
