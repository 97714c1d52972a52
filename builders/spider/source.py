"""The database that pages and questions are made of, as a copy: one of Spider's in its layout, or our own."""

import logging
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.grounding.sqlite_file import connect_read_only, quoted
from benchwright.benchmarks.grounding.sqlite_guard import guard_reading
from benchwright.builders.sql.csv_references import FileTable, find_references

SUFFIXES = (".sqlite", ".sqlite3", ".db")
_BEGINNING = b"SQLite format 3\0"
_LISTED = 40
"""Databases of a folder that an error names."""
_OWN = """
CREATE TABLE company (
  Company_ID INTEGER PRIMARY KEY, Name TEXT, Headquarters TEXT, Industry TEXT, Sales_in_Billion REAL,
  Profits_in_Billion REAL, Assets_in_Billion REAL, Market_Value_in_Billion REAL
);
CREATE TABLE people (
  People_ID INTEGER PRIMARY KEY, Age INTEGER, Name TEXT, Nationality TEXT, Graduation_College TEXT
);
CREATE TABLE employment (
  Company_ID INTEGER, People_ID INTEGER, Year_working INTEGER, PRIMARY KEY (Company_ID, People_ID),
  FOREIGN KEY (Company_ID) REFERENCES company (Company_ID), FOREIGN KEY (People_ID) REFERENCES people (People_ID)
);
"""

log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class Copied:
    """What is known of a copy."""

    guessed: Sequence[str]
    """The keys that the original does not declare, as `table.column → table.column`."""
    other_encoding: int
    """Texts that were not UTF-8, and were read as Latin-1."""


def find_database(place: str) -> Path:
    """The SQLite file that a path means: a file, a folder that holds one, or Spider's own folder of one database.

    Raises:
        UsageError: there is none, or there are several; the message lists them.
        BenchwrightError: the file is no SQLite database.
    """
    path = Path(place.removeprefix("sqlite:///")).expanduser()
    if path.is_dir():
        path = _in_folder(path)
    if not path.is_file():
        raise UsageError(f"there is no database {path}: give a SQLite file, or Spider's folder database/NAME")
    with path.open("rb") as file:
        if file.read(len(_BEGINNING)) != _BEGINNING:
            raise BenchwrightError(f"{path} is no SQLite database: Spider's are the files database/NAME/NAME.sqlite")
    return path


def _in_folder(folder: Path) -> Path:
    here = _files(folder)
    own = [path for path in here if path.stem == folder.resolve().name]
    if own or len(here) == 1:
        return (own or here)[0]
    below = [path for child in sorted(folder.iterdir()) if child.is_dir() for path in _files(child)]
    nested = folder / "database"
    if not here and not below and nested.is_dir():
        return _in_folder(nested)
    found = here or below
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(f"the folder {folder} holds no SQLite file: give one of Spider's, database/NAME/NAME.sqlite")
    listed = ", ".join(str(path.relative_to(folder)) for path in found[:_LISTED])
    more = f" and {len(found) - _LISTED:,} more" if len(found) > _LISTED else ""
    raise UsageError(f"the folder {folder} holds {len(found):,} databases: name one of {listed}{more}")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file() and path.suffix.lower() in SUFFIXES)


def write_own(target: Path) -> None:
    """Writes the company-and-employee database of our own: `companies.toml`."""
    tables = {name: _table(text) for name, text in read_toml(__package__, "companies.toml").items()}
    numbers = {
        table: {row["Name"]: number for number, row in enumerate(tables[table], 1)} for table in ("company", "people")
    }
    connection = sqlite3.connect(target)
    connection.executescript(_OWN)
    for table in ("company", "people"):
        for number, row in enumerate(tables[table], 1):
            _insert(connection, table, [number, *row.values()])
    for row in tables["employment"]:
        _insert(
            connection,
            "employment",
            [numbers["company"][row["Company"]], numbers["people"][row["Person"]], row["Year_working"]],
        )
    connection.commit()
    connection.close()


