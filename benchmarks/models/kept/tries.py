"""Tries: replies that were paid for, one after the other for each item, whether they could be used or not.

A try is kept when it arrives, before it is judged, and its body is judged whenever it is read: what a reply is good for
is no state that a stopped process could leave half-written. The body lies in the table of the first version, which
thus reads the first tries of this one, and this one reads all that the first one kept: tries without a latency.
"""

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.remote.response_store import ResponseStore

TABLES = """
CREATE TABLE IF NOT EXISTS tries (
    item BLOB, number INTEGER, reply BLOB NOT NULL, arrived REAL, latency REAL, fault TEXT, PRIMARY KEY (item, number)
) WITHOUT ROWID;
"""
_OF_ITEM = """
SELECT number, reply, body, latency, fault FROM tries JOIN replies ON key = reply WHERE item = :item
UNION ALL
SELECT 0, key, body, NULL, NULL FROM replies
    WHERE key = :item AND NOT EXISTS (SELECT 1 FROM tries WHERE item = :item AND number = 0)
ORDER BY 1
"""
_ONE = """
SELECT number, key, body, latency, fault
    FROM replies LEFT JOIN tries ON item = ? AND number = ? AND reply = key WHERE key = ?
"""


@dataclass(frozen=True, slots=True)
class NewTry:
    """A reply that has arrived, as it is kept."""

    item: bytes
    """The key of what was asked for; see `request_key`."""
    number: int
    """Of the item's tries, from 0."""
    key: bytes
    """Under which the body is kept."""
    model: str
    prompt: str
    body: str
    arrived: float
    """Seconds since 1970."""
    latency: float | None
    """Seconds from the request to the reply; None where that says nothing, as in a batch."""


@dataclass(frozen=True, slots=True)
class KeptTry:
    """A try, with the JSON of its body."""

    number: int
    """Of the item's tries, from 0."""
    key: bytes
    """Under which the body is kept."""
    body: Any
    latency: float | None
    """Seconds from the request to the reply when it was made; None where they are not known."""
    fault: str | None = None
    """Why it cannot be used, where that is noted: whether it can is seen from the body."""
    is_kept: bool = True
    """It was not made now, or somebody else has made it."""


def key_of_try(item: bytes, number: int) -> bytes:
    """Under which the body of a try is kept: of the first one the item's own key, as in the first version."""
    return item if number == 0 else hashlib.sha256(item + number.to_bytes(8, "big")).digest()


def tries_of(store: ResponseStore, item: bytes) -> list[KeptTry]:
    """What was paid for an item, in its order.

    Raises:
        StopError: the file cannot be read, or is damaged.
    """
    return [_kept(store, row) for row in store.read(_OF_ITEM, {"item": item})]


def read_try(store: ResponseStore, item: bytes, number: int, key: bytes) -> KeptTry | None:
    """One try, if it is kept; one of the first version stands under its key alone.

    Raises:
        StopError: the file cannot be read, or is damaged.
    """
    for _, _, *rest in store.read(_ONE, (item, number, key)):
        return _kept(store, (number, key, *rest))
    return None


def _kept(store: ResponseStore, row: tuple[Any, ...]) -> KeptTry:
    number, key, body, latency, fault = row
    try:
        if not isinstance(number, int) or not isinstance(body, str):
            raise TypeError("a try has no number or no text")
        return KeptTry(number, key, json.loads(body), latency, fault)
    except (ValueError, TypeError, RecursionError) as error:
        raise store.damaged(error) from None


def keep(store: ResponseStore, tries: Sequence[NewTry], faults: Sequence[tuple[bytes, KeptTry]] = ()) -> None:
    """Keeps tries, and what is wrong with some; when this returns, they are committed.

    Args:
        store: the file.
        tries: what has arrived.
        faults: items, and tries at them that cannot be used.

    Raises:
        StopError: they cannot be kept; none of them is.
    """
    with store.transaction() as writer:
        write(writer, tries)
        writer.executemany(
            "INSERT INTO tries (item, number, reply, fault) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (item, number) DO UPDATE SET fault = excluded.fault",
            [(item, each.number, each.key, each.fault) for item, each in faults],
        )


def write(writer: sqlite3.Connection, tries: Sequence[NewTry]) -> None:
    """Writes tries, in a transaction."""
    writer.executemany(
        "INSERT OR REPLACE INTO replies (key, model, prompt, body) VALUES (?, ?, ?, ?)",
        [(each.key, each.model, each.prompt, each.body) for each in tries],
    )
    writer.executemany(
        "INSERT OR REPLACE INTO tries (item, number, reply, arrived, latency) VALUES (?, ?, ?, ?, ?)",
        [(each.item, each.number, each.key, each.arrived, each.latency) for each in tries],
    )
