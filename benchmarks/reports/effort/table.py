"""Tokens, retrievals and grades beside each other as tables: of the parts of a run, or of several runs."""

from collections.abc import Sequence

from benchwright.benchmarks.metrics.steps.article_grades import HIGHEST, LOWEST
from benchwright.benchmarks.reports.blocks import (
    Cell,
    Chart,
    Column,
    Inline,
    Link,
    Mark,
    Panel,
    SideBySide,
    Span,
    Table,
    foreign,
    soft,
)
from benchwright.benchmarks.reports.effort.figures import Grade, KnownTotal, Part
from benchwright.benchmarks.reports.format import NONE, amount, count, money, percent
from benchwright.benchmarks.reports.metrics.figures import metric_sense, scale_shown

SUMS = "How many answers got each sum of truthfulness and relevance"

_DRAWN = 4


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


def _total(total: KnownTotal) -> str:
    if total.total is None:
        return NONE
    return count(total.total) + ("" if total.known == total.of else f" (of {count(total.known)})")


def grades_table(title: Inline, first: str, rows: Sequence[tuple[Inline, Part]]) -> Table | None:
    """How many answers got each grade, a row for each part and grade; None where there are no grades from 1 to 5."""
    drawn = tuple(
        (label, name, *(_share(number, grade.scored) for number in grade.counts), count(grade.scored))
        for label, part in rows
        for name, grade in part.grades.items()
        if grade.scored and grade.counts
    )
    columns = (
        Column(first, "left"),
        Column("grade", "left"),
        *(Column(str(each)) for each in range(LOWEST, HIGHEST + 1)),
    )
    return Table(title, (*columns, Column("scored")), drawn, "wide") if drawn else None


def sums_table(title: Inline, first: str, rows: Sequence[tuple[Inline, Part]]) -> Table | None:
    """How many answers got each sum of truthfulness and relevance, a row for each part; None where nothing has both."""
    drawn = tuple(
        (label, *(_share(number, sum(part.sums)) for number in part.sums), count(sum(part.sums)))
        for label, part in rows
        if any(part.sums)
    )
    columns = (Column(first, "left"), *(Column(str(each)) for each in range(2 * LOWEST, 2 * HIGHEST + 1)))
    return Table(title, (*columns, Column("scored")), drawn, "wide") if drawn else None


def sums_figures(rows: Sequence[tuple[Inline, Part]]) -> list[SideBySide]:
    """The same as columns, for the first few parts, as the paper's Figures 2 and 4 draw it; two beside each other."""
    panels = [
        Panel((*_parts(label), soft(": answers by truthfulness + relevance")), (Chart("columns", SUMS, _marks(part)),))
        for label, part in rows
        if any(part.sums)
    ]
    return [SideBySide(tuple(panels[place : place + 2])) for place in range(0, min(len(panels), _DRAWN), 2)]


def _parts(label: Inline) -> tuple[str | Span | Link, ...]:
    return label if isinstance(label, tuple) else (label,)


def _marks(part: Part) -> tuple[Mark, ...]:
    low, high = 2 * LOWEST, 2 * HIGHEST
    return tuple(
        Mark(str(place), "good", number) for place, number in zip(range(low, high + 1), part.sums, strict=True)
    )


def steps_table(title: Inline, first: str, rows: Sequence[tuple[Inline, Part]]) -> Table | None:
    """What each step of the answers took, a row for each part and step; None where no answer says it."""
    drawn = tuple(
        (
            label,
            foreign(each.step, 60),
            foreign(each.role or NONE, 60),
            count(each.answers),
            *(_total(total) for total in (each.calls, each.input_tokens, each.output_tokens)),
            money(each.cost.total),
        )
        for label, part in rows
        for each in part.steps
    )
    named = (Column(first, "left"), Column("step", "left"), Column("role", "left"))
    taken = [Column(name) for name in ("answers", "calls", "tokens in", "tokens out", "cost")]
    return Table(title, (*named, *taken), drawn, "wide") if drawn else None


def _share(number: int, total: int) -> str:
    return f"{count(number)} ({percent(number / total, 0)})" if number else "0"
