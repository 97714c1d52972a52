"""Agreement of metrics with people on pairs, as tables: what the page and the terminal of `score-metric` show."""

from collections.abc import Iterator, Mapping

from benchwright.benchmarks.judgments import COMPUTED
from benchwright.benchmarks.releases.pairs import COLUMNS
from benchwright.benchmarks.reports.blocks import (
    Block,
    Cell,
    Column,
    Details,
    Listing,
    Table,
    Text,
    cut,
    foreign,
    soft,
)
from benchwright.benchmarks.reports.format import NONE, count, number_of, reasons
from benchwright.benchmarks.reports.metrics.agreement_blocks import share_with_limits, with_limits
from benchwright.benchmarks.reports.metrics.blocks import Part
from benchwright.benchmarks.reports.pairs.agreement import RAGAS, AgreementRow, PairAgreement, PairRatings
from benchwright.benchmarks.reports.pairs.people import VotesAgreement
from benchwright.benchmarks.reports.pairs.tested_blocks import by_people, tested_brief, tested_parts, with_people
from benchwright.benchmarks.types import Dimension

_NAME = 60
_RULES = "rules"
_SHOWN = 20
"""Pairs that are listed of one metric and dimension."""


def title_of(found: PairRatings) -> str:
    """The page's title."""
    name = cut(found.benchmark, 60)
    return (
        f"How far metrics agree with people on {name}"
        if by_people(found)
        else f"Which candidates of {name} metrics prefer"
    )


def truth_line(found: PairRatings) -> Text:
    """What metrics are held against."""
    names = {name for labels in found.labels.values() for name in labels.annotators}
    said = f"{number_of(len(names), 'annotator')} chose" if names else "people settled on"
    by = f"what {said}" if by_people(found) else "the candidates that were made to be better, for there are no labels"
    numbers = ", ".join(f"{count(each.first + each.second)} in {_words(name)}" for name, each in found.labels.items())
    return Text((f"Held against {by}: pairs with a choice {numbers}; split ", foreign(found.split, 40), "."))


def parts_of(found: PairRatings) -> list[Part]:
    """Everything, in order."""
    title, chosen = f"Agreement{with_people(found)}", "people chose" if by_people(found) else "was made to be better"
    agreement = Text(_AGREEMENT.format(chosen=chosen), "small")
    parts = [
        Part("agreement", title, (table_one(found), agreement, *_of_people(found))),
        *tested_parts(found),
        Part("counts", "What the agreement rests on", (_counts_table(found), Text(_COUNTS, "small"))),
    ]
    if found.questions:
        parts.append(Part("against", "Where a metric prefers the other candidate", tuple(_against(found))))
    if found.position:
        parts.append(Part("position", "Place and choice", (_position_table(found), Text(_POSITION, "small"))))
    if by_people(found):
        parts.append(Part("people", "What people chose", (_people_table(found), Text(_PEOPLE, "small"))))
    return parts


def brief(found: PairRatings) -> list[Block]:
    """What a terminal shows."""
    position = [_position_table(found)] if found.position else []
    return [
        truth_line(found),
        table_one(found, is_narrow=True),
        *_by_lines(found),
        *tested_brief(found),
        *position,
        *left_out(found),
    ]


def table_one(found: PairRatings, *, is_narrow: bool = False) -> Table:
    """A row for each kind of metric, a column for each dimension: Table 1 of RAGAS (Es et al. 2024).

    Args:
        found: the figures.
        is_narrow: without the column of who scored.
    """
    dimensions = list(found.labels)
    rows: list[tuple[Cell, ...]] = [
        (_label(row), *(_agreement(row.cells.get(dimension)) for dimension in dimensions), foreign(_by(row), _NAME))
        for row in found.rows
    ]
    people = [found.labels[each].agreement for each in dimensions]
    if any(each.same.total for each in people):
        rows.append(("people", *map(two_alike, people), "one another"))
        rows.append((("people", soft(", kappa")), *(with_limits(each.kappa) for each in people), ""))
        unordered = (with_limits(each.kappa_unordered) for each in people)
        rows.append((("people", soft(", kappa unordered")), *unordered, ""))
    ties = "ties count one half" if found.coin is None else f"ties are broken by a coin of the seed {found.coin}"
    caption = (f"Agreement{with_people(found)} on pairs", soft(f"; {ties}; intervals of 95 % by question"))
    columns = (Column("metric"), *(Column(_words(each)) for each in dimensions), Column("scored by", "left"))
    shown = slice(-1) if is_narrow else slice(None)
    return Table(caption, columns[shown], tuple(row[shown] for row in rows), "wide")


def _of_people(found: PairRatings) -> list[Block]:
    """What the rows of people are, where there are any."""
    several = any(each.agreement.same.total for each in found.labels.values())
    return [Text(f"{_PEOPLE_AMONG} {KAPPAS}", "small")] if several else []


def _by_lines(found: PairRatings) -> Iterator[Block]:
    """Who scored, a line each."""
    names: dict[str, dict[str, None]] = {}
    for row in found.rows:
        names.setdefault(_by(row), {})[row.name] = None
    for by, rows in names.items():
        if by != NONE:
            yield Text((soft("Scored by "), foreign(f"{by}: {', '.join(rows)}", 300), "."), "small")


def _words(dimension: Dimension) -> str:
    return dimension.replace("_", " ")


def _label(row: AgreementRow) -> Cell:
    name = foreign(row.name, _NAME)
    if row.name == RAGAS and _by(row) == _RULES:
        return name, soft(", by rule")
    return name if row.protocol == "scores" else (name, soft(f", {row.protocol}"))


