"""Profiles: what the database knows of each named row, as the simple profiles of the paper list it, `**Column**: value`
(GRAMMAR, appendix H.2, table 8), with the rows that it refers to and those that an associative table relates to it."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.grounding.values import to_answer, to_text
from benchwright.benchmarks.hashing import rank, short_hash
from benchwright.builders.spider.facts import (
    FactKey,
    Name,
    Row,
    cell_key,
    has_pages,
    link_key,
    name_columns,
    pair_key,
)
from benchwright.builders.sql.schema import DatabaseSchema, ForeignKey, SchemaColumn, SchemaTable

LONGEST = 120
"""Characters of a value that a page states."""
MOST_RELATED = 8
"""Rows that an associative table relates to a row and that its page tells, beside those that questions need."""
SCALES = {"billions": "billion", "millions": "million", "thousands": "thousand"}
"""How a column that says `in billions` is shown: 433.5 billion."""


@dataclass(frozen=True)
class Fact:
    """Something that a page states."""

    key: FactKey
    label: str
    """What the value is; for a foreign key what the other row is to this one, for a pair the noun of its table."""
    value: str
    """What the sentence must hold: the answer."""
    names: tuple[str, ...] = ()
    """The names that the sentence must hold too."""
    scale: str = ""
    """What follows the value: `billion`."""
    tie: str = ""
    """Of a pair the noun of its table: employment."""
    nouns: tuple[str, ...] = ()
    """Of a pair what the rows of its names are: order, product."""

    @property
    def sort(self) -> str:
        """`cell`, `link` or `pair`."""
        return self.key[0]

    @property
    def has_label(self) -> bool:
        """Whether its sentence must say what the value is: two names that belong together need no more."""
        return self.sort != "pair" or bool(self.key[2])


def called(name: str, noun: str) -> str:
    """What a row is called in running text: of a name without letters nobody can tell what it names."""
    return name if any(map(str.isalpha, name)) or not noun else f"{noun} {name}"


@dataclass(frozen=True)
class Profile:
    """What a page is about, and what it states."""

    row: Row
    noun: str
    name: str
    facts: tuple[Fact, ...] = ()

    @property
    def id(self) -> str:
        """Of its document: a hash of table and name."""
        return page_id(self.row)

    @property
    def text(self) -> str:
        """As the paper's profiles are written."""
        lines = [f"**Name**: {self.name}"]
        lines += [f"**{_said(fact, self.name)}**: {fact.value}{fact.scale and ' ' + fact.scale}" for fact in self.facts]
        return "\n".join(lines)


def page_id(row: Row) -> str:
    """The id of a row's page."""
    return f"page-{short_hash([row[0], *row[1]])}"


def _said(fact: Fact, name: str) -> str:
    others = [other for other in fact.names if other != name]
    if fact.sort != "pair":
        return fact.label.capitalize()
    return f"{fact.label.capitalize()} with {others[0]}" if others else fact.label.capitalize()


