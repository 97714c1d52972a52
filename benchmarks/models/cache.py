"""Replies kept on disk: what was paid for once is never paid for again, whatever happens to the process.

One SQLite file, safe with several processes. A reply is committed before anything is done with it; replies that arrive
together are committed together.
"""

import asyncio
import os
import sqlite3
import threading
import time
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError, StopError

_SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS replies (key BLOB PRIMARY KEY, model TEXT, prompt TEXT, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS modes (endpoint TEXT PRIMARY KEY, mode TEXT NOT NULL) WITHOUT ROWID;
"""
_WAIT = 60.0
"""Seconds that another process may hold the file."""

Row = tuple[bytes, str, str, str]


def default_path() -> Path:
    """The user's own file of kept replies."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "benchwright" / "replies.sqlite"


class ReplyCache:
    """Request's key → reply's body. `get` and `put` belong to one event loop."""

    def __init__(self, path: Path) -> None:
        """Opens the file, or makes it.

        Raises:
            BenchwrightError: it cannot be made, or is not such a file.
        """
        self.path = path
        self._waiting: list[tuple[Row, asyncio.Future[None]]] = []
        self._flusher: asyncio.Task[None] | None = None
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._reader, self._writer = self._connect(), self._connect()
            self._prepare()
        except sqlite3.Error as error:
            raise self._explained(error) from None
        except OSError as error:
            raise BenchwrightError(
                f"replies cannot be kept in {path}: {error.strerror}; choose another file with --cache"
            ) from None

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=_WAIT, check_same_thread=False, isolation_level=None)

    def _prepare(self) -> None:
        """Makes the tables, and looks whether they are ours."""
        until = time.monotonic() + _WAIT
        while True:
            try:
                self._writer.executescript(_SCHEMA)
                self._reader.execute("SELECT key, model, prompt, body FROM replies LIMIT 1").fetchone()
                return
            except sqlite3.OperationalError as error:
                # SQLite itself does not wait where several processes make the file, or close and open it, at once
                if "locked" not in str(error) or time.monotonic() > until:
                    raise
                time.sleep(0.01)

    def get(self, key: bytes) -> str | None:
        """The body that is kept for a key."""
        return self._first("SELECT body FROM replies WHERE key = ?", key)

    def _first(self, query: str, key: bytes | str) -> str | None:
        try:
            row = self._reader.execute(query, (key,)).fetchone()
        except sqlite3.Error as error:
            raise self._explained(error) from None
        return row[0] if row else None

    async def put(self, key: bytes, model: str, prompt: str, body: str) -> None:
        """Keeps a body; returns once it is committed."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(((key, model, prompt, body), done))
        if self._flusher is None or self._flusher.done():
            self._flusher = asyncio.create_task(self._flush())
        await done

    async def _flush(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            error: StopError | None = None
            try:
                await asyncio.to_thread(self._commit, [row for row, _ in batch])
            except sqlite3.Error as failure:
                error = self._explained(failure)
            for _, done in batch:
                if done.cancelled():
                    continue
                if error:
                    done.set_exception(error)
                else:
                    done.set_result(None)

    @property
    def uncommitted(self) -> int:
        """Not 0 while bodies are on their way to the disk."""
        return len(self._waiting) + (self._flusher is not None and not self._flusher.done())

    def _commit(self, rows: list[Row]) -> None:
        with self._lock:
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                self._writer.executemany("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)", rows)
                self._writer.execute("COMMIT")
            except sqlite3.Error:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise

    def mode(self, endpoint: str) -> str | None:
        """How an endpoint was found to give structured replies."""
        return self._first("SELECT mode FROM modes WHERE endpoint = ?", endpoint)

    def set_mode(self, endpoint: str, mode: str) -> None:
        """Keeps how an endpoint gives structured replies."""
        with self._lock:
            try:
                self._writer.execute("INSERT OR REPLACE INTO modes VALUES (?, ?)", (endpoint, mode))
            except sqlite3.Error as error:
                raise self._explained(error) from None

    def close(self) -> None:
        """Closes the file; what waits is committed first.

        Raises:
            StopError: that cannot be done.
        """
        rows = [row for row, _ in self._waiting]
        self._waiting = []
        try:
            if rows:
                self._commit(rows)
        except sqlite3.Error as error:
            raise self._explained(error) from None
        finally:
            with self._lock:
                self._reader.close()
                self._writer.close()

    def _explained(self, error: sqlite3.Error) -> StopError:
        said = str(error)
        if "full" in said or "disk I/O" in said:
            return StopError(f"the disk is full under the kept replies {self.path}: free some space and start again")
        if "locked" in said or "busy" in said:
            return StopError(f"another process holds the kept replies {self.path}: wait for it, or choose a --cache")
        if "readonly" in said or "unable to open" in said:
            return StopError(f"replies cannot be kept in {self.path}: {said}; choose another file with --cache")
        return StopError(
            f"the kept replies {self.path} are damaged or no such file ({said}): move the file away, or choose another "
            "with --cache"
        )
