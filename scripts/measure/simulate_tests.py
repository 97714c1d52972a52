"""How often systems that are alike are separated, and how often intervals hold the true difference: by simulation.

    python -m benchwright.scripts.measure.simulate_tests [--quick]

Prints the tables that `benchmarks/facts/separation.md` keeps. Whether a system answers a wording rightly depends on the
group (for all systems alike), on how the system does with the group, and on the wording; groups have 1 to 20 wordings.
Of systems that truly differ every fifth is better than the others. Beside the test stands what it would be with the
standard errors held fixed at those of the data while signs are flipped.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import click
import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.statistics.joint import JointComparison, compare_jointly
from benchwright.benchmarks.statistics.paired import compare_pair
from benchwright.benchmarks.statistics.signs import sign_blocks

OF_GROUP, OF_SYSTEM, OF_WORDING = 0.35, 0.35, 0.3
"""Parts of the variance of what decides whether an answer is right."""
BETTER = 0.3
"""By how many standard deviations of it every fifth system is better: 50 % become 62, 90 % 94, and 99 % 99.6."""
WORDINGS = 20
FEW = 50
"""Of so many systems the variant with fixed errors is shown too."""
MANY = 1000
"""With so many groups fewer simulations are made of pairs and of many systems."""
FLIPS = 999
"""Of each simulation: a test by flips keeps its level with any number of them."""


@dataclass(frozen=True)
class Cell:
    """A row of the table of several systems."""

    groups: int
    systems: int
    share: float
    is_mixed: bool
    """Every fifth system is truly better."""
    simulations: int
    flips: int


@dataclass(frozen=True)
class Joint:
    """What is seen in the simulations of a cell, as shares."""

    false: float
    """Any pair of systems that are truly alike is separated."""
    fixed: float | None
    """The same with fixed standard errors."""
    held: float
    """All intervals at once hold their true difference."""
    found: float | None
    """Of the pairs that truly differ, those that are separated."""


@dataclass(frozen=True)
class Pair:
    """What is seen in simulations of two systems, as shares."""

    held: float
    """The interval of 95 % holds the true difference."""
    above: float
    """The lower limit of the one-sided interval of 95 % lies above it."""
    far_above: float
    """The same of 97.5 %, which is the lower limit of the two-sided one."""
    rejected: float
    """p is at most 0.05 where both are alike."""
    rejected_t: float
    """The same of the t-test."""
    false: float
    """They are called separated."""


def threshold(share: float) -> float:
    """Below which a standard normal variable lies so often."""
    from scipy.stats import norm

    return float(norm.ppf(share))


def share_of(limit: float) -> float:
    """How often a standard normal variable lies below it."""
    return math.erfc(-limit / math.sqrt(2)) / 2


def draw(
    source: np.random.Generator, groups: int, limits: npt.NDArray[np.float64], wordings: int
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """Right (1) and wrong answers (questions, systems), and the group of each question.

    Args:
        source: of the draws.
        groups: their number.
        limits: of each system, the `threshold` of its share.
        wordings: the most that a group has.
    """
    codes = np.repeat(np.arange(groups), source.integers(1, wordings + 1, size=groups))
    systems = len(limits)
    common = math.sqrt(OF_GROUP) * source.standard_normal((groups, 1), dtype=np.float32)
    own = common + math.sqrt(OF_SYSTEM) * source.standard_normal((groups, systems), dtype=np.float32)
    wording = source.standard_normal((len(codes), systems), dtype=np.float32)
    wording *= math.sqrt(OF_WORDING)
    wording += own[codes]
    return (wording < limits.astype(np.float32)).astype(np.float32), codes


def simulate_joint(cell: Cell, *, seed: int = 0, is_fixed_shown: bool = True) -> Joint:
    """Compares systems over and over."""
    source = np.random.default_rng([seed, cell.groups, cell.systems, round(1000 * cell.share), cell.is_mixed])
    limits = np.full(cell.systems, threshold(cell.share))
    if cell.is_mixed:
        limits[::5] += BETTER
    true = np.array([share_of(limit) for limit in limits])
    first, second = np.triu_indices(cell.systems, 1)
    differences = true[first] - true[second]
    is_same = differences == 0
    false, fixed, held, found = 0, 0, 0, 0.0
    for number in range(cell.simulations):
        values, codes = draw(source, cell.groups, limits, WORDINGS)
        compared = compare_jointly(values, codes, seed=number, resamples=cell.flips)
        assert compared is not None
        false += bool(compared.separated[is_same].any())
        held += bool(((compared.low <= differences) & (differences <= compared.high)).all())
        if cell.is_mixed:
            found += float(compared.separated[~is_same].mean())
        if is_fixed_shown:
            fixed += bool((p_of_fixed_errors(values, codes, compared, number, cell.flips)[is_same] <= 0.05).any())
    simulations = cell.simulations
    return Joint(
        false / simulations,
        fixed / simulations if is_fixed_shown else None,
        held / simulations,
        found / simulations if cell.is_mixed else None,
    )


def p_of_fixed_errors(
    values: npt.NDArray[np.float32], codes: npt.NDArray[np.int64], compared: JointComparison, seed: int, flips: int
) -> npt.NDArray[np.float64]:
    """Adjusted p-values if each flip were held against the standard error of the data: not what we do, and why not."""
    sums = np.stack([np.bincount(codes, weights=column) for column in values.T], axis=1)
    first, second = compared.pairs.T
    weights = np.where(compared.errors > 0, 1 / np.where(compared.errors > 0, compared.errors, 1), 0) / len(values)
    largest: list[npt.NDArray[np.float64]] = []
    for signs in sign_blocks(len(sums), flips, float, seed=seed):
        for part in range(0, len(signs), 200):
            flipped = signs[part : part + 200] @ sums
            largest.append((np.abs(flipped[:, first] - flipped[:, second]) * weights).max(axis=1))
    ordered = np.sort(np.concatenate(largest))
    observed = np.abs(compared.differences) * weights * len(values)
    above = len(ordered) - np.searchsorted(ordered, observed * (1 - 1e-9))
    return (above + 1) / (len(ordered) + 1)


def simulate_pair(groups: int, share: float, wordings: int, simulations: int, *, seed: int = 0) -> Pair:
    """Compares two systems that are alike, and one with a better one, over and over."""
    source = np.random.default_rng([seed, groups, round(1000 * share), wordings])
    limits = threshold(share) + np.array([BETTER, 0.0, 0.0])
    better = share_of(limits[0]) - share
    counts = np.zeros(6)
    for number in range(simulations):
        values, codes = draw(source, groups, limits, wordings)
        same = compare_pair(values[:, 1], values[:, 2], codes, seed=number, resamples=FLIPS)
        sided = compare_pair(values[:, 1], values[:, 0], codes, alternative="greater", seed=number, resamples=FLIPS)
        worse = compare_pair(values[:, 1], values[:, 0], codes, seed=number, resamples=FLIPS)
        assert same is not None and sided is not None and worse is not None
        is_t_small = same.p_t is not None and same.p_t <= 0.05
        holds = (same.low <= 0 <= same.high) + (worse.low <= -better <= worse.high)
        too_high = sided.low > -better, worse.low > -better
        counts += (holds / 2, *too_high, same.p <= 0.05, is_t_small, same.separated)
    return Pair(*(counts / simulations).tolist())


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a Markdown table, numbers to the right."""
    yield f"| {' | '.join(columns)} |"
    yield f"|{'|'.join(' --: ' for _ in columns)}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def percent(share: float | None) -> str:
    """With a decimal; a dash for nothing."""
    return "–" if share is None else f"{100 * share:.1f}"


