"""What a document must say and must not say, taken from the one that is made by rule."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.types import Document
from benchwright.builders.aurp.cells import Cells, slot_of
from benchwright.builders.aurp.document_text import Fact, StatedCell
from benchwright.builders.aurp.documents_reports import second_day
from benchwright.builders.aurp.draws import Draw
from benchwright.builders.aurp.read_values import canonical
from benchwright.builders.aurp.schema import STANDARD, Column
from benchwright.builders.aurp.styles import written_forms
from benchwright.builders.aurp.world import BOARD, World, is_gap

_labels, _writing = read_toml(__package__, "vocabulary.toml"), read_toml(__package__, "writing.toml")


@dataclass(frozen=True)
class PlannedFact:
    """A fact that a document must state."""

    id: str
    """What the order calls it."""
    fact: Fact
    subject: str
    """The name of the row that it is about."""
    label: str
    """What the value is, in words."""
    note: str
    """How it must be put; may be empty."""
    is_replaced: bool
    """It no longer holds, and the same document says what holds now."""
    replaces: bool
    """It holds now, and the same document says what held before."""

    @property
    def column(self) -> Column:
        """The column of the standard schema."""
        return STANDARD.table(self.fact.table).column(self.fact.column)

    @property
    def value(self) -> str:
        """The value in canonical form."""
        return canonical(self.fact.kind, self.fact.value)

    @cached_property
    def sort(self) -> tuple[str, str]:
        """Two values of one sort could be taken for one another."""
        column = self.column
        kept = {"quantity": column.unit, "reference": column.references, "text": column.name}.get(column.kind)
        return column.kind, kept or ""

    @property
    def shown(self) -> str:
        """The value as the order gives it."""
        return shown_value(self.column, self.fact.value)


@dataclass(frozen=True)
class Gap:
    """A known gap of a row that the document is about."""

    subject: str
    column: Column
    label: str
    value: str | int


@dataclass(frozen=True)
class Plan:
    """The order of one document, beside the one made by rule."""

    document: Document
    stated: Sequence[StatedCell]
    facts: tuple[PlannedFact, ...]
    gaps: tuple[Gap, ...]
    later: str | None
    """The day of the report that supersedes facts of this one; the document must open with a note that says so."""

    @property
    def main(self) -> str | None:
        """What the whole document is about; None where it is about several."""
        return self.document.metadata["entity"]

    @cached_property
    def subjects(self) -> tuple[str, ...]:
        """Whom and what the facts are about, in their order."""
        return tuple(dict.fromkeys(one.subject for one in self.facts))

    @cached_property
    def names(self) -> frozenset[str]:
        """All names that the document may hold."""
        values = (str(one.fact.value) for one in self.facts if one.fact.kind == "reference")
        return frozenset({"Aurp", *self.subjects, *values, *([self.main] if self.main else [])})

    @cached_property
    def order(self) -> str:
        """What the model is told."""
        order = {**_voice(self.document), "about": self.main, "facts": [_entry(one) for one in self.facts]}
        if self.later:
            called = " and the ".join(one.label for one in self.facts if one.fact.superseded)
            order["note"] = (
                f"Open with a note: the report of {shown_day(self.later)} supersedes what this one says of the "
                f"{called}. Name that day, and say that it is superseded."
            )
        order["must_not_say"] = [
            {"of": gap.subject, "what": gap.label, "value": shown_value(gap.column, gap.value)} for gap in self.gaps
        ]
        return _json(order)


def make_plan(
    cells: Cells, superseded: Mapping[int, Mapping[str, Fact]], document: Document, stated: Sequence[StatedCell]
) -> Plan:
    """The plan of a document from its twin by rule: it states the same facts, and the gaps of the same rows are gaps.

    Args:
        cells: what documents may state.
        superseded: project's key → slot → what it held before, as `cells.superseded()` gives it.
        document: the document made by rule.
        stated: what it states, in terms of the standard schema.
    """
    found = {(one.table, int(one.key), one.column, one.superseded): None for one in stated}
    now = {key[:3] for key in found if not key[3]}
    facts: list[PlannedFact] = []
    for number, (table, key, column, is_old) in enumerate(found, 1):
        slot = slot_of(column)
        fact = superseded[key][slot] if is_old else cells.of(table, key)[slot]
        is_replaced = is_old and (table, key, column) in now
        replaces = not is_old and (table, key, column, True) in found
        note = _note(is_replaced, replaces)
        subject = cells.world.rows(table)[key - 1].name
        facts.append(PlannedFact(f"f{number}", fact, subject, label(table, column), note, is_replaced, replaces))
    first = next((one for one in facts if one.fact.superseded and not one.is_replaced), None)
    world = cells.world
    later = second_day(world, world.project[first.fact.key - 1], superseded[first.fact.key]) if first else None
    return Plan(document, stated, tuple(facts), tuple(_gaps(cells, facts, document)), later)


def label(table: str, column: str) -> str:
    """A column in words, without its unit."""
    named = _labels["columns"].get(f"{table}.{column}", slot_of(column).replace("_", " "))
    return named.partition(" in ")[0].replace("“", "").replace("”", "")


def shown_value(column: Column, value: str | int) -> str:
    """A value as the order gives it: in the first of the ways in which it may be written that suits a sentence."""
    forms = written_forms(column.kind, value, column.unit)
    return forms[1] if column.kind == "quantity" else forms[0]


def shown_day(day: str) -> str:
    """A date in words."""
    return written_forms("date", day)[0]


def _json(order: Mapping[str, object]) -> str:
    """An object as JSON with a line for each entry of its lists."""

    def text(value: object) -> str:
        if isinstance(value, list) and value:
            return "[\n" + ",\n".join(f"  {json.dumps(one, ensure_ascii=False)}" for one in value) + "\n]"
        return json.dumps(value, ensure_ascii=False)

    return "{\n" + ",\n".join(f'"{name}": {text(value)}' for name, value in order.items()) + "\n}"


def _note(is_replaced: bool, replaces: bool) -> str:
    if is_replaced:
        return "This was so earlier and no longer holds: say that it is the former value."
    return "This holds now, after a revision: state it in a sentence of its own." if replaces else ""


def _entry(one: PlannedFact) -> dict[str, str]:
    entry = {"id": one.id, "of": one.subject, "what": one.label, "value": one.shown}
    return {**entry, "note": one.note} if one.note else entry


def _gaps(cells: Cells, facts: Sequence[PlannedFact], document: Document) -> Iterator[Gap]:
    """The known gaps of the rows that facts are about, but for values that the document states of something else.

    Rows of which a document says no more than what the one it is about is to them are not told of: that gives no ideas.
    """
    world: World = cells.world
    stated = {one.value for one in facts}
    main = document.metadata["entity"]
    rows = [(one.fact.table, one.fact.key) for one in facts if one.column.fixed or one.fact.value != main]
    for table, key in dict.fromkeys(rows):
        row = world.rows(table)[key - 1]
        for column in STANDARD.table(table).columns:
            value = getattr(row, column.name)
            if column.kind in ("key", "name") or value is None:
                continue
            if not is_gap(world, cells.coverage, table, key, column.name):
                continue
            if column.references:
                value = world.rows(column.references)[value - 1].name
            if value != BOARD and canonical(column.kind, value) not in stated:
                yield Gap(row.name, column, label(table, column.name), value)


def _voice(document: Document) -> dict[str, object]:
    """What the document is, for whom and how it is written; drawn by its id."""
    kind, draw = document.metadata["kind"], Draw("voice", document.id)
    readers = _writing["readers"]
    return {
        "document": _writing["kinds"][kind],
        "title": document.title,
        "date": shown_day(document.metadata["date"]),
        "readers": draw.pick(readers.get(kind, readers["others"])),
        "tone": draw.pick(_writing["voices"]["tones"]),
        "shape": draw.pick(_writing["voices"]["shapes"]),
        "words": max(40, round(len(document.body.split()), -1)),
    }
