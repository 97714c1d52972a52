"""When pages were created, by a dump of a wiki's log.

The log of a dump names pages by the title that they had, never by their id, so that moves are followed: a draft that is
moved to the articles keeps the time of its creation. Titles are held as 64-bit hashes and times as 32-bit seconds, 12
bytes a page: seven million take less than 100 MB.
"""

import hashlib
import re
from collections.abc import Mapping
from datetime import UTC, datetime

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.wiki.dumps.xml import Dump, LogEntry, Progress

_RECENT = 1 << 18
"""Titles in a dictionary before they are put into arrays."""
_JOINED = 1 << 21
"""Titles up to which two pairs of arrays become one: more would double the memory while they are joined."""
_UNKNOWN = 0
_NEVER_ARTICLES = (6, 8, 10, 14, 828)
"""Files, messages, templates, categories, modules: begun in masses, and never made articles. Nor is any talk page."""
_EVERY = 50_000
_TARGET = re.compile(r's:9:"4::target";s:(\d+):"')
_NO_REDIRECT = re.compile(r's:10:"5::noredir";(?:s:1:"1"|i:1|b:1)')


class Times:
    """Title → seconds since 1970; what is put last counts. Hashes in sorted arrays, the newest in a dictionary."""

    def __init__(self) -> None:
        self._recent: dict[int, int] = {}
        self._runs: list[tuple[np.ndarray, np.ndarray]] = []
        """Hashes in order and their times, the oldest first."""

    def put(self, title: str, seconds: int) -> None:
        """Sets the time of a title."""
        self._recent[_hash(title)] = seconds
        if len(self._recent) >= _RECENT:
            self._settle()

    def get(self, title: str) -> int:
        """The time of a title, 0 if it is unknown."""
        key = _hash(title)
        found = self._recent.get(key)
        if found is not None:
            return found
        wanted = np.uint64(key)
        for keys, times in reversed(self._runs):
            place = int(keys.searchsorted(wanted))
            if place < len(keys) and keys[place] == wanted:
                return int(times[place])
        return _UNKNOWN

    def _settle(self) -> None:
        count = len(self._recent)
        keys = np.fromiter(self._recent.keys(), np.uint64, count)
        times = np.fromiter(self._recent.values(), np.uint32, count)
        self._recent.clear()
        order = keys.argsort()
        keys, times = keys[order], times[order]
        while self._runs and len(self._runs[-1][0]) <= len(keys) and 2 * len(keys) <= _JOINED:
            older_keys, older_times = self._runs.pop()
            keys = np.concatenate((older_keys, keys))
            times = np.concatenate((older_times, times))
            order = keys.argsort(kind="stable")
            keys, times = keys[order], times[order]
            is_last = np.append(keys[1:] != keys[:-1], True)
            keys, times = keys[is_last], times[is_last]
        self._runs.append((keys, times))


class CreationLog:
    """What the log of a dump says about creations."""

    def __init__(self) -> None:
        self._times = Times()
        self.creations = 0
        self.moves = 0
        self.begins = ""
        """The time of the first creation in the log; empty if there is none."""
        self.ends = ""
        """The time of the last entry."""

    def created(self, title: str) -> int:
        """When the page that now has this title was created, in seconds since 1970; 0: the log does not say."""
        return self._times.get(title)

    def add(self, entry: LogEntry, kept: "TitleFilter") -> None:
        """Takes the next entry of the log."""
        self.ends = max(self.ends, entry.time)
        if entry.kind == "create/create":
            self.creations += 1
            if not self.begins or entry.time < self.begins:
                self.begins = entry.time
            if entry.title and kept(entry.title):
                self._times.put(entry.title, seconds(entry.time))
        elif entry.kind in ("move/move", "move/move_redir") and entry.title:
            self.moves += 1
            target, leaves_redirect = _read_move(entry.parameters)
            if target and kept(target):
                self._times.put(target, self._times.get(entry.title))
            if kept(entry.title):
                # The redirect that stays is a new page, begun by the move; a draft may be written over it
                self._times.put(entry.title, seconds(entry.time) if leaves_redirect else _UNKNOWN)


class TitleFilter:
    """Whether a page under a title may be an article some day."""

    def __init__(self, namespaces: Mapping[int, str]) -> None:
        self._skipped = frozenset(
            name for number, name in namespaces.items() if number > 0 and (number % 2 or number in _NEVER_ARTICLES)
        )

    def __call__(self, title: str) -> bool:
        space, colon, _ = title.partition(":")
        return not (colon and space in self._skipped)


def read_creations(dump: Dump, progress: Progress) -> CreationLog:
    """Reads a log as a whole. Raises BenchwrightError where it is broken, or no log."""
    log, kept, done = CreationLog(), TitleFilter({}), 0
    for entry in dump.read():
        if not isinstance(entry, LogEntry):
            raise AssertionError("a log has no pages")
        if not done and dump.site:
            kept = TitleFilter(dump.site.namespaces)
        log.add(entry, kept)
        done += 1
        if done % _EVERY == 0:
            progress("entries of the log", done, 0)
    if not done:
        raise BenchwrightError(f"{dump.parts[0]} holds no log entries: give the pages-logging of the same wiki")
    progress("entries of the log", done, done)
    return log


def seconds(time: str) -> int:
    """`2023-05-04T11:22:33Z` as seconds since 1970; at least 1. Raises ValueError."""
    return max(int(datetime.fromisoformat(time).replace(tzinfo=UTC).timestamp()), 1)


def written(moment: int) -> str:
    """Seconds since 1970 as wikis write times; empty for 0."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if moment else ""


def _read_move(parameters: str) -> tuple[str, bool]:
    """The new title, and whether a redirect stays; in logs from before 2012 title and sign are lines."""
    if parameters.startswith("a:"):
        found = _TARGET.search(parameters)
        target = parameters[found.end() :].encode()[: int(found[1])].decode(errors="replace") if found else ""
        return target.replace("_", " "), not _NO_REDIRECT.search(parameters)
    target, _, sign = parameters.partition("\n")
    return target.strip().replace("_", " "), sign.strip() != "1"


def _hash(title: str) -> int:
    return int.from_bytes(hashlib.blake2b(title.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
