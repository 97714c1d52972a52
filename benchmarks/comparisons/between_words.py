"""Table 2 in words and blocks."""

from collections.abc import Callable, Iterator

from benchwright.benchmarks.comparisons.between import Between
from benchwright.benchmarks.comparisons.between_rows import SampleFacts, SideOfSample, Table2Row
from benchwright.benchmarks.comparisons.between_sides import Side
from benchwright.benchmarks.reports.blocks import (
    Block,
    Cell,
    Column,
    Details,
    Listing,
    Table,
    Text,
    foreign,
    missing,
    soft,
    strong,
)
from benchwright.benchmarks.reports.format import (
    NONE,
    count,
    figure,
    interval,
    minus,
    number_of,
    of,
    p_value,
    reasons,
    sentence,
    signed,
)

_SAMPLINGS = {"unbalanced": "Unbalanced sampling (US)", "stratified": "Stratified sampling (SS)"}
_MODULAR = {
    "unbalanced": "US + modular (retrieval)",
    "stratified": "SS + modular (retrieval)",
}
_NAME = 40


def between_sentence(found: Between) -> str:
    """What the row that the paper trusts most says: robustness, stratified, of retrieval alone; else as answered."""
    row = next((each for each in reversed(found.rows) if each.success is not None), None)
    if row is None:
        return f"Table 2 is not available: {found.rows[0].first.reason}."
    names = {"first": found.first.value, "second": found.second.value}
    said = f"{sentence(row.figure)} in the {row.sampling} sample{', of retrieval alone,' if row.modular else ''}"
    values = (
        f"{figure(row.first.value, 2)} for {names['first']} and {figure(row.second.value, 2)} for {names['second']}"
    )
    if row.test is None:
        return f"{said} is {values}; {row.reason}."
    shown = "the test shows no difference"
    if row.test.higher is not None:
        shown = f"the test shows {names[row.test.higher]} to be higher"
    chance = p_value(row.test.p_corrected)
    chance = chance if chance.startswith("<") else f"= {chance}"
    how = ", as two samples" if row.test.of == "two samples" else ""
    return f"{said} is {values}; {shown} (p {chance} over {count(row.test.groups)} groups{how})."


def between_blocks(found: Between) -> list[Block]:
    """The table, what the samples hold, what was lost, and what could not be computed."""
    return [
        Text(foreign(between_sentence(found), 400)),
        _table2(found),
        *_missing(found),
        *_counts(found),
        _samples(found),
        *_lost(found),
        *_unscored(found),
        Text(foreign(_method(found)), "small"),
    ]


def _label(row: Table2Row) -> str:
    return (_MODULAR if row.modular else _SAMPLINGS)[row.sampling]


def _under_headings(found: Between, cells: Callable[[Table2Row], tuple[Cell, ...]]) -> tuple[tuple[Cell, ...], ...]:
    """Rows below the name of their figure."""
    rows: list[tuple[Cell, ...]] = []
    for place, row in enumerate(found.rows):
        if not place or found.rows[place - 1].figure != row.figure:
            rows.append((strong(sentence(row.figure)), ""))
        rows.append(cells(row))
    return tuple(rows)


def _table2(found: Between) -> Table:
    names = ("points", "95 % interval", "p", "higher")
    columns = (
        Column(""),
        *(Column(foreign(side.value, _NAME)) for side in (found.first, found.second)),
        Column("Success?", "left"),
        *(Column(name, "left" if name == names[-1] else "right") for name in names),
    )
    note = f" – {found.column}; points: first minus second; p: corrected; higher: as the test shows"
    caption = ("Table 2 of the paper, for this run", soft(note))
    return Table(caption, columns, _under_headings(found, lambda row: _row(found, row)), "fit")


def _row(found: Between, row: Table2Row) -> tuple[Cell, ...]:
    success = NONE if row.success is None else "Yes" if row.success else "No"
    if row.success is False and row.first.value == row.second.value:
        success = "No (equal)"
    first = (_label(row), figure(row.first.value, 2), figure(row.second.value, 2), success)
    test = row.test
    if test is None:
        return (*first, NONE, NONE, NONE, soft("untested"))
    higher: Cell = soft("neither")
    if test.higher is not None:
        higher = foreign((found.first if test.higher == "first" else found.second).value, _NAME)
    return (*first, signed(test.difference), minus(interval(test.low, test.high)), p_value(test.p_corrected), higher)


def _counts(found: Between) -> Iterator[Block]:
    """What figures are of, and in how many groups each side is better."""
    first, second = found.first.value, found.second.value
    columns = (
        Column(""),
        *(Column(foreign(f"right, {name}", _NAME + 10)) for name in (first, second)),
        Column("groups tested"),
        *(Column(foreign(f"{name} better", _NAME + 10)) for name in (first, second)),
        Column("equal"),
    )

    def cells(row: Table2Row) -> tuple[Cell, ...]:
        shares = (_label(row), of(row.first), of(row.second))
        test = row.test
        if test is None:
            return (*shares, soft("not tested"))
        better = (NONE if each is None else count(each) for each in (test.first_better, test.second_better, test.equal))
        return (*shares, count(test.groups), *better)

    yield Details("The same in counts", (Table("", columns, _under_headings(found, cells), "fit"),))


