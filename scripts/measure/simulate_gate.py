"""How often a gate lets a system through that is worse by just what it allows: by simulation.

    python -m benchwright.scripts.measure.simulate_gate [--quick]

Prints the table that `benchmarks/facts/gates.md` keeps. The candidate is truly worse than the baseline by the margin of
the gate, so that it should pass in at most 5 % of simulations, and fail in at most 5 %. It loses whole groups or single
wordings, and gains and loses as much more by chance. Beside it stands the lower limit of Student's t over clusters.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import click
import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.statistics.one_sided import alike_as_one

Floats = npt.NDArray[np.float64]
Loses = Literal["groups", "wordings", "large groups"]
ALPHA = 0.05
UNEQUAL = (1, 2, 3, 5, 20)
"""Numbers of wordings that groups have, each equally often."""
GROUPS = (20, 40, 100, 400, 2000)
MARGINS = (0.02, 0.1)
BESIDE = (0.0, 0.02, 0.2)
"""Shares that are lost and gained beside it."""
WAYS: Mapping[int | None, Sequence[Loses]] = {
    1: ("groups",),
    10: ("groups", "wordings"),
    None: ("groups", "wordings", "large groups"),
}
"""Of each number of wordings, None for UNEQUAL, what the candidate loses."""
SIMULATIONS, QUICK = 4_000, 400


@dataclass(frozen=True)
class Cell:
    """A row of the table."""

    groups: int
    wordings: int | None
    """Of each group; None: UNEQUAL."""
    loses: Loses
    margin: float
    beside: float


@dataclass(frozen=True)
class Seen:
    """Shares of the simulations of a cell."""

    passed: float
    failed: float
    student: float
    """In which the lower limit of Student's t lies within the margin."""
    copies: float
    """In which a candidate passes that is no worse in truth, with the same gains and losses beside."""


def cells(quick: bool) -> Iterator[Cell]:
    """The rows, in their order."""
    for groups in (40, 400) if quick else GROUPS:
        for wordings in (1, None) if quick else WAYS:
            for loses in WAYS[wordings]:
                for margin in MARGINS:
                    for beside in BESIDE[:2] if quick or loses == "large groups" else BESIDE:
                        yield Cell(groups, wordings, loses, margin, beside)


def simulate(cell: Cell, simulations: int, seed: int = 0) -> Seen:
    """What is seen in so many simulations."""
    generator = np.random.Generator(np.random.PCG64([seed, cell.groups, round(1000 * cell.margin)]))
    worse = [_draw(cell, generator, cell.margin) for _ in range(simulations)]
    alike = [_draw(cell, generator, 0.0) for _ in range(simulations)]
    return Seen(
        float(np.mean([_below(*each, -cell.margin) <= ALPHA for each in worse])),
        float(np.mean([_above(*each, -cell.margin) < ALPHA for each in worse])),
        float(np.mean([_student(*each) >= -cell.margin for each in worse])),
        float(np.mean([_below(*each, -cell.margin) <= ALPHA for each in alike])),
    )


def _below(sums: Floats, sizes: Floats, bound: float) -> float:
    return alike_as_one(sums, sizes, (-1.0, 1.0)).below(bound)


def _above(sums: Floats, sizes: Floats, bound: float) -> float:
    return alike_as_one(sums, sizes, (-1.0, 1.0)).above(bound)


def _student(sums: Floats, sizes: Floats) -> float:
    """The lower limit of Student's t with the variance linearised by cluster."""
    from scipy.special import stdtrit

    number = len(sums)
    mean = float(sums.sum() / sizes.sum())
    rests = sums - sizes * mean
    error = np.sqrt(number / (number - 1) * float(rests @ rests)) / sizes.sum()
    return mean - float(stdtrit(number - 1, 1 - ALPHA)) * error


def _draw(cell: Cell, generator: np.random.Generator, lost: float) -> tuple[Floats, Floats]:
    """The sums of differences, and the sizes, of the groups of one simulation; `lost` more are lost than gained."""
    numbers = UNEQUAL if cell.wordings is None else (cell.wordings,)
    sizes = generator.choice(numbers, cell.groups)
    if cell.loses == "wordings":
        chances = np.broadcast_to([lost + cell.beside, cell.beside, 1 - lost - 2 * cell.beside], (cell.groups, 3))
        drawn = generator.multinomial(sizes, chances)
        return (drawn[:, 1] - drawn[:, 0]).astype(float), sizes.astype(float)
    chance = np.full(cell.groups, lost)
    if cell.loses == "large groups":
        chance = np.where(sizes == max(UNEQUAL), lost * sum(UNEQUAL) / max(UNEQUAL), 0.0)
    drawn = generator.random(cell.groups)
    sign = np.where(drawn < chance + cell.beside, -1, np.where(drawn < chance + 2 * cell.beside, 1, 0))
    return (sign * sizes).astype(float), sizes.astype(float)


@click.command()
@click.option("--quick", is_flag=True, help="Few simulations of few cells.")
def main(quick: bool) -> None:
    """Print the table as Markdown, and the largest share that passed."""
    simulations = QUICK if quick else SIMULATIONS
    head = ("groups", "wordings", "loses", "margin", "beside", "passed", "failed", "passed by t", "no worse, passed")
    click.echo(f"| {' | '.join(head)} |\n|{'---:|' * 2}---|{'---:|' * 6}")
    largest, by_t = 0.0, 0.0
    for cell in cells(quick):
        seen = simulate(cell, simulations)
        largest, by_t = max(largest, seen.passed), max(by_t, seen.student)
        words = "1 to 20" if cell.wordings is None else f"{cell.wordings}"
        shares = (seen.passed, seen.failed, seen.student, seen.copies)
        row = (f"{cell.groups:,}", words, cell.loses, f"{cell.margin:g}", f"{cell.beside:g}")
        click.echo(f"| {' | '.join((*row, *(f'{share:.3f}' for share in shares)))} |")
    error = np.sqrt(ALPHA * (1 - ALPHA) / simulations)
    click.echo(
        f"\nOf {simulations:,} simulations each. The largest share that passed wrongly is {largest:.3f} (by t "
        f"{by_t:.3f}); 0.05 is seen as {ALPHA - 3 * error:.3f} to {ALPHA + 3 * error:.3f}."
    )


if __name__ == "__main__":
    main()
