"""Whether intervals of the effect of length on a judge hold it as often as they say.

    python -m benchwright.scripts.measure.simulate_lengths

Prints a Markdown table. A judge calls an answer right with a chance of 0.3, of 0.6 where it is right, and of so much
more for each doubling of its words as the table says; answers of one group share a part of their luck. The logarithm of
lengths, to base 2, has a standard deviation of 1 or 3 about, of which groups share none or most. Groups have one
wording, or one to four.
"""

import itertools

import click
import numpy as np

from benchwright.benchmarks.reports.metrics.judge_checks import LEAST_GROUPS, LengthEffect, length_effect
from benchwright.benchmarks.statistics.intervals import Floats, Ints

GROUPS = (LEAST_GROUPS, 20, 50, 200)
MEAN = 4.0
"""Of the logarithm of lengths, to base 2."""


def simulate(
    groups: int, wordings: int, effect: float, shared: float, spread: float, generator: np.random.Generator
) -> tuple[Floats, Floats, Ints, Ints]:
    """Scores, words, truth and group of each answer."""
    from scipy.special import ndtr

    group = np.repeat(np.arange(groups), generator.integers(1, wordings + 1, size=groups))
    number = len(group)

    def normal(part: float) -> Floats:
        return part * generator.normal(size=groups)[group] + (1 - part) * generator.normal(size=number)

    words = np.maximum(1, np.round(2 ** (MEAN + spread * normal(shared))))
    truth = (normal(0.5) > 0).astype(np.int64)
    chance = np.clip(0.3 + 0.3 * truth + effect * (np.log2(words) - MEAN), 0, 1)
    luck = ndtr(normal(0.5) / np.sqrt(0.5))
    return (luck < chance).astype(float), words, truth, group


def held(groups: int, cell: tuple[int, float, float, float], simulations: int, seed: int) -> tuple[float, float]:
    """How often the interval holds the slope of very many groups, and how often there is one."""
    generator = np.random.default_rng(seed)
    found = [length_effect(*simulate(20_000, *cell, generator)) for _ in range(3)]
    slope = float(np.mean([each.slope for each in found if isinstance(each, LengthEffect)]))
    effects = [length_effect(*simulate(groups, *cell, generator)) for _ in range(simulations)]
    there = [each for each in effects if isinstance(each, LengthEffect)]
    return float(np.mean([each.low <= slope <= each.high for each in there])), len(there) / simulations


@click.command()
@click.option("--simulations", default=4_000, show_default=True)
@click.option("--seed", default=0, show_default=True)
def main(simulations: int, seed: int) -> None:
    """Print the table."""
    names = "".join(f" {number:,} groups |" for number in GROUPS)
    click.echo(f"| wordings | effect | shared | spread |{names}\n|---|---|---|---|{'---|' * len(GROUPS)}")
    for cell in itertools.product((1, 4), (0.0, 0.05), (0.0, 0.7), (1.0, 3.0)):
        shares = [held(groups, cell, simulations, seed) for groups in GROUPS]
        told = "".join(f" {100 * share:.1f} % |" for share, _ in shares)
        click.echo(f"| {cell[0]} | {cell[1]:g} | {cell[2]:g} | {cell[3]:g} |{told}")


if __name__ == "__main__":
    main()
