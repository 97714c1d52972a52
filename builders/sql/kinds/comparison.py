"""How many rows that belong to a thing lie above, below or between round values: a category's products above 20.

A threshold is a round number, or the beginning of a year or a month, that some rows exceed and some do not.
"""

from collections.abc import Iterator
from decimal import Decimal

from benchwright.builders.sql.kinds import BELONGING, Ground, Kind, KindTemplate, Made
from benchwright.builders.sql.kinds.steps.measures import Measured, measured, nice_between
from benchwright.builders.sql.kinds.steps.pairs import owner_entity
from benchwright.builders.sql.kinds.steps.templates import NO_MEASURES, made_of, noun_of
from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.meaning import AskedColumn, Compared, Many, Meaning

_NAME = "comparison"
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def _make(ground: Ground) -> Made:
    return made_of(_templates(ground), NO_MEASURES)


def _templates(ground: Ground) -> Iterator[KindTemplate]:
    for number, one in enumerate(measured(ground.database, ground.schema)):
        compared = _date(one, number) if one.measure.kind == "date" else _number(one, number)
        if compared is None:
            continue
        sql, said = compared
        noun = noun_of(one, ground.schema)
        asked = AskedColumn(f"number of {english.plural(noun)}", "number", False)
        many = Many(noun, one.pair.role, "number", (Compared(one.measure.words, said),))
        meaning = Meaning((asked,), owner_entity(one.pair, ground.schema), _NAME, many)
        yield KindTemplate(f"SELECT COUNT(*) {one.pair.source} WHERE {one.pair.given} AND {sql};", meaning)


def _number(one: Measured, number: int) -> tuple[str, str] | None:
    """SQL of a condition, and with what is compared in words: above, below and between in turn."""
    smallest, quarter, half, three, largest = one.measure.quarters
    low, high = nice_between(quarter, half), nice_between(half, three)
    if number % 3 == 2 and low is not None and high is not None and Decimal(low) < Decimal(high):
        return f"{one.column} BETWEEN {low} AND {high}", f"from {low} to {high}"
    middle = nice_between(quarter, three)
    if middle is None or not Decimal(smallest) < Decimal(middle) < Decimal(largest):
        return None
    less, more = ("before", "after") if one.measure.kind == "year" else ("below", "above")
    if number % 3 == 1:
        return f"{one.column} < {middle}", f"{less} {middle}"
    return f"{one.column} > {middle}", f"{more} {middle}"


def _date(one: Measured, number: int) -> tuple[str, str] | None:
    smallest, quarter, _, three, _ = one.measure.quarters
    start, said = _start_between(quarter, three)
    if not start or start <= smallest:
        return None
    if number % 2:
        return f"{one.column} < '{start}'", f"before {said}"
    return f"{one.column} >= '{start}'", f"on or after {said}"


def _start_between(low: str, high: str) -> tuple[str, str]:
    """The first day of a year, else of a month, after the one date and not after the other, and how people write it."""
    years = range(int(low[:4]) + 1, int(high[:4]) + 1)
    if years:
        year = years[len(years) // 2]
        return f"{year:04}-01-01", f"1 January {year}"
    months = range(int(low[5:7]) + 1, int(high[5:7]) + 1)
    if not months:
        return "", ""
    month = months[len(months) // 2]
    return f"{low[:4]}-{month:02}-01", f"1 {_MONTHS[month - 1]} {int(low[:4])}"


KIND = Kind(
    _NAME, "how many rows that belong together lie above, below or between round values", _make, always_open=BELONGING
)
