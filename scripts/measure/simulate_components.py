"""Whether the parts of the noise are right, and how far off is what a report says that more groups would buy.

    python -m benchwright.scripts.measure.simulate_components

Prints two Markdown tables, which stand in `benchmarks/facts/noise.md`. Answers are right or wrong. A group has a chance
to be answered rightly, Beta(2, 1) or Beta(30, 1); one of its wordings has the group's chance, moved up or down by 0.3
of its distance to the nearer limit; a repeat is right with the wording's chance; the judge turns one verdict in twenty
round. Groups have one to four wordings, questions one to three repeats, and answers one or two looks of the judge, each
with the same chance.
"""

from collections.abc import Iterator
from dataclasses import replace

import click
import numpy as np

from benchwright.benchmarks.statistics.components import LEVELS, Level, design_of, nested_parts, projected_errors
from benchwright.benchmarks.statistics.intervals import Floats, Ints

MOVED, TURNED = 0.3, 0.05
POWERS = (2, 30)
"""A group's chance is Beta(power, 1): 67 and 97 % are right in the mean."""
GROUPS = (10, 20, 40, 100, 400, 2_000)
SIMULATIONS = 4_000


def simulate(groups: int, power: int, generator: np.random.Generator) -> tuple[Floats, dict[Level, Ints]]:
    """One run: a score for each look of the judge, and the units of each."""
    chance = generator.beta(power, 1, size=groups)
    group = np.repeat(np.arange(groups), generator.integers(1, 5, size=groups))
    up = generator.integers(0, 2, size=len(group)) * 2 - 1
    of_wording = chance[group] + up * MOVED * np.minimum(chance, 1 - chance)[group]
    question = np.repeat(np.arange(len(group)), generator.integers(1, 4, size=len(group)))
    is_right = generator.random(len(question)) < of_wording[question]
    answer = np.repeat(np.arange(len(question)), generator.integers(1, 3, size=len(question)))
    said = is_right[answer] ^ (generator.random(len(answer)) < TURNED)
    return said.astype(float), {"groups": group[question][answer], "wordings": question[answer], "repeats": answer}


def true_parts(power: int) -> dict[Level, float]:
    """The variances that the answers are drawn with, worked out."""
    mean = power / (power + 1)
    of_groups = mean / (power + 1) / (power + 2)
    grid = (np.arange(200_000) + 0.5) / 200_000
    density = power * grid ** (power - 1)
    moves = float(np.mean(np.square(MOVED * np.minimum(grid, 1 - grid)) * density))
    kept = (1 - 2 * TURNED) ** 2
    of_repeats = mean - (of_groups + mean**2) - moves
    return {
        "groups": kept * of_groups,
        "wordings": kept * moves,
        "repeats": kept * of_repeats,
        "judge": TURNED * (1 - TURNED),
    }


def parts_in_the_mean(
    groups: int, power: int, simulations: int, seed: int
) -> Iterator[tuple[Level, float, float, float]]:
    """Of each part the truth, the mean of what was estimated, and that mean's standard error."""
    generator = np.random.Generator(np.random.PCG64(seed))
    found = np.empty((simulations, len(LEVELS)))
    for number in range(simulations):
        parts = nested_parts(*simulate(groups, power, generator))
        assert parts is not None and len(parts) == len(LEVELS)
        found[number] = [part.variance for part in parts]
    errors = found.std(axis=0, ddof=1) / np.sqrt(simulations)
    for place, (level, truth) in enumerate(true_parts(power).items()):
        yield level, truth, float(found[:, place].mean()), float(errors[place])


def errors_of_projections(groups: int, power: int, simulations: int, seed: int) -> tuple[Floats, Floats]:
    """How far what is said of the standard error is from the truth, as a share of it: as it was, with twice the groups.

    The truth is the standard deviation of the means of as many other simulations.
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    said = np.empty((simulations, 2))
    means = np.empty((2, simulations))
    for number in range(simulations):
        values, units = simulate(groups, power, generator)
        parts, now = nested_parts(values, units), design_of(units)
        assert parts is not None
        said[number] = [
            projected_errors(parts, now, now)[1],
            projected_errors(parts, now, replace(now, groups=2 * now.groups))[1],
        ]
        means[0, number] = mean_of_questions(values, units)
        means[1, number] = mean_of_questions(*simulate(2 * groups, power, generator))
    off = np.abs(said / means.std(axis=1, ddof=1) - 1)
    return np.median(off, axis=0), np.quantile(off, 0.95, axis=0)


def mean_of_questions(values: Floats, units: dict[Level, Ints]) -> float:
    """The mean over questions of the first looks at their repeats."""
    _, firsts = np.unique(units["repeats"], return_index=True)
    question = units["wordings"][firsts]
    return float((np.bincount(question, weights=values[firsts]) / np.bincount(question)).mean())


def main() -> None:
    """Prints the tables."""
    click.echo("| right | part | true variance | mean of the estimates at 30 groups | standard error |")
    click.echo("| ---: | --- | ---: | ---: | ---: |")
    for power in POWERS:
        for level, truth, mean, error in parts_in_the_mean(30, power, SIMULATIONS, seed=1):
            click.echo(f"| {_right(power)} | {level} | {truth:.4f} | {mean:.4f} | {error:.4f} |")
    click.echo("")
    click.echo(
        "| right | groups | ± as it was, off by: median | in 19 of 20 | ± of twice the groups: median | in 19 of 20 |"
    )
    click.echo("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for power in POWERS:
        for groups in GROUPS:
            middle, most = errors_of_projections(groups, power, SIMULATIONS, seed=groups)
            cells = (f"{100 * value:.0f} %" for pair in zip(middle, most, strict=True) for value in pair)
            click.echo(f"| {_right(power)} | {groups:,} | {' | '.join(cells)} |")


def _right(power: int) -> str:
    return f"{100 * power / (power + 1):.0f} %"


if __name__ == "__main__":
    main()
