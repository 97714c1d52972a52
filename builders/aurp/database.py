"""Writes the world to a SQLite file: the same world gives the same bytes."""

import sqlite3
from pathlib import Path

from benchwright.builders.aurp.schema import Column, Kind, Schema, Table
from benchwright.builders.aurp.world import Value, World, source, stored

_TYPES: dict[Kind, str] = {
    "key": "INTEGER",
    "name": "TEXT",
    "text": "TEXT",
    "date": "TEXT",
    "year": "INTEGER",
    "money": "INTEGER",
    "count": "INTEGER",
    "quantity": "INTEGER",
    "reference": "INTEGER",
}


def write_database(world: World, path: Path) -> None:
    """A new SQLite file at `path` with the tables of the world's schema; a file that stands there is replaced."""
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA page_size = 4096")
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        for statement in statements(world.schema):
            connection.execute(statement)
        for table in world.schema.tables:
            places = ", ".join("?" for _ in table.columns)
            connection.executemany(f'INSERT INTO "{table.name}" VALUES ({places})', rows(world, table))
        connection.execute("COMMIT")
        connection.execute("VACUUM")
    finally:
        connection.close()


def rows(world: World, table: Table) -> list[tuple[Value, ...]]:
    """The rows of a table of the world's schema, in stored order."""
    return [tuple(stored(world, table, row, column) for column in table.columns) for row in world.rows(table.source)]


def statements(schema: Schema) -> list[str]:
    """The CREATE statements of a schema: tables with their keys, then an index on each name and each reference."""
    numbered = {table.name: table.columns[0].kind == "key" for table in schema.tables}
    made = [_create(table, numbered) for table in schema.tables]
    for table in schema.tables:
        made += [
            f'CREATE INDEX "{table.name}_{column.name}" ON "{table.name}" ("{column.name}")'
            for column in table.columns
            if column.kind in ("name", "reference") and (numbered[table.name] or column.kind == "reference")
        ]
    return made


def _create(table: Table, numbered: dict[str, bool]) -> str:
    lines = [_define(column, numbered, column is table.columns[0]) for column in table.columns]
    for column in table.columns:
        if column.references:
            target = "id" if numbered[column.references] else "Name"
            lines.append(f'FOREIGN KEY ("{column.name}") REFERENCES "{column.references}" ("{target}")')
    return f'CREATE TABLE "{table.name}" (\n  ' + ",\n  ".join(lines) + "\n)"


def _define(column: Column, numbered: dict[str, bool], first: bool) -> str:
    named = column.references is not None and not numbered[column.references]
    kind = "TEXT" if named else _TYPES[column.kind]
    if first:
        return f'"{column.name}" {kind} PRIMARY KEY NOT NULL'
    never_null = column.kind == "name" or (column.nulls == 0 and source(column) != "supervisor_id")
    return f'"{column.name}" {kind}{" NOT NULL" if never_null else ""}'
