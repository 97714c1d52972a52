"""Simulates how often the intervals of a report hold the truth: a nominal 95 % is to hold it in at least 93 %.

    scripts/simulate_intervals [--quick]

A group is a template and an entity, drawn from those of a benchmark, and has an effect of its own besides theirs: the
probit of the chance that a wording is answered rightly is their sum. So there are two truths. *This benchmark* has the
templates and entities that it has: the truth is the mean over all their pairs. *New templates and entities* are drawn
as those were: the truth is the mean over all that there could be. A row is a size, and in it the least favourable of
four kinds of effects. Printed as Markdown, which is kept in `cards/guides/intervals.md`.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import click
import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from benchwright.benchmarks.statistics.crossed import LEAST_ENTITIES, LEAST_TEMPLATES, Crossing, crossed_share, too_few
from benchwright.benchmarks.statistics.intervals import Interval
from benchwright.benchmarks.statistics.shares import share_of_clusters
from benchwright.benchmarks.statistics.wald import wald_z

SIMULATIONS = 4_000
PROMISED = 0.93
"""What an interval of 95 % is to hold at the least, where it claims to apply."""
SHARES = (0.5, 0.9, 0.99)
EFFECTS = {
    "alike": (0.5, 0.5, 0.5),
    "of templates": (1.0, 0.3, 0.3),
    "of entities": (0.3, 1.0, 0.3),
    "of groups": (0.2, 0.2, 2.0),
}
"""Standard deviations of templates, entities and groups, in probits."""
_AT_ONCE = 4_000_000
"""Groups or pairs that are drawn at once."""


class Size(NamedTuple):
    """How large a benchmark is."""

    groups: int
    templates: int
    entities: int
    slope: float = 0.0
    """How unequal the templates are: of rank r one has r to the power of minus this of the first's questions."""
    steep: float = 0.0
    """The same of the entities."""
    wordings: tuple[tuple[int, int], ...] = ()
    """So many groups of so many wordings each, where they are not drawn."""
    said: str = ""
    """What is said of them."""

    @property
    def label(self) -> str:
        """Templates and entities."""
        said = f"{self.templates} × {self.entities}" + (f", by rank^-{self.slope:g}" if self.slope else "")
        return said + (f", entities by rank^-{self.steep:g}" if self.steep else "")


SIZES = (
    Size(10, 20, 50),
    Size(20, 20, 50),
    Size(50, 20, 50),
    Size(100, 20, 50),
    Size(100, 40, 200),
    Size(500, 20, 50),
    Size(500, 50, 200),
    Size(2_000, 20, 50),
    Size(2_000, 50, 200),
    Size(2, 20, 50),
    Size(5, 20, 50),
    Size(500, 20, 100, 0.5),
    Size(500, 40, 100, 0.8),
    Size(500, 40, 100, 1.5),
    Size(2_000, 50, 100, steep=0.6),
    Size(500, 50, 200, steep=1.0),
)
COLUMNS = (
    "groups", "templates × entities", "wordings", "right, %", "this benchmark: held, %", "width, points",
    "new ones: held, %", "width, points", "by group, of new ones", "Wald's z by question",
)  # fmt: skip


class Setting(NamedTuple):
    """A row of the table."""

    size: Size
    wordings: tuple[int, int]
    """The least and the most of a group, where the size does not say them."""
    share: float
    seed: int
    """Of the first kind of effects; the others' follow."""

    @property
    def label(self) -> str:
        """The wordings."""
        least, most = self.wordings
        return self.size.said or (f"{least}" if least == most else f"{least} to {most}")


