"""What a database is about: its tables, what people call their rows by, and what they could ask of them."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from sqlalchemy import types as sqltypes

from benchwright.benchmarks.grounding.database import Database
from benchwright.builders.sql.booleans import holds_truths, may_hold_truths
from benchwright.builders.sql.multiplicity import mostly_one
from benchwright.builders.sql.naming import NamedRows, find_naming
from benchwright.builders.sql.personal import why_personal
from benchwright.builders.sql.raw_tables import RawTable, read_raw
from benchwright.builders.sql.technical import is_technical, words_of
from benchwright.builders.sql.units import unit_by_name
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording import english

ColumnKind = Literal["text", "number", "boolean", "date", "other"]
TableKind = Literal["entity", "event", "lookup", "carrier", "junction"]
"""A thing; what happened, such as an order; a name that others refer to and nothing else; what stands between one thing
and the next, such as an address or the copy of a film; what only relates others."""
KeyPath = tuple[str, ...]
"""The keys that are followed one after the other, each as `table.column`; of a table between two others two."""

_ADDRESSES = frozenset({"address", "location"})
_COPIES = frozenset({"copy", "exemplar", "inventory"})
"""What rows that stand between others are called."""
_DECLARING = frozenset({"postgresql", "mysql", "mariadb"})
"""Dialects in which every column has a type that its values are of."""
LONGEST_TEXT = 200
"""Mean length in characters above which a text column holds prose, which is no short answer."""
MOST_WORDS = 12
"""Mean number of words above which it is sentences."""


@dataclass(frozen=True)
class SchemaColumn:
    """A column of a table."""

    name: str
    kind: ColumnKind
    why_not: str = ""
    """Why it is not asked for: it is a key, prose, technical. Empty where people who know no database understand it."""
    unit: str = ""
    """What its values are in, as `units.py` names it, or in words of the schema file; empty where nobody said."""
    reach: int | None = None
    """How many keys away from the thing that is named it is still asked for; None: rules say it (`reach.py`)."""
    personal: str = ""
    """Why it is taken to hold personal data; empty where it is not."""
    note: str = ""
    """What else a person who reviews it should know."""
    is_corrected: bool = False
    """Whether the schema file says another kind than was found."""

    @property
    def worth_asking(self) -> bool:
        """Whether people who know no database understand it: it is no key, no prose and nothing technical."""
        return not self.why_not


@dataclass(frozen=True)
class ForeignKey:
    """Columns that together name a row of another table, or of their own."""

    columns: tuple[str, ...]
    table: str
    targets: tuple[str, ...]
    """The columns of the other table that they are equal to, in the same order."""
    found: str = field(default="declared", compare=False)
    """How it is known."""

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Each column with the one of the other table that it is equal to."""
        return tuple(zip(self.columns, self.targets, strict=True))

    @property
    def said_by(self) -> str | None:
        """The column whose name says what the other row is to this one; None where the columns are called as the other
        table calls them, such as `isbn`."""
        own = [one for one, other in self.pairs if one.lower() != other.lower()]
        if len(self.columns) == 1 and english.role(self.columns[0]) != english.words(self.columns[0]):
            return self.columns[0]
        return own[-1] if own else None


@dataclass(frozen=True)
class SchemaTable:
    """A table, and what its rows are called by."""

    name: str
    columns: Mapping[str, SchemaColumn]
    primary_key: tuple[str, ...]
    foreign_keys: tuple[ForeignKey, ...]
    naming: tuple[str, ...]
    """The columns that together name a row as people do, and no two rows the same: a name, first and last name, an
    order's number. Where there are none, nothing is asked about a row by its name."""
    called_by: tuple[str, ...]
    """The columns that people call a row by when they ask for it, though another may be called so too."""
    kind: TableKind
    mostly_one: frozenset[tuple[str, ...]] = frozenset()
    """Of an associative table: the columns of its keys of which most values stand in one row alone, as the film of a
    film's category does; most orders have several products."""
    measured: NamedRows | None = None
    """How well `naming` tells rows apart, else `called_by`; None where there is neither."""
    ask: bool = True
    """Whether it has a part in any question."""
    view: bool = False
    """Whether it is a view: asked where there is no table, or where the schema file says so."""
    empty: bool = False
    """Whether it has no row."""

    @property
    def associative(self) -> bool:
        """Whether its rows only relate rows of other tables."""
        return self.kind == "junction"

    @property
    def shares_names(self) -> bool:
        """Whether some rows are called what another one is called, which are not asked about by their name."""
        return bool(self.naming and self.measured and self.measured.shared)

    @property
    def askable(self) -> tuple[SchemaColumn, ...]:
        """The columns that a question can ask for, without those that name a row."""
        return tuple(one for one in self.columns.values() if one.worth_asking and not self.names_row(one.name))

    @property
    def ties(self) -> tuple[ForeignKey, ...]:
        """The foreign keys without those of which all columns are in another one."""
        return _ties(self.foreign_keys)

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """What a row is called by, as sets of columns that belong together: what is unique first."""
        return tuple(dict.fromkeys(name for name in (self.naming, self.called_by) if name))

    @property
    def answered_by(self) -> tuple[str, ...]:
        """The columns of which an answer is made where a row is asked for: a film by its title, without the year."""
        name = self.called_by or self.naming
        return tuple(one for one in name if english.is_name(one)) or name

    def names_row(self, column: str) -> bool:
        """Whether a column, alone or with others, is what a row is called by."""
        return any(column in name for name in self.names)


