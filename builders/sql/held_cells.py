"""Which rows of a database the questions of a template read, for a build that holds answers back.

What is drawn is a row, with all of its columns that can be held out, for nobody knows what the columns of somebody's
database say of one another; and with it every row of any table that bears the same name, however it is spelt, where
questions call rows by name. A row that repeats what another says, as an order does what is known of its customer, is
drawn with that one (`copied_rows`). A column cannot be held out where something else gives its value away:

- questions are given it (`WHERE client.Name = …`), or a condition of a template fixes it;
- a template walks along it from the value to the row: who asks for the order of a client names what `client_id` holds;
- it is dealt out like cards: a foreign key that is there once for each row, or numbers without gaps.

What questions say of one row that follows from other rows all the same, such as a country that is stored twice, is not
seen here: the build measures it and says it on the card; see `benchmarks/releases/guessing.py`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import sqlglot
from sqlglot import exp

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.dialects import extremes, parser_of
from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.releases.cells import EVERYTHING
from benchwright.benchmarks.text.folding import fold
from benchwright.builders.sql.copied_rows import find_copies
from benchwright.builders.sql.filling.chosen import BOUND, Chosen
from benchwright.builders.sql.filling.fillings import Fillings
from benchwright.builders.sql.joins import equation
from benchwright.builders.sql.schema import DatabaseSchema, ForeignKey, SchemaTable

MOST_ROWS = 1_000
"""Rows that a query may read; one that reads more is held out in any case."""

_Column = tuple[str, str]


@dataclass(frozen=True)
class _Read:
    """A table of a template, of whose rows some columns can be held out."""

    table: str
    key_sql: tuple[str, ...]
    """What says which row it is: a name that questions are given, else the primary key, else all."""
    is_named: bool
    is_of_another: bool = False
    """Whether the row is one that a row of the template repeats; there may be none."""

    def cell(self, key: tuple[Any, ...]) -> str:
        """The name under which a row is drawn."""
        return f"what is called {_plain(' '.join(map(str, key)))}" if self.is_named else f"{self.table} {key!r}"


class RowCells:
    """Says which rows the fillings of some templates read."""

    def __init__(self, database: Database, schema: DatabaseSchema, templates: Collection[SqlTemplate]) -> None:
        """
        Raises:
            BenchwrightError: nobody can say what a template reads, for it has a query within.
        """
        self._database, self._schema = database, schema
        used = {template.id: _used(template, database.dialect) for template in templates}
        self._given = {column for _, given in used.values() for column in given}
        never = self._given | {(name, column) for name, table in schema.tables.items() for column in table.primary_key}
        asked = {column for wanted, _ in used.values() for _, column in wanted} - never
        self.columns = frozenset(column for column in asked if not self._is_dealt_out(*column))
        """Table and column of what can be held out."""
        self._copies = find_copies(database, schema, self.columns | self._given)
        self.columns_compared = self._copies.columns
        """Table and column of the keys that say which row repeats which."""
        self._reads = {template.id: self._tables_read(template, used[template.id][0]) for template in templates}

    def of(self, template: SqlTemplate, fillings: Fillings) -> list[list[str]]:
        """The rows that each filling reads, under names that are the same for every template."""
        reads = self._reads[template.id]
        values = list(zip(*fillings.values, strict=True))
        if not reads:
            return [[] for _ in values]
        found: dict[tuple[Any, ...], set[str]] = defaultdict(set)
        width = len(template.placeholders)
        for start in range(0, len(values), BOUND):
            chosen = Chosen(template, values[start : start + BOUND])
            names = [f"chosen.value_{number}" for number in range(width)]
            sql = _select(template, [*names, *_keys(reads)], template.conditions_sql, chosen)
            for part in self._database.rows(sql, chosen.bound):
                for row in part:
                    _add(found[tuple(row[:width])], reads, row[width:])
        return [_names(found[filling]) for filling in values]

    def of_query(self, template: SqlTemplate, literals: Sequence[str]) -> list[str]:
        """The same of one filling, whose values are given as its SQL has them: for whoever proves a release.

        Raises:
            BenchwrightError: the database refuses the query.
        """
        reads = self._reads[template.id]
        if not reads:
            return []
        equal = [f"{item.compared_sql} = {value}" for item, value in zip(template.placeholders, literals, strict=True)]
        found: set[str] = set()
        for part in self._database.rows(_select(template, _keys(reads), [*template.conditions_sql, *equal])):
            for row in part:
                _add(found, reads, row)
        return _names(found)

    def _tables_read(self, template: SqlTemplate, wanted: Collection[tuple[str, _Column]]) -> list[list[_Read]]:
        """The rows that a template reads columns of that can be held out, table by table."""
        aliases = {alias for alias, column in wanted if column in self.columns}
        spelt = _aliases(template, self._database.dialect)
        return [self._rows_of(spelt[alias], template.tables[alias]) for alias in template.tables if alias in aliases]

    def _rows_of(self, alias_sql: str, name: str) -> list[_Read]:
        """The row of a table, and those that it repeats."""
        table = self._schema.tables[name]
        key, is_named = self._key(table)
        own = _Read(name, tuple(f"{alias_sql}.{quoted(column)}" for column in key), is_named)
        return [*self._repeated(alias_sql, name, (name,)), own]

    def _repeated(self, alias_sql: str, name: str, path: tuple[str, ...]) -> Iterator[_Read]:
        """The rows of other tables that a row repeats, and of those the ones that they repeat in their turn."""
        for way in self._copies.ways.get(name, ()):
            yield from self._along(alias_sql, way, path)

    def _along(self, alias_sql: str, way: Sequence[ForeignKey], path: tuple[str, ...]) -> Iterator[_Read]:
        """The rows that keys one after the other lead to, and those that the first of them repeats."""
        key, *onward = way
        if key.table in path:
            return
        alias, path = f"repeated_{len(path)}", (*path, key.table)
        source = f"FROM {quoted(key.table)} AS {alias} WHERE {equation(key, alias_sql, alias)}"
        columns, is_named = self._key(self._schema.tables[key.table])
        found = [_Read(key.table, tuple(f"{alias}.{quoted(column)}" for column in columns), is_named, True)]
        found += self._along(alias, onward, path) if onward else ()
        found += self._repeated(alias, key.table, path)
        for read in found:
            yield replace(read, key_sql=tuple(f"(SELECT {column} {source})" for column in read.key_sql))

    def _key(self, table: SchemaTable) -> tuple[tuple[str, ...], bool]:
        """The columns that say which row of a table it is, and whether questions call it so."""
        if table.naming and all((table.name, column) in self._given for column in table.naming):
            return table.naming, True
        return table.primary_key or tuple(table.columns), False

    def _is_dealt_out(self, table: str, column: str) -> bool:
        """Whether the values of the other rows say what is left for one: each value is there once, of a known set."""
        name = quoted(column)
        is_boolean = self._schema.tables[table].columns[column].kind == "boolean"
        found = ", ".join(extremes(name, self._database.dialect, is_boolean))
        sql = f"SELECT COUNT({name}), COUNT(DISTINCT {name}), {found} FROM {quoted(table)}"
        count, distinct, low, high = self._database.all(sql)[0]
        if count != distinct or count < 2:
            return False
        if is_boolean:
            return True
        if any(column in key.columns for key in self._schema.tables[table].foreign_keys):
            return True
        return isinstance(low, int) and isinstance(high, int) and high - low < 2 * count


@lru_cache(maxsize=100_000)
def _plain(name: str) -> str:
    """A name without what spellings of it differ in: case, accents, spaces and signs (`Bon app'`, `Bon app-`)."""
    letters = "".join(character for character in fold(name).casefold() if character.isalnum())
    return letters or name


def _keys(reads: Sequence[Sequence[_Read]]) -> list[str]:
    return [column for rows in reads for read in rows for column in read.key_sql]


def _select(
    template: SqlTemplate, selected: Sequence[str], conditions: Sequence[str], chosen: Chosen | None = None
) -> str:
    before, join = (chosen.before, chosen.join) if chosen else ("", "")
    where = " AND ".join(f"({item})" for item in (*conditions, *(chosen.conditions if chosen else ()))) or "1 = 1"
    return f"{before}SELECT DISTINCT {', '.join(selected)} {template.source_sql}{join} WHERE {where}"


def _add(found: set[str], reads: Sequence[Sequence[_Read]], row: Sequence[Any]) -> None:
    """Adds the names of the rows of which a query returned the keys, up to one more than there may be.

    A row that repeats others goes by their names, and by its own where there are none.
    """
    place = 0
    for rows in reads:
        repeated = False
        for read in rows:
            key = tuple(row[place : place + len(read.key_sql)])
            place += len(read.key_sql)
            if read.is_of_another and all(value is None for value in key):
                continue
            if (read.is_of_another or not repeated) and len(found) <= MOST_ROWS:
                found.add(read.cell(key))
            repeated |= read.is_of_another


def _names(found: set[str]) -> list[str]:
    return sorted(found) if len(found) <= MOST_ROWS else [EVERYTHING]


def _used(template: SqlTemplate, dialect: str) -> tuple[set[tuple[str, _Column]], set[_Column]]:
    """What a template reads, as alias with table and column, and of what its questions give the value away."""
    given = {(item.table, item.column) for item in template.placeholders}
    given |= {(item.compared.table, item.compared.column) for item in template.placeholders}
    given |= _in_conditions(template, dialect)
    reached = {item.compared.alias for item in template.placeholders}
    left = list(template.joins)
    while left:
        step = next((pair for pair in left if any(column.alias in reached for column in pair)), None)
        if step is None:  # tables that nothing joins to what is given
            given |= {(column.table, column.column) for pair in left for column in pair}
            break
        ends = {column.alias for column in step}
        equal = [column for pair in left if {one.alias for one in pair} == ends for column in pair]
        left = [pair for pair in left if {one.alias for one in pair} != ends]
        there = [column for column in equal if column.alias not in reached]
        given |= {(column.table, column.column) for column in (there or equal)}
        reached |= ends
    return {(column.alias, (column.table, column.column)) for column in template.columns}, given


def _in_conditions(template: SqlTemplate, dialect: str) -> set[_Column]:
    """The columns that conditions beside the placeholders and the joins fix."""
    found: set[_Column] = set()
    joined = {(column.alias, column.column) for pair in template.joins for column in pair}
    for sql in (*template.conditions_sql, *template.selected_sql):
        condition = sqlglot.parse_one(sql, read=parser_of(dialect))
        if condition.find(exp.Select):
            raise BenchwrightError(
                f"--holdout cannot tell what the SQL template {template.text!r} reads, for it has a query within: "
                "leave it out, or build without --holdout"
            )
    for sql in template.conditions_sql:
        for item in sqlglot.parse_one(sql, read=parser_of(dialect)).find_all(exp.Column):
            named = [
                column
                for column in template.columns
                if column.column.lower() == item.name.lower() and item.table.lower() in ("", column.alias.lower())
            ]
            found |= {(one.table, one.column) for one in named if (one.alias, one.column) not in joined}
    return found


def _aliases(template: SqlTemplate, dialect: str) -> dict[str, str]:
    """Alias → as the template writes it, with its quotes."""
    select = sqlglot.parse_one(f"SELECT 1 {template.source_sql}", read=parser_of(dialect))
    found: dict[str, str] = {}
    for table in select.find_all(exp.Table):
        alias = table.args.get("alias")
        shown = alias.this if alias is not None else table.this
        found[table.alias or table.name] = shown.sql(parser_of(dialect))
    return found
