"""What associative tables say of two rows, and on whose page it stands."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.hashing import rank
from benchwright.builders.spider.facts import FactKey, Row, has_pages, name_columns, pair_key
from benchwright.builders.spider.long_results import rows_in_parts
from benchwright.builders.spider.profile import Fact, is_line, name_of, shown_name, stated_fact
from benchwright.builders.sql.schema import DatabaseSchema, ForeignKey, SchemaColumn, SchemaTable

MOST_RELATED = 8
"""Rows that an associative table relates to a row and that its page tells, beside those that questions need."""


@dataclass
class Related:
    """Reads the associative tables of a database."""

    database: Database
    schema: DatabaseSchema
    untold: Counter[str] = field(default_factory=Counter)
    """Why no page states a value → values."""

    def of(self, wanted: Collection[FactKey] | None, chosen: Collection[Row]) -> dict[Row, list[Fact]]:
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
        for part in rows_in_parts(
            self.database, f"SELECT {', '.join(selected)} FROM {quoted(table.name)} AS own{''.join(joins)}"
        ):
            for values in part:
                ends: list[tuple[Row, str]] = []
                for target, (at, columns) in zip(targets, places, strict=True):
                    given = dict(zip(columns, values[at:], strict=False))
                    name = name_of(columns, values[at:], name_columns(target))
                    if name is not None:
                        ends.append(((target.name, name), shown_name(target, given)))
                if len(ends) < 2 or not all(is_line(shown) for _, shown in ends):
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
                fact = stated_fact(key, words, value, self.untold, column.kind == "boolean", names)
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