def joint_rows(cells: Iterable[Cell]) -> Iterator[list[str]]:
    """A row for each cell, as soon as it is there."""
    for cell in cells:
        found = simulate_joint(cell, is_fixed_shown=cell.systems <= FEW)
        shown = [found.false, found.fixed, found.held, found.found]
        about = ["every fifth" if cell.is_mixed else "none", f"{cell.simulations:,}"]
        yield [f"{cell.groups:,}", f"{cell.systems}", f"{cell.share:g}", *about, *(percent(each) for each in shown)]


def pair_rows(simulations: int, groups: Iterable[int]) -> Iterator[list[str]]:
    """A row for each number of groups, of wordings, and share."""
    for number in groups:
        for wordings in (1, WORDINGS):
            for share in (0.5, 0.9, 0.99):
                times = simulations if number < MANY else simulations // 4
                found = simulate_pair(number, share, wordings, times)
                shown = [found.held, found.above, found.far_above, found.rejected, found.rejected_t, found.false]
                said = "1" if wordings == 1 else f"1 to {wordings}"
                yield [f"{number:,}", said, f"{share:g}", f"{times:,}", *(percent(each) for each in shown)]


def cells(work: float, groups: Sequence[int], systems: Sequence[int]) -> Iterator[Cell]:
    """Of so many groups and systems, each share, with and without true differences; fewer simulations of large ones."""
    for count, size, share in product(systems, groups, (0.5, 0.9, 0.99)):
        usual, flips = (1000, 399) if count <= FEW else (400, 199)
        for is_mixed in (False, True):
            yield Cell(
                size,
                count,
                share,
                is_mixed,
                max(4, round(work * usual / (1 if size < MANY or count <= FEW else 2))),
                flips,
            )


def write_tables(work: float, groups: Sequence[int], systems: Sequence[int]) -> Iterator[str]:
    """The lines of both tables."""
    yield "Two systems: in percent of simulations"
    yield ""
    columns = ["groups", "wordings", "share", "simulations", "interval holds", "one-sided too high"]
    columns += ["one-sided of 97.5 % too high", "p ≤ 0.05", "t-test: p ≤ 0.05", "separated"]
    yield from table(columns, pair_rows(max(20, round(4000 * work)), groups))
    yield ""
    yield "Several systems with 1 to 20 wordings a group: in percent of simulations"
    yield ""
    columns = ["groups", "systems", "share", "truly better", "simulations", "falsely separated", "with fixed errors"]
    chosen = cells(work, [each for each in groups if each in (40, 100, 2000)], systems)
    yield from table([*columns, "all intervals hold", "different pairs found"], joint_rows(chosen))


@click.command()
@click.option("--quick", is_flag=True, help="A few simulations of small cells: to see that it works.")
@click.option("--work", type=float, default=1.0, help="As a part of the usual number of simulations.")
def main(quick: bool, work: float) -> None:
    """Prints how often the tests of comparisons err."""
    lines = (
        write_tables(0.02, (20, 40), (20,)) if quick else write_tables(work, (10, 20, 40, 100, 400, 2000), (50, 500))
    )
    for line in lines:
        click.echo(line)


if __name__ == "__main__":
    main()
