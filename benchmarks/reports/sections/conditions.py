"""The headline's metrics in each condition that was run."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchwright.benchmarks.reports.answers.outcomes import OUTCOMES, OutcomeCounts, abstained_rows
from benchwright.benchmarks.reports.blocks import Cell, Column, Table, foreign
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import amount, count, interval
from benchwright.benchmarks.reports.metrics.figures import Metrics, headline_metrics, leading_metrics, metrics_of
from benchwright.benchmarks.reports.section import Content, ReportSection, per_run


@dataclass(frozen=True, slots=True)
class Condition:
    """What was scored in one condition."""

    metrics: Metrics
    outcomes: OutcomeCounts
    """Of the headline's questions: without the gold passages, abstaining is what a reader should do."""


@per_run
def condition_figures(run: RunData) -> Mapping[str, Condition]:
    """By name, in the order of names."""
    return {
        name: Condition(
            headline_metrics(run) if name == run.shown else metrics_of(run, name, run.questions.headline),
            _outcomes(run, name),
        )
        for name in sorted(run.condition.names)
    }


def _outcomes(run: RunData, condition: str) -> OutcomeCounts:
    rows = run.rows("correct", condition)
    rows = rows[run.questions.headline[run.question[rows]]]
    if not len(rows):
        return OutcomeCounts(0, 0, 0, 0, 0)
    column = run.metrics.index("correct")
    scored, right = run.is_scored[rows, column], run.values[rows, column] > 0.5
    abstained = scored & ~right & abstained_rows(run, rows)
    correct = int((scored & right).sum())
    wrong = int(scored.sum()) - correct - int(abstained.sum())
    return OutcomeCounts(correct, wrong, int(abstained.sum()), int((~scored).sum()), len(rows))


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
    return Content(
        [Table("Metrics of the headline by condition", tuple(columns), tuple(rows)), _outcome_table(run)], ()
    )


def _outcome_table(run: RunData) -> Table:
    columns = tuple(Column(name) for name in ("condition", *OUTCOMES, "answers"))
    rows = tuple(
        (
            foreign(name, 40),
            *(count(number) for number in figures.outcomes.parts.values()),
            count(figures.outcomes.total),
        )
        for name, figures in condition_figures(run).items()
    )
    return Table("Outcomes of the headline by condition", columns, rows, "fit")


SECTION = ReportSection("conditions", "Conditions", compute, order=90, applies=has_several)
