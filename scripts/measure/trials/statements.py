"""Cases by which the checks of documents are measured: short texts, good and wrong, with places for names and values.

A case is a line of a file `statements_PART.jsonl`: `id`; `facts`, what its order asks for, as
paths; `text`; `is_good`; for wrong ones `fault`; perhaps `gaps`, paths of cells that must not be stated; perhaps
`about`, the table of the row that the document is about, or "several" (else that of the first fact).

A path walks from a row along references to a cell: `project.start_on`, `project.client_id.industry`, and with `other_`
before the table from another row: `other_project.start_on`. `{PATH}` in a text is the value as the order gives it, or
the name where the path is a table or ends in a reference; `{PATH:FORM}` is the value in one of `FORMS`. Names and
values come from a small world, so that cases survive a change of the generator.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from importlib import resources
from typing import Any
from zlib import crc32

import jsonlines

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.text.dates import MONTHS
from benchwright.benchmarks.types import Document
from benchwright.builders.aurp.cells import Cells
from benchwright.builders.aurp.document_plan import Gap, Plan, label, make_plan, shown_value
from benchwright.builders.aurp.document_text import StatedCell
from benchwright.builders.aurp.documents import Cell
from benchwright.builders.aurp.generate import make_world
from benchwright.builders.aurp.schema import STANDARD, Column
from benchwright.builders.aurp.styles import lowered, written_forms
from benchwright.builders.aurp.world import World
from benchwright.builders.sql.wording.english import inflector

PARTS = ("before", "after", "kept", "fresh", "last")
"""What checks had seen of them when they were mended; `benchmarks/facts/checks.md` tells them."""
SIZE = 10
"""Projects of the world that the names and values are taken from."""
SEVERAL = "several"
FORMS = ("former", "changed", "rounded", "words", "year", "month", "low", "first", "last", "city", "0, 1, 2 …")
"""Ways in which a text may give a value: what a report has revised; a wrong one close by; a figure rounded; a figure in
words; only the year, or month and year, of a date; in small letters; the first or last word of a name; a place without
its country; the n-th of the styles in which documents write it."""
_DAY = "2024-03-01"
_PLACE = re.compile(r"\{([a-z_0-9.]+)(?::(\w+))?\}")
_KINDS = {
    "company": "organisation page",
    "client_contact": "contact directory",
    "project": "project report",
    "work_package": "package register",
}


@dataclass(frozen=True)
class Case:
    """One text of the trial, with what its order asks for."""

    id: str
    part: str
    facts: tuple[str, ...]
    text: str
    is_good: bool
    fault: str = ""
    """What is wrong with it; empty where nothing is."""
    gaps: tuple[str, ...] = ()
    about: str = ""

    @property
    def table(self) -> str:
        """The table of the row that the order is about."""
        return self.about or self.facts[0].partition(".")[0]


@dataclass(frozen=True)
class Filled:
    """A case with names and values: an order, a text that answers it, and the cells that are known gaps."""

    plan: Plan
    text: str
    gaps: tuple[Cell, ...]


@cache
def trial_world() -> World:
    """The world of the names and values."""
    return make_world(SIZE)


def cases(part: str) -> Iterator[Case]:
    """The cases of a part in their order; none where its file is not there.

    Raises:
        BenchwrightError: a case says of itself that it is good and has a fault, or the reverse.
    """
    file = resources.files(__package__ or "").joinpath(f"statements_{part}.jsonl")
    if not file.is_file():
        return
    with file.open(encoding="utf-8") as lines:
        for told in jsonlines.Reader(lines):
            yield _case(part, told)


def fill(case: Case) -> Filled:
    """The case with names and values of a row that has all that it names.

    Raises:
        BenchwrightError: a path leads nowhere, or no row of the world suits the case.
    """
    return _Filler(case).filled()


def _case(part: str, told: dict[str, Any]) -> Case:
    case = Case(**{**told, "part": part, "facts": tuple(told["facts"]), "gaps": tuple(told.get("gaps", ()))})
    if case.is_good == bool(case.fault):
        raise BenchwrightError(f"statement {case.id}: a wrong one has a fault, a good one has none")
    return case


@dataclass(frozen=True)
class _Reached:
    """Where a path ends."""

    table: str
    key: int
    column: Column | None
    """None: at a row itself."""
    value: str | int
    """A name where it ends at a row or a reference."""
    former: str | int | None = None


class _Filler:
    def __init__(self, case: Case) -> None:
        self.case, self.world = case, trial_world()
        self.cells = Cells(self.world, 1.0)
        self.superseded = self.cells.superseded()
        self.orders = [path.partition(":") for path in case.facts]
        self.formed = {path for path, _, form in self.orders if form} | {
            path for path, form in _PLACE.findall(case.text) if form == "former"
        }
        paths = [*(path for path, _, _ in self.orders), *case.gaps, *(path for path, _ in _PLACE.findall(case.text))]
        self.paths = list(dict.fromkeys(paths))
        self.roots = {path.partition(".")[0] for path in self.paths}

    def filled(self) -> Filled:
        found = next(filter(self._suits, self._choices()), None)
        if found is None:
            raise BenchwrightError(f"statement {self.case.id}: no row of the small world has all that it names")
        text = _PLACE.sub(lambda match: self._shown(found[match[1]], match[2]), self.case.text)
        gaps = [found[path] for path in self.case.gaps]
        plan = replace(self._plan(found, text), gaps=tuple(map(self._gap, gaps)))
        return Filled(plan, text, tuple((one.table, one.key, one.column.name) for one in gaps if one.column))

    def _choices(self) -> Iterator[dict[str, _Reached]]:
        """What the paths reach from each row that the case may start at, and from others of the same number."""
        start = crc32(self.case.id.encode())
        most = max(len(self.world.rows(root.removeprefix("other_"))) for root in self.roots)
        for shift in range(most):
            for step in range(1, max(2, most)):
                reached = {path: self._reach(path, start + shift, step) for path in self.paths}
                if all(reached.values()):
                    yield {path: one for path, one in reached.items() if one}

    def _reach(self, path: str, start: int, step: int) -> _Reached | None:
        root, *names = path.split(".")
        table = root.removeprefix("other_")
        rows = self.world.rows(table)
        key = (start + (step if root != table else 0)) % len(rows) + 1
        column, value = None, rows[key - 1].name
        row_table, row_key, former = table, key, None
        for position, name in enumerate(names):
            if position:
                assert column is not None
                if column.references is None:
                    raise BenchwrightError(f"statement {self.case.id}: {path} goes on after {column.name}")
                table = column.references
                key = getattr(self.world.rows(row_table)[row_key - 1], column.name)
                row_table, row_key = table, key
            column = STANDARD.table(table).column(name)
            held = getattr(self.world.rows(table)[row_key - 1], name)
            if held is None:
                return None
            value = self.world.rows(column.references)[held - 1].name if column.references else held
        if column is not None and row_table == "project":
            old = next((one for one in self.superseded.get(row_key, {}).values() if one.column == column.name), None)
            former = old.value if old else None
        if path in self.formed and former is None:
            return None
        return _Reached(row_table, row_key, column, value, former)

    def _suits(self, found: dict[str, _Reached]) -> bool:
        """Whether different places hold different things, so that a text says what it seems to say."""
        cells = {(one.table, one.key, one.column.name if one.column else ""): one for one in found.values()}
        shown = [(one.column.kind if one.column else "reference", one.value) for one in cells.values()]
        names = [one for one in found.values() if one.column is None]
        same = len({(one.table, one.key) for one in names}) == len(names)
        return same and len(set(shown)) == len(shown) - self._named_twice(cells)

    def _named_twice(self, cells: dict[tuple[str, int, str], _Reached]) -> int:
        """Cells that name a row which is named besides, as a path that goes on beyond a reference does."""
        names = {one.value for one in cells.values() if one.column is None}
        references = [one for one in cells.values() if one.column and one.column.references]
        own = {one.table for one in cells.values() if one.column is None}
        return sum(one.value in names and bool(one.column and one.column.references in own) for one in references)

    def _plan(self, found: dict[str, _Reached], text: str) -> Plan:
        stated = []
        for path, _, form in self.orders:
            one = found[path]
            if one.column is None:
                raise BenchwrightError(f"statement {self.case.id}: {path} is no cell")
            stated.append(StatedCell(one.table, one.key, one.column.name, 0, 0, "", form == "former"))
        table = "several" if self.case.about == SEVERAL else self.case.table
        main = None
        if table != SEVERAL:
            main = found[table].value if table in found else self._root_name(found, table)
        kind = _KINDS.get(table, f"{table} page")
        metadata = {"kind": "contact directory" if main is None else kind, "date": _DAY, "entity": main}
        document = Document(f"{table}-0001", str(main or "Contacts"), text, metadata)
        return make_plan(self.cells, self.superseded, document, stated)

    def _root_name(self, found: dict[str, _Reached], table: str) -> str:
        """The name of the row that a text never names: its title does."""
        one = next(found[path] for path in self.paths if path.startswith(f"{table}.") and path.count(".") == 1)
        return self.world.rows(table)[one.key - 1].name

    def _gap(self, one: _Reached) -> Gap:
        assert one.column is not None
        row = self.world.rows(one.table)[one.key - 1]
        return Gap(row.name, one.column, label(one.table, one.column.name), one.value)

    def _shown(self, one: _Reached, form: str | None) -> str:
        value = one.value
        if form == "former":
            assert one.former is not None
            value, form = one.former, None
        column = one.column
        if column is None or column.kind in ("text", "reference"):
            return _text_form(str(value), form, self.case.id)
        if form is None:
            return shown_value(column, value)
        if form.isdigit():
            forms = written_forms(column.kind, value, column.unit)
            return forms[int(form) % len(forms)]
        if form in ("year", "month"):
            year, month = str(value).split("-")[:2]
            return year if form == "year" else f"{MONTHS[int(month) - 1]} {year}"
        if form == "changed":
            return shown_value(column, _changed(column, value))
        if form == "rounded":
            return shown_value(column, _rounded(int(value)))
        if form == "words":
            return _in_words(column, value)
        raise BenchwrightError(f"statement {self.case.id}: no form {form} of a {column.kind}")


def _text_form(value: str, form: str | None, case: str) -> str:
    if form is None:
        return value
    if form == "low":
        return lowered(value)
    if form in ("first", "last"):
        return value.split()[0 if form == "first" else -1]
    if form == "city":
        return value.partition(", ")[0]
    raise BenchwrightError(f"statement {case}: no form {form} of a text")


def _changed(column: Column, value: str | int) -> str | int:
    if column.kind == "date":
        return (date.fromisoformat(str(value)) + timedelta(days=11)).isoformat()
    return int(value) + (300_000 if column.kind == "money" else 3)


def _rounded(value: int) -> int:
    """To one figure less than it needs, at most two: another value in any case."""
    digits = len(str(value))
    for kept in (2, 1):
        if (found := round(value, kept - digits)) != value:
            return found
    return value + 10 ** (digits - 1)


def _in_words(column: Column, value: str | int) -> str:
    spell = inflector().number_to_words
    if column.kind == "date":
        day = date.fromisoformat(str(value))
        ordinal = str(spell(f"{day.day}th"))
        return f"the {ordinal} of {MONTHS[day.month - 1]} {str(spell(str(day.year), group=2)).replace(',', '')}"
    if column.kind == "money":
        return f"{spell(f'{int(value) / 1e6:.9g}')} million dollars"
    if column.kind == "year":
        return str(spell(str(value), group=2)).replace(",", "")
    unit = shown_value(column, value).partition(" ")[2]
    return f"{spell(str(value))} {unit}".strip()