@dataclass(frozen=True)
class DatabaseSchema:
    """All tables of a database, in order of their names."""

    tables: Mapping[str, SchemaTable]
    """Tables, and views too."""
    dialect: str
    paths: Mapping[KeyPath, bool] = field(default_factory=dict)
    """Keys that follow one another, alone or at the end of something longer → whether they are asked along, whatever
    rules say."""
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Table or view that cannot be read → why not."""

    @property
    def names(self) -> dict[str, Collection[str]]:
        """Table → names of its columns."""
        return {name: list(table.columns) for name, table in self.tables.items()}

    @property
    def nearly_unique(self) -> dict[str, tuple[str, ...]]:
        """Table → what names its rows, where a few rows share their names."""
        return {name: table.naming for name, table in self.tables.items() if table.shares_names}

    def asks_along(self, keys: KeyPath) -> bool | None:
        """What the schema file says of a path, by the longest of its ends; None where it says nothing."""
        said = (self.paths.get(keys[start:]) for start in range(len(keys)))
        return next((decision for decision in said if decision is not None), None)

    @property
    def units(self) -> dict[tuple[str, str], str]:
        """Table and column → unit, of those that have one."""
        return {
            (table.name, column.name): column.unit
            for table in self.tables.values()
            for column in table.columns.values()
            if column.unit
        }

    @property
    def booleans(self) -> frozenset[tuple[str, str]]:
        """Table and column of those that hold booleans."""
        return frozenset(
            (table.name, column.name)
            for table in self.tables.values()
            for column in table.columns.values()
            if column.kind == "boolean"
        )


def reflect(database: Database, views: Collection[str] = ()) -> DatabaseSchema:
    """Reads the schema of a database. Tables that its user may not read, and views that fail, are left out.

    Args:
        database: an open database.
        views: those that are looked into as tables are; where there is no table, all are.

    Raises:
        BenchwrightError: the database cannot be read, or has no table that can be.
    """
    read = read_raw(database, views)
    raw = read.tables
    keys = {name: _foreign_keys(table, raw) for name, table in raw.items()}
    referenced = {key.table for found in keys.values() for key in found}
    tables = {name: _table(database, table, keys[name], name in referenced) for name, table in raw.items()}
    tables = {name: replace(table, columns=_without_codes(table, tables)) for name, table in tables.items()}
    tables = {name: replace(table, kind=_kind_of_table(table, tables)) for name, table in tables.items()}
    left_out = {**dict.fromkeys(read.denied, "the user of the URL may not read it"), **read.broken}
    return DatabaseSchema(tables, database.dialect, left_out=left_out)


def _foreign_keys(table: RawTable, raw: Mapping[str, RawTable]) -> tuple[ForeignKey, ...]:
    """The foreign keys whose target can be read, each once."""
    spelling = {name.lower(): name for name in raw}
    keys = []
    for item in table.foreign_keys:
        target = spelling.get(item["referred_table"].lower())
        if target is None:
            continue
        names = {column["name"].lower(): column["name"] for column in raw[target].columns}
        own = tuple(item["constrained_columns"])
        referred = [name for name in item["referred_columns"] or () if name] or raw[target].primary_key
        targets = tuple(names[name.lower()] for name in referred if name.lower() in names)
        if own and len(targets) == len(own):
            keys.append(ForeignKey(own, target, targets))
    return tuple(sorted(dict.fromkeys(keys), key=lambda key: (key.columns, key.table, key.targets)))


def _ties(keys: Collection[ForeignKey]) -> tuple[ForeignKey, ...]:
    """The keys without those that others hold: whose customer is known, his firm is."""
    return tuple(key for key in keys if not any(set(key.columns) < set(other.columns) for other in keys))


def _table(database: Database, raw: RawTable, keys: tuple[ForeignKey, ...], referenced: bool) -> SchemaTable:
    name, primary = raw.name, raw.primary_key
    kinds: dict[str, ColumnKind | None] = {
        column["name"]: _kind(column["type"], database.dialect) for column in raw.columns
    }
    if not raw.is_seen:
        unseen = {column: SchemaColumn(column, kind or "other", "view") for column, kind in kinds.items()}
        return SchemaTable(name, unseen, (), (), (), (), "entity", ask=False, view=raw.is_view)
    key_columns = {column for key in keys for column in key.columns}
    parts = {column for key in keys for column in key.columns if len(key.columns) > 1}
    columns = {}
    for column, declared in kinds.items():
        values = raw.values.get(column, ())
        kind: ColumnKind = declared or _kind_of_values(values)
        if kind == "boolean" or (
            kind in ("number", "text") and column not in primary and may_hold_truths(column, values)
        ):
            plain: ColumnKind = "number" if declared == "boolean" else kind
            kind = "boolean" if not values or holds_truths(database, name, column) else plain
        why_not = _why_not(column, kind, values, column in primary, column in key_columns)
        if not raw.is_empty and column not in raw.values:
            why_not = why_not or "its values cannot be read"
        columns[column] = SchemaColumn(
            column,
            kind,
            why_not or ("part of a key" if column in parts else ""),
            unit=unit_by_name(english.noun(name), column, values) if kind in ("number", "text") else "",
            personal=why_personal(column, values),
            note=_note(values),
        )
    found = find_naming(database, name, columns, primary, key_columns)
    associative = len({key.columns for key in _ties(keys)}) >= 2 and (
        (bool(primary) and set(primary) <= key_columns) or (not found.called_by and not referenced)
    )
    alone = (
        mostly_one(database, name, [key.columns for key in _ties(keys)])
        if associative
        else frozenset[tuple[str, ...]]()
    )
    return SchemaTable(
        name,
        columns,
        primary,
        keys,
        found.unique,
        found.called_by,
        "junction" if associative else "entity",
        alone,
        found.measured,
        view=raw.is_view,
        empty=raw.is_empty,
    )


def _kind_of_table(table: SchemaTable, tables: Mapping[str, SchemaTable]) -> TableKind:
    """What the rows of a table are, where all tables are known that refer to it."""
    if table.associative:
        return "junction"
    referring = [other for other in tables.values() for key in other.foreign_keys if key.table == table.name]
    if not table.foreign_keys and table.naming and not table.askable:
        return "lookup" if referring and not any(other.associative for other in referring) else "entity"
    last = english.noun(table.name).lower().rpartition(" ")[2]
    if last in _ADDRESSES or (last in _COPIES and not table.called_by):
        return "carrier"
    return "event" if last in english.OCCASIONS and table.foreign_keys else "entity"


def _without_codes(table: SchemaTable, tables: Mapping[str, SchemaTable]) -> dict[str, SchemaColumn]:
    """The columns, of which nobody asks for the code of what people know by a name."""
    columns = dict(table.columns)
    for key in table.foreign_keys:
        name = tables[key.table].naming or tables[key.table].called_by
        for column in key.columns if name and not set(name) & set(key.targets) else ():
            columns[column] = replace(columns[column], why_not=columns[column].why_not or "what it leads to has a name")
    return columns


def key_name(table: str, key: ForeignKey) -> str:
    """A key of a table as it stands in paths: `table.column`."""
    return f"{table}.{', '.join(key.columns)}"


def _kind(kind: Any, dialect: str) -> ColumnKind | None:
    """The kind of a declared type; None where nothing useful is declared. What a server declares and SQLAlchemy has no
    name for, or what cannot be sorted, nobody asks for: points, ranges, documents that are searched."""
    kind = getattr(kind, "data_type", kind)  # what a domain of PostgreSQL is made of
    if isinstance(kind, sqltypes.Boolean) or getattr(kind, "display_width", None) == 1:  # MySQL's TINYINT(1)
        return "boolean"
    if isinstance(kind, sqltypes.Date | sqltypes.DateTime):
        return "date"
    if isinstance(kind, sqltypes.Integer | sqltypes.Numeric | sqltypes.Float) or kind.__visit_name__ == "YEAR":
        return "number"
    if isinstance(kind, sqltypes.LargeBinary | sqltypes.JSON | sqltypes.ARRAY | sqltypes.Uuid):
        return "other"
    if isinstance(kind, sqltypes.String | sqltypes.Enum | sqltypes.Time) or kind.__visit_name__ == "MONEY":
        return "text"
    return "other" if dialect in _DECLARING else None


def _kind_of_values(values: Collection[Any]) -> ColumnKind:
    if values and all(isinstance(value, int | float) for value in values):
        return "number"
    return "text" if values and all(isinstance(value, str) for value in values) else "other"


def _why_not(name: str, kind: ColumnKind, values: Collection[Any], primary: bool, foreign: bool) -> str:
    """Why people would not ask for a column; nothing where they would."""
    words = words_of(name)
    if (primary or foreign) and kind != "text":
        return "key"
    if kind == "other" or any(isinstance(value, bytes) for value in values):
        return "no text, number or date"
    if not words or is_technical(name, values):
        return "technical"
    if re.search(r"[\[\]]", name):
        return "its name cannot stand in a template"
    texts = [value for value in values if isinstance(value, str)]
    if not texts:
        return ""
    words_in_each = sum(len(text.split()) for text in texts) / len(texts)
    return "prose" if sum(map(len, texts)) / len(texts) > LONGEST_TEXT or words_in_each > MOST_WORDS else ""


def _note(values: Collection[Any]) -> str:
    if not values:
        return "empty in the first rows"
    return "one value only in the first rows" if len(values) > 1 and len(set(map(repr, values))) == 1 else ""