def _missing(found: Between) -> Iterator[Block]:
    """What could not be computed, and why."""
    said: dict[str, list[str]] = {}
    for row in found.rows:
        name = " ".join(filter(None, (row.figure, row.sampling, "modular" if row.modular else "")))
        for side, its in ((found.first, row.first), (found.second, row.second)):
            if its.value is None:
                said.setdefault(f"not available for {side.value}: {its.reason}", []).append(name)
        if row.reason and row.success is not None:
            said.setdefault(row.reason, []).append(name)
    if said:
        yield Text("What could not be computed", "heading")
        yield Listing(tuple(foreign(f"{', '.join(names)}: {why}.", 400) for why, names in said.items()))


def _samples(found: Between) -> Block:
    columns = (
        Column("sample"),
        Column("", "left"),
        *(Column(name) for name in ("questions", "groups", "λ", "model's errors", "retrieval unknown", "left out")),
    )
    rows = [row for sample in found.samples if sample.reason is None for row in _sample_rows(found, sample)]
    if not rows:
        return missing(f"there is no sample: {found.samples[0].reason}")
    note = " – λ: share of questions in gap groups; left out: groups of which one question is left"
    return Table(("What the samples hold", soft(note)), columns, tuple(rows), "fit")


def _sample_rows(found: Between, sample: SampleFacts) -> Iterator[tuple[Cell, ...]]:
    sides: tuple[tuple[Side, SideOfSample], ...] = ((found.first, sample.first), (found.second, sample.second))
    for place, (side, its) in enumerate(sides):
        yield (
            "" if place else _SAMPLINGS[sample.sampling],
            foreign(side.value, _NAME),
            count(its.questions),
            count(its.groups),
            figure(its.gap_share.value, 2),
            NONE if its.model_errors is None else count(its.model_errors),
            count(its.retrieval_unknown),
            count(its.once),
        )


def _lost(found: Between) -> Iterator[Block]:
    """What each part of the database lost in the unbalanced sample."""
    if found.unit is None:
        return
    head = f"{found.unit}"
    names = (found.first.value, found.second.value)
    columns = (Column(head), *(Column(foreign(f"{name} lost", _NAME + 5)) for name in names))
    rows = [
        (
            foreign(each.part, _NAME),
            f"{count(each.first_lost)} of {count(each.first_total)}",
            f"{count(each.second_lost)} of {count(each.second_total)}",
        )
        for each in found.lost
    ]
    rows.append((foreign(found.whole or "", _NAME), "0", "0"))
    caption = ("Questions lost in the unbalanced sample", soft(f" – drawn with seed {found.seed}"))
    yield Table(caption, columns, tuple(rows), "fit")
    drawn = [(row, row.successes) for row in found.rows if row.successes is not None and row.success is not None]
    if drawn:
        said = ", ".join(f"{row.figure}{' modular' if row.modular else ''} {number}" for row, number in drawn)
        seeds = f"seeds {found.seed} to {found.seed + found.draws - 1}"
        told = f"Another draw loses others. With {seeds}, {names[0]} is higher in so many of {found.draws}: {said}."
        yield Text(foreign(told, 400))


def _unscored(found: Between) -> Iterator[Block]:
    items = []
    for side in (found.first, found.second):
        left = side.questions - side.judged
        if left:
            why = f": {reasons(side.unscored)}" if side.unscored else ""
            items.append(
                foreign(f"{side.value}: {count(left)} of {number_of(side.questions, 'question')} left out{why}", 400)
            )
    if items:
        yield Text("Without a verdict, or without a group", "heading")
        yield Listing(tuple(items))


def _method(found: Between) -> str:
    balance = ""
    if found.wordings is not None:
        balance = f"The stratified sample holds {number_of(found.wordings, 'question')} of each group of each side"
        balance += (
            f", of the {number_of(found.shared_groups, 'group')} that both have. "
            if found.shared_groups
            else "; the sides share no group, so that what is asked differs too. "
        )
        balance += (
            "The unbalanced one is the run as it stands: its release was built with fewer wordings of some groups. "
            if found.as_built
            else "The unbalanced one is what is left of it after losses. "
        )
    return (
        "Li, Liu and Gao 2024, first version, section 4.2. Success: the first is higher. Robustness (equation 1) is "
        "accuracy without gap groups; known gaps are included. Modular evaluation counts a wrong answer whose "
        "retrieval was right as right: that error is the language model's. Retrieval is judged by "
        f"{found.retrieval_judged_by}. {balance}Tests: {found.method}; p-values corrected for their number "
        f"({found.correction}). They speak of {found.target}."
    )
