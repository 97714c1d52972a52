"""Claims: a request is claimed in the file of kept replies before it is sent, so that processes that share the file do
not pay for it twice.

A claim belongs to a client, whose process says every few seconds that it lives: when it ends, so do its claims. On the
same machine it is looked up whether the process is still there. Claims are written as replies are: one commit for all
that come together.
"""

import asyncio
import contextlib
import os
import secrets
import socket
import sqlite3
import time
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.remote.response_store import ResponseStore

LIFETIME = 15.0
"""Seconds after which the claims of a process that says nothing any more are free."""
_RENEWED = LIFETIME / 3
_LOOKED = 0.1
"""Seconds between two looks at the claims of others."""
_TABLES = (
    "CREATE TABLE IF NOT EXISTS owners (id INTEGER PRIMARY KEY, place TEXT NOT NULL, process INTEGER NOT NULL, "
    "until REAL NOT NULL)",
    "CREATE TABLE IF NOT EXISTS claims (key BLOB PRIMARY KEY, owner INTEGER NOT NULL) WITHOUT ROWID",
)


class ClaimedElsewhere(Exception):
    """A request is on its way in another process, or was answered to it just now."""


class Claims:
    """The claims of one client on requests. Belongs to one event loop."""

    def __init__(self, store: ResponseStore) -> None:
        self._store = store
        self._id = secrets.randbits(62)
        self._own: set[bytes] = set()
        self._taking: list[tuple[bytes, asyncio.Future[bool]]] = []
        self._returning: list[bytes] = []
        self._awaited: dict[bytes, asyncio.Future[None]] = {}
        self.is_ending = False
        """Nothing is claimed any more, and what is given back is so when all ends."""
        self._is_there = False
        """The tables are made, and claims of processes that have ended are gone."""
        self._writer: asyncio.Task[None] | None = None
        self._renewer: asyncio.Task[None] | None = None
        self._looker: asyncio.Task[None] | None = None

    async def take(self, key: bytes) -> bool:
        """Claims a request; False where another process has claimed it and lives.

        Raises:
            StopError: the claim cannot be written.
        """
        if key in self._own:
            return True
        taken: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._taking.append((key, taken))
        self._write()
        return await taken

    def give_back(self, key: bytes) -> None:
        """Ends a claim, if there is one: with the next commit."""
        if key in self._own:
            self._own.discard(key)
            self._returning.append(key)
            self._write()

    async def wait(self, key: bytes) -> None:
        """Waits until nobody else holds a claim on a request."""
        free = self._awaited[key] = asyncio.get_running_loop().create_future()
        if self._looker is None or self._looker.done():
            self._looker = asyncio.create_task(self._look())
        try:
            await free
        finally:
            self._awaited.pop(key, None)

    def close(self) -> None:
        """Ends all claims; to be called when no task is left."""
        if not self._is_there:
            return
        with contextlib.suppress(StopError), self._store.transaction() as writer:  # they end with the process, too
            writer.execute("DELETE FROM claims WHERE owner = ?", (self._id,))
            writer.execute("DELETE FROM owners WHERE id = ?", (self._id,))

    def _write(self) -> None:
        if self.is_ending:
            return
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_all())
        if self._renewer is None or self._renewer.done():
            self._renewer = asyncio.create_task(self._renew())

    async def _write_all(self) -> None:
        while self._taking or self._returning:
            taking, self._taking = self._taking, []
            returning, self._returning = self._returning, []
            got: set[bytes] | StopError
            try:
                got = await asyncio.to_thread(self._commit, [key for key, _ in taking], returning)
            except StopError as error:
                got = error
            for key, taken in taking:
                if not isinstance(got, StopError) and key in got:
                    self._own.add(key)
                    if taken.cancelled():
                        self.give_back(key)
                if taken.cancelled():
                    continue
                if isinstance(got, StopError):
                    taken.set_exception(got)
                else:
                    taken.set_result(key in got)

    async def _renew(self) -> None:
        """Says that the process lives, as long as it has a claim."""
        while self._own or self._taking:
            await asyncio.sleep(_RENEWED)
            with contextlib.suppress(StopError):  # where claims cannot be written, no further request leaves
                await asyncio.to_thread(self._commit, [], [])

    async def _look(self) -> None:
        """Tells those who wait what is free."""
        while self._awaited:
            await asyncio.sleep(_LOOKED)
            awaited = list(self._awaited)
            try:
                held = await asyncio.to_thread(self._held)
            except StopError as error:
                for key in awaited:
                    if (free := self._awaited.get(key)) is not None and not free.done():
                        free.set_exception(error)
                continue
            for key in awaited:
                if key not in held and (free := self._awaited.get(key)) is not None and not free.done():
                    free.set_result(None)

    def _commit(self, taking: Iterable[bytes], returning: Iterable[bytes]) -> set[bytes]:
        """Writes what has come together; returns which requests are claimed now."""
        got: set[bytes] = set()
        with self._store.transaction() as writer:
            if not self._is_there:
                for table in _TABLES:
                    writer.execute(table)
                _forget_ended(writer)
            writer.execute(
                "INSERT OR REPLACE INTO owners VALUES (?, ?, ?, ?)",
                (self._id, _place(), os.getpid(), time.time() + LIFETIME),
            )
            writer.executemany("DELETE FROM claims WHERE key = ? AND owner = ?", [(key, self._id) for key in returning])
            for key in taking:
                row = writer.execute(
                    "SELECT owner, place, process, until FROM claims LEFT JOIN owners ON owner = id WHERE key = ?",
                    (key,),
                ).fetchone()
                if row is None or row[0] == self._id or not _lives(*row[1:]):
                    writer.execute("INSERT OR REPLACE INTO claims VALUES (?, ?)", (key, self._id))
                    got.add(key)
        self._is_there = True
        return got

    def _held(self) -> set[bytes]:
        """What others hold, of processes that live."""
        rows = self._store.read(
            "SELECT key, owner, place, process, until FROM claims JOIN owners ON owner = id WHERE owner != ?",
            (self._id,),
        )
        lives = {owner: _lives(*of) for owner, *of in {row[1:] for row in rows}}
        return {row[0] for row in rows if lives[row[1]]}


def _forget_ended(writer: sqlite3.Connection) -> None:
    """Deletes the claims of processes that have ended."""
    for owner, *of in writer.execute("SELECT id, place, process, until FROM owners").fetchall():
        if not _lives(*of):
            writer.execute("DELETE FROM owners WHERE id = ?", (owner,))
    writer.execute("DELETE FROM claims WHERE owner NOT IN (SELECT id FROM owners)")


def _lives(place: str | None, process: int, until: float) -> bool:
    """Whether the process that holds a claim is still there; nothing is known of processes elsewhere but `until`."""
    if place is None or until < time.time():
        return False
    if place != _place():
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True


@lru_cache(maxsize=1)
def _place() -> str:
    """Names what process numbers count in: the machine since its start, and the container."""
    parts = [socket.gethostname()]
    try:
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip())
        parts.append(str(Path("/proc/self/ns/pid").readlink()))
    except OSError:
        pass  # not Linux: its name alone
    return " ".join(parts)
