"""Which pages were created between two times: from the log of creations, or from the first of all revisions."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from benchwright.builders.wiki.seeded_order import draw_slots
from benchwright.builders.wiki.site.cached_wiki import CachedWiki
from benchwright.builders.wiki.site.connection import About

log = logging.getLogger("benchwright")

PER_REQUEST = 500
"""Entries of a list in one reply."""
WHOLE = 40
"""Requests up to which a list is read as a whole; of a longer one, spans of time are drawn and read whole."""
_PER_SLOT = 350
"""Entries that a span of time is meant to hold, so that most take one request."""

_USUAL_GAPS = 5
"""How many times the mean time between two entries may pass before the first one."""

Listing = Literal["auto", "log", "revisions"]


@dataclass(frozen=True, slots=True)
class ListedPage:
    """A page that was created after the cutoff, it seems."""

    id: int
    """0 where the log does not know it any more."""
    created: str
    title: str
    """Empty where the log hides it."""
    namespace: int
    """Where it was begun."""


@dataclass(frozen=True, slots=True)
class ListedBatch:
    """One reply of a list of what was created or saved."""

    entries: int
    """All that was in it."""
    last: str
    """The time of the last entry; empty if there is none."""
    candidates: tuple[ListedPage, ...]
    highest: int
    """The highest id of a page in it, of any namespace."""


@dataclass(frozen=True, slots=True)
class CreatedPages:
    """Pages that were created between two times."""

    source: str
    """log or revisions."""
    pools: Iterator[list[ListedPage]]
    """All at once, or one drawn span of time after the other."""
    is_whole: bool
    lowest: int
    """The id of the first page that was created after the cutoff: ids grow with time."""
    highest: int
    """The highest id that was listed, where the list was read as a whole."""


def stamp(moment: datetime) -> str:
    """A time as a wiki writes it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def find_created(
    wiki: CachedWiki, site: About, start: datetime, end: datetime, seed: int, listing: Listing, whole: int = WHOLE
) -> CreatedPages:
    """Pages created from `start` up to before `end`, by the log if there is one that reaches back to `start`."""
    if listing == "log":
        return _find(_LogEvents(wiki, site), start, end, seed, whole)
    if listing == "auto" and _log_reaches(wiki, site, start, end):
        return _find(_LogEvents(wiki, site), start, end, seed, whole)
    return _find(_FirstRevisions(wiki), start, end, seed, whole)


def first_revisions(wiki: CachedWiki, start: datetime, end: datetime) -> dict[int, ListedPage]:
    """Every article that was created between two times, by its id, from all revisions: for small wikis."""
    batches = _FirstRevisions(wiki).read(start, end)
    return {page.id: page for batch in batches for page in batch.candidates}


def _find(
    source: "_LogEvents | _FirstRevisions", start: datetime, end: datetime, seed: int, whole: int
) -> CreatedPages:
    replies: list[ListedBatch] = []
    for reply in source.read(start, end):
        replies.append(reply)
        if len(replies) == 1 and _expected(reply, start, end) > whole * PER_REQUEST:
            break
    else:
        candidates = _distinct(candidate for reply in replies for candidate in reply.candidates)
        highest = max((reply.highest for reply in replies), default=0)
        return CreatedPages(source.name, iter([candidates]), True, _lowest(candidates), highest)

    first = replies[0]
    length = (_moment(first.last) - start) * (_PER_SLOT / max(first.entries, 1))
    length = max(length, timedelta(seconds=1))
    log.info("the list of new pages is long: spans of %s are drawn from it", length)

    def pools() -> Iterator[list[ListedPage]]:
        for slot in draw_slots(seed, start, end, length):
            replies = source.read(*slot, is_part=True)
            yield _distinct(candidate for reply in replies for candidate in reply.candidates)

    return CreatedPages(source.name, pools(), False, _lowest(first.candidates), first.highest)


