"""The headline's metrics in each condition that was run."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchwright.benchmarks.reports.blocks import Cell, Column, Table, foreign
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import amount, count, interval
from benchwright.benchmarks.reports.metric_figures import Metrics, headline_metrics, leading_metrics, metrics_of
from benchwright.benchmarks.reports.section import Content, ReportSection, per_run


@dataclass(frozen=True, slots=True)
class Condition:
    """What was scored in one condition."""

    metrics: Metrics


@per_run
def condition_figures(run: RunData) -> Mapping[str, Condition]:
    """By name, in the order of names."""
    return {
        name: Condition(headline_metrics(run) if name == run.shown else metrics_of(run, name, run.questions.headline))
        for name in sorted(run.condition.names)
    }


def has_several(run: RunData) -> bool:
    """Whether there is something to compare."""
    return len(run.condition.names) > 1


def compute(run: RunData) -> Content:
    """A row for each condition."""
    names = leading_metrics(headline_metrics(run))
    columns = [Column("condition")]
    for name in names:
        columns += [Column(foreign(name, 40)), Column("95 % interval"), Column("scored")]
    rows = []
    for condition, figures in condition_figures(run).items():
        cells: list[Cell] = [foreign(condition, 40)]
        for name in names:
            entry = figures.metrics[name]
            cells += [
                amount(entry.value, entry.range),
                interval(entry.low, entry.high, entry.range),
                f"{count(entry.scored)} of {count(entry.total)}",
            ]
        rows.append(tuple(cells))
    return Content([Table("Metrics of the headline by condition", tuple(columns), tuple(rows))], ())


SECTION = ReportSection("conditions", "Conditions", compute, order=90, applies=has_several)
