"""Tables 2 and 3 of the paper on RAG metrics in the telecom domain as tables: wide ones as in the paper, with a column
for each metric, and narrow ones with a row for each."""

from collections.abc import Iterator, Sequence

from benchwright.benchmarks.comparisons.by_retrieval import ByRetrieval, RunAgainstBaseline
from benchwright.benchmarks.reports.blocks import Cell, Column, Span, Table, cut, foreign, soft
from benchwright.benchmarks.reports.format import NONE, count, minus, p_value
from benchwright.benchmarks.reports.metrics.baseline import BaselineDifference
from benchwright.benchmarks.reports.metrics.figures import metric_sense, scale_shown
from benchwright.benchmarks.reports.metrics.retrieval_split import SplitFigure, mean_deviation
from benchwright.benchmarks.statistics.reliability import Moments

NAME = 40
"""Characters of a run's name."""
MOST = 50
"""Runs that tables show; the JSON has all."""
TOO_FEW, ALIKE = "too few", "all alike"
"""What stands for a p-value that there is not."""
_SPLIT_CAPTION = "Mean (s.d.) of metrics where retrieval was right and where it was wrong"

Row = tuple[Cell, ...]


def words(name: str) -> str:
    """A metric's name as words, which a narrow column can break, and its range, where that is not from 0 to 1."""
    return f"{name.replace('_', ' ')}{scale_shown(metric_sense(name)[1])}"


def wide_split(found: ByRetrieval) -> Table:
    """Table 2 as in the paper, with both tests below the means of a run."""
    columns = (
        Column("run", "left"),
        Column("retrieval", "left"),
        *(Column(words(name)) for name in found.metrics),
        Column("answers"),
    )
    rows: list[Row] = []
    for each in found.by_retrieval[:MOST]:
        split = each.split
        there = [split.metrics.get(name) for name in found.metrics]
        if not split.metrics:
            rows.append((foreign(each.run, NAME), NONE))
            continue
        rows += [
            (foreign(each.run, NAME), "right", *(_mean(one and one.right) for one in there), count(split.right)),
            ("", "wrong", *(_mean(one and one.wrong) for one in there), count(split.wrong)),
            ("", soft("p of t-test"), *(_p_t(one) for one in there), ""),
            ("", soft("p by group"), *(_p_group(one) for one in there), ""),
        ]
    return Table(_SPLIT_CAPTION, columns, tuple(rows), "wide")


def narrow_split(found: ByRetrieval) -> Table:
    """Table 2 with a row for each metric, and how many of its answers have a score."""
    names = ("right", "answers", "wrong", "answers", "p of t-test", "p by group")
    rows: list[Row] = []
    for each in found.by_retrieval[:MOST]:
        rows.append((_heading(each.run), *([] if each.split.metrics else [NONE])))
        for name, one in each.split.metrics.items():
            sides = (_mean(one.right), count(one.right.answers), _mean(one.wrong), count(one.wrong.answers))
            rows.append((_label(name), *sides, _p_t(one), _p_group(one)))
    return Table(_SPLIT_CAPTION, (Column("run, metric", "left"), *map(Column, names)), tuple(rows), "fit")


def _label(name: str) -> Span:
    return foreign(f"{name}{scale_shown(metric_sense(name)[1])}", NAME)


def _heading(run: str) -> Span:
    return Span(cut(run, NAME), "strong", foreign=True)


def _mean(part: Moments | None) -> str:
    return NONE if part is None or not part.answers else mean_deviation(part)


def _p_t(one: SplitFigure | None) -> str:
    if one is None or one.p_t is not None:
        return NONE if one is None else p_value(one.p_t)
    return TOO_FEW if min(one.right.answers, one.wrong.answers) < 2 else ALIKE


def _p_group(one: SplitFigure | None) -> str:
    if one is None or one.p is not None:
        return NONE if one is None else p_value(one.p_corrected)
    return TOO_FEW


def wide_against(found: ByRetrieval) -> Table | None:
    """Table 3 as in the paper; None where there is nothing to show."""
    columns = [Column("run", "left"), Column("retrieval", "left")]
    for name in found.pair:
        columns += [Column(words(name)), Column("p of t-test"), Column("on shared questions", "left")]
    rows: list[Row] = [row for each in found.against[:MOST] for row in _wide_rows(each, found.pair)]
    if not rows:
        return None
    return Table(_caption(found), tuple(columns), (*_baseline_rows(found), *rows), "wide")


def narrow_against(found: ByRetrieval) -> Table | None:
    """Table 3 with a row for each metric and part; None where there is nothing to show."""
    names = ("mean (s.d.)", "baseline", "p of t-test", "difference", "questions")
    columns = (
        Column("run, metric", "left"),
        Column("retrieval", "left"),
        *map(Column, names),
        Column("it is", "left"),
    )
    rows: list[Row] = []
    for each in found.against[:MOST]:
        parts = _parts(each)
        rows += [(_heading(each.run), "")] if parts else []
        for one in each.differences:
            if one.retrieval in parts:
                points = NONE if one.paired is None else _signed(one.paired.value)
                sides = (_mean(one.run), _mean(one.baseline), _p_different(one))
                rows.append(
                    (foreign(one.metric, NAME), one.retrieval, *sides, points, count(one.questions), one.verdict)
                )
    return Table(_caption(found), columns, tuple(rows), "fit") if rows else None


def _caption(found: ByRetrieval) -> tuple[str | Span, ...]:
    return "Metrics held against ", foreign(found.baseline, NAME)


def _parts(each: RunAgainstBaseline) -> list[str]:
    """The parts that are shown: all answers only where right and wrong retrieval are not told apart."""
    there = {one.retrieval for one in each.differences}
    return [part for part in ("right", "wrong") if part in there] or [part for part in ("all",) if part in there]


def _baseline_rows(found: ByRetrieval) -> Iterator[Row]:
    split = next(each.split for each in found.by_retrieval if each.run == found.baseline)
    if not any(name in split.metrics for name in found.pair):
        return
    for place, part in enumerate(("right", "wrong")):
        cells: list[Cell] = []
        for name in found.pair:
            one = split.metrics.get(name)
            cells += [_mean(None if one is None else getattr(one, part)), "", soft("the baseline")]
        yield "" if place else foreign(found.baseline, NAME), part, *cells


def _wide_rows(each: RunAgainstBaseline, pair: Sequence[str]) -> Iterator[Row]:
    by = {(one.retrieval, one.metric): one for one in each.differences}
    for place, part in enumerate(_parts(each)):
        cells = [cell for name in pair for cell in _difference_cells(by.get((part, name)))]
        yield "" if place else foreign(each.run, NAME), part, *cells


def _difference_cells(one: BaselineDifference | None) -> Row:
    if one is None:
        return NONE, NONE, NONE
    if one.paired is None:
        return _mean(one.run), _p_different(one), f"{TOO_FEW} ({count(one.questions)})"
    p = p_value(one.p_corrected)
    p = p if p.startswith("<") else f"= {p}"
    shared = f"{_signed(one.paired.value)}, {one.verdict} (p {p}, n {count(one.questions)})"
    return _mean(one.run), _p_different(one), shared


def _signed(value: float) -> str:
    """A difference with its sign; what is rounded to 0 has no minus."""
    return minus(f"{round(value, 2) + 0.0:+.2f}")


def _p_different(one: BaselineDifference) -> str:
    """The p-value of the t-test of two runs' different answers."""
    if one.p_t is not None:
        return p_value(one.p_t)
    return TOO_FEW if min(one.run.answers, one.baseline.answers) < 2 else ALIKE