WORDINGS = ((1, 1), (10, 10), (20, 20), (1, 20))
"""The least and the most of a group."""
ZIPF = tuple((1, 400 // rank) for rank in range(1, 201))
"""Groups of which that of rank r has 1 / r of the first's wordings."""
UNEQUAL = (
    Size(30, 20, 50, wordings=((1, 1_000), (29, 1)), said="1 of 1,000, 29 of 1"),
    Size(205, 20, 50, wordings=((5, 50), (200, 1)), said="5 of 50, 200 of 1"),
    Size(210, 20, 50, wordings=((10, 20), (200, 1)), said="10 of 20, 200 of 1"),
    Size(210, 20, 50, wordings=((10, 8), (200, 1)), said="10 of 8, 200 of 1"),
    Size(200, 20, 50, wordings=ZIPF, said="400 / rank"),
)
"""Of which few groups have most wordings."""


@dataclass
class Held:
    """How often one interval held its truth, and how wide it was."""

    times: int = 0
    there: int = 0
    """How often there was one."""
    widths: float = 0.0

    def add(self, low: float, high: float, truth: float) -> None:
        """Counts an interval."""
        self.there += 1
        self.times += low - 1e-12 <= truth <= high + 1e-12
        self.widths += high - low

    @property
    def share(self) -> float:
        """Of the intervals that there were, those that held the truth."""
        return self.times / self.there if self.there else math.nan

    @property
    def width(self) -> float:
        """On average."""
        return self.widths / self.there if self.there else math.nan


@dataclass
class Found:
    """What came out for one size, share and kind of effects."""

    here: Held
    """The interval by group: this benchmark."""
    new: Held
    """The one by template and entity: new ones, where there are enough."""
    here_of_new: Held
    """The one by group, were it taken for new templates and entities."""
    by_question: Held
    """Wald's z-interval of questions as if they were independent: this benchmark."""


@dataclass(frozen=True)
class Drawn:
    """Simulated runs: arrays of shape (simulations, groups), and the truth of each benchmark."""

    right: npt.NDArray[np.float64]
    wordings: npt.NDArray[np.float64]
    template: npt.NDArray[np.int64]
    entity: npt.NDArray[np.int64]
    truth: npt.NDArray[np.float64]


def simulate(size: Size, wordings: tuple[int, int], share: float, effects: str, seed: int, simulations: int) -> Found:
    """Draws runs, and sees which intervals hold the truth."""
    generator = np.random.default_rng(seed)
    found = Found(Held(), Held(), Held(), Held())
    step = max(1, _AT_ONCE // max(size.groups, size.templates * size.entities))
    for first in range(0, simulations, step):
        drawn = _draw(size, wordings, share, EFFECTS[effects], min(step, simulations - first), generator)
        for run in range(len(drawn.truth)):
            _look(drawn, run, size, share, found)
    return found


def _draw(
    size: Size,
    wordings: tuple[int, int],
    share: float,
    effects: tuple[float, float, float],
    runs: int,
    generator: np.random.Generator,
) -> Drawn:
    of_template, of_entity, of_group = effects
    level = float(ndtri(share)) * math.sqrt(1 + of_template**2 + of_entity**2 + of_group**2)
    templates = of_template * generator.standard_normal((runs, size.templates))
    entities = of_entity * generator.standard_normal((runs, size.entities))
    weights = _unequal(size.templates, size.slope)
    template = _drawn(generator, weights, (runs, size.groups))
    of_one = _unequal(size.entities, size.steep)
    entity = _drawn(generator, of_one, (runs, size.groups))
    probits = level + np.take_along_axis(templates, template, 1) + np.take_along_axis(entities, entity, 1)
    chances = ndtr(probits + of_group * generator.standard_normal((runs, size.groups)))
    asked = generator.integers(wordings[0], wordings[1] + 1, (runs, size.groups))
    if size.wordings:
        asked = np.tile(
            np.repeat([each for _, each in size.wordings], [times for times, _ in size.wordings]), (runs, 1)
        )
    pairs = level + templates[:, :, None] + entities[:, None, :]
    return Drawn(
        right=generator.binomial(asked, chances).astype(float),
        wordings=asked.astype(float),
        template=template,
        entity=entity,
        truth=np.average(_mean(ndtr(pairs / math.sqrt(1 + of_group**2)), of_one), axis=1, weights=weights),
    )


def _unequal(number: int, slope: float) -> npt.NDArray[np.float64]:
    """The share of each of so many, from the largest on."""
    weights = np.arange(1, number + 1) ** -slope
    return weights / weights.sum()


def _mean(chances: npt.NDArray[np.float64], weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Over the last axis."""
    return chances.mean(axis=2) if np.ptp(weights) == 0 else chances @ weights


def _drawn(
    generator: np.random.Generator, shares: npt.NDArray[np.float64], shape: tuple[int, int]
) -> npt.NDArray[np.int64]:
    """Templates, each with its share."""
    if np.ptp(shares) == 0:
        return generator.integers(0, len(shares), shape)
    return np.searchsorted(np.cumsum(shares)[:-1], generator.random(shape))


def _look(drawn: Drawn, run: int, size: Size, share: float, found: Found) -> None:
    right, asked, truth = drawn.right[run], drawn.wordings[run], float(drawn.truth[run])
    by_group = share_of_clusters(right, asked)
    if by_group is not None:
        found.here.add(by_group.low, by_group.high, truth)
    found.by_question.add(*wald_z(float(right.sum() / asked.sum()), int(asked.sum())), truth)
    template, entity = drawn.template[run], drawn.entity[run]
    sizes = [np.bincount(codes, weights=asked).astype(float) for codes in (template, entity)]
    if too_few(*(each[each > 0] for each in sizes)):
        return
    crossing = Crossing(template, entity, template * size.entities + entity)
    crossed: Interval | None = crossed_share(right / asked, crossing, asked)
    if crossed is not None and by_group is not None:
        found.new.add(crossed.low, crossed.high, share)
        found.here_of_new.add(by_group.low, by_group.high, share)


def rows(settings: Sequence[Setting], simulations: int) -> Iterator[tuple[Setting, list[Found]]]:
    """Each setting, and what came out of each kind of effects."""
    for setting in settings:
        yield (
            setting,
            [
                simulate(setting.size, setting.wordings, setting.share, kind, setting.seed + number, simulations)
                for number, kind in enumerate(EFFECTS)
            ],
        )


def settings() -> list[Setting]:
    """Of each row of the table."""
    drawn = [(size, each) for size in SIZES for each in WORDINGS]
    every = [*drawn, *((size, (1, 1)) for size in UNEQUAL)]
    found = ((size, wordings, share) for size, wordings in every for share in SHARES)
    return [Setting(*each, 1 + number * len(EFFECTS)) for number, each in enumerate(found)]


def least(held: Sequence[Held], simulations: int) -> str:
    """The least share of several, in per cent; none where in most runs there was no interval."""
    there = [each.share for each in held if each.there > simulations / 2]
    return f"{100 * min(there):.1f}" if there else "–"


def _widths(held: Sequence[Held], simulations: int) -> str:
    there = [each.width for each in held if each.there > simulations / 2]
    return f"{100 * min(there):.1f} to {100 * max(there):.1f}" if there else "–"


def line(setting: Setting, kinds: Sequence[Found], simulations: int) -> str:
    """A row of the table."""
    here, new = [each.here for each in kinds], [each.new for each in kinds]
    cells = (
        f"{setting.size.groups:,}",
        setting.size.label,
        setting.label,
        f"{100 * setting.share:g}",
        least(here, simulations),
        _widths(here, simulations),
        least(new, simulations),
        _widths(new, simulations),
        least([each.here_of_new for each in kinds], simulations),
        least([each.by_question for each in kinds], simulations),
    )
    return f"| {' | '.join(cells)} |"


@click.command()
@click.option("--quick", is_flag=True, help="A tenth of the simulations.")
def main(quick: bool) -> None:
    """Simulate, and print a Markdown table as it comes."""
    simulations = SIMULATIONS // (10 if quick else 1)
    click.echo(f"{simulations:,} simulated runs for each of {len(EFFECTS)} kinds of effects: {', '.join(EFFECTS)}.\n")
    click.echo(f"| {' | '.join(COLUMNS)} |\n|{'---:|' * len(COLUMNS)}")
    here, new = list[float](), list[float]()
    for setting, kinds in rows(settings(), simulations):
        here += [each.here.share for each in kinds]
        new += [each.new.share for each in kinds if each.new.there > simulations / 2]
        click.echo(line(setting, kinds, simulations))
    click.echo("\nThe least of all cells where there is an interval:\n")
    both = f"from {LEAST_TEMPLATES} templates and {LEAST_ENTITIES} entities on"
    for what, cells in (("this benchmark, from 2 groups on", here), (f"new ones, {both}", new)):
        low = sum(each < PROMISED for each in cells)
        click.echo(f"- {what}: {100 * min(cells):.1f} %; {low} of {len(cells)} cells below {PROMISED:.0%}.")


if __name__ == "__main__":
    main()
