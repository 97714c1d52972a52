"""One small music shop, with capitals, reserved and foreign words in its names, as the databases of different makers."""

import csv
import sqlite3
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from databases import DatabaseServer

_TABLES = {
    "Artist": (("ArtistId", "INTEGER"), ("Name", "VARCHAR(80)"), ("Café", "VARCHAR(80)"), ("Founded", "DATE")),
    "Producer": (("ProducerId", "INTEGER"), ("First Name", "VARCHAR(80)"), ("Last Name", "VARCHAR(80)")),
    "Album": (
        ("AlbumId", "INTEGER"),
        ("Title", "VARCHAR(80)"),
        ("ArtistId", "INTEGER"),
        ("Group", "VARCHAR(80)"),
        ("Price", "NUMERIC(10, 2)"),
        ("Year", "INTEGER"),
        ("ProducerId", "INTEGER"),
    ),
    "Track": (
        ("TrackId", "INTEGER"),
        ("Name", "VARCHAR(80)"),
        ("AlbumId", "INTEGER"),
        ("Unit Price", "NUMERIC(10, 2)"),
        ("Minutes", "DOUBLE PRECISION"),
        ("Live", "BOOLEAN"),
        ("Remastered", "VARCHAR(80)"),
        ("Sold", "INTEGER"),
    ),
}
"""Table → its columns with their types. The first is its primary key; one called like another table's refers to it."""
ROWS: dict[str, list[tuple[object, ...]]] = {
    "Artist": [
        (1, "Añejo", "Zürich's Odeon", "1991-04-05"),
        (2, "50 % Gull", "Le Procope", "2003-12-31"),
        (3, "O'Hara \\ Sons", 'The "Grand"', None),
    ],
    "Producer": [(1, "Ann %", "O'Neil"), (2, "Bé", "de Vos"), (3, None, "Lux")],
    "Album": [
        (1, "First: light", 1, "jazz", 9.99, 1995, 1),
        (2, "Second %s", 2, "rock", 12.5, 2004, 2),
        (3, "Third :bound_0", 2, "jazz", 8, 2006, 3),
        (4, "Fourth", 3, None, 10.1, 1987, None),
    ],
    "Track": [
        (1, "Dawn", 1, 0.99, 3.5, True, "Y", 1),
        (2, "Dusk", 1, 0.99, 4.25, False, "N", 0),
        (3, "Noon 100%", 2, 1.2, 2.0, True, "Y", 0),
        (4, "Night", 3, 0.89, 11.125, None, "N", 1),
        (5, "夜", 4, 1, 0.1, False, None, 1),
    ],
}


def statements(dialect: str) -> list[str]:
    """What makes the shop, as a dialect has it."""
    made = []
    owners = {columns[0][0]: table for table, columns in _TABLES.items()}
    for table, columns in _TABLES.items():
        names = [_quoted(name, dialect) for name, _ in columns]
        parts = [f"{name} {kind}" for name, (_, kind) in zip(names, columns, strict=True)]
        parts.append(f"PRIMARY KEY ({names[0]})")
        parts += [
            f"FOREIGN KEY ({own}) REFERENCES {_quoted(owners[name], dialect)} ({own})"
            for own, (name, _) in zip(names[1:], columns[1:], strict=True)
            if name in owners
        ]
        made.append(f"CREATE TABLE {_quoted(table, dialect)} ({', '.join(parts)})")
    for table, rows in ROWS.items():
        made += [
            f"INSERT INTO {_quoted(table, dialect)} VALUES ({', '.join(_literal(value, dialect) for value in row)})"
            for row in rows
        ]
    return made


def sqlite_shop(path: Path) -> str:
    """The URL of the shop as a new SQLite file."""
    connection = sqlite3.connect(path)
    for statement in statements("sqlite"):
        connection.execute(statement)
    connection.commit()
    connection.close()
    return f"sqlite:///{path}"


def csv_shop(folder: Path) -> str:
    """The shop as a folder of CSV files."""
    folder.mkdir()
    for table, rows in ROWS.items():
        with (folder / f"{table}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([name for name, _ in _TABLES[table]])
            writer.writerows([[str(v).lower() if isinstance(v, bool) else v for v in row] for row in rows])
    return str(folder)


def parquet_shop(folder: Path) -> str:
    """The shop as a folder of Parquet files."""
    folder.mkdir()
    for table, rows in ROWS.items():
        columns = {
            name: pa.array([_as(row[place], _ARROW[kind]) for row in rows], _ARROW[kind])
            for place, (name, kind) in enumerate(_TABLES[table])
        }
        pq.write_table(pa.table(columns), folder / f"{table}.parquet")
    return str(folder)


def server_shop(server: DatabaseServer) -> str:
    """The URL of the shop as a new database of a server."""
    return server.new(*statements(server.dialect)).render_as_string(False)


_ARROW = {
    "INTEGER": pa.int32(),
    "VARCHAR(80)": pa.dictionary(pa.int32(), pa.string()),
    "DATE": pa.date32(),
    "NUMERIC(10, 2)": pa.decimal128(10, 2),
    "DOUBLE PRECISION": pa.float64(),
    "BOOLEAN": pa.bool_(),
}


def _as(value: Any, kind: pa.DataType) -> Any:
    if value is None or not (pa.types.is_date(kind) or pa.types.is_decimal(kind)):
        return value
    return date.fromisoformat(value) if pa.types.is_date(kind) else Decimal(str(value))


def _quoted(name: str, dialect: str) -> str:
    return f"`{name}`" if dialect == "mariadb" else f'"{name}"'


def _literal(value: object, dialect: str) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, str):
        text = value.replace("\\", "\\\\") if dialect == "mariadb" else value
        return "'" + text.replace("'", "''") + "'"
    return str(value)
