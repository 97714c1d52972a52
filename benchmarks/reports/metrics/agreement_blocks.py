"""Agreement of judges as tables: what the report, and the page of `score-metric`, show of it."""

from collections.abc import Iterator, Sequence

from benchwright.benchmarks.reports.blocks import Block, Cell, Column, Details, Inline, Table, Text, foreign, soft
from benchwright.benchmarks.reports.format import NONE, count, interval, minus, number_of, percent
from benchwright.benchmarks.reports.metrics.judge_agreement import AskedAgain, JudgePair, MetricAgreement
from benchwright.benchmarks.statistics.agreement import Kappa
from benchwright.benchmarks.statistics.association import Correlation, PairAccuracy
from benchwright.benchmarks.statistics.reliability import Proportion

_NAME = 60


def with_limits(found: Kappa | Correlation | PairAccuracy | None, digits: int = 2) -> str:
    """`0.71 (0.64 to 0.77)`, on a scale from -1 to 1 or from 0 to 1."""
    if found is None:
        return NONE
    if found.low is None or found.high is None:
        return minus(_fixed(found.value, digits))
    while digits < 4 and _fixed(found.low, digits) == _fixed(found.high, digits):
        digits += 1
    return minus(f"{_fixed(found.value, digits)} ({_fixed(found.low, digits)} to {_fixed(found.high, digits)})")


def _fixed(value: float, digits: int) -> str:
    """With so many digits after the point, and no sign before what rounds to 0."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def share_with_limits(found: Proportion) -> str:
    """`84.1 % (79.0 to 88.3)`."""
    if found.value is None or found.low is None:
        return percent(found.value)
    return f"{percent(found.value)} ({interval(found.low, found.high)})"


def agreement_blocks(name: str, found: MetricAgreement) -> Iterator[Block]:
    """The judges of one metric: a line, a table of pairs, and what each gave what the other gave."""
    judges = "; ".join(f"{judge} {number_of(number, 'answer')}" for judge, number in found.judges.items())
    used = f"; this run's figures are by {', '.join(found.used)}" if found.used else ""
    yield Text((foreign(name, _NAME), foreign(f", judged by {judges}{used}", 600)), "heading")
    if found.fleiss is not None and len(found.judges) > 2:
        of = (
            f"over {number_of(found.fleiss.items, 'answer')} that two or more judged, every grade a category of its own"
        )
        yield Text(
            f"Fleiss' kappa of all {len(found.judges) - len(found.left_out)} judges: {with_limits(found.fleiss)}, {of}."
        )
    if found.left_out:
        yield Text((soft("Not compared, for there are many: "), foreign(", ".join(found.left_out), 600)), "small")
    if found.pairs:
        yield pairs_table(found.pairs, (foreign(name, _NAME), ": agreement of two judges"))
    for pair in found.pairs:
        if len(pair.grades) > 1:
            summary = (soft("Side by side: "), foreign(pair.first, _NAME), soft(" and "), foreign(pair.second, _NAME))
            yield Details(summary, (confusion_table(pair),))
    if found.again:
        yield again_table([(foreign(each.judge, _NAME), each) for each in found.again])


def again_table(found: Sequence[tuple[Cell, AskedAgain]]) -> Table:
    """A row for each judge who judged the same answers several times."""
    names = ("same every time", "same verdict", "Fleiss' kappa", "s.d. within an answer", "means", "answers", "times")
    rows = tuple(
        (
            name,
            share_with_limits(each.same),
            share_with_limits(each.same_verdict),
            with_limits(each.kappa),
            f"{each.deviation:.3f}",
            range_of(each.means),
            count(each.answers),
            count(each.times),
        )
        for name, each in found
    )
    return Table("Judges who were asked again", (Column("judge"), *map(Column, names)), rows, "wide")


def range_of(means: Sequence[float]) -> str:
    """`0.62 to 0.65`: the lowest and the highest of several means."""
    return minus(f"{min(means):.3f} to {max(means):.3f}") if means else NONE


def pairs_table(pairs: tuple[JudgePair, ...], caption: Inline) -> Table:
    """A row for each two judges; the caption goes on with what intervals and kappas are."""
    names = ("same", "Cohen's kappa", "Pearson", "Spearman", "means", "answers")
    rows: list[tuple[Cell, ...]] = [
        (
            (foreign(pair.first, _NAME), " and ", foreign(pair.second, _NAME)),
            share_with_limits(pair.same),
            with_limits(pair.kappa),
            with_limits(pair.pearson),
            with_limits(pair.spearman),
            minus(f"{pair.first_mean:.2f} and {pair.second_mean:.2f}"),
            count(pair.answers),
        )
        for pair in pairs
    ]
    how = soft(", with intervals of 95 % by semantic group; kappas of grades with quadratic weights")
    caption = (*caption, how) if isinstance(caption, tuple) else (caption, how)
    return Table(caption, (Column("judges"), *(Column(name) for name in names)), tuple(rows), "wide")


def confusion_table(pair: JudgePair) -> Table:
    """How often each grade of the first met each of the second."""
    columns = (Column("said"), *(Column(f"{grade:g}") for grade in pair.grades))
    rows = tuple(
        (f"{grade:g}", *(count(number) for number in row))
        for grade, row in zip(pair.grades, pair.confusion, strict=True)
    )
    caption = (foreign(pair.first, _NAME), soft(" in rows, "), foreign(pair.second, _NAME), soft(" in columns"))
    return Table(caption, columns, rows, "fit")
