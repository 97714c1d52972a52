"""Proves the documents: every span says what its cell holds, every other cell is a gap that nothing gives away."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.text.sentences import Splitter, stretch_at
from benchwright.benchmarks.types import Document
from benchwright.builders.aurp.document_text import StatedCell
from benchwright.builders.aurp.documents import Cell, gap_cells
from benchwright.builders.aurp.read_values import FoundValue, canonical, find, find_text, read
from benchwright.builders.aurp.schema import Column, Table
from benchwright.builders.aurp.world import BOARD, World, key, source, stored

_SENTENCES = Splitter(marks="[.!?:]", closing="", begins="")
"""Cut finer than prose is, so that a name does not count as said of a value that stands after a colon."""
_NAME = re.compile(r"\b([^\W\d_a-z]\w*)(?: (?=(\w+|&)))?")
"""A word with a capital letter, and the word that follows it."""

Entity = tuple[str, int | str]


@dataclass(frozen=True, slots=True)
class ProofCounts:
    """What was proved, in counts."""

    documents: int
    spans: int
    superseded_spans: int
    stated_cells: int
    gap_cells: int
    gap_documents: int
    """Pairs of a known gap and a document that names its entity: searched, and found silent."""


class GapStated(BenchwrightError):
    """A document gives away a known gap."""

    def __init__(self, document: str, gap: str, sentence: str) -> None:
        super().__init__(f"document {document} gives away the known gap {gap}: {sentence!r}")
        self.sentence = sentence


@cache
def cues() -> dict[str, re.Pattern[str]]:
    """Column of the standard schema → words of which a sentence that speaks of it holds one."""

    def pattern(words: Sequence[str]) -> re.Pattern[str]:
        return re.compile("|".join(rf"\b{re.escape(word)}" for word in words), re.IGNORECASE)

    return {column: pattern(words) for column, words in read_toml(__package__, "cues.toml").items()}


class Checker:
    """Takes the documents of a world one by one, then says what they prove."""

    def __init__(self, world: World, coverage: float) -> None:
        self._world = world
        self._gaps: defaultdict[Entity, list[str]] = defaultdict(list)
        for table, row_key, column in gap_cells(world, coverage):
            self._gaps[table, row_key].append(column)
        self._tables = {table.name: table for table in world.schema.tables}
        self._columns = {(t.name, c.name): c for t in world.schema.tables for c in t.columns}
        self._rows = {t.name: {key(t, row): row for row in world.rows(t.source)} for t in world.schema.tables}
        self._entities = _entities(world)
        self._superseded = {(one.table, one.key, one.column): one.value for one in world.superseded}
        self._seen: set[Cell] = set()
        self._documents = self._spans = self._old = self._pairs = 0

    def see(self, document: Document, stated: Sequence[StatedCell]) -> None:
        """Checks one document; raises BenchwrightError that names the document and the cell."""
        self._documents += 1
        for one in stated:
            self._check_span(document, one)
        self._check_gaps(document, stated)

    def finish(self) -> ProofCounts:
        """What all documents prove; raises BenchwrightError for a cell that is neither stated nor a known gap."""
        gaps = sum(len(columns) for columns in self._gaps.values())
        for table in self._world.schema.tables:
            for row in self._world.rows(table.source):
                row_key = key(table, row)
                for column in table.columns:
                    cell = (table.name, row_key, column.name)
                    if column.kind in ("key", "name") or cell in self._seen or column.name in self._gap_columns(cell):
                        continue
                    if stored(self._world, table, row, column) is not None:
                        raise BenchwrightError(f"no document states {_called(cell)}, and it is not a known gap")
        return ProofCounts(self._documents, self._spans, self._old, len(self._seen), gaps, self._pairs)

    def _gap_columns(self, cell: Cell) -> Sequence[str]:
        return self._gaps.get((cell[0], cell[1]), ())

    def _value(self, table: Table, row_key: int | str, column: Column) -> str | int | None:
        """What a cell holds, as people would read it: the name that a reference points at."""
        row = self._rows[table.name][row_key]
        value = stored(self._world, table, row, column)
        if column.references is None or isinstance(value, str) or value is None:
            return value
        return self._world.rows(column.references)[value - 1].name

    def _check_span(self, document: Document, one: StatedCell) -> None:
        cell = (one.table, one.key, one.column)
        column, table = self._columns[one.table, one.column], self._tables[one.table]
        expected = self._value(table, one.key, column)
        if one.superseded:
            expected = self._earlier(cell, column)
        if document.body[one.start : one.end] != one.value_text:
            raise BenchwrightError(f"document {document.id}: the span of {_called(cell)} is not its text")
        found = read(column.kind, one.value_text, column.unit)
        if expected is None or found != canonical(column.kind, expected):
            raise BenchwrightError(
                f"document {document.id}: {one.value_text!r} does not say what {_called(cell)} holds: {expected}"
            )
        if column.name in self._gap_columns(cell):
            raise BenchwrightError(f"document {document.id} states the known gap {_called(cell)}")
        self._spans += 1
        if one.superseded:
            self._old += 1
        else:
            self._seen.add(cell)

    def _earlier(self, cell: Cell, column: Column) -> str | int | None:
        value = self._superseded.get((cell[0], int(cell[1]), cell[2]))
        return self._world.rows(column.references)[int(value) - 1].name if column.references and value else value

    def _check_gaps(self, document: Document, stated: Sequence[StatedCell]) -> None:
        text = document.body
        named: dict[Entity, list[int]] = defaultdict(list)
        for at, entity in self.mentions(text):
            named[entity].append(at)
        titled = {entity for _, entity in self.mentions(document.title)}
        reader = _ValueFinder(text)
        for entity in {**named, **dict.fromkeys(sorted(titled, key=str))}:
            for name in self._gaps.get(entity, ()):
                self._pairs += 1
                column, table = self._columns[entity[0], name], self._tables[entity[0]]
                value = self._value(table, entity[1], column)
                if value is None or value == BOARD:
                    continue
                for start, end, _ in reader.occurrences(column, value):
                    low, high = reader.sentence(start)
                    about = entity in titled or any(low <= at < high for at in named[entity])
                    spoken = cues()[source(column)].search(text, low, high)
                    if about and spoken and not _explained(stated, start, end):
                        gap = _called((entity[0], entity[1], name))
                        sentence = text[low:high].strip()
                        raise GapStated(document.id, gap, sentence)

    def name(self, entity: Entity) -> str:
        """What an entity is called."""
        return self._rows[entity[0]][entity[1]].name

    def mentions(self, text: str) -> Iterable[tuple[int, Entity]]:
        """Where which entities are named."""
        for match in _NAME.finditer(text):
            following = self._entities.get(match[1])
            if following is None:
                continue
            for second in (match[2] or "", ""):
                for name, entity in following.get(second, ()):
                    end = match.start() + len(name)
                    if text.startswith(name, match.start()) and not (end < len(text) and text[end].isalnum()):
                        yield match.start(), entity
                if not second:
                    break


class _ValueFinder:
    """Finds values in one text, looking for each kind only once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = _SENTENCES.starts(text)
        self._found: dict[tuple[str, str | None], list[FoundValue]] = {}

    def sentence(self, at: int) -> tuple[int, int]:
        """Where the sentence starts and ends that holds an offset."""
        return stretch_at(self._starts, len(self.text), at)

    def occurrences(self, column: Column, value: str | int) -> list[FoundValue]:
        """Where a value stands, in any style."""
        if column.kind in ("text", "reference", "name"):
            return find_text(str(value), self.text)
        kind = (column.kind, column.unit)
        if kind not in self._found:
            self._found[kind] = find(column.kind, self.text, column.unit)
        wanted = canonical(column.kind, value)
        return [found for found in self._found[kind] if found[2] == wanted]


def _entities(world: World) -> dict[str, dict[str, list[tuple[str, Entity]]]]:
    """The names of all rows by their first word and their second."""
    found: dict[str, dict[str, list[tuple[str, Entity]]]] = {}
    for table in world.schema.tables:
        for row in world.rows(table.source):
            match = _NAME.match(row.name)
            if match is None:
                raise ValueError(f"a name does not begin with a capital letter: {row.name}")
            seconds = found.setdefault(match[1], {})
            seconds.setdefault(match[2] or "", []).append((row.name, (table.name, key(table, row))))
    return found


def _explained(stated: Sequence[StatedCell], start: int, end: int) -> bool:
    """Whether a value belongs to another cell that the document states there."""
    return any(one.start < end and start < one.end for one in stated)


def _called(cell: Cell) -> str:
    return f"{cell[0]} {cell[1]}, {cell[2]}"
