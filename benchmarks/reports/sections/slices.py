"""The headline's questions by form, kind, hops, subset, and how many facts and documents they need."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.reports.answers.outcomes import (
    NO_QUESTIONS,
    OutcomeCounts,
    attempt_outcomes,
    count_outcomes,
)
from benchwright.benchmarks.reports.blocks import Block, Cell, Column, Interval, Table, Text, foreign, missing, soft
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import amount, count, hops, interval, percent
from benchwright.benchmarks.reports.metrics.figures import Metrics, headline_metrics, leading_metrics, metrics_of
from benchwright.benchmarks.reports.needed import BANDS, in_order, lacking, titled
from benchwright.benchmarks.reports.section import Content, ReportSection, per_run

DIMENSIONS = ("form", "kind", "hops", "facts", "documents", "subset")
NO_VALUE = "(none)"
_SHOWN = 40
_OF_LISTS = ("list_recall", "list_precision", "list_complete")
_IN_TERMINAL = ("form", "kind", "hops", "facts", "subset")


@dataclass(frozen=True, slots=True)
class Slice:
    """The questions with one value."""

    value: str
    questions: int
    groups: int
    metrics: Metrics
    outcomes: OutcomeCounts
    one_fact_groups: int | None = None
    """Groups whose answer one fact gives, whatever their hops; null where no question has evidence."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """The headline's questions split by one column, the largest slices first; numbers in their order."""

    values: tuple[Slice, ...]
    omitted: int
    """Slices that are left out, the smallest."""
    reason: str | None


@per_run
def slice_figures(run: RunData) -> Mapping[str, Dimension]:
    """Metrics and outcomes by each dimension."""
    return {name: _dimension(run, name) for name in DIMENSIONS}


def _dimension(run: RunData, name: str) -> Dimension:
    column, headline = run.questions.column(name), run.questions.headline
    if column.is_empty:
        nothing = f"the release's questions {lacking(name)}" if run.questions.ids else NO_QUESTIONS
        return Dimension((), 0, f"not available because {nothing}")
    codes = np.where(headline, column.codes, -2)
    values, counts = np.unique(codes[codes >= -1], return_counts=True)
    kept = values[np.argsort(-counts, kind="stable")][:_SHOWN].tolist()
    outcomes, found, facts = attempt_outcomes(run), [], run.questions.facts
    one_fact = facts.where(BANDS[0])
    for code in in_order(name, column.names, kept):
        wanted = codes == code
        found.append(
            Slice(
                value=column.names[code] if code >= 0 else NO_VALUE,
                questions=int(wanted.sum()),
                groups=len(np.unique(run.questions.clusters[wanted])),
                metrics=metrics_of(run, run.shown, wanted),
                outcomes=count_outcomes(outcomes, wanted),
                one_fact_groups=None if facts.is_empty else len(np.unique(run.questions.clusters[wanted & one_fact])),
            )
        )
    return Dimension(tuple(found), len(values) - len(kept), None)


def compute(run: RunData) -> Content:
    """A table for each column that splits the questions."""
    blocks: list[Block] = [
        Text("The headline's questions, split. Other metrics of each slice stand in report.json.", "soft")
    ]
    for name, dimension in slice_figures(run).items():
        values = dimension.values
        if dimension.reason:
            blocks += [Text(f"By {titled(name)}", "heading"), missing(dimension.reason)]
        elif len(values) == 1 and values[0].value != NO_VALUE:
            said = f"All {count(values[0].questions)} questions have the same {titled(name)}: "
            text = Text((said, foreign(values[0].value, 60), "."), "soft")
            blocks += [Text(f"By {titled(name)}", "heading"), text]
        else:
            blocks.append(_table(name, dimension, [*leading_metrics(headline_metrics(run))[:2], *_lists(run, name)]))
        if name == "hops":
            blocks += _one_fact(values)
    return Content(blocks, list(_brief(run)))


def _lists(run: RunData, name: str) -> Iterator[str]:
    """By kind, the metrics of answers that are lists, where there are any."""
    if name == "kind":
        metrics = headline_metrics(run)
        yield from (metric for metric in _OF_LISTS if metric in metrics and metrics[metric].scored)


def _one_fact(values: tuple[Slice, ...]) -> Iterator[Block]:
    """Of how many groups of several hops one fact is enough, such as who manages a project."""
    said = [
        f"{count(entry.one_fact_groups)} of the {count(entry.groups)} groups of {hops(entry.value)} "
        f"({percent(entry.one_fact_groups / entry.groups)})"
        for entry in values
        if entry.one_fact_groups and entry.value not in ("1", NO_VALUE)
    ]
    if said:
        yield Text(
            f"Hops count what the query follows, not what must be read: one fact answers {'; '.join(said)}.", "soft"
        )


def _table(name: str, dimension: Dimension, names: list[str]) -> Table:
    columns = [Column(titled(name))]
    for place, metric in enumerate(names):
        columns.append(Column(foreign(metric, 40)))
        columns += [] if place else [Column("95 % interval"), Column("0 to 100 %", drawn=True)]
    note = f" – the largest; {count(dimension.omitted)} more are not shown" if dimension.omitted else ""
    rows = tuple(tuple(_cells(entry, names)) for entry in dimension.values)
    return Table((f"By {titled(name)}", soft(note)), (*columns, Column("scored")), rows, "fit")


def _cells(entry: Slice, names: list[str]) -> Iterator[Cell]:
    yield foreign(entry.value, 60)
    for place, name in enumerate(names):
        metric = entry.metrics[name]
        yield amount(metric.value, metric.range)
        if not place:
            yield interval(metric.low, metric.high, metric.range)
            yield Interval(metric.value, metric.low, metric.high, metric.range)
    first = entry.metrics[names[0]] if names else None
    yield f"{count(first.scored)} of {count(first.total)}" if first else ""


def _brief(run: RunData) -> Iterator[Block]:
    rows: list[tuple[Cell, ...]] = []
    for name in _IN_TERMINAL:
        values = slice_figures(run)[name].values
        for entry in values if len(values) > 1 else ():
            correct = entry.metrics.get("correct")
            rows.append(
                (
                    (f"{titled(name)} ", foreign(entry.value, 30)),
                    percent(correct.value if correct else None),
                    interval(correct.low, correct.high, correct.range) if correct else interval(None, None),
                    f"{entry.outcomes.wrong:,}",
                    f"{entry.outcomes.abstained:,}",
                    f"{correct.scored:,} of {correct.total:,}" if correct else f"0 of {entry.questions:,}",
                )
            )
    if rows:
        names = ("slice", "correct", "95 % interval", "wrong", "abstained", "scored")
        yield Table("", tuple(Column(name) for name in names), tuple(rows), "fit")


SECTION = ReportSection("slices", "Slices", compute, order=50)
