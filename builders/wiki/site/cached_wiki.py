"""What a wiki replied is kept as it arrives, so that an interrupted harvest goes on and fetches nothing twice."""

import contextlib
import hashlib
import json
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.wiki.site.connection import Wiki

Parameters = Mapping[str, str | int]

_FILE = "wikipedia.sqlite"
_TABLES = """
CREATE TABLE IF NOT EXISTS reply (
  harvest TEXT NOT NULL, asked TEXT NOT NULL, reply BLOB NOT NULL, requests INTEGER NOT NULL,
  PRIMARY KEY (harvest, asked)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS harvest (harvest TEXT PRIMARY KEY, request TEXT NOT NULL) WITHOUT ROWID;
"""


class Store:
    """Replies in a file of a folder, for each harvest its own. Threads may share it, and processes too."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / _FILE
        self._lock = threading.Lock()
        with self._errors():
            folder.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(self.path, timeout=60, check_same_thread=False, isolation_level=None)
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=NORMAL")
            self._file.executescript(_TABLES)

    def begin(self, request: Mapping[str, Any]) -> str:
        """The name under which the replies of a harvest are kept: a hash of all that was asked for."""
        written = _canonical(request)
        harvest = hashlib.sha256(written.encode()).hexdigest()
        with self._lock, self._errors():
            self._file.execute("INSERT OR IGNORE INTO harvest VALUES (?, ?)", (harvest, written))
        return harvest

    def recall(self, harvest: str, asked: str) -> tuple[dict[str, Any], int] | None:
        """A reply that was kept, and how many requests it took."""
        with self._lock, self._errors():
            row = self._file.execute(
                "SELECT reply, requests FROM reply WHERE harvest = ? AND asked = ?", (harvest, asked)
            ).fetchone()
        if row is None:
            return None
        with self._errors():
            return json.loads(zlib.decompress(row[0])), row[1]

    def keep(self, harvest: str, asked: str, reply: Mapping[str, Any], requests: int) -> None:
        """Keeps a reply: when this returns, it outlives the process."""
        packed = zlib.compress(json.dumps(reply).encode(), 3)
        with self._lock, self._errors():
            self._file.execute("INSERT OR IGNORE INTO reply VALUES (?, ?, ?, ?)", (harvest, asked, packed, requests))

    def forget_others(self, harvest: str) -> int:
        """Deletes the replies of all other harvests: how many there were."""
        with self._lock, self._errors():
            gone = self._file.execute("DELETE FROM reply WHERE harvest <> ?", (harvest,)).rowcount
            self._file.execute("DELETE FROM harvest WHERE harvest <> ?", (harvest,))
            self._file.execute("VACUUM")
        return gone

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, zlib.error, ValueError) as error:
            raise BenchwrightError(
                f"the working store {self.path} cannot be used ({error}): make room, or delete it and start again"
            ) from error
        except OSError as error:
            raise BenchwrightError(f"the working store {self.path} cannot be made: {error.strerror}") from error


class Kept:
    """A wiki as one harvest sees it: what was asked before is answered from the store."""

    def __init__(self, wiki: Wiki, store: Store, request: Mapping[str, Any]) -> None:
        self.wiki = wiki
        self._store = store
        self._harvest = store.begin(request)
        self._lock = threading.Lock()
        self._counted: dict[str, int] = {}

    def ask(self, parameters: Parameters, serial: int = 0) -> dict[str, Any]:
        """The reply to one query; `serial` tells queries apart whose reply is another each time."""
        asked = hashlib.sha256(_canonical([parameters, serial]).encode()).hexdigest()
        found = self._store.recall(self._harvest, asked)
        if found is None:
            before = self.wiki.pace.by_this_thread
            reply = self.wiki.ask(**parameters)
            found = reply, self.wiki.pace.by_this_thread - before
            self._store.keep(self._harvest, asked, *found)
        with self._lock:
            self._counted[asked] = found[1]
        return found[0]

    @property
    def requests(self) -> int:
        """Requests behind all replies so far, those of earlier starts included."""
        return sum(self._counted.values())

    def ask_on(self, parameters: Parameters, serial: int = 0) -> Iterator[dict[str, Any]]:
        """All replies to a query that is continued."""
        further: Mapping[str, Any] = {}
        while True:
            reply = self.ask({**parameters, **further}, serial)
            yield reply
            if not (further := reply.get("continue", {})):
                return

    def ask_all(self, queries: Iterable[tuple[Parameters, int]], on: bool = True) -> Iterator[list[dict[str, Any]]]:
        """The replies to several queries about pages, in the queries' order, some fetched at once.

        `on`: with the continuations that the content of these pages needs.
        """

        def replies(query: tuple[Parameters, int]) -> list[dict[str, Any]]:
            found = []
            for reply in self.ask_on(*query):
                found.append(reply)
                if not on or "batchcomplete" in reply:  # what is continued then is another batch
                    break
            return found

        todo = list(queries)
        if len(todo) < 2 or self.wiki.at_once < 2:
            yield from map(replies, todo)
            return
        pool = ThreadPoolExecutor(self.wiki.at_once)
        try:
            yield from pool.map(replies, todo)
        except (KeyboardInterrupt, SystemExit):
            self.wiki.pace.give_up()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=dict)
