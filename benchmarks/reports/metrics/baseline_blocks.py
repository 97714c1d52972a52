"""Metrics beside those of a baseline, as a table and as lines."""

from collections.abc import Iterator

from benchwright.benchmarks.reports.blocks import Block, Cell, Column, Table, Text, foreign, soft
from benchwright.benchmarks.reports.format import NONE, count, minus, p_value
from benchwright.benchmarks.reports.metrics.baseline import BaselineDifference, BaselineFigures
from benchwright.benchmarks.reports.metrics.retrieval_split import mean_deviation

_NAME = 60
_PARTS = {"all": "all", "right": "retrieval right", "wrong": "retrieval wrong"}


def baseline_blocks(run: str, baseline: BaselineFigures) -> Iterator[Block]:
    """What the page shows of a run beside its baseline."""
    yield Text((foreign(run, _NAME), " less ", foreign(baseline.run, _NAME), _BASELINE), "soft")
    if baseline.by is None:
        yield Text("Retrieval is not told apart: the two runs were not scored by the same metric of it.", "small")
    columns = (
        Column("metric"), Column("answers", "left"), Column("mean (s.d.)"), Column("baseline"), Column("p of t-test"),
        Column("difference on shared questions"), Column("p corrected"), Column("questions"), Column("it is", "left"),
    )  # fmt: skip
    rows = tuple(_baseline_row(each) for each in baseline.differences)
    yield Table("Each metric in both runs", columns, rows, "wide")
    if baseline.lacking:
        said = "; ".join(f"{name}: {why}" for name, why in baseline.lacking.items())
        yield Text((soft("Not compared: "), foreign(said, 600), "."), "small")


def _baseline_row(each: BaselineDifference) -> tuple[Cell, ...]:
    paired = NONE
    if each.paired is not None:
        paired = minus(f"{each.paired.value:+.3f} ({each.paired.low:.3f} to {each.paired.high:.3f})")
    return (
        foreign(each.metric, _NAME), _PARTS[each.retrieval], mean_deviation(each.run), mean_deviation(each.baseline),
        p_value(each.p_t), paired, p_value(each.p_corrected), count(each.questions), each.verdict,
    )  # fmt: skip


def baseline_lines(found: BaselineFigures | None) -> Iterator[Text]:
    """What a terminal shows."""
    for each in found.differences if found is not None else ():
        if each.paired is not None:
            limits = minus(f"{each.paired.value:+.3f} ({each.paired.low:.3f} to {each.paired.high:.3f})")
            said = f"{each.metric}, {_PARTS[each.retrieval]}: {limits}, {each.verdict}"
            yield Text((foreign(said, 300),), "small")


_BASELINE = (
    ". Means are of each run's own answers, and so is the t-test of papers; retrieval is right for different questions"
    " in each. The difference is of the questions that belong there in both runs, by sign flips of whole semantic"
    " groups, corrected for the number of tests (Holm)."
)
