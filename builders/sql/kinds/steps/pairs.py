"""A thing that is named, and the rows that belong to it: a customer and its orders, a person and his companies."""

from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.builders.sql.joins import role_of
from benchwright.builders.sql.reach import only_carries
from benchwright.builders.sql.schema import DatabaseSchema, ForeignKey, SchemaTable
from benchwright.builders.sql.templates.enumeration import free_alias, given_row, join_of, shown_name
from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.meaning import Entity, Given
from benchwright.builders.sql.wording.template_meaning import side_by_side

_MOST_DISTINCT = 0.7
"""Of the rows that have a value of a column, the share that may have one of their own on average."""
_MOST_SHARED = 2
"""Columns of a table by whose values its rows are gathered."""
_NO_CLASS = ("address", "code", "description", "email", "fax", "name", "note", "notes", "phone", "street")
"""Ends of names of columns whose values people do not gather rows by."""


@dataclass(frozen=True)
class Pair:
    """A thing and the rows that belong to it, one key away or on the other side of an associative table."""

    owner: SchemaTable
    many: SchemaTable
    alias: str
    """Of the rows."""
    join: str
    """What leads from the thing to the rows: `JOIN …`."""
    key: str
    """SQL of a column that every one of the rows has, and that is NULL where there is no row."""
    role: str
    """What the thing is to each row, where its noun does not say it."""
    is_linked: bool
    """Whether an associative table is between: a row may be there more than once."""
    link: ForeignKey | None = None
    """The key that leads from each row to the thing."""
    shared: str = ""
    """The column whose value the rows share, where no other table names what they belong to: `industry`."""

    @property
    def source(self) -> str:
        """FROM and JOIN."""
        return f"FROM {shown_name(self.owner.name)} {self.join}".rstrip()

    @property
    def source_with_none(self) -> str:
        """The same with things that no row belongs to."""
        return f"FROM {shown_name(self.owner.name)} {self.join.replace('JOIN ', 'LEFT JOIN ')}".rstrip()

    @property
    def given(self) -> str:
        """The condition that names the thing."""
        if self.shared:
            return f"{self.column(self.shared)} = '[{self.owner.name}.{self.shared}]'"
        return given_row(self.owner, f"{shown_name(self.owner.name)}.")

    def column(self, name: str) -> str:
        """SQL of a column of the rows."""
        return f"{shown_name(self.alias)}.{shown_name(name)}"


def pairs(schema: DatabaseSchema) -> Iterator[Pair]:
    """All pairs of a schema, in the order of its tables."""
    for table in schema.tables.values():
        if not table.ask or table.view:
            continue
        if table.associative:
            yield from _linked(schema, table)
        elif not only_carries(table) and table.kind != "lookup":
            yield from (_direct(schema, table, key) for key in table.ties if _is_owner(schema.tables[key.table]))


def all_pairs(database: Database, schema: DatabaseSchema) -> Iterator[Pair]:
    """All pairs of a schema, and rows that share a value: companies of one industry."""
    yield from pairs(schema)
    for table in schema.tables.values():
        if (
            table.ask
            and not table.view
            and not table.associative
            and not only_carries(table)
            and table.kind != "lookup"
        ):
            for column in shared_columns(database, schema, table):
                name = shown_name(table.name)
                yield Pair(table, table, table.name, "", f"{name}.{shown_name(column)}", "", False, None, column)


def shared_columns(database: Database, schema: DatabaseSchema, table: SchemaTable) -> list[str]:
    """Columns of text of which many rows share a value, those with the fewest values first."""
    keys = {column for key in table.foreign_keys for column in key.columns} | set(table.primary_key)
    found: list[tuple[int, str]] = []
    for column in table.askable:
        if column.kind != "text" or column.name in keys or column.name.lower().endswith(_NO_CLASS):
            continue
        if " of " in schema.vocabulary.column(table.name, column.name):  # nobody says `whose date of the order is`
            continue
        name = quoted(column.name)
        counted = f"SELECT COUNT({name}), COUNT(DISTINCT {name}) FROM {quoted(table.name)}"
        [[known, distinct]] = database.all(counted)
        if 2 <= distinct <= _MOST_DISTINCT * known:
            found.append((distinct, column.name))
    return [name for _, name in sorted(found)[:_MOST_SHARED]]


def owner_entity(pair: Pair, schema: DatabaseSchema) -> Entity:
    """The thing as the writer knows it, by its name."""
    owner, vocabulary = pair.owner, schema.vocabulary
    if pair.shared:
        words = vocabulary.column(owner.name, pair.shared)
        return Entity(vocabulary.noun(owner.name), (Given(words, f"[{owner.name}.{pair.shared}]", False),))
    texts = {column: f"[{owner.name}.{column}]" for column in owner.naming}
    words = vocabulary.column(owner.name, owner.naming[0])
    if len(owner.naming) > 1 and english.head_word(words) != "title":
        words = "name"
    is_shared = any(
        len(owner.naming) > 1 and owner.naming in other.names
        for other in schema.tables.values()
        if other.name != owner.name
    )
    given = Given(words, side_by_side(owner.naming, texts), True)
    return Entity(vocabulary.noun(owner.name), (given,), shares_names=is_shared)


def _is_owner(table: SchemaTable) -> bool:
    return bool(table.ask and table.naming and not table.view and not only_carries(table))


def _direct(schema: DatabaseSchema, table: SchemaTable, key: ForeignKey) -> Pair:
    owner = schema.tables[key.table]
    alias = free_alias(table.name, [owner.name])
    join = join_of(table.name, alias, owner.name, key.targets, key.columns)
    role = role_of(key, table.name, schema.vocabulary)
    says_no_more = english.head_word(role) == english.head_word(schema.vocabulary.noun(owner.name))
    is_own = says_no_more and table.name != owner.name
    column = f"{shown_name(alias)}.{shown_name(key.columns[0])}"
    return Pair(owner, table, alias, join, column, "" if is_own else role, False, key)


def _linked(schema: DatabaseSchema, between: SchemaTable) -> Iterator[Pair]:
    for inward in between.ties:
        owner = schema.tables[inward.table]
        for outward in between.ties:
            many = schema.tables[outward.table]
            if inward == outward or owner.name == many.name or not many.ask or not _is_owner(owner):
                continue
            first = join_of(between.name, between.name, owner.name, inward.targets, inward.columns)
            onward = join_of(many.name, many.name, between.name, outward.columns, outward.targets)
            key = f"{shown_name(many.name)}.{shown_name(outward.targets[0])}"
            yield Pair(owner, many, many.name, f"{first} {onward}", key, "", True)
