"""Facts: what a page may state of a row, and which of them the answer of a question needs.

A fact is a cell of a named row, the row that a foreign key of it leads to, or what an associative table says of two
rows. Rows are told by their names, as questions do, so that a fact is the same in every copy of a database.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sql import ColumnOf, SqlTemplate
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.grounding.values import to_text
from benchwright.builders.sql.filling.chosen import BOUND, Chosen
from benchwright.builders.sql.filling.fillings import Fillings
from benchwright.builders.sql.schema import DatabaseSchema, ForeignKey, SchemaTable

Name = tuple[str, ...]
"""The values of the columns that name a row."""
Row = tuple[str, Name]
"""Table and name."""
FactKey = tuple[str, ...]
"""What a fact is about, as texts; see `cell_key`, `link_key` and `pair_key`."""

Need = tuple[FactKey, tuple[Row, ...]]
"""A fact, and the rows of which one states it on its page."""

NO_PAGE = "a row on its way has no name, and so no page"


def name_columns(table: SchemaTable) -> tuple[str, ...]:
    """The columns that name a row of a table on its page: what questions call it by, else what people do."""
    return table.naming or table.called_by


def has_pages(table: SchemaTable) -> bool:
    """Whether the rows of a table have pages: questions call them by a name."""
    return bool(table.naming) and table.ask and not table.associative and not table.view and not table.empty


def cell_key(table: str, name: Name, column: str) -> FactKey:
    """That a column of a row holds a value."""
    return ("cell", table, column, *name)


def link_key(table: str, name: Name, key: ForeignKey, target: Name) -> FactKey:
    """That a foreign key of a row leads to another."""
    return ("link", table, *key.columns, *name, "→", *target)


def pair_key(table: str, ends: Sequence[tuple[ForeignKey, Name]], column: str = "") -> FactKey:
    """That an associative table relates two rows; with a column, what it says of them there."""
    ordered = sorted(ends, key=lambda end: end[0].columns)
    parts = [part for key, name in ordered for part in (*key.columns, *name, "→")]
    return ("pair", table, column, *parts)


@dataclass(frozen=True)
class Way:
    """What the answers of a template need: for each fact the columns that tell which one it is."""

    columns: Sequence[tuple[str, str]]
    """Alias and column of all that is selected."""
    facts: Sequence[tuple[str, str, tuple[tuple[ForeignKey | None, tuple[int, ...]], ...], str]]
    """Sort, table, for each row its key and where its name stands in `columns`, and the column that is asked for."""


def way_of(template: SqlTemplate, schema: DatabaseSchema) -> Way | str:
    """Which facts the answers of a template need, or why no page states them."""
    if not template.plain or template.aggregates or len(template.names) != 1 or not template.names[0]:
        return "it does more than look values up"
    columns: list[tuple[str, str]] = []

    def place(alias: str) -> tuple[int, ...]:
        names = name_columns(schema.tables[template.tables[alias]])
        for name in names:
            if (alias, name) not in columns:
                columns.append((alias, name))
        return tuple(columns.index((alias, name)) for name in names)

    facts = []
    ends: dict[str, list[tuple[ForeignKey, str]]] = {}
    for owner, key, target in _steps(template, schema):
        if not name_columns(schema.tables[template.tables[target]]):
            return NO_PAGE
        table = schema.tables[template.tables[owner]]
        if table.associative:
            ends.setdefault(owner, []).append((key, target))
        elif not has_pages(table):
            return NO_PAGE
        else:
            facts.append(("link", table.name, ((key, place(owner)), (None, place(target))), ""))
    asked = template.names[0]
    for owner, both in ends.items():
        if len(both) != 2 or len(schema.tables[template.tables[owner]].ties) != 2:
            return "a table on its way relates more than two rows"
        rows = tuple((key, place(alias)) for key, alias in both)
        if not any(has_pages(schema.tables[template.tables[alias]]) for _, alias in both):
            return NO_PAGE
        column = asked[0].column if asked[0].alias == owner else ""
        facts.append(("pair", template.tables[owner], rows, column))
    alias = asked[0].alias
    table = schema.tables[template.tables[alias]]
    is_name = tuple(item.column for item in asked) == table.answered_by and bool(template.joins)
    if alias not in ends and not is_name:
        if not has_pages(table):
            return NO_PAGE
        facts.append(("cell", table.name, ((None, place(alias)),), asked[0].column))
    return Way(columns, facts)


def _steps(template: SqlTemplate, schema: DatabaseSchema) -> Iterator[tuple[str, ForeignKey, str]]:
    """The keys that a template follows: alias of the row that refers, its key, alias of the row that it leads to.

    Raises:
        BenchwrightError: it joins tables otherwise.
    """
    pairs: dict[frozenset[str], list[tuple[ColumnOf, ColumnOf]]] = {}
    for one, other in template.joins:
        pairs.setdefault(frozenset((one.alias, other.alias)), []).append((one, other))
    for joined in pairs.values():
        for owner, target in ((0, 1), (1, 0)):
            equal = {(pair[owner].column, pair[target].column) for pair in joined}
            own, other = joined[0][owner], joined[0][target]
            key = next(
                (key for key in schema.tables[own.table].foreign_keys
                 if key.table == other.table and set(key.pairs) == equal),
                None,
            )  # fmt: skip
            if key is not None:
                yield own.alias, key, other.alias
                break
        else:
            raise BenchwrightError(f"a template follows no foreign key: {template.text}")


def needed(database: Database, template: SqlTemplate, way: Way, fillings: Fillings) -> list[list[tuple[Need, ...]]]:
    """For each filling the facts that its answer needs, in the order of its path; several where several rows lead to
    the same answer."""
    values = list(zip(*fillings.values, strict=True))
    found: dict[tuple[object, ...], dict[tuple[Need, ...], None]] = {tuple(row): {} for row in values}
    width = len(template.placeholders)
    selected = ", ".join(f"{quoted(alias)}.{quoted(column)}" for alias, column in way.columns)
    for start in range(0, len(values), BOUND):
        chosen = Chosen(template, values[start : start + BOUND])
        given = ", ".join(f"chosen.value_{number}" for number in range(width))
        conditions = " AND ".join(f"({item})" for item in template.conditions_sql) or "1"
        sql = (
            f"{chosen.before}SELECT DISTINCT {given}, {selected} {template.source_sql}{chosen.join} "
            f"WHERE {conditions} ORDER BY {', '.join(str(width + 1 + i) for i in range(len(way.columns)))}"
        )
        for part in database.rows(sql, chosen.bound):
            for row in part:
                if all(value is not None for value in row):
                    found[tuple(row[:width])][_facts(way, [to_text(value) for value in row[width:]])] = None
    return [list(found[tuple(row)]) for row in values]


def needed_of(database: Database, template: SqlTemplate, way: Way, literals: Sequence[str]) -> list[tuple[Need, ...]]:
    """The same of one filling, whose values are given as its SQL has them: for whoever proves a release.

    Raises:
        BenchwrightError: the database refuses the query.
    """
    selected = ", ".join(f"{quoted(alias)}.{quoted(column)}" for alias, column in way.columns)
    equal = [f"{item.compared_sql} = {value}" for item, value in zip(template.placeholders, literals, strict=True)]
    conditions = " AND ".join(f"({item})" for item in (*template.conditions_sql, *equal))
    found: dict[tuple[Need, ...], None] = {}
    for part in database.rows(f"SELECT DISTINCT {selected} {template.source_sql} WHERE {conditions}"):
        for row in part:
            if all(value is not None for value in row):
                found[_facts(way, [to_text(value) for value in row])] = None
    return list(found)


def _facts(way: Way, texts: Sequence[str]) -> tuple[Need, ...]:
    made: list[Need] = []
    for sort, table, rows, column in way.facts:
        names = [tuple(texts[at] for at in places) for _, places in rows]
        keys = [key for key, _ in rows]
        if sort == "cell":
            made.append((cell_key(table, names[0], column), ((table, names[0]),)))
        elif sort == "link" and keys[0] is not None:
            made.append((link_key(table, names[0], keys[0], names[1]), ((table, names[0]),)))
        else:
            ends = [(key, name) for key, name in zip(keys, names, strict=True) if key is not None]
            made.append((pair_key(table, ends, column), tuple((key.table, name) for key, name in ends)))
    return tuple(made)
