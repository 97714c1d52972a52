"""Simulates how often the intervals of agreement hold the truth: a nominal 95 % is to hold it in about 95 %.

    python -m benchwright.scripts.measure.simulate_agreement [--quick]

Judges see the same answers; groups of wordings differ in how often their answers are right and how hard they are to
judge, so that verdicts within a group are alike. The true figure is that of 100,000 groups. A row is a setting, a
column a figure; printed as a Markdown table, which is kept in `benchmarks/facts/agreement.md`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from benchwright.benchmarks.statistics.agreement import cohen_kappa, fleiss_kappa, grade_weights
from benchwright.benchmarks.statistics.association import pair_accuracy, pearson, spearman
from benchwright.benchmarks.statistics.reliability import two_parts, verdicts_of

_TRUTH_GROUPS = 100_000
JUDGES = 3


@dataclass(frozen=True)
class Setting:
    """One row of the table."""

    groups: int
    wordings: int
    """The most of a group; groups have from 1 to so many."""
    right: float
    """The share of answers that are right."""
    error: float
    """How often a judge errs."""


@dataclass(frozen=True)
class Drawn:
    """Answers, as judges and a metric see them."""

    clusters: Any
    verdicts: Any
    """Of shape (answers, JUDGES)."""
    score: Any
    """Of a metric, on a scale without steps."""
    grade: Any
    """Of a person, from 1 to 5."""
    second_grade: Any
    """Of another."""


def draw(setting: Setting, groups: int, generator: np.random.Generator) -> Drawn:
    """Groups of answers and what is said of them."""
    sizes = generator.integers(1, setting.wordings + 1, size=groups)
    clusters = np.repeat(np.arange(groups), sizes)
    of_group = generator.beta(2 * setting.right, 2 * (1 - setting.right), size=groups)[clusters]
    hard = generator.beta(2 * setting.error, 2 * (1 - setting.error), size=groups)[clusters]
    right = generator.random(len(clusters)) < of_group
    errs = generator.random((len(clusters), JUDGES)) < hard[:, None]
    shift = generator.normal(size=groups)[clusters]
    score = right * (1 - 2 * setting.error) * 2 + shift / 2 + generator.normal(size=len(clusters))
    grades = [
        np.clip(np.round(3 + (right - 0.5) * 2 + source.normal(size=len(clusters)) / 2 + shift / 2), 1, 5)
        for source in (generator, generator.spawn(1)[0])
    ]
    return Drawn(clusters, right[:, None] ^ errs, score, *grades)


def _cohen(drawn: Drawn) -> Any:
    first, second = (drawn.verdicts[:, judge].astype(int) for judge in (0, 1))
    return cohen_kappa(first, second, drawn.clusters)


def _weighted(drawn: Drawn) -> Any:
    first, second = (grades.astype(int) - 1 for grades in (drawn.grade, drawn.second_grade))
    return cohen_kappa(first, second, drawn.clusters, weights=grade_weights([1, 2, 3, 4, 5]))


def _fleiss(drawn: Drawn) -> Any:
    yes = drawn.verdicts.sum(axis=1)
    return fleiss_kappa(np.stack([JUDGES - yes, yes], axis=1), drawn.clusters)


def _precision(drawn: Drawn) -> Any:
    found = verdicts_of(drawn.score, drawn.verdicts[:, 0], drawn.clusters, 1.0)
    return None if found is None or found.precision.value is None else found.precision


def _recall(drawn: Drawn) -> Any:
    found = verdicts_of(drawn.score, drawn.verdicts[:, 0], drawn.clusters, 1.0)
    return None if found is None or found.recall.value is None else found.recall


def _pairs(drawn: Drawn) -> Any:
    return pair_accuracy(drawn.score, drawn.verdicts[:, 0].astype(float), drawn.clusters)


FIGURES: dict[str, Callable[[Drawn], Any]] = {
    "Cohen's kappa": _cohen,
    "weighted kappa": _weighted,
    "Fleiss' kappa": _fleiss,
    "Pearson": lambda drawn: pearson(drawn.score, drawn.grade, drawn.clusters),
    "Spearman": lambda drawn: spearman(drawn.score, drawn.grade, drawn.clusters),
    "accuracy on pairs": _pairs,
    "precision": _precision,
    "recall": _recall,
}
SETTINGS = tuple(
    Setting(groups, wordings, right, error)
    for groups in (20, 50, 200)
    for wordings in (1, 6, 20)
    for right, error in ((0.5, 0.2), (0.8, 0.05), (0.95, 0.1), (0.5, 0.01))
)


def coverage(setting: Setting, simulations: int, seed: int) -> dict[str, float]:
    """How often the interval of each figure holds its true value; a figure that there is none of does not count."""
    generator = np.random.default_rng(seed)
    whole = draw(setting, _TRUTH_GROUPS, generator)
    truths = {name: figure(whole).value for name, figure in FIGURES.items()}
    held, there = dict.fromkeys(FIGURES, 0), dict.fromkeys(FIGURES, 0)
    for _ in range(simulations):
        drawn = draw(setting, setting.groups, generator)
        for name, figure in FIGURES.items():
            found = figure(drawn)
            if found is None or found.low is None:
                continue
            there[name] += 1
            held[name] += found.low <= truths[name] <= found.high
    return {name: held[name] / max(there[name], 1) for name in FIGURES}


def table(settings: Sequence[Setting], simulations: int, seed: int = 1) -> str:
    """The coverage of every setting, as Markdown."""
    head = ["groups", "wordings", "right", "judges err", *FIGURES]
    lines = [f"| {' | '.join(head)} |", f"|{'---:|' * len(head)}"]
    for place, setting in enumerate(settings):
        shares = coverage(setting, simulations, seed + place)
        cells = [f"{setting.groups}", f"1 to {setting.wordings}", f"{setting.right:.2f}", f"{setting.error:.2f}"]
        lines.append(f"| {' | '.join([*cells, *(f'{share:.3f}' for share in shares.values())])} |")
    return "\n".join(lines)


PARTS = tuple((groups, wordings, share) for groups in (20, 50, 200) for wordings in (1, 6) for share in (0.5, 0.8))
"""Groups, the most wordings of one, and the share of answers in the first part."""


def found_by_chance(groups: int, wordings: int, share: float, simulations: int, seed: int) -> tuple[float, float]:
    """How often p is below 0.05 where both parts are alike: by cluster, and by Welch's t-test."""
    generator = np.random.default_rng(seed)
    found, asked = np.zeros(2), np.zeros(2)
    for _ in range(simulations):
        clusters = np.repeat(np.arange(groups), generator.integers(1, wordings + 1, size=groups))
        first = generator.random(len(clusters)) < generator.beta(share, 1 - share, size=groups)[clusters]
        scores = generator.normal(size=groups)[clusters] + generator.normal(size=len(clusters))
        parts = two_parts(scores, first, clusters)
        for place, p in enumerate((parts.p, parts.p_t)):
            if p is not None:
                asked[place] += 1
                found[place] += p < 0.05
    by_cluster, welch = found / np.maximum(asked, 1)
    return float(by_cluster), float(welch)


def table_of_tests(simulations: int, seed: int = 1) -> str:
    """False differences of the one-sided tests, as Markdown."""
    head = ["groups", "wordings", "first part", "by group", "Welch's t-test"]
    lines = [f"| {' | '.join(head)} |", f"|{'---:|' * len(head)}"]
    for place, (groups, wordings, share) in enumerate(PARTS):
        shares = found_by_chance(groups, wordings, share, simulations, seed + place)
        cells = [f"{groups}", f"1 to {wordings}", f"{share:.1f}", *(f"{each:.3f}" for each in shares)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


@click.command()
@click.option("--quick", is_flag=True, help="Fewer simulations.")
def main(quick: bool) -> None:
    """Print the tables."""
    simulations = 400 if quick else 4_000
    click.echo(f"{table(SETTINGS, simulations)}\n\n{table_of_tests(simulations)}")


if __name__ == "__main__":
    main()
