"""Profiles: what the database knows of each named row, with the rows that it refers to and those that an associative
table relates to it."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.grounding.values import to_text
from benchwright.benchmarks.hashing import rank
from benchwright.builders.spider.facts import FactKey, Name, Row, cell_key, has_pages, link_key, name_columns
from benchwright.builders.spider.long_results import rows_in_parts
from benchwright.builders.spider.profile import (
    Fact,
    Profile,
    is_line,
    main_name,
    name_of,
    page_id,
    shown_name,
    stated_fact,
)
from benchwright.builders.spider.related import Related
from benchwright.builders.sql.schema import DatabaseSchema, ForeignKey, SchemaColumn, SchemaTable


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
        related = Related(self.database, self.schema, self.untold).of(wanted, {profile.row for profile in profiles})
        for profile in profiles:
            yield replace(profile, facts=(*profile.facts, *related.get(profile.row, ())))

    def of_pages(self, pages: Collection[str]) -> Iterator[Profile]:
        """The profiles of the rows that have these pages, with all that associative tables say of them: which of both
        pages tells it is not known."""
        tables = [table for table in self.schema.tables.values() if has_pages(table)]
        chosen = {row for table in tables for row in self._named(table) if page_id(row) in pages}
        related = Related(self.database, self.schema, self.untold).of(None, chosen)
        for table in tables:
            for profile in self._of_table(table, chosen):
                yield replace(profile, facts=(*profile.facts, *related.get(profile.row, ())))

    def _named(self, table: SchemaTable) -> Iterator[Row]:
        """The rows of a table that have a name."""
        names = ", ".join(quoted(one) for one in table.naming)
        for part in rows_in_parts(self.database, f"SELECT DISTINCT {names} FROM {quoted(table.name)}"):
            for values in part:
                name = name_of(table.naming, values, table.naming)
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
        for part in rows_in_parts(
            self.database, f"SELECT {', '.join(selected)} FROM {quoted(table.name)} AS own{''.join(joins)}"
        ):
            for values in part:
                name = name_of(called, values, table.naming)
                if name is None or (table.name, name) not in chosen or name in seen:
                    continue
                seen.add(name)
                if name in shared:
                    self.left_out["several rows bear the name"] += 1
                    continue
                shown = shown_name(table, dict(zip(called, values, strict=False)))
                if not is_line(shown):
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
        key = cell_key(table.name, name, column.name)
        return stated_fact(key, label, value, self.untold, column.kind == "boolean")

    def _link(
        self,
        table: SchemaTable,
        name: Name,
        shown: str,
        key: ForeignKey,
        target: SchemaTable,
        values: Mapping[str, Any],
    ) -> list[Fact]:
        other = name_of(list(values), list(values.values()), name_columns(target))
        if other is None:
            return []
        said = key.said_by
        label = self.schema.vocabulary.role(table.name, said) if said else self.schema.vocabulary.noun(target.name)
        answer = main_name(target, values)
        if not is_line(answer):
            return []
        return [Fact(link_key(table.name, name, key, other), label, answer, (shown,))]