class _LogEvents:
    """The log of creations."""

    name = "log"
    query: Mapping[str, str | int] = {
        "list": "logevents", "leaction": "create/create", "ledir": "newer", "lelimit": "max",
        "leprop": "ids|title|timestamp",
    }  # fmt: skip

    def __init__(self, wiki: CachedWiki, site: About) -> None:
        self._wiki = wiki
        self._begun_in = {0, *(number for number, name in site.namespaces.items() if name == "Draft")}

    def read(self, start: datetime, end: datetime, is_part: bool = False) -> Iterator[ListedBatch]:
        """The replies that list what was created from one time to before another, oldest first."""
        # User pages can become articles too, but of very many of them too few do to look at each
        namespaces = self._begun_in if is_part else {2, *self._begun_in}
        first, last = stamp(start), stamp(end)
        for reply in self._wiki.ask_on({**self.query, "lestart": first, "leend": last}):
            entries = reply["query"].get("logevents", [])
            # `logpage` is the page then, `pageid` the one that has the title now; an imported log only knows that
            ids = [entry.get("logpage") or entry.get("pageid") or 0 for entry in entries]
            candidates = tuple(
                ListedPage(number, entry["timestamp"], entry.get("title", ""), entry.get("ns", 0))
                for number, entry in zip(ids, entries, strict=True)
                if entry.get("ns", 0) in namespaces and first <= entry["timestamp"] < last
            )
            yield ListedBatch(
                len(entries), entries[-1]["timestamp"] if entries else "", candidates, max(ids, default=0)
            )


class _FirstRevisions:
    """All revisions of articles, of which the first of each page has no parent."""

    name = "revisions"
    query: Mapping[str, str | int] = {
        "list": "allrevisions", "arvdir": "newer", "arvnamespace": 0, "arvlimit": "max", "arvprop": "ids|timestamp",
    }  # fmt: skip

    def __init__(self, wiki: CachedWiki) -> None:
        self._wiki = wiki

    def read(self, start: datetime, end: datetime, is_part: bool = False) -> Iterator[ListedBatch]:
        """The replies that list what was saved from one time to before another, oldest first."""
        first, last = stamp(start), stamp(end)
        for reply in self._wiki.ask_on({**self.query, "arvstart": first, "arvend": last}):
            pages = reply["query"].get("allrevisions", [])
            revisions = [(page, revision) for page in pages for revision in page["revisions"]]
            candidates = tuple(
                ListedPage(page["pageid"], revision["timestamp"], page["title"], page["ns"])
                for page, revision in revisions
                if revision.get("parentid") == 0 and first <= revision["timestamp"] < last
            )
            latest = max((revision["timestamp"] for _, revision in revisions), default="")
            yield ListedBatch(len(revisions), latest, candidates, max((page["pageid"] for page in pages), default=0))


def _log_reaches(wiki: CachedWiki, site: About, start: datetime, end: datetime) -> bool:
    """Whether the log of creations lists all that came after `start`: wikis began to keep it at some time.

    It does if its first entry comes about as soon as others follow each other, or else if there are older ones.
    """
    reply = next(_LogEvents(wiki, site).read(start, end))
    if reply.candidates:
        first, last = _moment(reply.candidates[0].created), _moment(reply.last)
        if first - start <= _USUAL_GAPS * (last - start) / reply.entries:
            return True
    entries = wiki.ask({**_LogEvents.query, "lelimit": 1})["query"].get("logevents", [])
    return bool(entries) and entries[0].get("timestamp", "9") <= stamp(start)


def _expected(reply: ListedBatch, start: datetime, end: datetime) -> float:
    """How many entries there are up to the end, if they come as fast as in the first reply."""
    if reply.entries < PER_REQUEST:
        return reply.entries
    passed = max(_moment(reply.last) - start, timedelta(seconds=1))
    return reply.entries * ((end - start) / passed)


def _distinct(candidates: Iterable[ListedPage]) -> list[ListedPage]:
    """Each page once, as it was listed first; of those that are gone, each entry."""
    known: dict[object, ListedPage] = {}
    for candidate in candidates:
        known.setdefault(candidate.id or (candidate.created, candidate.title), candidate)
    return list(known.values())


def _lowest(candidates: Iterable[ListedPage]) -> int:
    """The id of the page that came first, of a few: an old page that was restored must not lower it."""
    first = sorted(candidates, key=lambda candidate: candidate.created)[:9]
    ids = sorted(candidate.id for candidate in first if candidate.id)
    return ids[len(ids) // 4] if ids else 0


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
