"""Tokens, retrievals and grades beside each other as a table: of the parts of a run, or of several runs."""

from collections.abc import Sequence

from benchwright.benchmarks.reports.blocks import Cell, Column, Inline, Table
from benchwright.benchmarks.reports.effort import Grade, Part, Total
from benchwright.benchmarks.reports.format import NONE, amount, count
from benchwright.benchmarks.reports.metric_figures import metric_sense, scale_shown


def effort_table(title: Inline, first: str, rows: Sequence[tuple[Inline, Part]]) -> Table:
    """A row for each part, whatever it is a part of.

    Args:
        title: above the table.
        first: what the rows are: "run", "subset".
        rows: the name of each row, and what it is of.
    """
    names = list(dict.fromkeys(name for _, part in rows for name in part.grades))
    shown = [Column(f"{name}{scale_shown(metric_sense(name)[1])}") for name in names]
    taken = [Column(name) for name in ("answers", "tokens in", "tokens out", "retrievals", "answers that retrieved")]
    drawn = tuple((name, *_cells(part, names)) for name, part in rows)
    return Table(title, (Column(first, "left"), *shown, *taken), drawn, "wide")


def _cells(part: Part, names: Sequence[str]) -> tuple[Cell, ...]:
    return (
        *(_grade(name, part.grades.get(name)) for name in names),
        count(part.answers),
        *(_total(total) for total in (part.input_tokens, part.output_tokens, part.retrievals)),
        NONE if part.retrievals.total is None else count(part.retrieved),
    )


def _grade(name: str, grade: Grade | None) -> str:
    """A mean, with how many answers it is of where that is not all."""
    if grade is None or grade.mean is None:
        return NONE
    mean = amount(grade.mean, metric_sense(name)[1])
    return mean if grade.scored == grade.total else f"{mean} (of {count(grade.scored)})"


def _total(total: Total) -> str:
    if total.total is None:
        return NONE
    return count(total.total) + ("" if total.known == total.of else f" (of {count(total.known)})")
