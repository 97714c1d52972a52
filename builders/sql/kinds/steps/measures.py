"""Columns whose values can be compared, added up or averaged, as their words and their values tell.

A number is one only where its words say what it measures: of years, codes and places in a list nobody asks the average.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil
from typing import Literal

from benchwright.benchmarks.data_files import read_words
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.grounding.values import to_answer
from benchwright.builders.sql.kinds.steps.pairs import Pair, all_pairs
from benchwright.builders.sql.schema import DatabaseSchema, SchemaColumn, SchemaTable
from benchwright.builders.sql.wording import english

_WORDS = read_words(__package__, "measures.toml")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[ T]00:00(?::00(?:\.0+)?)?)?")
_LEAST_DISTINCT = 4
"""Values that differ, of a column of which anything is asked."""
_LOOKED_AT = 10_000
"""Values whose decimals are looked at."""
_MOST_DECIMALS = 4
_PAIRS = 2
"""Ways in which the rows of a table are gathered for each of its columns."""


@dataclass(frozen=True)
class Measure:
    """A column whose rows can be compared by it; none of them lacks a value."""

    table: SchemaTable
    column: str
    words: str
    kind: Literal["number", "date", "year"]
    is_amount: bool
    """Whether people ask for the total of several rows."""
    decimals: int
    """That its values have at most."""
    quarters: tuple[str, str, str, str, str]
    """The smallest value, those that a quarter, half and three quarters of the rows do not exceed, and the largest."""

    @property
    def is_number(self) -> bool:
        """Whether it has an average; a year has none that anybody asks."""
        return self.kind == "number"

    @property
    def highest(self) -> str:
        """The word for its largest value."""
        return self._superlative[1]

    @property
    def lowest(self) -> str:
        """The word for its smallest value."""
        return self._superlative[0]

    @property
    def _superlative(self) -> tuple[str, str]:
        if self.kind != "number":
            return "earliest", "latest"
        said = {english.head_word(self.words), self.words.rpartition(" ")[2]}
        if said & _WORDS["large"]:
            return "smallest", "largest"
        return ("shortest", "longest") if said & _WORDS["long"] else ("lowest", "highest")


@dataclass(frozen=True)
class Measured:
    """Rows that belong together, and a column by which they can be compared."""

    pair: Pair
    measure: Measure

    @property
    def column(self) -> str:
        """SQL of the column."""
        return self.pair.column(self.measure.column)


def measured(database: Database, schema: DatabaseSchema) -> Iterator[Measured]:
    """Columns with rows that belong together, two sorts of these for each column, in turn."""
    by_table: dict[str, list[Pair]] = {}
    for pair in all_pairs(database, schema):
        if not pair.is_linked:
            by_table.setdefault(pair.many.name, []).append(pair)
    for name, gathered in by_table.items():
        for number, measure in enumerate(measures(database, schema, schema.tables[name])):
            places = dict.fromkeys((number * _PAIRS + i) % len(gathered) for i in range(_PAIRS))
            yield from (Measured(gathered[place], measure) for place in places)


def measures(database: Database, schema: DatabaseSchema, table: SchemaTable) -> Iterator[Measure]:
    """The columns of a table by which its rows can be compared."""
    keys = {column for key in table.foreign_keys for column in key.columns} | set(table.primary_key)
    for column in table.askable:
        if column.name not in keys and (kind := _kind(schema, table, column)):
            found = _look(database, schema, table, column.name, kind)
            if found is not None:
                yield found


def _kind(schema: DatabaseSchema, table: SchemaTable, column: SchemaColumn) -> Literal["number", "date", "year"] | None:
    words = schema.vocabulary.column(table.name, column.name).lower()
    said = {english.head_word(words), words.rpartition(" ")[2]}
    if column.kind == "date":
        return None if words.rpartition(" ")[2] in english.PREPOSITIONS else "date"
    if column.kind != "number":
        return None
    if said & _WORDS["years"]:
        return "year"
    return "number" if said & _WORDS["measured"] or column.unit else None


def _look(
    database: Database, schema: DatabaseSchema, table: SchemaTable, column: str, kind: Literal["number", "date", "year"]
) -> Measure | None:
    """The column with its quarters; None where a value is missing or odd, or where there is too little to compare."""
    name, place = quoted(column), quoted(table.name)
    [[rows, known, distinct]] = database.all(f"SELECT COUNT(*), COUNT({name}), COUNT(DISTINCT {name}) FROM {place}")
    if known < rows or distinct < _LEAST_DISTINCT:
        return None
    ordered = f"SELECT {name} FROM {place} ORDER BY {name}"
    places = [round((rows - 1) * part / 4) for part in range(5)]
    quarters = [to_answer(database.all(f"{ordered} LIMIT 1 OFFSET {at}")[0][0]) for at in places]
    values = [to_answer(row[0]) for row in database.all(f"SELECT DISTINCT {name} FROM {place} LIMIT {_LOOKED_AT}")]
    if not all(map(_is_date if kind == "date" else _is_number, (*values, *quarters))):
        return None
    decimals = 0 if kind != "number" else max(len(value.partition(".")[2]) for value in values)
    words = schema.vocabulary.column(table.name, column)
    if decimals > _MOST_DECIMALS:
        return None
    said = {english.head_word(words.lower()), words.lower().rpartition(" ")[2]}
    is_amount = kind == "number" and bool(said & _WORDS["amounts"]) and not words.lower().startswith("unit ")
    if kind == "number" and english.head_word(words.lower()) in _WORDS["counted"]:
        words = f"number of {words}"
    if kind == "date" and not any(part.endswith(("date", "day")) for part in words.lower().split()):
        words = f"{words} date"
    smallest, quarter, half, three, largest = quarters
    return Measure(table, column, words, kind, is_amount, decimals, (smallest, quarter, half, three, largest))


def _is_date(text: str) -> bool:
    return _DATE.fullmatch(text) is not None


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d+(?:\.\d+)?", text) is not None


def nice_between(low: str, high: str) -> str | None:
    """The roundest number from the one to the other, smaller than the second: of 18.4 and 33.2 it is 20; None where
    there is none of a few digits."""
    least, most = Decimal(low), Decimal(high)
    for step in _steps(most):
        found = ceil(least / step) * step
        if least <= found < most:
            return format(found.normalize(), "f")
    return None


def _steps(size: Decimal) -> Sequence[Decimal]:
    """Steps of round numbers, the widest first, down to a hundredth."""
    powers = range(max(size.copy_abs().adjusted(), 0), -3, -1)
    return [Decimal(10) ** power * factor for power in powers for factor in (Decimal(1), Decimal("0.5"))]
