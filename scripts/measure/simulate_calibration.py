"""Simulates how often calibrated means and the bounds in their place hold the truth: 95 % is to hold it in about 95 %.

    python -m benchwright.scripts.measure.simulate_calibration [--quick]

A run has answers in semantic groups, whose chance to be right differs from group to group, and a judge whose errors do,
too. People, who do not err, score one answer of each group that is drawn. The truth is the share of right answers, or
the mean grade, of all that there could be. Beside our interval stands the one of a textbook: by answer, with the weight
from the same answers, the normal distribution, and no rule of when to refuse. Printed as Markdown, which is kept in
`benchmarks/facts/calibration.md`.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import click
import numpy as np

from benchwright.benchmarks.statistics.calibration import LabelledSample, calibrate
from benchwright.benchmarks.statistics.intervals import Floats, Ints
from benchwright.benchmarks.statistics.shares import SHARE
from benchwright.scripts.measure.simulate_intervals import Held

SIMULATIONS = 2_000
PROMISED = 0.93
"""What intervals and bounds of 95 % are to hold at the least."""
JUDGES = {
    "errs in 1 of 100": (0.01, 0.01),
    "errs in 1 of 20": (0.05, 0.05),
    "lenient": (0.4, 0.02),
    "strict": (0.02, 0.3),
    "useless": (0.7, 0.3),
    "perverse": (0.8, 0.7),
}
"""How often a judge calls a wrong answer right, and a right one wrong."""
GRADERS = ("grades: near", "grades: generous", "grades: at random")
"""Judges who give grades from 0 to 10, as people do."""
_LIMITS = (0.0, 10.0)
_TRUTH_GROUPS = 200_000


class Cell(NamedTuple):
    """A row of the table."""

    labelled: int
    """Groups of which people score an answer."""
    groups: int
    """Groups that there are."""
    wordings: tuple[int, int]
    """The least and the most answers of a group."""
    right: float | None
    """The share of right answers; None of grades."""
    judge: str
    alike: float = 0.3
    """How alike the answers of a group are, as a correlation; so are the judge's errors."""


@dataclass
class Found:
    """What came out of a cell."""

    calibrated: Held = field(default_factory=Held)
    bounds: Held = field(default_factory=Held)
    people: Held = field(default_factory=Held)
    """Of people's scores alone, which stand beside either."""
    textbook: Held = field(default_factory=Held)

    @property
    def refused(self) -> float:
        """The share of runs without a calibrated mean."""
        return self.bounds.there / max(self.bounds.there + self.calibrated.there, 1)


def simulate(cell: Cell, simulations: int, seed: int = 1) -> Found:
    """Draws runs and samples, and sees what holds the truth; grades as shares of their scale."""
    generator, found = np.random.default_rng(seed), Found()
    scale = 1.0 if cell.right is not None else _LIMITS[1]
    truth = cell.right
    if truth is None:
        truth = float(_grades(cell, _wordings(cell, _TRUTH_GROUPS, generator)[0], generator)[1].mean()) / scale
    for _ in range(simulations):
        sample = draw(cell, generator)
        said = calibrate(sample)
        if said.estimate is not None:
            found.calibrated.add(said.estimate.low / scale, said.estimate.high / scale, truth)
        elif said.bounds is not None:
            found.bounds.add(said.bounds.low / scale, said.bounds.high / scale, truth)
        if said.people is not None:
            found.people.add(said.people.low / scale, said.people.high / scale, truth)
        low, high = textbook(sample)
        found.textbook.add(low / scale, high / scale, truth)
    return found


def draw(cell: Cell, generator: np.random.Generator) -> LabelledSample:
    """A run and a sample of it."""
    groups, sizes = _wordings(cell, cell.groups, generator)
    scores, people = (_grades if cell.right is None else _verdicts)(cell, groups, generator)
    chosen = generator.permutation(cell.groups)[: cell.labelled]
    drawn = (np.cumsum(sizes) - sizes)[chosen] + (generator.random(len(chosen)) * sizes[chosen]).astype(int)
    return LabelledSample(
        scores=scores,
        is_scored=np.ones(len(groups), dtype=bool),
        groups=groups,
        drawn=drawn,
        labels=people[drawn],
        is_labelled=np.ones(len(drawn), dtype=bool),
        limits=SHARE if cell.right is not None else _LIMITS,
    )


def _wordings(cell: Cell, count: int, generator: np.random.Generator) -> tuple[Ints, Ints]:
    """The group of each answer, and how many each group has."""
    sizes = generator.integers(cell.wordings[0], cell.wordings[1] + 1, size=count)
    return np.repeat(np.arange(count), sizes), sizes


