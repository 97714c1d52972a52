"""Documents as they are read: the values and names that stand in them, and the rows of a world that may hold those.

It knows the rows of the world and nothing of how a document came to be: neither its plan nor its seed. A *place* is a
stretch of text that is a value or a name.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from benchwright.benchmarks.text.sentences import PROSE, stretch_at
from benchwright.builders.aurp.cues import cues
from benchwright.builders.aurp.documents import Cell
from benchwright.builders.aurp.placing import APPOSED, head, is_apposed
from benchwright.builders.aurp.read_values import canonical, find
from benchwright.builders.aurp.schema import Column, Kind
from benchwright.builders.aurp.world import FIXED, REFERENCES, World, key, source, stored

Entity = tuple[str, int | str]
Sort = tuple[str, str]
"""Two values of one sort could be taken for one another: a kind, and its unit, table or column."""
Range = tuple[int, int]

REVISED = ("end_on", "budget_usd", "manager_id")
"""Columns of a project that a later report may revise."""
DATE: Sort = ("date", "")
_PARAGRAPH = re.compile(r"\S(?:.|\n(?!\n))*")
_CALLED = re.compile(r"\bthe (client|supplier|office|department)\b", re.IGNORECASE)
_NUMBER_OF_HEADING = re.compile(r"^\W{0,4}\d{1,2}(?=[.)]|(?: [A-Z]))", re.MULTILINE)
FORMER = re.compile(
    r"\b(?:used to|earlier|former|previous|original|initial|first|old|past|then|supersed|replac|revis|correct|no longer"
    r"|was|were|had|until|instead|before|obsolete|taken over)",
    re.IGNORECASE,
)
SUPERSEDES = re.compile(r"\b(?:supersed|replac|revis|correct|no longer|amend|chang)", re.IGNORECASE)
_WORD = re.compile(r"\w+")
NUMBERS: tuple[tuple[Kind, str | None], ...] = (
    ("date", None), ("money", None), ("count", None), ("year", None),
    *(("quantity", unit) for unit in ("m", "m2", "m3", "t", "days", "years")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a document that is a value or a name."""

    start: int
    end: int
    readings: tuple[tuple[Sort, str], ...]
    """What it may be: sort and canonical form."""
    entities: tuple[Entity, ...] = ()
    """Whom or what it names."""


@dataclass(frozen=True)
class Held:
    """What a cell holds."""

    cell: Cell
    entity: Entity
    column: str
    """The column of the standard schema, by which cues are known."""
    sort: Sort
    value: str
    """In canonical form."""
    shown: str | int
    is_given: bool
    """Whether a document may take it for granted, far from where its row is named."""


@dataclass
class _Term:
    text: str
    lead: int
    """Characters before its first word."""
    readings: list[tuple[Sort, str]] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)


class Rows:
    """The rows of a world, by what a text may say of them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.sources = {table.name: table.source for table in world.schema.tables}
        self.of: defaultdict[Entity, list[Held]] = defaultdict(list)
        self.held: dict[Cell, Held] = {}
        self.by_value: defaultdict[tuple[Sort, str], list[Held]] = defaultdict(list)
        self._terms: dict[str, _Term] = {}
        for table in world.schema.tables:
            for row in world.rows(table.source):
                entity = (table.name, key(table, row))
                self._term(row.name).entities.append(entity)
                for column in table.columns:
                    if column.kind not in ("key", "name"):
                        self._hold(entity, column, stored(world, table, row, column), table.source)
        self._by_word: dict[str, list[_Term]] = {}
        for term in sorted(self._terms.values(), key=lambda term: -len(term.text)):
            if word := _WORD.search(term.text):
                term.lead = word.start()
                self._by_word.setdefault(word[0], []).append(term)

    def _hold(self, entity: Entity, column: Column, value: str | int | None, table: str) -> None:
        if value is None:
            return
        target = REFERENCES.get((table, source(column)))
        if target and not isinstance(value, str):
            value = self.world.rows(target)[value - 1].name
        sort = _sort(column, target)
        cell = (*entity, column.name)
        held = Held(
            cell, entity, source(column), sort, canonical(column.kind, value), value, (table, source(column)) in FIXED
        )
        self.held[cell] = held
        self.of[entity].append(held)
        self.by_value[sort, held.value].append(held)
        if column.kind in ("text", "reference"):
            readings = self._term(str(value)).readings
            if (sort, held.value) not in readings:
                readings.append((sort, held.value))

    def _term(self, text: str) -> _Term:
        return self._terms.setdefault(canonical("text", text), _Term(canonical("text", text), 0))

    def terms(self, text: str) -> Iterator[Place]:
        """The names and texts that stand in a text, the longest at each place."""
        low, taken = _lowered(text), 0
        for match in _WORD.finditer(low):
            if match.start() < taken:
                continue
            for term in self._by_word.get(match[0], ()):
                start = match.start() - term.lead
                end = start + len(term.text)
                if start >= taken and low.startswith(term.text, start) and not low[end : end + 1].isalnum():
                    is_name = text[start].isupper() or not text[start].isalpha()
                    readings = [one for one in term.readings if is_name or one[0][0] != "reference"]
                    yield Place(start, end, tuple(readings), tuple(term.entities) if is_name else ())
                    taken = end
                    break


def sort_of(column: Column, table: str) -> Sort:
    """The sort of a column's values, given the table of the standard schema."""
    return _sort(column, REFERENCES.get((table, source(column))))


