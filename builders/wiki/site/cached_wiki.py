"""A wiki whose replies are kept as they arrive, so that an interrupted harvest goes on and fetches nothing twice."""

import hashlib
import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchwright.benchmarks.remote.response_store import ResponseStore, users_folder
from benchwright.builders.wiki.site.connection import Wiki

Parameters = Mapping[str, str | int]

_FILE = "wiki-replies.sqlite"


def open_store(folder: Path | None = None) -> ResponseStore:
    """The file of what wikis have replied, in a folder, by default in the user's own.

    Raises:
        BenchwrightError: it cannot be made, or is not such a file.
    """
    return ResponseStore(
        (folder or users_folder()) / _FILE, elsewhere="name another folder in XDG_CACHE_HOME", compresses=True
    )


class CachedWiki:
    """A wiki as one harvest sees it: what was asked before is answered from the store. Threads may share it.

    Replies are kept for each harvest apart: another one, of another day perhaps, sees the wiki as it is then.
    """

    def __init__(self, wiki: Wiki, store: ResponseStore, request: Mapping[str, Any]) -> None:
        """A wiki, for the harvest that was asked for with `request`: all that decides which replies it is made of."""
        self.wiki = wiki
        self._store = store
        self._harvest = hashlib.sha256(_canonical(request).encode()).hexdigest()
        self._lock = threading.Lock()
        self._sent: dict[bytes, int] = {}
        """Key of each reply → the requests that it took."""

    def ask(self, parameters: Parameters, serial: int = 0) -> dict[str, Any]:
        """The reply to one query; `serial` tells queries apart whose reply is another each time.

        Raises:
            BenchwrightError: there is no reply, or it cannot be kept.
        """
        key = hashlib.sha256(_canonical([self._harvest, parameters, serial]).encode()).digest()
        body = self._store.get(key)
        if body is None:
            before = self.wiki.rate.sent_by_this_thread
            reply = self.wiki.ask(**parameters)
            sent = self.wiki.rate.sent_by_this_thread - before
            body = json.dumps({"requests": sent, "reply": reply})
            self._store.put([(key, self.wiki.address, self._harvest, body)], replaces=False)
        else:
            kept = json.loads(body)
            reply, sent = kept["reply"], kept["requests"]
            self.wiki.was_answered()
        with self._lock:
            self._sent[key] = sent
        return reply

    @property
    def requests(self) -> int:
        """Requests behind all replies so far, those of earlier starts included."""
        return sum(self._sent.values())

    def ask_on(self, parameters: Parameters, serial: int = 0) -> Iterator[dict[str, Any]]:
        """All replies to a query that is continued."""
        further: Mapping[str, Any] = {}
        while True:
            reply = self.ask({**parameters, **further}, serial)
            yield reply
            if not (further := reply.get("continue", {})):
                return

    def ask_all(
        self, queries: Iterable[tuple[Parameters, int]], on: bool = True, *, whole: bool = False
    ) -> Iterator[list[dict[str, Any]]]:
        """The replies to several queries about pages, in the queries' order, some fetched at once.

        `on`: with the continuations that the content of these pages needs; `whole`: with all that there are.
        """

        def replies(query: tuple[Parameters, int]) -> list[dict[str, Any]]:
            arrived = []
            for reply in self.ask_on(*query):
                arrived.append(reply)
                if not whole and (not on or "batchcomplete" in reply):  # what is continued then is another batch
                    break
            return arrived

        todo = list(queries)
        if len(todo) < 2 or self.wiki.at_once < 2:
            yield from map(replies, todo)
            return
        pool = ThreadPoolExecutor(self.wiki.at_once)
        try:
            yield from pool.map(replies, todo)
        except (KeyboardInterrupt, SystemExit):
            self.wiki.rate.stop()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=dict)
