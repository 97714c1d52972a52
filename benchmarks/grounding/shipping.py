"""Copying a database, or the columns of it that are used, into a SQLite file that is the same for the same rows."""

import re
import sqlite3
from collections.abc import Collection, Mapping
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sqlite_file import connect_read_only, quoted


def copy_database(source: Path, target: Path, wanted: Mapping[str, Collection[str] | None]) -> int:
    """Copies tables row by row, in stored order, and views in the order of their values, with the declared types and
    collating sequences of their columns.

    A table that is copied as a whole also tells its primary and its foreign keys, from which the hops of questions
    follow; other constraints are left out, and so are all of a copy of some columns.

    Args:
        source: a SQLite file.
        target: the SQLite file to be made.
        wanted: table or view → columns; None copies all of them.

    Returns:
        The number of rows copied.

    Raises:
        BenchwrightError: the source cannot be read.
    """
    count = 0
    try:
        reader, writer = connect_read_only(source), sqlite3.connect(target)
        try:
            for table, columns_wanted in sorted(wanted.items()):
                collations = _collations(reader, table)
                columns = [
                    (name, kind + collations.get(name, ""))
                    for _, name, kind, *_ in reader.execute(f"PRAGMA table_info({quoted(table)})")
                    if columns_wanted is None or name in columns_wanted
                ]
                declared = [f"{quoted(name)} {kind}" for name, kind in columns]
                if columns_wanted is None:
                    declared += _keys(reader, table)
                writer.execute(f"CREATE TABLE {quoted(table)} ({', '.join(declared)}){_options(reader, table)}")
                selected = ", ".join(quoted(name) for name, _ in columns)
                marks = ", ".join("?" for _ in columns)
                order = f" ORDER BY {selected}" if _is_view(reader, table) else ""
                rows = reader.execute(f"SELECT {selected} FROM {quoted(table)}{order}")
                count += writer.executemany(f"INSERT INTO {quoted(table)} VALUES ({marks})", rows).rowcount
            writer.commit()
        finally:
            reader.close()
            writer.close()
    except sqlite3.Error as error:
        raise BenchwrightError(f"the database {source} cannot be copied: {error}") from None
    return count


def _is_view(reader: sqlite3.Connection, table: str) -> bool:
    return (
        reader.execute("SELECT 1 FROM sqlite_master WHERE type = 'view' AND name = ?", (table,)).fetchone() is not None
    )


def _collations(reader: sqlite3.Connection, table: str) -> dict[str, str]:
    """Column → ` COLLATE NOCASE` or the like, where its texts are not compared byte by byte.

    No pragma tells it of a column, but one does of an index: an empty table that is declared in the same way gets one.
    """
    (declared,) = reader.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    names = [row[1] for row in reader.execute(f"PRAGMA table_info({quoted(table)})")]
    if not re.match(r"CREATE\s+TABLE\b", declared, re.IGNORECASE):
        return {}
    scratch = sqlite3.connect(":memory:")
    try:
        scratch.execute(declared)
        scratch.execute(f"CREATE INDEX own ON {quoted(table)} ({', '.join(map(quoted, names))})")
        known = {name: collation for *_, name, _, collation, _ in scratch.execute("PRAGMA index_xinfo(own)")}
    except sqlite3.Error:  # such as a collating sequence that only another program has
        return {}
    finally:
        scratch.close()
    return {name: f" COLLATE {known[name]}" for name in names if known[name] != "BINARY"}


def _options(reader: sqlite3.Connection, table: str) -> str:
    """` STRICT`, where a table is: it keeps values of the type ANY as they are."""
    rows = reader.execute(f"PRAGMA table_list({quoted(table)})").fetchall()
    return " STRICT" if any(row[0] == "main" and row[5] for row in rows) else ""


def _keys(reader: sqlite3.Connection, table: str) -> list[str]:
    """The primary key and the foreign keys of a table, as it declares them."""
    numbered = sorted((row[5], row[1]) for row in reader.execute(f"PRAGMA table_info({quoted(table)})") if row[5])
    keys = [f"PRIMARY KEY ({', '.join(quoted(name) for _, name in numbered)})"] if numbered else []
    foreign: dict[int, list[tuple[str, str, str | None]]] = {}
    for number, _, target, column, referred, *_ in reader.execute(f"PRAGMA foreign_key_list({quoted(table)})"):
        foreign.setdefault(number, []).append((column, target, referred))
    for number in sorted(foreign, reverse=True):
        columns, targets, referred = zip(*foreign[number], strict=True)
        key = f"FOREIGN KEY ({', '.join(map(quoted, columns))}) REFERENCES {quoted(targets[0])}"
        keys.append(key + (f" ({', '.join(map(quoted, referred))})" if None not in referred else ""))
    return keys
