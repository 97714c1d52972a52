"""What a server answered, in a SQLite file: kept before it is used, so that nothing is asked or paid for twice.

A response that `put` has committed outlives the process, however that ends; where the disk is full or the file is held
by another process it says so and keeps nothing, and what was kept before stays. Threads and processes may share a file.
"""

import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, StopError

_SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS replies (key BLOB PRIMARY KEY, model TEXT, prompt TEXT, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS modes (endpoint TEXT PRIMARY KEY, mode TEXT NOT NULL) WITHOUT ROWID;
"""
"""As the first version named them, of models and their prompts: files of that version stay readable."""
_WAIT = 60.0
"""Seconds that another process may hold the file."""

StoredResponse = tuple[bytes, str, str, str]
"""Key, who was asked, what for, and the body."""


def users_folder() -> Path:
    """The user's own folder for what was answered."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "benchwright"


class ResponseStore:
    """Request's key → response's body, and a few notes on who was asked."""

    def __init__(self, path: Path, *, elsewhere: str, compresses: bool = False, tables: str = "") -> None:
        """Opens the file, or makes it.

        Args:
            path: the file; its folder is made.
            elsewhere: how a person chooses another file, for messages: `choose another file with --cache`.
            compresses: bodies are compressed as they are kept.
            tables: what the file holds besides, in SQL that makes it where it is not there.

        Raises:
            BenchwrightError: it cannot be made, or is not such a file.
        """
        self.path, self._elsewhere, self._compresses, self._tables = path, elsewhere, compresses, tables
        self._reading, self._writing = threading.Lock(), threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not path.is_file():
                raise BenchwrightError(f"replies cannot be kept in {path}: it is not a file; {elsewhere}")
            self._reader, self._writer = self._connect(), self._connect()
            self._prepare()
        except sqlite3.Error as error:
            raise self._explained(error) from None
        except OSError as error:
            raise BenchwrightError(f"replies cannot be kept in {path}: {error.strerror}; {elsewhere}") from None

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=_WAIT, check_same_thread=False, isolation_level=None)

    def _prepare(self) -> None:
        """Makes the tables, and looks whether they are ours."""
        until = time.monotonic() + _WAIT
        while True:
            try:
                self._writer.executescript(_SCHEMA + self._tables)
                others = "SELECT name FROM sqlite_master WHERE type IN ('view', 'trigger')"
                if self._reader.execute(others).fetchone():  # of which reading one row may never end
                    raise sqlite3.DatabaseError("it holds more than tables")
                self._reader.execute("SELECT key, model, prompt, typeof(body) FROM replies LIMIT 1").fetchone()
                self._check_columns()
                return
            except sqlite3.OperationalError as error:
                # SQLite itself does not wait where several processes make the file, or close and open it, at once
                if "locked" not in str(error) or time.monotonic() > until:
                    raise
                time.sleep(0.01)

    def _check_columns(self) -> None:
        """Looks whether the tables have the columns that are written: another version may have made them.

        Raises:
            BenchwrightError: one cannot be written, which a reply that is paid for must not be the first to find out.
        """
        with closing(sqlite3.connect(":memory:")) as ours:
            ours.executescript(_SCHEMA + self._tables)
            for (table,) in ours.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                names = {row[1] for row in ours.execute(f"PRAGMA table_info({table})")}
                found = self._reader.execute(f"PRAGMA table_info({table})").fetchall()
                wanted = {row[1] for row in found if row[3] and row[4] is None}  # without a value that stands by itself
                if not names <= {row[1] for row in found} or not wanted <= names:
                    raise BenchwrightError(
                        f"the kept replies {self.path} were made by another version of Benchwright: {self._elsewhere}"
                    )

    def get(self, key: bytes) -> str | None:
        """The body that is kept for a key.

        Raises:
            StopError: the file cannot be read.
        """
        body = self._first("SELECT body FROM replies WHERE key = ?", key)
        if not isinstance(body, bytes):
            return body
        try:
            return zlib.decompress(body).decode()
        except (zlib.error, UnicodeDecodeError) as error:
            raise self._explained(error) from None

    def put(self, responses: Sequence[StoredResponse], *, replaces: bool = True) -> None:
        """Keeps responses: when this returns, they are committed.

        Args:
            responses: what was answered.
            replaces: one whose key is there already takes its place; else the first one stays.

        Raises:
            StopError: they cannot be kept; none of them is.
        """
        rows: Sequence[tuple[bytes, str, str, str | bytes]] = responses
        if self._compresses:
            rows = [(*names, zlib.compress(body.encode(), 3)) for *names, body in responses]  # type: ignore[misc]
        kind = "REPLACE" if replaces else "IGNORE"
        with self.transaction() as writer:
            writer.executemany(f"INSERT OR {kind} INTO replies (key, model, prompt, body) VALUES (?, ?, ?, ?)", rows)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """The connection that writes, in a transaction that is committed in the end; for one thread at a time.

        Raises:
            StopError: nothing of it can be kept.
        """
        with self._writing:
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException as error:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise self._explained(error) from None
                raise

    def read(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[tuple[Any, ...]]:
        """The rows that a query finds.

        Raises:
            StopError: the file cannot be read.
        """
        with self._reading:
            try:
                return self._reader.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise self._explained(error) from None

    def note(self, about: str) -> str | None:
        """What was noted about a server."""
        return self._first("SELECT mode FROM modes WHERE endpoint = ?", about)

    def set_note(self, about: str, text: str) -> None:
        """Notes something about a server, in place of what was noted before."""
        with self._writing:
            try:
                self._writer.execute("INSERT OR REPLACE INTO modes (endpoint, mode) VALUES (?, ?)", (about, text))
            except sqlite3.Error as error:
                raise self._explained(error) from None

    def _first(self, query: str, key: bytes | str) -> str | None:
        rows = self.read(query, (key,))
        return rows[0][0] if rows else None

    def shrink(self) -> None:
        """Moves what lies in the log into the file and cuts the log off, where there is room for that."""
        with self._writing, suppress(sqlite3.Error):
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Closes the file."""
        with self._reading, self._writing:
            self._reader.close()
            self._writer.close()

    def _explained(self, error: Exception) -> StopError:
        said = str(error)
        if "full" in said or "disk I/O" in said:
            return StopError(f"the disk is full under the kept replies {self.path}: free some space and start again")
        if "locked" in said or "busy" in said:
            return StopError(f"another process holds the kept replies {self.path}: wait for it, or {self._elsewhere}")
        if "readonly" in said or "unable to open" in said:
            return StopError(f"replies cannot be kept in {self.path}: {said}; {self._elsewhere}")
        return self.damaged(error)

    def damaged(self, why: object) -> StopError:
        """The error of a file that does not hold what it should."""
        return StopError(
            f"the kept replies {self.path} are damaged or no such file ({str(why)[:200]}): move the file away, or "
            f"{self._elsewhere}"
        )
