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
GROUPS = (20, 40, 100, 400, 2000)
MARGINS = (0.02, 0.1)
BESIDE = (0.0, 0.02, 0.2)
"""Shares that are lost and gained beside it."""
SIMULATIONS, QUICK = 4_000, 400


@dataclass(frozen=True)
class Sizes:
    """The numbers of wordings that groups have."""

    words: str
    numbers: tuple[int, ...]
    shares: tuple[float, ...] | None = None
    """How often each; None: equally often."""
    is_drawn: bool = True
    """Whether each group's is drawn; else each simulation has just these shares."""

    @property
    def large(self) -> float:
        """The share of the largest groups."""
        return self.shares[-1] if self.shares else 1 / len(self.numbers)

    @property
    def mean(self) -> float:
        """Wordings of a group."""
        return (
            sum(self.numbers) / len(self.numbers) if self.shares is None else float(np.dot(self.numbers, self.shares))
        )


SINGLE, TEN, UNEQUAL = Sizes("1", (1,)), Sizes("10", (10,)), Sizes("1 to 20", (1, 2, 3, 5, 20))
WAYS: Mapping[Sizes, Sequence[Loses]] = {
    SINGLE: ("groups",),
    TEN: ("wordings",),
    UNEQUAL: ("groups", "wordings", "large groups"),
}
"""What the candidate loses. Whole groups of ten wordings are those of one wording over again."""
RARE: Mapping[int, Sequence[Sizes]] = {
    400: (
        Sizes("1; 2 of 20", (1, 20), (0.995, 0.005), is_drawn=False),
        Sizes("1; 0.5 % of 20", (1, 20), (0.995, 0.005)),
    ),
    1000: (
        Sizes("1; 1 of 80", (1, 80), (0.999, 0.001), is_drawn=False),
        Sizes("1; 0.1 % of 80", (1, 80), (0.999, 0.001)),
    ),
}
"""By the number of groups: few large ones, which alone are lost."""


@dataclass(frozen=True)
class Cell:
    """A row of the table."""

    groups: int
    sizes: Sizes
    loses: Loses
    margin: float
    beside: float

    @property
    def lacking(self) -> float:
        """The share of simulations in which no group is there of the size that alone is lost."""
        is_sure = self.loses != "large groups" or not self.sizes.is_drawn
        return 0.0 if is_sure else float((1 - self.sizes.large) ** self.groups)


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
        for sizes in (SINGLE, UNEQUAL) if quick else WAYS:
            for loses in WAYS[sizes]:
                for margin in MARGINS:
                    for beside in BESIDE[:2] if quick or loses == "large groups" else BESIDE:
                        yield Cell(groups, sizes, loses, margin, beside)
    for groups, rare in RARE.items():
        for sizes in rare:
            yield Cell(groups, sizes, "large groups", MARGINS[0], 0.0)


def simulate(cell: Cell, simulations: int, seed: int = 0) -> Seen:
    """What is seen in so many simulations."""
    generator = np.random.Generator(np.random.PCG64([seed, cell.groups, round(1000 * cell.margin)]))
    worse = [_draw(cell, generator, cell.margin) for _ in range(simulations)]
    alike = [_draw(cell, generator, 0.0) for _ in range(simulations)]
    tails = _Tails(-cell.margin)
    below, above = np.array([tails.of(*each) for each in worse]).T
    return Seen(
        float(np.mean(below <= ALPHA)),
        float(np.mean(above < ALPHA)),
        float(np.mean([_student(*each) >= -cell.margin for each in worse])),
        float(np.mean([tails.of(*each)[0] <= ALPHA for each in alike])),
    )


class _Tails:
    """The probabilities that the mean is below and above a bound, computed once for clusters of the same numbers."""

    def __init__(self, bound: float) -> None:
        self.bound = bound
        self.known: dict[tuple[bytes, ...], tuple[float, float]] = {}

    def of(self, sums: Floats, sizes: Floats) -> tuple[float, float]:
        clusters = alike_as_one(sums, sizes, (-1.0, 1.0))
        key = (clusters.sums.tobytes(), clusters.sizes.tobytes(), clusters.numbers.tobytes())
        if key not in self.known:
            self.known[key] = clusters.below(self.bound), clusters.above(self.bound)
        return self.known[key]


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
    sizes = _draw_sizes(cell, generator)
    if cell.loses == "wordings":
        chances = np.broadcast_to([lost + cell.beside, cell.beside, 1 - lost - 2 * cell.beside], (cell.groups, 3))
        drawn = generator.multinomial(sizes, chances)
        return (drawn[:, 1] - drawn[:, 0]).astype(float), sizes.astype(float)
    chance = np.full(cell.groups, lost)
    if cell.loses == "large groups":
        most = max(cell.sizes.numbers)
        chance = np.where(sizes == most, lost * cell.sizes.mean / (cell.sizes.large * most), 0.0)
    drawn = generator.random(cell.groups)
    sign = np.where(drawn < chance + cell.beside, -1, np.where(drawn < chance + 2 * cell.beside, 1, 0))
    return (sign * sizes).astype(float), sizes.astype(float)


def _draw_sizes(cell: Cell, generator: np.random.Generator) -> npt.NDArray[np.int64]:
    if cell.sizes.is_drawn:
        return generator.choice(cell.sizes.numbers, cell.groups, p=cell.sizes.shares)
    counts = np.round(np.array(cell.sizes.shares) * cell.groups).astype(int)
    return np.repeat(cell.sizes.numbers, counts)


def row(cell: Cell, seen: Seen) -> str:
    """A row of the table, in Markdown."""
    shares = (seen.passed, seen.failed, seen.student, seen.copies)
    first = (f"{cell.groups:,}", cell.sizes.words, cell.loses, f"{cell.margin:g}", f"{cell.beside:g}")
    return f"| {' | '.join((*first, *(f'{share:.3f}' for share in shares)))} |"


@click.command()
@click.option("--quick", is_flag=True, help="Few simulations of few cells.")
def main(quick: bool) -> None:
    """Print the table as Markdown, and the largest share that passed."""
    simulations = QUICK if quick else SIMULATIONS
    head = ("groups", "wordings", "loses", "margin", "beside", "passed", "failed", "passed by t", "no worse, passed")
    click.echo(f"| {' | '.join(head)} |\n|{'---:|' * 2}---|{'---:|' * 6}")
    largest, by_t, blind = 0.0, 0.0, list[str]()
    for cell in cells(quick):
        seen = simulate(cell, simulations)
        click.echo(row(cell, seen))
        if cell.lacking > ALPHA:
            blind.append(f"{seen.passed:.3f} where {cell.lacking:.3f}")
        else:
            largest, by_t = max(largest, seen.passed), max(by_t, seen.student)
    error = np.sqrt(ALPHA * (1 - ALPHA) / simulations)
    click.echo(
        f"\nOf {simulations:,} simulations each. The largest share that passed wrongly is {largest:.3f} (by t "
        f"{by_t:.3f}), but {' and '.join(blind)} of the simulations have no group of the size that is lost; 0.05 is "
        f"seen as {ALPHA - 3 * error:.3f} to {ALPHA + 3 * error:.3f}."
    )


if __name__ == "__main__":
    main()