def _table(text: str) -> list[dict[str, str]]:
    lines = [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


def _insert(connection: sqlite3.Connection, table: str, values: Sequence[Any]) -> None:
    connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' for _ in values)})", values)


def copy_with_keys(source: Path, target: Path) -> Copied:
    """Copies all tables of a SQLite file with their primary and foreign keys, and with those that a table lacks which
    declares none, as far as names and values tell them. Views and other constraints are left out.

    Raises:
        BenchwrightError: the file cannot be read, or has no table.
    """
    reader, writer = connect_read_only(source), sqlite3.connect(target)
    strange = [0]

    def read(text: bytes) -> str:
        try:
            return text.decode()
        except UnicodeDecodeError:
            strange[0] += 1
            return text.decode("latin-1")

    reader.text_factory = read
    try:
        guard_reading(reader)
        names = [
            name
            for name, page in reader.execute(
                "SELECT name, rootpage FROM sqlite_master "
                "WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
            ).fetchall()
            if page
        ]
        if not names:
            raise BenchwrightError(f"the database {source.name} has no table")
        tables = {name: _Table.read(reader, name) for name in names}
        guessed = _guess_keys(reader, tables)
        for table in tables.values():
            table.write(reader, writer)
        writer.commit()
    except sqlite3.Error as error:
        raise BenchwrightError(f"the database {source.name} cannot be read: {error}") from None
    finally:
        reader.close()
        writer.close()
    return Copied(guessed, strange[0])


@dataclass
class _Table:
    """A table as its file declares it."""

    name: str
    columns: Sequence[tuple[str, str]]
    """Name and declared type."""
    primary: Sequence[str]
    foreign: list[tuple[tuple[str, ...], str, tuple[str, ...]]]
    """Columns, table and its columns; none of these where its primary key is meant."""

    @classmethod
    def read(cls, reader: sqlite3.Connection, name: str) -> "_Table":
        rows = reader.execute(f"PRAGMA table_xinfo({quoted(name)})").fetchall()
        columns = [(row[1], row[2] or "") for row in rows if not row[6]]
        primary = [row[1] for row in sorted(rows, key=lambda row: row[5]) if row[5] and not row[6]]
        keys: dict[int, list[tuple[str, str, str | None]]] = {}
        for number, _, table, own, other, *_ in reader.execute(f"PRAGMA foreign_key_list({quoted(name)})").fetchall():
            keys.setdefault(number, []).append((table, own, other))
        foreign = [
            (tuple(own for _, own, _ in parts), parts[0][0], tuple(other for _, _, other in parts if other))
            for _, parts in sorted(keys.items())
        ]
        return cls(name, columns, primary, foreign)

    def write(self, reader: sqlite3.Connection, writer: sqlite3.Connection) -> None:
        parts = [f"{quoted(name)} {_safe_type(kind)}" for name, kind in self.columns]
        if self.primary:
            parts.append(f"PRIMARY KEY ({', '.join(map(quoted, self.primary))})")
        for own, table, other in self.foreign:
            targets = f" ({', '.join(map(quoted, other))})" if len(other) == len(own) else ""
            parts.append(f"FOREIGN KEY ({', '.join(map(quoted, own))}) REFERENCES {quoted(table)}{targets}")
        writer.execute(f"CREATE TABLE {quoted(self.name)} ({', '.join(parts)})")
        selected = ", ".join(quoted(name) for name, _ in self.columns)
        marks = ", ".join("?" for _ in self.columns)
        rows = reader.execute(f"SELECT {selected} FROM {quoted(self.name)}")
        writer.executemany(f"INSERT INTO {quoted(self.name)} VALUES ({marks})", rows)


def _safe_type(kind: str) -> str:
    """A declared type as it can stand in a statement of our own."""
    return kind if all(part.isalnum() or part in " _(),." for part in kind) else ""


def _guess_keys(reader: sqlite3.Connection, tables: Mapping[str, _Table]) -> list[str]:
    """Adds to tables that declare no foreign key those that names and values tell."""
    if all(table.foreign for table in tables.values()) or len(tables) < 2:
        return []
    described = [
        FileTable(
            table.name,
            lambda _: iter(()),
            [name for name, _ in table.columns],
            [_affinity(kind) for _, kind in table.columns],
            [_is_unique(reader, table.name, name) for name, _ in table.columns],
        )
        for table in tables.values()
    ]
    find_references(reader, described, "")
    return list(_taken(described, tables))


def _taken(described: Sequence[FileTable], tables: Mapping[str, _Table]) -> Iterator[str]:
    lacking = [one for one in described if not tables[one.name].foreign]
    for one in lacking:
        table = tables[one.name]
        for column, (other, target) in one.references.items():
            table.foreign.append(((column,), other, (target,)))
            yield f"{one.name}.{column} → {other}.{target}"


def _is_unique(reader: sqlite3.Connection, table: str, column: str) -> bool:
    name = quoted(column)
    count, distinct = reader.execute(f"SELECT COUNT(*), COUNT(DISTINCT {name}) FROM {quoted(table)}").fetchone()
    return bool(count) and count == distinct


def _affinity(kind: str) -> str:
    """INTEGER, REAL or TEXT, by SQLite's rules for declared types."""
    upper = kind.upper()
    if "INT" in upper:
        return "INTEGER"
    return "TEXT" if any(part in upper for part in ("CHAR", "CLOB", "TEXT")) or not upper else "REAL"