@dataclass
class Profiles:
    """Makes the profiles of a database."""

    database: Database
    schema: DatabaseSchema
    left_out: Counter[str] = field(default_factory=Counter)
    """Why a named row has no page → rows."""
    untold: Counter[str] = field(default_factory=Counter)
    """Why no page states a value → values."""

    def make(self, wanted: Collection[FactKey], rows: Collection[Row], most: int, seed: int) -> Iterator[Profile]:
        """The profiles of the rows that are wanted, and of others up to a number.

        Args:
            wanted: facts that questions need.
            rows: the rows whose pages may have to state them.
            most: pages in all, where fewer are wanted; 0: all rows.
            seed: decides which others.
        """
        tables = [table for table in self.schema.tables.values() if has_pages(table)]
        others = self._others(tables, rows, most, seed)
        chosen = set(rows) | others
        profiles = [profile for table in tables for profile in self._of_table(table, chosen)]
        related = self._related(wanted, {profile.row for profile in profiles})
        for profile in profiles:
            yield replace(profile, facts=(*profile.facts, *related.get(profile.row, ())))

    def of_pages(self, pages: Collection[str]) -> Iterator[Profile]:
        """The profiles of the rows that have these pages, with all that associative tables say of them: which of both
        pages tells it is not known."""
        tables = [table for table in self.schema.tables.values() if has_pages(table)]
        chosen = {row for table in tables for row in self._named(table) if page_id(row) in pages}
        related = self._related(None, chosen)
        for table in tables:
            for profile in self._of_table(table, chosen):
                yield replace(profile, facts=(*profile.facts, *related.get(profile.row, ())))

    def _named(self, table: SchemaTable) -> Iterator[Row]:
        """The rows of a table that have a name."""
        names = ", ".join(quoted(one) for one in table.naming)
        for part in self.database.rows(f"SELECT DISTINCT {names} FROM {quoted(table.name)}"):
            for values in part:
                name = _name(table.naming, values, table.naming)
                if name is not None:
                    yield table.name, name

    def _others(self, tables: Sequence[SchemaTable], rows: Collection[Row], most: int, seed: int) -> set[Row]:
        room = most - len(rows)
        found = [
            (rank("page", seed, *row[1]), row)
            for table in (tables if room > 0 or not most else ())
            for row in self._named(table)
            if row not in rows
        ]
        found.sort()
        return {row for _, row in (found if not most else found[:room])}

    def _of_table(self, table: SchemaTable, chosen: Collection[Row]) -> Iterator[Profile]:
        """The profiles of a table's rows with their cells and the rows that they refer to, in stored order."""
        told = list(table.askable)
        keys = [key for key in table.foreign_keys if name_columns(self.schema.tables[key.table])]
        called = list(dict.fromkeys((*table.naming, *table.answered_by)))
        selected = [f"own.{quoted(column)}" for column in (*called, *(column.name for column in told))]
        joins, spans = [], []
        for number, key in enumerate(keys):
            target = self.schema.tables[key.table]
            alias = quoted(f"target {number}")
            equal = " AND ".join(f"own.{quoted(one)} = {alias}.{quoted(other)}" for one, other in key.pairs)
            joins.append(f" LEFT JOIN {quoted(target.name)} AS {alias} ON {equal}")
            columns = list(dict.fromkeys((*name_columns(target), *target.answered_by)))
            spans.append((key, target, len(selected), columns))
            selected += [f"{alias}.{quoted(column)}" for column in columns]
        shared = self._shared(table)
        seen: set[Name] = set()
        for part in self.database.rows(
            f"SELECT {', '.join(selected)} FROM {quoted(table.name)} AS own{''.join(joins)}"
        ):
            for values in part:
                name = _name(called, values, table.naming)
                if name is None or (table.name, name) not in chosen or name in seen:
                    continue
                seen.add(name)
                if name in shared:
                    self.left_out["several rows bear the name"] += 1
                    continue
                shown = shown_name(table, dict(zip(called, values, strict=False)))
                if not _is_line(shown):
                    self.left_out["its name is longer than a line, or has several"] += 1
                    continue
                cells = zip(told, values[len(called) :], strict=False)
                facts = [fact for column, value in cells if (fact := self._cell(table, name, column, value))]
                for key, target, at, columns in spans:
                    facts += self._link(table, name, shown, key, target, dict(zip(columns, values[at:], strict=False)))
                noun = self.schema.vocabulary.noun(table.name)
                yield Profile((table.name, name), noun, shown, tuple(facts))

    def _shared(self, table: SchemaTable) -> set[Name]:
        names = ", ".join(quoted(one) for one in table.naming)
        sql = f"SELECT {names} FROM {quoted(table.name)} GROUP BY {names} HAVING COUNT(*) > 1"
        found = set()
        for row in self.database.all(sql):
            if all(value is not None and not isinstance(value, bytes) for value in row):
                found.add(tuple(to_text(value) for value in row))
        return found

    def _cell(self, table: SchemaTable, name: Name, column: SchemaColumn, value: Any) -> Fact | None:
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        label = self.schema.vocabulary.column(table.name, column.name)
        return self._fact(cell_key(table.name, name, column.name), label, value, column.kind == "boolean")

    def _fact(
        self, key: FactKey, label: str, value: Any, is_boolean: bool = False, names: tuple[str, ...] = ()
    ) -> Fact | None:
        try:
            text = to_answer(value, is_boolean).strip()
        except BenchwrightError:
            self.untold["no text can show it"] += 1
            return None
        if not _is_line(text):
            self.untold["it is longer than a line, or has several"] += 1
            return None
        before, _, scale = label.rpartition(" in ")
        if before and scale in SCALES and text.replace(".", "").isdigit():
            return Fact(key, before, text, names, SCALES[scale])
        return Fact(key, label, text, names)

    def _link(
        self,
        table: SchemaTable,
        name: Name,
        shown: str,
        key: ForeignKey,
        target: SchemaTable,
        values: Mapping[str, Any],
    ) -> list[Fact]:
        other = _name(list(values), list(values.values()), name_columns(target))
        if other is None:
            return []
        said = key.said_by
        label = self.schema.vocabulary.role(table.name, said) if said else self.schema.vocabulary.noun(target.name)
        answer = main_name(target, values)
        if not _is_line(answer):
            return []
        return [Fact(link_key(table.name, name, key, other), label, answer, (shown,))]

    def _related(self, wanted: Collection[FactKey] | None, chosen: Collection[Row]) -> dict[Row, list[Fact]]:
        """What associative tables say, on the page of the one row or the other: that which has fewer of them. Where it
        is not known what is wanted, on both."""
        found: dict[Row, list[Fact]] = {}
        for table in self.schema.tables.values():
            if table.associative and table.ask and not table.empty and len(table.ties) == 2:
                for row, facts in self._pairs(table, wanted, chosen).items():
                    found.setdefault(row, []).extend(facts)
        return found

    def _pairs(
        self, table: SchemaTable, wanted: Collection[FactKey] | None, chosen: Collection[Row]
    ) -> dict[Row, list[Fact]]:
        keys = table.ties
        targets = [self.schema.tables[key.table] for key in keys]
        if not all(name_columns(target) for target in targets):
            return {}
        told = list(table.askable)
        selected = [f"own.{quoted(column.name)}" for column in told]
        joins, places = [], []
        for number, (key, target) in enumerate(zip(keys, targets, strict=True)):
            alias = quoted(f"target {number}")
            equal = " AND ".join(f"own.{quoted(one)} = {alias}.{quoted(other)}" for one, other in key.pairs)
            joins.append(f" JOIN {quoted(target.name)} AS {alias} ON {equal}")
            columns = list(dict.fromkeys((*name_columns(target), *target.answered_by)))
            places.append((len(selected), columns))
            selected += [f"{alias}.{quoted(column)}" for column in columns]
        many: Counter[Row] = Counter()
        kept: dict[tuple[Row, Row], list[Fact]] = {}
        for part in self.database.rows(
            f"SELECT {', '.join(selected)} FROM {quoted(table.name)} AS own{''.join(joins)}"
        ):
            for values in part:
                ends: list[tuple[Row, str]] = []
                for target, (at, columns) in zip(targets, places, strict=True):
                    given = dict(zip(columns, values[at:], strict=False))
                    name = _name(columns, values[at:], name_columns(target))
                    if name is not None:
                        ends.append(((target.name, name), shown_name(target, given)))
                if len(ends) < 2 or not all(_is_line(shown) for _, shown in ends):
                    continue
                rows = (ends[0][0], ends[1][0])
                is_new = rows not in kept
                if is_new:
                    many.update(rows)
                if not any(row in chosen and has_pages(self.schema.tables[row[0]]) for row in rows):
                    continue
                if is_new or told:
                    kept.setdefault(rows, []).extend(self._pair(table, keys, ends, told, values, is_new))
        return self._dealt(kept, many, wanted, chosen)

    def _pair(
        self,
        table: SchemaTable,
        keys: Sequence[ForeignKey],
        ends: Sequence[tuple[Row, str]],
        told: Sequence[SchemaColumn],
        values: Sequence[Any],
        is_new: bool,
    ) -> Iterator[Fact]:
        by_key = [(key, row[1]) for key, (row, _) in zip(keys, ends, strict=True)]
        names = (ends[0][1], ends[1][1])
        label = self.schema.vocabulary.noun(table.name)
        nouns = tuple(self.schema.vocabulary.noun(row[0]) for row, _ in ends)
        if is_new:
            yield Fact(pair_key(table.name, by_key), label, names[1], names[:1], tie=label, nouns=nouns)
        for column, value in zip(told, values, strict=False):
            if value is not None:
                words = self.schema.vocabulary.column(table.name, column.name)
                key = pair_key(table.name, by_key, column.name)
                fact = self._fact(key, words, value, column.kind == "boolean", names)
                if fact is not None:
                    yield replace(fact, tie=label, nouns=nouns)

    def _dealt(
        self,
        kept: Mapping[tuple[Row, Row], Sequence[Fact]],
        many: Mapping[Row, int],
        wanted: Collection[FactKey] | None,
        chosen: Collection[Row],
    ) -> dict[Row, list[Fact]]:
        found: dict[Row, list[Fact]] = {}
        told: Counter[Row] = Counter()
        for rows, facts in kept.items():
            able = [row for row in rows if row in chosen and has_pages(self.schema.tables[row[0]])]
            teller = min(able, key=lambda row: (many[row], rank("teller", *row[1], *rows[0][1], *rows[1][1])))
            is_needed = wanted is None or any(fact.key in wanted for fact in facts)
            if is_needed or told[teller] < MOST_RELATED:
                told[teller] += 1
                once = {fact.key: fact for fact in reversed(facts)}
                for row in (teller,) if wanted is not None else dict.fromkeys(able):
                    found.setdefault(row, []).extend(reversed(once.values()))
            else:
                self.untold["its row is related to too many others"] += len(facts)
        return found


def main_name(table: SchemaTable, values: Mapping[str, Any]) -> str:
    """What a row is called where it is the answer."""
    return " ".join(to_text(values[column]) for column in table.answered_by if values.get(column) is not None).strip()


def shown_name(table: SchemaTable, values: Mapping[str, Any]) -> str:
    """What a page calls a row: its name, and in brackets what else questions call it by."""
    main = main_name(table, values)
    rest = [to_text(values[column]) for column in name_columns(table) if column not in table.answered_by]
    return f"{main} ({', '.join(rest)})" if rest else main


def _name(columns: Sequence[str], values: Sequence[Any], naming: Sequence[str]) -> Name | None:
    """The name of a row among values; None where a part of it is missing or no text."""
    given = dict(zip(columns, values, strict=False))
    found = [given[column] for column in naming]
    if any(
        value is None or isinstance(value, bytes) or (isinstance(value, str) and not value.strip()) for value in found
    ):
        return None
    return tuple(to_text(value) for value in found)


def _is_line(text: str) -> bool:
    """Whether a text is a short line that a sentence can hold."""
    return 0 < len(text.strip()) <= LONGEST and text.isprintable()
