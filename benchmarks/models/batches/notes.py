"""What is noted of batches in the file of kept replies: before each of their stages, so that a stop loses none of them.

A batch is noted before its file is uploaded, the file before a batch is made of it, and the batch until all its replies
are kept. One process at a time is at work on it; another one may take over once that has ended.
"""

import os
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from benchwright.benchmarks.models.kept.tries import NewTry, write
from benchwright.benchmarks.models.settings import Endpoint
from benchwright.benchmarks.remote.response_store import ResponseStore

TABLES = """
CREATE TABLE IF NOT EXISTS batches (
    name TEXT PRIMARY KEY, url TEXT NOT NULL, model TEXT NOT NULL, file TEXT, batch TEXT, worker TEXT, until REAL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS batched (
    key BLOB PRIMARY KEY, item BLOB NOT NULL, number INTEGER NOT NULL, prompt TEXT, step TEXT, role TEXT,
    name TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS batched_together ON batched (name);
"""
LEASE = 120.0
"""Seconds that a process may leave a batch without a sign of life before another one takes over."""
_REQUEST = """
INSERT OR IGNORE INTO batched
    SELECT ?, ?, ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM tries WHERE item = ? AND number = ?)
"""


@dataclass(frozen=True, slots=True)
class BatchedRequest:
    """A try at an item that a batch asks for."""

    key: bytes
    """Under which its reply is kept; as hexadecimal digits the request's custom id."""
    item: bytes
    number: int
    """Of the item's tries."""
    prompt: str
    """SHA-256 of the prompt."""
    step: str
    role: str


@dataclass(frozen=True, slots=True)
class NotedBatch:
    """How far a batch has come."""

    name: str
    """Ours; its file at the endpoint is called after it."""
    file: str | None = None
    """The endpoint's id of its file; None: it is not known whether it was uploaded."""
    batch: str | None = None
    """The endpoint's id of the batch; None: it is not known whether it was made."""


class BatchNotes:
    """The notes on the batches of one endpoint and model."""

    def __init__(self, store: ResponseStore, endpoint: Endpoint) -> None:
        self._store, self._of = store, (endpoint.base_url, endpoint.model)
        self._me = f"{socket.gethostname()} {os.getpid()} {uuid4().hex[:8]}"

    def begin(self, requests: Sequence[BatchedRequest]) -> tuple[NotedBatch, set[bytes]]:
        """Notes a batch that is about to be sent, with the keys of those requests that nobody else asks for or has."""
        noted = NotedBatch(f"benchwright-{uuid4().hex}")
        rows = [(r.key, r.item, r.number, r.prompt, r.step, r.role, noted.name, r.item, r.number) for r in requests]
        begun = (noted.name, *self._of, self._me, time.time() + LEASE)
        with self._store.transaction() as writer:
            writer.execute("INSERT INTO batches VALUES (?, ?, ?, NULL, NULL, ?, ?)", begun)
            writer.executemany(_REQUEST, rows)
        return noted, {request.key for request in self.requests(noted.name)}

    def requests(self, name: str) -> list[BatchedRequest]:
        """The requests of a batch whose replies are not kept yet."""
        query = "SELECT key, item, number, prompt, step, role FROM batched WHERE name = ?"
        return [BatchedRequest(*row) for row in self._store.read(query, (name,))]

    def find(self, key: bytes) -> str | None:
        """The name of the batch that asks for something, if one does."""
        rows = self._store.read("SELECT name FROM batched WHERE key = ?", (key,))
        return rows[0][0] if rows else None

    def read(self, name: str) -> NotedBatch | None:
        """How far a batch has come; None where it has ended."""
        rows = self._store.read("SELECT name, file, batch FROM batches WHERE name = ?", (name,))
        return NotedBatch(*rows[0]) if rows else None

    def set_file(self, name: str, file: str) -> None:
        """Notes that a batch's file is uploaded."""
        self._change("UPDATE batches SET file = ? WHERE name = ?", file, name)

    def set_batch(self, name: str, batch: str) -> None:
        """Notes that a batch is made."""
        self._change("UPDATE batches SET batch = ? WHERE name = ?", batch, name)

    def take(self, name: str) -> bool:
        """Whether this process is now the one at work on a batch, or still is."""
        rows = self._store.read("SELECT worker, until FROM batches WHERE name = ?", (name,))
        if not rows:
            return False
        worker, until = rows[0]
        if worker != self._me and worker is not None and until > time.time() and _may_live(worker):
            return False
        query = "UPDATE batches SET worker = ?, until = ? WHERE name = ? AND worker IS ? AND until IS ?"
        return self._change(query, self._me, time.time() + LEASE, name, worker, until) == 1

    def leave(self, name: str) -> None:
        """Lets another process take over at once."""
        self._change("UPDATE batches SET worker = NULL WHERE name = ? AND worker = ?", name, self._me)

    def keep(self, tries: Sequence[NewTry], ended: Sequence[bytes]) -> None:
        """Keeps tries, and forgets that they and others are asked for: all of it or nothing."""
        gone = [(key,) for key in (*(each.key for each in tries), *ended)]
        with self._store.transaction() as writer:
            write(writer, tries)
            writer.executemany("DELETE FROM batched WHERE key = ?", gone)

    def end(self, name: str) -> None:
        """Forgets a batch and what it still asks for."""
        with self._store.transaction() as writer:
            writer.execute("DELETE FROM batched WHERE name = ?", (name,))
            writer.execute("DELETE FROM batches WHERE name = ?", (name,))

    def _change(self, query: str, *values: object) -> int:
        with self._store.transaction() as writer:
            return writer.execute(query, values).rowcount


def is_in_batch(store: ResponseStore, key: bytes) -> bool:
    """Whether a batch asks for something that is known to be made."""
    query = "SELECT 1 FROM batched JOIN batches USING (name) WHERE key = ? AND batch IS NOT NULL"
    return bool(store.read(query, (key,)))


def _may_live(worker: str) -> bool:
    """Whether the process that is noted as at work on a batch may still run: of another machine nobody knows."""
    host, process, _ = worker.split(" ")
    if host != socket.gethostname():
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
