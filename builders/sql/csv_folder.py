"""A folder of CSV or Parquet files as a database: a table a file, what CSV does not tell found in the data.

A column is a key where no two rows share a value. `csv_references` says what refers to what.
"""

import hashlib
import logging
import re
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.text.csv_files import CsvFile, read_csv_file
from benchwright.builders.sql.csv_files import PARQUET, table_files
from benchwright.builders.sql.csv_references import FileTable, find_references

log = logging.getLogger("benchwright")
_NUMBER = re.compile(r"[+-]?(?:0|[1-9]\d{0,17})(\.\d+)?")
_RAW = "raw "
"""Before the names of tables whose keys are not known yet."""
_FIRST = 10_000
_MOST_TOLD = 20
"""Keys that are told one by one."""
_TRUTHS = {"true": 1, "false": 0}


def database_of_folder(folder: Path, target: Path, known: Collection[str] = ()) -> str:
    """Writes the CSV and Parquet files of a folder into a new SQLite file. Which columns are followed is told, and
    which are named like keys and lead nowhere.

    Args:
        folder: of the files.
        target: the SQLite file.
        known: `table.column`, in lower case, of columns of which somebody says where they lead.

    Returns:
        SHA-256 over the names and contents of the files.

    Raises:
        BenchwrightError: there is no such file, or one is not as it must be; the message names file and line.
    """
    tables, sha256 = _survey_all(folder)
    connection = sqlite3.connect(target)
    try:
        for table in tables:
            _load(connection, table, f"{_RAW}{table.name}", constrained=False)
            if not table.unique:
                table.unique = [_is_unique(connection, f"{_RAW}{table.name}", column) for column in table.columns]
        untaken = find_references(connection, tables, _RAW)
        for table in tables:
            _load(connection, table, table.name, constrained=True)
            connection.execute(f"DROP TABLE {quoted(f'{_RAW}{table.name}')}")
        connection.commit()
        connection.execute("VACUUM")
    except (sqlite3.Error, OverflowError) as error:
        raise BenchwrightError(f"no database can be made of the folder {folder}: {error}") from None
    finally:
        connection.close()
    _tell_of_keys(tables, known)
    told = [f"{column} ({why})" for column, why in untaken.items() if column.lower() not in known]
    if told:
        log.warning(
            "columns that are not followed, since names and values do not say where they lead: %s; a schema file "
            "(--draft-schema FILE) can say it",
            ", ".join(told),
        )
    return sha256


def _tell_of_keys(tables: Sequence[FileTable], known: Collection[str]) -> None:
    found = [
        f"{table.name}.{column} → {other}.{target}"
        for table in tables
        for column, (other, target) in table.references.items()
        if f"{table.name}.{column}".lower() not in known
    ]
    if found:
        more = f" and {len(found) - _MOST_TOLD} more" if len(found) > _MOST_TOLD else ""
        log.warning("columns that are followed, by their names and values: %s%s", ", ".join(found[:_MOST_TOLD]), more)


def _survey_all(folder: Path) -> tuple[list[FileTable], str]:
    """The tables of all files of a folder, and the SHA-256 over their names and contents."""
    digest = hashlib.sha256()
    tables: list[FileTable] = []
    for path in table_files(folder):
        is_parquet = path.suffix.lower() == PARQUET
        table, found = _survey_parquet(path) if is_parquet else (_survey(path), file_sha256(path))
        digest.update(path.name.encode() + bytes.fromhex(found))
        tables.append(table)
    return tables, digest.hexdigest()


def _survey(path: Path) -> FileTable:
    """Names, types and uniqueness of the columns, from all rows."""
    file = read_csv_file(path)
    rows = file.rows()
    first, header = next(rows, (0, []))
    columns = [column.strip() for column in header]
    if not columns or not all(columns):
        raise BenchwrightError(f"{path} has no header: its first line must name every column")
    _check_distinct(columns, f"{path}, line {first}")
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
    return FileTable(
        path.stem, lambda kinds: _stored_rows(file, kinds), columns, types, [bool(known) for known in seen]
    )


def _survey_parquet(path: Path) -> tuple[FileTable, str]:
    """Names and types of the columns, as the file tells them, and its SHA-256."""
    from benchwright.builders.sql.parquet_files import ParquetTable

    table = ParquetTable(path)
    _check_distinct(table.columns, str(path))
    return FileTable(path.stem, lambda _: table.rows(), table.columns, table.types()), table.sha256()


def _check_distinct(columns: Sequence[str], place: str) -> None:
    if len({column.lower() for column in columns}) < len(columns):
        raise BenchwrightError(f"{place}: two columns have the same name")


def _is_unique(connection: sqlite3.Connection, table: str, column: str) -> bool:
    """Whether every row has a value and no two the same: the first rows nearly always say that it is not so."""
    name = quoted(column)
    for rows in (f"(SELECT {name} FROM {quoted(table)} LIMIT {_FIRST})", quoted(table)):
        count, distinct = connection.execute(f"SELECT COUNT(*), COUNT(DISTINCT {name}) FROM {rows}").fetchone()
        if not count or distinct < count:
            return False
    return True


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


def _load(connection: sqlite3.Connection, table: FileTable, name: str, *, constrained: bool) -> None:
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
    connection.executemany(f"INSERT INTO {quoted(name)} VALUES ({marks})", table.rows(table.types))


def _stored_rows(file: CsvFile, types: Sequence[str]) -> Iterator[Sequence[Any]]:
    """The rows of a CSV file as SQLite stores them."""
    rows = file.rows()
    next(rows)
    return (_values(row, types) for _, row in rows)


def _values(row: Sequence[str], types: Sequence[str]) -> list[str | int | None]:
    return [
        None if not value else _TRUTHS[value.lower()] if kind == "BOOLEAN" else value
        for value, kind in zip(row, types, strict=True)
    ]