def _verdicts(cell: Cell, groups: Ints, generator: np.random.Generator) -> tuple[Floats, Floats]:
    """The judge's of each answer, and people's."""
    assert cell.right is not None
    right = generator.random(len(groups)) < _chances(cell.right, cell, groups, generator)
    false_correct, false_wrong = (_chances(rate, cell, groups, generator) for rate in JUDGES[cell.judge])
    errs = generator.random(len(groups)) < np.where(right, false_wrong, false_correct)
    return (right ^ errs).astype(float), right.astype(float)


def _grades(cell: Cell, groups: Ints, generator: np.random.Generator) -> tuple[Floats, Floats]:
    """The judge's of each answer, and people's: half of what they differ in is of the group."""
    answers, errors = (
        generator.normal(size=groups[-1] + 1)[groups] + generator.normal(size=len(groups)) for _ in range(2)
    )
    people = np.clip(np.round(7 + 2 * answers), *_LIMITS)
    given = {
        "grades: near": people + errors / 2,
        "grades: generous": 5 + people / 2 + errors,
        "grades: at random": generator.integers(0, 11, size=len(groups)).astype(float),
    }[cell.judge]
    return np.clip(np.round(given), *_LIMITS), people


def _chances(mean: float, cell: Cell, groups: Ints, generator: np.random.Generator) -> Floats:
    """Of each answer that of its group, from a beta distribution."""
    both = (1 - cell.alike) / cell.alike
    return generator.beta(both * mean, both * (1 - mean), size=cell.groups)[groups]


def textbook(sample: LabelledSample) -> tuple[float, float]:
    """The interval of PPI++ for independent answers, of which those that people scored are some."""
    labels, scores = sample.labels, sample.scores[sample.drawn]
    some, every = len(labels), len(sample.scores)
    spread = float(scores.var(ddof=1))
    weight = 0.0
    if spread > 0:
        weight = float(np.cov(labels, scores)[0, 1]) / spread / (1 + some / every)
    value = weight * float(sample.scores.mean()) + float((labels - weight * scores).mean())
    variance = float((labels - weight * scores).var(ddof=1)) / some
    half = 1.959964 * math.sqrt(variance + weight**2 * float(sample.scores.var(ddof=1)) / every)
    return value - half, value + half


def cells() -> Iterator[Cell]:
    """The rows of the table."""
    for judge in JUDGES:
        for labelled in (30, 100, 200, 500):
            for wordings, right in (((1, 1), 0.8), ((1, 20), 0.8), ((4, 4), 0.5), ((4, 4), 0.95)):
                yield Cell(labelled, 1_000, wordings, right, judge)
    for judge in ("errs in 1 of 20", "lenient", "useless"):
        yield Cell(60, 60, (1, 4), 0.8, judge)
        yield Cell(150, 150, (1, 4), 0.8, judge)
        yield Cell(150, 300, (1, 4), 0.8, judge)
        yield Cell(150, 1_000, (8, 8), 0.8, judge, alike=0.9)
        yield Cell(150, 1_000, (8, 8), 0.8, judge, alike=0.05)
    for judge in GRADERS:
        for labelled in (30, 100, 300):
            yield Cell(labelled, 600, (1, 6), None, judge, alike=0.5)


HEAD = (
    "labelled groups", "of groups", "answers a group", "alike", "right", "judge", "refused, %", "calibrated: held, %",
    "width, points", "bounds: held, %", "width, points", "people alone: held, %", "width, points", "textbook: held, %",
)  # fmt: skip


def row(cell: Cell, found: Found) -> str:
    """A row of the table, as Markdown."""
    least, most = cell.wordings
    sizes = f"{least}" if least == most else f"{least} to {most}"
    cells = [
        f"{cell.labelled}", f"{cell.groups:,}", sizes, f"{cell.alike:g}",
        "" if cell.right is None else f"{cell.right:g}", cell.judge,
        _percent(found.refused),
        *(_percent(each, held.there) for held in (found.calibrated, found.bounds) for each in (held.share, held.width)),
        _percent(found.people.share), _percent(found.people.width), _percent(found.textbook.share),
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


ENOUGH = 200
"""Runs below which a share of them is not shown."""


def _percent(share: float, runs: int = ENOUGH) -> str:
    return "" if runs < ENOUGH else f"{100 * share:.1f}"


def table(wanted: Sequence[Cell], simulations: int) -> str:
    """The table, as Markdown."""
    lines = [f"| {' | '.join(HEAD)} |", f"|{'---:|' * len(HEAD)}"]
    return "\n".join([*lines, *(row(cell, simulate(cell, simulations)) for cell in wanted)])


@click.command()
@click.option("--quick", is_flag=True, help="Fewer simulations.")
def main(quick: bool) -> None:
    """Print the table."""
    click.echo(table(tuple(cells()), 300 if quick else SIMULATIONS))


if __name__ == "__main__":
    main()
