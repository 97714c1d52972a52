"""A folder of CSV files as a database, for people who have none: a table a file, types and keys found in the data.

A column is a key where no two rows share a value. `csv_references` says what refers to what.
"""

import hashlib
import logging
import re
import sqlite3
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.builders.sql.csv_files import csv_files, read_csv_file
from benchwright.builders.sql.csv_references import CsvTable, find_references

log = logging.getLogger("benchwright")
_NUMBER = re.compile(r"[+-]?(?:0|[1-9]\d{0,17})(\.\d+)?")
_RAW = "raw "
"""Before the names of tables whose keys are not known yet."""
_TRUTHS = {"true": 1, "false": 0}


def database_of_csv(folder: Path, target: Path) -> str:
    """Writes the CSV files of a folder into a new SQLite file.

    Returns:
        SHA-256 over the names and contents of the files.

    Raises:
        BenchwrightError: there is no CSV file, or one is not as it must be; the message names file and line.
    """
    files = csv_files(folder)
    digest = hashlib.sha256()
    tables = []
    for path in files:
        digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
        tables.append(_survey(path))
    connection = sqlite3.connect(target)
    try:
        for table in tables:
            _load(connection, table, f"{_RAW}{table.name}", constrained=False)
        untaken = find_references(connection, tables, _RAW)
        for table in tables:
            _load(connection, table, table.name, constrained=True)
            connection.execute(f"DROP TABLE {quoted(f'{_RAW}{table.name}')}")
        connection.commit()
        connection.execute("VACUUM")
    except sqlite3.Error as error:
        raise BenchwrightError(f"no database can be made of the folder {folder}: {error}") from None
    finally:
        connection.close()
    if untaken:
        log.warning(
            "columns that are not followed, since names and values do not say where they lead: %s; a database with "
            "declared foreign keys says it",
            ", ".join(untaken),
        )
    return digest.hexdigest()


def _survey(path: Path) -> CsvTable:
    """Names, types and uniqueness of the columns, from all rows."""
    file = read_csv_file(path)
    rows = file.rows()
    first, header = next(rows, (0, []))
    columns = [column.strip() for column in header]
    if not columns or not all(columns):
        raise BenchwrightError(f"{path} has no header: its first line must name every column")
    if len({column.lower() for column in columns}) < len(columns):
        raise BenchwrightError(f"{path}, line {first}: two columns have the same name")
    kinds = [{"INTEGER", "REAL", "BOOLEAN", "DATE"} for _ in columns]
    seen: list[set[str] | None] = [set() for _ in columns]
    empty = [True] * len(columns)
    for line, row in rows:
        if len(row) != len(columns):
            counted = f"{len(row)} values for {len(columns)} columns"
            raise BenchwrightError(f"{path}, line {line} has {counted} (separated by {file.separated_by})")
        for i, value in enumerate(row):
            known = seen[i]
            if known is not None:
                if not value or value in known:
                    seen[i] = None
                else:
                    known.add(value)
            if value:
                empty[i] = False
                kinds[i] &= _kinds(value)
    order = ("BOOLEAN", "INTEGER", "REAL", "DATE")
    types = [
        "TEXT" if blank else next((kind for kind in order if kind in kinds[i]), "TEXT") for i, blank in enumerate(empty)
    ]
    return CsvTable(path.stem, file, columns, types, [bool(known) for known in seen])


def _kinds(value: str) -> set[str]:
    if value.lower() in _TRUTHS:
        return {"BOOLEAN"}
    if match := _NUMBER.fullmatch(value):
        return {"REAL"} if match.group(1) else {"INTEGER", "REAL"}
    try:
        date.fromisoformat(value)
    except ValueError:
        return set()
    return {"DATE"} if len(value) == 10 else set()


def _load(connection: sqlite3.Connection, table: CsvTable, name: str, *, constrained: bool) -> None:
    parts = [f"{quoted(column)} {kind}" for column, kind in zip(table.columns, table.types, strict=True)]
    if constrained:
        if table.key:
            parts.append(f"PRIMARY KEY ({quoted(table.key)})")
        parts += [
            f"FOREIGN KEY ({quoted(column)}) REFERENCES {quoted(other)} ({quoted(target)})"
            for column, (other, target) in table.references.items()
        ]
    connection.execute(f"CREATE TABLE {quoted(name)} ({', '.join(parts)})")
    marks = ", ".join("?" for _ in table.columns)
    rows = table.file.rows()
    next(rows)
    connection.executemany(
        f"INSERT INTO {quoted(name)} VALUES ({marks})", (_values(row, table.types) for _, row in rows)
    )


def _values(row: Sequence[str], types: Sequence[str]) -> list[str | int | None]:
    return [
        None if not value else _TRUTHS[value.lower()] if kind == "BOOLEAN" else value
        for value, kind in zip(row, types, strict=True)
    ]