def _agreement(cell: PairAgreement | None) -> str:
    if cell is None or cell.value is None:
        return NONE
    limits = "" if cell.low is None or cell.high is None else f" ({cell.low:.2f} to {cell.high:.2f})"
    return f"{cell.value:.2f}{limits}"


def two_alike(found: VotesAgreement) -> str:
    """How often two people chose the same, with its limits."""
    if found.share is None:
        return NONE
    limits = "" if found.interval is None else f" ({found.interval.low:.2f} to {found.interval.high:.2f})"
    return f"{found.share:.2f}{limits}"


def _by(row: AgreementRow) -> str:
    names = dict.fromkeys(judge for cell in row.cells.values() for judge in cell.judges)
    return ", ".join(_RULES if name == COMPUTED else name for name in names) or NONE


def _counts_table(found: PairRatings) -> Table:
    columns = (
        Column("metric"), Column("dimension", "left"), Column("pairs"), Column("agrees"), Column("ties"),
        Column("prefers the other"), Column("not scored"), Column("why", "left"),
    )  # fmt: skip
    rows = tuple(
        (
            _label(row), _words(dimension), count(cell.pairs), count(cell.agreed), count(cell.ties),
            count(len(cell.against)), count(sum(cell.unscored.values())), foreign(reasons(cell.unscored), 400),
        )
        for row in found.rows
        for dimension, cell in row.cells.items()
    )  # fmt: skip
    caption = (
        "Pairs of which people chose one candidate" if by_people(found) else "Pairs of which one candidate is better"
    )
    return Table(caption, columns, rows, "wide")


def _against(found: PairRatings) -> Iterator[Block]:
    """The pairs of which a metric prefers what people did not choose, folded away."""
    for row in found.rows:
        for dimension, cell in row.cells.items():
            if cell.against:
                more = f", of which {_SHOWN} are shown" if len(cell.against) > _SHOWN else ""
                protocol = "" if row.protocol == "scores" else f", {row.protocol}"
                number = number_of(len(cell.against), "pair")
                summary = (foreign(row.name, _NAME), f"{protocol}, {_words(dimension)}: {number}{more}")
                items = tuple(
                    (foreign(found.questions.get(name, ""), 300), soft(" "), foreign(name, _NAME))
                    for name in cell.against[:_SHOWN]
                )
                yield Details(summary, (Listing(items),))


def _position_table(found: PairRatings) -> Table:
    columns = (Column("metric"), Column("chose what was shown first"), Column("other choice in the other order"))
    rows = tuple(
        (foreign(each.metric, _NAME), share_with_limits(each.first), share_with_limits(each.inconsistent))
        for each in found.position
    )
    return Table("Place and choice, of pairs shown in both orders", columns, rows, "fit")


def _people_table(found: PairRatings) -> Table:
    columns = (
        Column("dimension"), Column("candidates", "left"), Column("first chosen"), Column("second chosen"),
        Column("alike"), Column("divided"), Column("settled"), Column("all chose the same"),
    )  # fmt: skip
    rows = tuple(
        (
            _words(dimension), " and ".join(COLUMNS[dimension]), count(each.first), count(each.second),
            count(each.tie), count(each.divided), count(each.resolved),
            share_with_limits(each.agreement.same),
        )
        for dimension, each in found.labels.items()
    )  # fmt: skip
    return Table("Pairs by what people chose of them", columns, rows, "wide")


def left_out(found: PairRatings) -> list[Block]:
    """What is not counted, and why."""
    lines: list[Block] = [
        Text((soft(f"{said} "), foreign(reasons(why), 400), "."), "small") for said, why in _left_out(found)
    ]
    if found.need_model:
        names = ", ".join(found.need_model)
        lines.append(Text((soft("Not scored, for no model is named that judges them: "), f"{names}."), "small"))
    return lines


def _left_out(found: PairRatings) -> Iterator[tuple[str, Mapping[str, int]]]:
    if found.left_out:
        yield "Labels that are left out:", found.left_out
    for dimension, labels in found.labels.items():
        apart = {"people are divided": labels.divided, "people call them alike": labels.tie}
        if kept := {why: number for why, number in apart.items() if number}:
            yield f"Pairs that no metric is held against in {_words(dimension)}:", kept
    seen = []
    for row in found.rows:
        for cell in row.cells.values():
            if cell.unscored and (cell.metric, cell.unscored) not in seen:
                seen.append((cell.metric, cell.unscored))
                yield f"Pairs without a score by {cut(cell.metric, _NAME)}:", cell.unscored


_AGREEMENT = (
    "The share of pairs of which a metric prefers the candidate that {chosen}, of those that it scored (Es et al. 2024,"
    " section 5 and Table 1). Chance is one half. A metric is tried in its own dimension, one without a dimension in"
    " those whose candidates differ in what it reads. In one order each pair is shown once, as in the paper, in an"
    " order drawn for the pair; in both orders twice, and choices that contradict each other are a tie."
)
_PEOPLE_AMONG = "People: how often two of them chose the same, before anything was settled."
KAPPAS = (
    "Kappa is Cohen's of two people, Fleiss' of more. It is near 0 where nearly all choices are of the candidate that"
    " is stored first, however often people agree. Unordered, each pair counts in both orders of its candidates, whose"
    " sides were drawn for each person: chance then has two people agree on about half of the pairs."
)
_COUNTS = "What has no score is left out of the agreement; it is not counted as wrong."
_POSITION = (
    "A judge that goes by the candidates alone chooses what is shown first in half of all choices, those of both orders"
    " together, and the same candidate in both orders."
)
_PEOPLE = (
    "What was settled counts, else what more than half of the annotators chose. All chose the same: of the pairs that"
    " several annotators chose from, before anything was settled."
)
