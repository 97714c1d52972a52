"""The schema of a database, as its declarations, its names and some of its rows tell it."""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import types as sqltypes

from benchwright.benchmarks.grounding.database import Database
from benchwright.builders.sql.booleans import holds_truths, may_hold_truths
from benchwright.builders.sql.multiplicity import mostly_one
from benchwright.builders.sql.naming import find_naming
from benchwright.builders.sql.personal import why_personal
from benchwright.builders.sql.raw_tables import RawTable, read_raw
from benchwright.builders.sql.schema import (
    ColumnKind,
    DatabaseSchema,
    ForeignKey,
    SchemaColumn,
    SchemaTable,
    TableKind,
    ties_of,
)
from benchwright.builders.sql.technical import is_technical, words_of
from benchwright.builders.sql.units import unit_by_name
from benchwright.builders.sql.wording import english

_ADDRESSES = frozenset({"address", "location"})
_COPIES = frozenset({"copy", "exemplar", "inventory"})
"""What rows that stand between others are called."""
_DECLARING = frozenset({"postgresql", "mysql", "mariadb"})
"""Dialects in which every column has a type that its values are of."""
_LONGEST_TEXT = 200
"""Mean length in characters above which a text column holds prose, which is no short answer."""
_MOST_WORDS = 12
"""Mean number of words above which it is sentences."""


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


def _table(database: Database, raw: RawTable, keys: tuple[ForeignKey, ...], referenced: bool) -> SchemaTable:
    name, primary = raw.name, raw.primary_key
    kinds: dict[str, ColumnKind | None] = {
        column["name"]: _kind(column["type"], database.dialect) for column in raw.columns
    }
    if not raw.is_seen:
        unseen = {column: SchemaColumn(column, kind or "other", "view") for column, kind in kinds.items()}
        return SchemaTable(name, unseen, (), (), (), (), "entity", ask=False, view=raw.is_view)
    columns = {column: _column(database, raw, column, declared, keys) for column, declared in kinds.items()}
    key_columns = {column for key in keys for column in key.columns}
    found = find_naming(database, name, columns, primary, key_columns)
    tied = [key.columns for key in ties_of(keys)]
    associative = len(set(tied)) >= 2 and (
        (bool(primary) and set(primary) <= key_columns) or (not found.called_by and not referenced)
    )
    return SchemaTable(
        name,
        columns,
        primary,
        keys,
        found.unique,
        found.called_by,
        "junction" if associative else "entity",
        mostly_one(database, name, tied) if associative else frozenset[tuple[str, ...]](),
        found.measured,
        view=raw.is_view,
        empty=raw.is_empty,
    )


def _column(
    database: Database, raw: RawTable, name: str, declared: ColumnKind | None, keys: Collection[ForeignKey]
) -> SchemaColumn:
    """A column of a table whose rows are looked at."""
    values = raw.values.get(name, ())
    is_primary = name in raw.primary_key
    kind: ColumnKind = declared or _kind_of_values(values)
    if kind == "boolean" or (kind in ("number", "text") and not is_primary and may_hold_truths(name, values)):
        plain: ColumnKind = "number" if declared == "boolean" else kind
        kind = "boolean" if not values or holds_truths(database, raw.name, name) else plain
    why_not = _why_not(name, kind, values, is_primary, any(name in key.columns for key in keys))
    if not raw.is_empty and name not in raw.values:
        why_not = why_not or "its values cannot be read"
    if any(name in key.columns for key in keys if len(key.columns) > 1):
        why_not = why_not or "part of a key"
    return SchemaColumn(
        name,
        kind,
        why_not,
        unit=unit_by_name(english.noun(raw.name), name, values) if kind in ("number", "text") else "",
        personal=why_personal(name, values),
        note=_note(values),
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
    return "prose" if sum(map(len, texts)) / len(texts) > _LONGEST_TEXT or words_in_each > _MOST_WORDS else ""


def _note(values: Collection[Any]) -> str:
    if not values:
        return "empty in the first rows"
    return "one value only in the first rows" if len(values) > 1 and len(set(map(repr, values))) == 1 else ""
