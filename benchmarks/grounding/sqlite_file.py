"""SQLite files: opened so that nothing can be written, and hashed by their rows."""

import hashlib
import sqlite3
from pathlib import Path
from urllib.parse import quote

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sqlite_guard import distrust, guard_reading

LARGEST_VALUE = 25_000_000
"""How many bytes a value may have that is shipped: hashing one takes ten times as much memory."""


def connect_read_only(path: Path, *, timeout: float = 5.0) -> sqlite3.Connection:
    """A connection on which the file cannot be written, and whose views and indexes call harmless functions only.

    Raises:
        BenchwrightError: there is no such file.
    """
    if not path.is_file():
        raise BenchwrightError(f"there is no database {path}: check the path")
    if path.stat().st_size == 0:
        raise BenchwrightError(f"the database {path} is empty: it has no table")
    url = f"file:{quote(str(path.resolve()))}?mode=ro"
    connection = sqlite3.connect(url, uri=True, timeout=timeout, check_same_thread=False)
    distrust(connection)
    return connection


def rows_digest(path: Path) -> str:
    """SHA-256 of all rows of all tables: tables by name, rows in stored order, each value with its type.

    Raises:
        BenchwrightError: the file is no SQLite database, or holds a virtual table or a generated column, which a
            shipped database never has, and whose values a small file can make as large as it likes, or more rows or
            bytes than fit into it: pages of a forged file can stand for others, over and over.
    """
    digest = hashlib.sha256()
    left = path.stat().st_size
    try:
        connection = connect_read_only(path)
        try:
            guard_reading(connection)
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
            tables = (
                "SELECT name, rootpage FROM sqlite_master "
                "WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
            )
            for table, page in connection.execute(tables).fetchall():
                columns = connection.execute(f"PRAGMA table_xinfo({quoted(table)})") if page else ()
                if not page or any(hidden for *_, hidden in columns):
                    raise BenchwrightError(
                        f"the database {path} computes what the table {table!r} holds: only stored rows are shipped"
                    )
                rows = connection.execute(f"SELECT * FROM {quoted(table)}")
                digest.update(repr((table, [column[0] for column in rows.description])).encode())
                for row in rows:
                    left -= 2 + sum(len(value) for value in row if isinstance(value, str | bytes))
                    if left < 0:
                        raise BenchwrightError(f"the database {path} cannot be read: its pages name each other")
                    digest.update(repr(row).encode("utf-8", "surrogatepass"))
        finally:
            connection.close()
    except sqlite3.Error as error:
        if "too big" in str(error):
            raise BenchwrightError(
                f"the database {path.name} holds a value of more than {LARGEST_VALUE:,} bytes, which no release holds: "
                "leave out --set ship, or use --set ship=touched"
            ) from None
        raise BenchwrightError(f"the database {path} cannot be read: {error}") from None
    return digest.hexdigest()


def quoted(name: str) -> str:
    """A table's or column's name as a quoted identifier of standard SQL."""
    return '"' + name.replace('"', '""') + '"'
