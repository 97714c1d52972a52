"""Copying a server's database, or what is used of it, into a SQLite file that is the same for the same rows."""

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import types as sqltypes
from sqlalchemy.exc import SQLAlchemyError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.inspecting import Inspecting, inspect_database
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.grounding.values import EXACT_DIGITS, stored_value


def copy_server(source: Database, target: Path, wanted: Mapping[str, Collection[str] | None]) -> int:
    """Copies tables row by row, in order of their primary keys or else of all values.

    Types are kept as far as SQLite has them: booleans are 0 and 1, dates and times are texts of ISO 8601, decimals of
    more digits than SQLite keeps and what it has no type for are texts.

    Args:
        source: an open database.
        target: the SQLite file to be made.
        wanted: table or view → columns; None copies all of them, with the primary and the foreign keys.

    Returns:
        The number of rows copied.

    Raises:
        BenchwrightError: the source cannot be read, or SQLite cannot hold its tables.
    """
    count = 0
    writer = sqlite3.connect(target)
    try:
        inspector = inspect_database(source)
        views = set(inspector.get_view_names())
        for table, columns in sorted(wanted.items()):
            count += _copy_table(source, inspector, writer, table, columns, table in views)
        writer.commit()
    except SQLAlchemyError as error:
        raise source.failure(error, "its schema") from None
    except (sqlite3.Error, OverflowError) as error:
        raise BenchwrightError(
            f"the database {source.source} cannot be copied into SQLite ({error}): leave out --set ship"
        ) from None
    finally:
        writer.close()
    return count


def _copy_table(
    source: Database,
    inspector: Inspecting,
    writer: sqlite3.Connection,
    table: str,
    wanted: Collection[str] | None,
    is_view: bool,
) -> int:
    columns = [item for item in inspector.get_columns(table) if wanted is None or item["name"] in wanted]
    names = [item["name"] for item in columns]
    primary = [] if is_view else list(inspector.get_pk_constraint(table)["constrained_columns"] or ())
    declared = [f"{quoted(item['name'])} {_declared(item['type'])}".rstrip() for item in columns]
    if wanted is None and not is_view:
        declared += _keys(inspector, table, primary)
    writer.execute(f"CREATE TABLE {quoted(table)} ({', '.join(declared)})")
    sortable = [item["name"] for item in columns if not isinstance(item["type"], sqltypes.JSON | sqltypes.NullType)]
    order = ", ".join(quoted(name) for name in primary or sortable)
    sql = f"SELECT {', '.join(map(quoted, names))} FROM {quoted(table)}" + (f" ORDER BY {order}" if order else "")
    marks = ", ".join("?" for _ in names)
    return writer.executemany(f"INSERT INTO {quoted(table)} VALUES ({marks})", _stored_rows(source, sql)).rowcount


def _stored_rows(source: Database, sql: str) -> Iterator[Sequence[Any]]:
    for rows in source.rows(sql):
        for row in rows:
            yield [stored_value(value) for value in row]


def _declared(kind: Any) -> str:
    """SQLite's declared type: it decides how the values are kept, and what they are taken for when they are read."""
    kind = getattr(kind, "data_type", kind)  # what a domain of PostgreSQL is made of
    if isinstance(kind, sqltypes.Boolean) or getattr(kind, "display_width", None) == 1:  # MySQL's TINYINT(1)
        return "BOOLEAN"
    if isinstance(kind, sqltypes.Integer):
        return "TEXT" if getattr(kind, "unsigned", False) and isinstance(kind, sqltypes.BigInteger) else "INTEGER"
    if isinstance(kind, sqltypes.Float):
        return "REAL"
    if isinstance(kind, sqltypes.Numeric):
        exact = kind.precision is not None and kind.precision <= EXACT_DIGITS
        return f"NUMERIC({kind.precision}, {kind.scale or 0})" if exact else "TEXT"
    if isinstance(kind, sqltypes.LargeBinary):
        return "BLOB"
    for made, name in ((sqltypes.DateTime, "DATETIME"), (sqltypes.Date, "DATE"), (sqltypes.Time, "TIME")):
        if isinstance(kind, made):
            return name
    if isinstance(kind, sqltypes.String):
        # MySQL's and MariaDB's texts are compared without regard to case where their collating sequence says so
        return "TEXT COLLATE NOCASE" if str(kind.collation or "").endswith("_ci") else "TEXT"
    return "TEXT" if isinstance(kind, sqltypes.Uuid | sqltypes.JSON | sqltypes.ARRAY) else ""


def _keys(inspector: Inspecting, table: str, primary: Sequence[str]) -> list[str]:
    """The primary key and the foreign keys of a table."""
    keys = [f"PRIMARY KEY ({', '.join(map(quoted, primary))})"] if primary else []
    for item in sorted(inspector.get_foreign_keys(table), key=lambda item: item["constrained_columns"]):
        own = ", ".join(map(quoted, item["constrained_columns"]))
        referred = ", ".join(map(quoted, item["referred_columns"]))
        keys.append(f"FOREIGN KEY ({own}) REFERENCES {quoted(item['referred_table'])} ({referred})")
    return keys
