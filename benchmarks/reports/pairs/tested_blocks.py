"""Tests of metrics' agreement with people, as tables: against chance, and between metrics."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from benchwright.benchmarks.reports.blocks import Block, Cell, Column, Table, Text, foreign, soft
from benchwright.benchmarks.reports.format import count, minus, number_of, p_value
from benchwright.benchmarks.reports.metrics.blocks import Part
from benchwright.benchmarks.reports.pairs.preferences import Protocol
from benchwright.benchmarks.reports.pairs.tested import ChanceTest

if TYPE_CHECKING:
    from benchwright.benchmarks.reports.pairs.agreement import PairRatings

_NAME = 60
_IN_TERMINAL = 24
"""Tests between metrics that a terminal shows; of more it says where they are."""


def tested_parts(found: "PairRatings") -> Iterator[Part]:
    """The parts of the page, as far as there is something to test."""
    if found.chance:
        yield Part("chance", "Against chance", (_chance_table(found), Text(_CHANCE, "small")))
    if found.tests:
        yield Part("tests", "Between metrics", (_between_table(found), Text(_BETWEEN, "small")))


def tested_brief(found: "PairRatings") -> Iterator[Block]:
    """What a terminal shows."""
    for beside in ("below", "not told from"):
        if some := [each for each in found.chance if each.beside == beside]:
            names = "; ".join(
                f"in {_words(dimension)} {', '.join(_listed(each) for each in of_one)}"
                for dimension in dict.fromkeys(each.dimension for each in some)
                if (of_one := [each for each in some if each.dimension == dimension])
            )
            yield Text((soft(f"{_BESIDE[beside]}: "), foreign(names, 900), "."), "small")
    if len(found.tests) > _IN_TERMINAL:
        separated = sum(each.is_separated for each in found.tests)
        yield Text(
            f"{number_of(len(found.tests), 'test')} between metrics, of which {count(separated)} "
            f"{'tells' if separated == 1 else 'tell'} two apart: see the page.",
            "small",
        )
    elif found.tests:
        yield _between_table(found, is_narrow=True)


def by_people(found: "PairRatings") -> bool:
    """Whether metrics are held against what people chose, and not against how pairs were made."""
    return found.source != "columns"


def with_people(found: "PairRatings") -> str:
    """What agreement is with, for captions."""
    return " with people" if by_people(found) else ""


def _words(name: str) -> str:
    return name.replace("_", " ")


def _name(name: str, protocol: Protocol) -> str:
    return name if protocol == "scores" else f"{name}, {protocol}"


def _listed(each: ChanceTest) -> str:
    return each.name if each.protocol == "scores" else f"{each.name} ({each.protocol})"


def _chance_table(found: "PairRatings") -> Table:
    columns = (
        Column("metric"), Column("dimension", "left"), Column("agreement"), Column("pairs"), Column("p"),
        Column("p, corrected"), Column("it is", "left"),
    )  # fmt: skip
    rows = tuple(
        (
            foreign(_name(each.name, each.protocol), _NAME), _words(each.dimension), f"{each.value:.2f}",
            count(each.pairs), p_value(each.p), p_value(each.p_corrected), f"{each.beside} chance",
        )
        for each in found.chance
    )  # fmt: skip
    return Table(f"Agreement{with_people(found)} held against one half", columns, rows, "wide")


def _between_table(found: "PairRatings", *, is_narrow: bool = False) -> Table:
    columns = (
        Column("metrics"), Column("dimension", "left"), Column("difference"), Column("pairs"),
        Column("p, corrected"), Column("apart", "left"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (
            (foreign(_name(each.first, each.first_protocol), _NAME), soft(" less "),
             foreign(_name(each.second, each.second_protocol), _NAME)),
            _words(each.dimension),
            minus(f"{each.value:+.2f} ({each.low:+.2f} to {each.high:+.2f})"),
            count(each.pairs),
            p_value(each.p_corrected),
            "yes" if each.is_separated else "not told",
        )
        for each in found.tests
    ]  # fmt: skip
    caption = (f"Differences of agreement{with_people(found)}", soft("; with intervals of 95 % by question"))
    kept = (0, 1, 2, 4) if is_narrow else range(len(columns))
    return Table(
        caption, tuple(columns[at] for at in kept), tuple(tuple(row[at] for at in kept) for row in rows), "wide"
    )


_BESIDE = {
    "below": "Below chance, so that the metric prefers the other candidate",
    "not told from": "Not told from chance (0.50)",
}
_CHANCE = (
    "Whether a metric prefers the better candidate more often than a coin would: sign flips of whole questions,"
    " corrected for the number of metrics in the dimension (Holm). Not told from chance is no proof that a metric is"
    " worthless: a few pairs cannot tell."
)
_BETWEEN = (
    "Two metrics on the pairs that both scored: the agreement of the first less that of the second, by sign flips"
    " of whole questions, corrected for the number of tests in the dimension (Holm). The intervals are not corrected."
)
