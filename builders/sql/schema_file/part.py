"""Of a schema file what is about a part of its database: the one that a release ships."""

from collections.abc import Iterable
from dataclasses import replace

from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.schema_file.content import KeyEntry, SchemaFile, TableEntry


def known_part(file: SchemaFile, schema: DatabaseSchema) -> SchemaFile:
    """What of a file is about the tables and columns that a schema has."""
    names = {name.lower(): {column.lower() for column in table.columns} for name, table in schema.tables.items()}

    def known(table: str, columns: Iterable[str]) -> bool:
        there = names[table.lower()]
        return all(
            column.lower() in there or {part.strip().lower() for part in column.split(",")} <= there
            for column in columns
        )

    def leads(key: KeyEntry) -> bool:
        table = max((name for name in names if key.to.lower().startswith(f"{name}.")), key=len, default=None)
        return not key.to or (table is not None and known(table, [key.to[len(table) + 1 :]]))

    def part(table: str, entry: TableEntry) -> TableEntry:
        keys = {name: key for name, key in entry.keys.items() if known(table, [name]) and leads(key)}
        return replace(
            entry,
            named_by=entry.named_by if known(table, entry.named_by or ()) else (),
            called_by=entry.called_by if known(table, entry.called_by or ()) else (),
            columns={name: one for name, one in entry.columns.items() if known(table, [name])},
            keys=keys,
            kind="entity" if entry.kind == "junction" and len(keys) < 2 else entry.kind,
        )

    tables = {table: part(table, entry) for table, entry in file.tables.items() if table.lower() in names}
    return replace(file, tables=tables, paths={})
