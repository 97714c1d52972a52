"""SQLite files: opened so that nothing can be written, and hashed by their rows."""

import hashlib
import sqlite3
from pathlib import Path
from time import monotonic
from urllib.parse import quote

from benchwright.benchmarks.errors import BenchwrightError

SECONDS = 20.0
"""How long one query may take on a connection that forbids writing."""
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


def connect_read_only(path: Path, *, timeout: float = 5.0) -> sqlite3.Connection:
    """A connection on which only SELECT works: the file is opened read-only, and an authorizer refuses all else.

    Raises:
        BenchwrightError: there is no such file.
    """
    if not path.is_file():
        raise BenchwrightError(f"there is no database {path}: check the path")
    if path.stat().st_size == 0:
        raise BenchwrightError(f"the database {path} is empty: it has no table")
    url = f"file:{quote(str(path.resolve()))}?mode=ro"
    return sqlite3.connect(url, uri=True, timeout=timeout, check_same_thread=False)


def forbid_writing(connection: sqlite3.Connection) -> None:
    """From now on the connection runs nothing but SELECT, no ATTACH, no PRAGMA, and no query that never ends."""
    guard = _Guard()
    connection.set_authorizer(guard.allow)
    connection.set_progress_handler(guard.expired, 100_000)


class _Guard:
    """Says what a connection may do. SQLite asks it whenever a statement is prepared, which starts its clock."""

    def __init__(self) -> None:
        self.started = monotonic()

    def allow(self, action: int, *_: object) -> int:
        self.started = monotonic()
        return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY

    def expired(self) -> bool:
        return monotonic() - self.started > SECONDS


def rows_digest(path: Path) -> str:
    """SHA-256 of all rows of all tables: tables by name, rows in stored order, each value with its type.

    Raises:
        BenchwrightError: the file is no SQLite database.
    """
    digest = hashlib.sha256()
    try:
        connection = connect_read_only(path)
        try:
            tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
            for (table,) in connection.execute(tables).fetchall():
                rows = connection.execute(f"SELECT * FROM {quoted(table)}")
                digest.update(repr((table, [column[0] for column in rows.description])).encode())
                for row in rows:
                    digest.update(repr(row).encode("utf-8", "surrogatepass"))
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise BenchwrightError(f"the database {path} cannot be read: {error}") from None
    return digest.hexdigest()


def quoted(name: str) -> str:
    """A table's or column's name as a quoted identifier of standard SQL."""
    return '"' + name.replace('"', '""') + '"'
