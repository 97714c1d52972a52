"""Reads held-out answers in the public documents of Aurp, as an attacker would who has this code: what reading gives.

It knows the tables, the words that speak of a column and what values a column can have. It walks from the entity along
the references of the SQL template, from page to page. It shares the words of columns with what proves the documents,
not with what writes them.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sql import parse_template
from benchwright.benchmarks.hashing import template_id
from benchwright.benchmarks.releases.guessing import Answer, Fact, facts, open_facts
from benchwright.benchmarks.releases.release import HELDOUT, Release
from benchwright.benchmarks.text.sentences import PROSE
from benchwright.builders.aurp.cues import cues
from benchwright.builders.aurp.lookups import asked_column, read_lookup
from benchwright.builders.aurp.read_values import find, find_text
from benchwright.builders.aurp.schema import PAPER, STANDARD, Column, Lookup, Schema, Table
from benchwright.builders.aurp.world import BOARD, source

_FORMER = re.compile(
    r"\b(?:former|previous|earlier|original|initial|supersed|no longer|used to|then|old)", re.IGNORECASE
)
_SHAPES = {"phone": re.compile(r"\+999 \d{3} \d{4}"), "extension": re.compile(r"\b\d{4}\b")}
_NEAR = 40.0


def read_answers(public: Release, asked: Sequence[Fact]) -> Mapping[str, Answer]:
    """Group → the answer that the documents give, of those of which they say anything."""
    lookups = lookups_of(public)
    reader = _Reader(public, lookups)
    found: dict[str, Answer] = {}
    for fact in asked:
        lookup = lookups.get(fact.template)
        answer = reader.answer(lookup, fact.entity) if lookup else None
        if answer is not None:
            found[fact.group] = (answer,)
    return found


def _schema(public: Release) -> Schema:
    return PAPER if public.manifest.parameters.get("size") == "paper" else STANDARD


def lookups_of(public: Release) -> dict[str, Lookup]:
    """Template → what it looks up."""
    schema = _schema(public)
    names = {table.name: [column.name for column in table.columns] for table in schema.tables}
    found: dict[str, Lookup] = {}
    for text in public.sql_templates():
        try:
            found[template_id(text)] = read_lookup(parse_template(text, names, "sqlite"), schema)
        except BenchwrightError:  # it can be asked of no such schema
            continue
    return found


@cache
def _pools() -> frozenset[str]:
    """Every text that a cell may hold."""

    def walk(value: object) -> Iterator[str]:
        if isinstance(value, Mapping):
            for key, inside in value.items():
                yield key
                yield from walk(inside)
        elif isinstance(value, list):
            for inside in value:
                yield from walk(inside)
        elif isinstance(value, str):
            yield value

    return frozenset(walk(read_toml(__package__, "values.toml")))


class _Reader:
    """The documents by what they are about."""

    def __init__(self, public: Release, lookups: Mapping[str, Lookup]) -> None:
        self.schema = _schema(public)
        self._own: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        """Entity → date and text of its documents."""
        self._shared: list[tuple[str, str]] = []
        """Date and text of documents about several."""
        self._names: defaultdict[str, set[str]] = defaultdict(set)
        """Table → names of its rows."""
        self._known: dict[tuple[str, str, str], str | None] = {}
        tables = {table.source: table.name for table in self.schema.tables}
        for batch in public.batches("corpus", "corpus"):
            for row in batch.to_pylist():
                about = json.loads(row["metadata"] or "{}")
                text = str(row["text"] or "")
                if about.get("entity"):
                    self._own[about["entity"]].append((str(about.get("date")), text))
                    self._names[tables.get(str(about.get("kind")).partition(" ")[0], "")].add(about["entity"])
                if "register" in str(about.get("kind")) or not about.get("entity") or about["entity"] == "Aurp":
                    self._shared.append((str(about.get("date")), text))
        self._said: defaultdict[str, set[str]] = defaultdict(set)
        """Column of the standard schema → texts that open answers have."""
        for fact in (*open_facts(public), *facts(public, HELDOUT)):
            if (lookup := lookups.get(fact.template)) is not None:
                self._names[lookup.table].add(fact.entity)
                column = asked_column(lookup, self.schema)
                if column.references:
                    self._names[column.references].update(fact.answers)
                elif column.kind == "text":
                    self._said[source(column)].update(fact.answers)

    def answer(self, lookup: Lookup, entity: str) -> str | None:
        """What the documents say, step by step."""
        table, name = self.schema.table(lookup.table), entity
        for reference in lookup.path:
            column = table.column(reference)
            found = self._read(table, column, name)
            if found is None:
                return None
            table, name = self.schema.table(str(column.references)), found
        return name if lookup.column == "name" else self._read(table, table.column(lookup.column), name)

    def _read(self, table: Table, column: Column, entity: str) -> str | None:
        key = table.name, column.name, entity
        if key not in self._known:
            self._known[key] = self._best(column, entity)
        return self._known[key]

    def _best(self, column: Column, entity: str) -> str | None:
        """The value that stands nearest to a word that speaks of the column, in the latest document that has one."""
        best: tuple[tuple[float, str], str] | None = None
        for date, sentence in self._sentences(entity):
            if not cues()[source(column)].search(sentence):
                continue
            for at, value in self._values(column, sentence, entity):
                score = self._score(column, sentence, at)
                if score > 0 and (best is None or (score, date) > best[0]):
                    best = (score, date), value
        return best[1] if best else None

    def _score(self, column: Column, sentence: str, at: int) -> float:
        spoken = [match.start() for match in cues()[source(column)].finditer(sentence)]
        if not spoken:
            return 0.0
        near = min(abs(at - place) for place in spoken)
        former = _FORMER.search(sentence[max(0, at - 80) : at + 40])
        return 1.0 + _NEAR / (_NEAR + near) - (1.5 if former else 0.0)

    def _sentences(self, entity: str) -> Iterator[tuple[str, str]]:
        for date, text in self._own.get(entity, ()):
            for start, end in _stretches(text):
                yield date, text[start:end]
        for date, text in self._shared:
            if entity in text:
                for paragraph in text.split("\n\n"):
                    if entity in paragraph:
                        for start, end in _stretches(paragraph):
                            yield date, paragraph[start:end]

    def _values(self, column: Column, sentence: str, entity: str) -> Iterator[tuple[int, str]]:
        called = source(column)
        if called in _SHAPES:
            yield from ((match.start(), match[0]) for match in _SHAPES[called].finditer(sentence))
        elif column.kind in ("text", "reference"):
            known = self._names[column.references] if column.references else self._said[called] | _pools()
            taken: list[tuple[int, int]] = []
            folded = sentence.casefold()
            there = [value for value in {*known, BOARD} - {entity} if value.casefold() in folded]
            for value in sorted(there, key=lambda value: (-len(value), value)):
                for start, end, _ in find_text(value, sentence):
                    if not any(low < end and start < high for low, high in taken):
                        taken.append((start, end))
                        yield start, value
        else:
            yield from ((start, value) for start, _, value in find(column.kind, sentence, column.unit))


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    starts = [*PROSE.starts(text), len(text)]
    yield from pairwise(starts)
