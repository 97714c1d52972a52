"""Parts of what systems did, as blocks: answers, wordings of a group, slices."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from benchwright.benchmarks.comparisons.answers import RunTags
from benchwright.benchmarks.comparisons.comparison import COMPARISON, Comparison
from benchwright.benchmarks.comparisons.sentences import by_points
from benchwright.benchmarks.comparisons.slices import SliceDifference
from benchwright.benchmarks.reports.blocks import Block, Cell, Column, Table, Text, foreign, missing, soft
from benchwright.benchmarks.reports.format import SHARE, amount, count, interval, number_of, p_value, percent
from benchwright.benchmarks.reports.needed import titled

_COLUMNS = 12
"""Systems that have a column in tables whose rows are something else."""


def columns_of(comparison: Comparison) -> list[int]:
    """Places of the runs that have a column: the best."""
    names = [run.name for run in comparison.runs]
    order = [names.index(system.run) for system in comparison.leading.systems]
    return order[:_COLUMNS]


def headings(comparison: Comparison, places: Sequence[int]) -> tuple[Column, ...]:
    """A column for each of these runs."""
    return tuple(Column(foreign(comparison.runs[place].name, 40)) for place in places)


def left_out(comparison: Comparison, places: Sequence[int]) -> str:
    """What is said where not each system has a place."""
    more = len(comparison.runs) - len(places)
    return f" – the best {len(places)} systems; {count(more)} more stand in {COMPARISON}" if more else ""


def answer_blocks(comparison: Comparison) -> Iterator[Block]:
    """What was correct, wrong and abstained, and how alike the wordings of a group went."""
    places = columns_of(comparison)
    shares = [comparison.answers[place] for place in places]
    rows = tuple(
        (foreign(each.run, 60), percent(each.correct), percent(each.wrong), percent(each.abstained)) for each in shares
    )
    columns = tuple(Column(name) for name in ("system", "correct", "wrong", "abstained"))
    note = f" – not tested{left_out(comparison, places)}"
    yield Table(("Answers to the questions that all have", soft(note)), columns, rows, "fit")
    wordings = comparison.wordings
    if wordings.reason or wordings.wordings is None:
        yield missing(f"robust groups are not compared: {wordings.reason}")
        return
    there = {each.run: each for each in wordings.systems}
    names = [name for name in (comparison.runs[place].name for place in places) if name in there]
    yield Table(
        ("Wordings of one group", soft(f" – {number_of(wordings.groups, 'group')}; not tested")),
        tuple(
            Column(name)
            for name in ("system", "two agree", "95 % interval", "robust", "95 % interval", "non-robust", "gap")
        ),
        tuple(_wordings(there[name]) for name in names),
        "fit",
    )
    yield Text(
        f"Robust groups are right in each wording, gaps in none, at {wordings.wordings} wordings a group: the more are "
        "asked, the fewer groups are either. How often two wordings agree does not depend on that.",
        "small",
    )


def _wordings(each: RunTags) -> tuple[Cell, ...]:
    agreement, tags = each.agreement, each.tags
    return (
        foreign(each.run, 60),
        percent(agreement.value),
        interval(agreement.low, agreement.high),
        percent(tags.robust.value),
        interval(tags.robust.low, tags.robust.high),
        percent(tags.non_robust.value),
        percent(tags.gap.value),
    )


def slice_blocks(comparison: Comparison) -> Iterator[Block]:
    """A table for each column that splits the questions."""
    slices, places = comparison.slices, columns_of(comparison)
    is_pair, turned = slices.correction is not None, _is_turned(comparison)
    if is_pair:
        yield Text(f"P-values and intervals are corrected ({slices.correction}).", "soft")
    elif slices.reason:
        yield Text(f"{slices.reason[:1].upper()}{slices.reason[1:]}.", "soft")
    scale = comparison.leading.range
    for name, dimension in slices.dimensions.items():
        if dimension.reason:
            yield missing(f"not split by {titled(name)}: {dimension.reason}")
            continue
        order = ([1, 0] if turned else [0, 1]) if is_pair else places
        tested = (
            Column("first − second, points" if scale == SHARE else "first − second"),
            Column("interval"),
            Column("p"),
            Column("result", "left"),
        )
        columns = (Column(titled(name)), *headings(comparison, order), *(tested if is_pair else ()), Column("groups"))
        rows = []
        for each in dimension.slices:
            cells: list[Cell] = [foreign(each.value, 60), *(amount(each.means[place], scale) for place in order)]
            if is_pair:
                found = _turned(each.difference) if turned else each.difference
                cells += (
                    [
                        by_points(found.value, scale, signed=True),
                        f"{by_points(found.low, scale)} to {by_points(found.high, scale)}",
                        p_value(found.p),
                        "separated" if found.separated else soft("not separated"),
                    ]
                    if found
                    else ["–", "–", "–", soft("one group")]
                )
            rows.append((*cells, count(each.groups)))
        note = f" – the largest; {count(dimension.omitted)} more are not shown" if dimension.omitted else ""
        note += "" if is_pair else left_out(comparison, places)
        yield Table((f"By {titled(name)}", soft(f", {slices.metric}{note}")), columns, tuple(rows), "fit")


def _is_turned(comparison: Comparison) -> bool:
    """Whether the second of two runs stands first: the better one does, and the baseline second."""
    differences = comparison.leading.differences
    return len(comparison.runs) == 2 and bool(differences) and differences[0].first == comparison.runs[1].name


def _turned(found: SliceDifference | None) -> SliceDifference | None:
    return found and replace(found, value=-found.value, low=-found.high, high=-found.low)