def _sort(column: Column, target: str | None) -> Sort:
    if target:
        return "reference", target
    return column.kind, {"quantity": column.unit or "", "text": source(column)}.get(column.kind, "")


def _lowered(text: str) -> str:
    """In small letters, with as many characters."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(one if len(one := sign.lower()) == 1 else sign for sign in text)


class Page:
    """A document as it is read."""

    def __init__(self, rows: Rows, title: str, text: str) -> None:
        self.rows, self.text = rows, text
        self._starts = PROSE.starts(text)
        self.titled = frozenset(entity for place in rows.terms(title) for entity in place.entities)
        terms = list(rows.terms(text))
        self.places = list(_numbers(text, terms))
        self._begins = [place.start for place in self.places]
        self._near: dict[int, frozenset[Entity]] = {}
        self.named = {entity for place in terms for entity in place.entities} | self.titled

    @cached_property
    def sentences(self) -> Sequence[Range]:
        """Where sentences and lines start and end."""
        return list(zip(self._starts, (*self._starts[1:], len(self.text)), strict=True))

    def sentence(self, at: int) -> Range:
        """The sentence that holds an offset."""
        return stretch_at(self._starts, len(self.text), at)

    def within(self, window: Range) -> Sequence[Place]:
        """The places in a stretch."""
        low = bisect_right(self._begins, window[0] - 1)
        high = bisect_right(self._begins, window[1] - 1)
        return self.places[low:high]

    def last_named(self, at: int) -> tuple[Entity, ...]:
        """Who was named last in the paragraph before an offset."""
        start = self.text.rfind("\n\n", 0, at) + 1
        return next((place.entities for place in reversed(self.within((start, at))) if place.entities), ())

    def near(self, window: Range) -> Collection[Entity]:
        """Whom or what a sentence may say something of: who is named in its paragraph, else was named last before; who
        is in the title; and whom it calls by what they are, as "the client"."""
        low, high = self.text.rfind("\n\n", 0, window[0]) + 1, self.text.find("\n\n", window[0])
        found = self._near.get(low)
        if found is None:
            inside = self.within((low, high if high >= 0 else len(self.text)))
            named = frozenset(entity for place in inside for entity in place.entities)
            before = next((one.entities for one in reversed(self.within((0, low))) if one.entities), ())
            found = self._near[low] = self.titled | (named or frozenset(before))
        called = {match[1].lower() for match in _CALLED.finditer(self.text, *window)}
        return found | {one for one in self.named if self.rows.sources[one[0]] in called} if called else found

    def speaks(self, column: str, window: Range, of: Place | None = None) -> bool:
        """Whether a cue of a column is in a stretch, other than in a name or in a value of what the document names.

        `of`: a value that may be none of those, and whose own words are no cue either.
        """
        hidden = [place for place in self.within(window) if place.entities or place is of or self._is_held(place)]
        return any(
            not any(place.start <= match.start() < place.end for place in hidden)
            for match in cues()[column].finditer(self.text, *window)
        )

    def is_placed(self, held: Held, place: Place) -> bool:
        """Whether a table's head, or the name of its row just before it, says of which column a value is."""
        if top := head(self.text, place.start):
            return self.speaks(held.column, top)
        return held.column in APPOSED and is_apposed(
            self.text,
            (place.start, place.end),
            [(one.start, one.end) for one in self.places if held.entity in one.entities],
        )

    def _is_held(self, place: Place) -> bool:
        by_value = self.rows.by_value
        return any(held.entity in self.named for reading in place.readings for held in by_value.get(reading, ()))

    @cached_property
    def notes(self) -> Sequence[Range]:
        """The paragraphs that say which later document supersedes this one, and in what."""
        found = []
        for match in _PARAGRAPH.finditer(self.text):
            around = match.span()
            dated = any(sort == DATE for place in self.within(around) for sort, _ in place.readings)
            if dated and SUPERSEDES.search(match[0]) and any(self.speaks(name, around) for name in REVISED):
                found.append(around)
        return found

    @cached_property
    def superseded(self) -> frozenset[str]:
        """The columns of which the document says that they hold something else since."""
        return frozenset(name for name in REVISED if any(self.speaks(name, note) for note in self.notes))


def _numbers(text: str, terms: Sequence[Place]) -> Iterator[Place]:
    """Numbers and dates that are no part of a longer one, or of a name or text."""
    found: defaultdict[Range, list[tuple[Sort, str]]] = defaultdict(list)
    headings = {match.end() for match in _NUMBER_OF_HEADING.finditer(text)}
    for kind, unit in NUMBERS:
        for start, end, value in find(kind, text, unit):
            # "one of them" counts nothing
            if end not in headings and not (kind == "count" and text[start:end].lower() == "one"):
                found[start, end].append(((kind, unit or ""), value))
    same = {(place.start, place.end): place for place in terms}
    last = -1
    for start, end in sorted({*found, *same}, key=lambda place: (place[0], -place[1])):
        if end > last:
            term = same.get((start, end))
            yield Place(
                start,
                end,
                (*found.get((start, end), ()), *(term.readings if term else ())),
                term.entities if term else (),
            )
            last = end
