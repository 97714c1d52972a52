"""The accuracy of retrievers, as blocks."""

from collections.abc import Iterator

from benchwright.benchmarks.comparisons.retrievers import ComparedRetrievers
from benchwright.benchmarks.reports.blocks import Block, Cell, Column, Table, Text, foreign
from benchwright.benchmarks.reports.format import minus, number_of, p_value, percent
from benchwright.benchmarks.reports.sections.retriever import what_counts

_NAME = 60
_MOST = 50
"""Runs that are shown."""


def retriever_blocks(found: ComparedRetrievers) -> Iterator[Block]:
    """A row for each run, and one for each difference from the baseline or the first run."""
    cuts = [each.k for each in found.runs[0].at]
    yield Text(f"{what_counts(found.by)}, of {number_of(found.questions, 'question')} of all runs.", "soft")
    rows: list[tuple[Cell, ...]] = [
        (foreign(each.run, _NAME), *(percent(at.value) for at in each.at)) for each in found.runs[:_MOST]
    ]
    columns = (Column("run", "left"), *(Column(f"k = {k}") for k in cuts))
    yield Table("Retriever accuracy", columns, tuple(rows), "wide")
    yield from difference_blocks(found)


def difference_blocks(found: ComparedRetrievers) -> Iterator[Block]:
    """The differences alone, and what their tests are."""
    if not found.differences:
        return
    reference = found.differences[0].reference
    shown = tuple(
        (
            foreign(each.run, _NAME),
            str(each.k),
            minus(f"{100 * each.value:+.1f}"),
            minus(f"{100 * each.low:.1f} to {100 * each.high:.1f}"),
            p_value(each.p_t),
            p_value(each.p),
            "yes" if each.separated else "not separated",
        )
        for each in found.differences[: 3 * _MOST]
    )
    names = ("difference in points", "interval", "p of paired t-test", "p of sign flips")
    yield Table(
        ("Against ", foreign(reference, _NAME)),
        (Column("run", "left"), Column("k"), *(Column(name) for name in names), Column("separated", "left")),
        shown,
        "wide",
    )
    yield Text(
        "Both tests are two-tailed, of pairs of means of semantic groups, and each is of its difference alone; the "
        "intervals hold together for all that are shown (Bonferroni), and “separated” is by them and by sign flips at "
        "their level.",
        "small",
    )
