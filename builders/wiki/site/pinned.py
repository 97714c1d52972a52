"""Pages at the very revisions that were used before, so that a release can be built again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.remote.response_store import ResponseStore
from benchwright.builders.wiki.page_rules import DAMAGED
from benchwright.builders.wiki.pages import Page
from benchwright.builders.wiki.site.cached_wiki import CachedWiki
from benchwright.builders.wiki.site.connection import Wiki
from benchwright.builders.wiki.site.fetch_pages import AT_ONCE, in_batches, read_page

_SHOWN = 5
"""How many vanished revisions an error names."""
_CONTENT = {"prop": "revisions", "rvslots": "main", "rvprop": "ids|timestamp|slotsha1|content"}


@dataclass(frozen=True, slots=True)
class Pin:
    """All of a page but its text."""

    id: int
    title: str
    """As it was then: pages are renamed."""
    created: str
    revision: int
    edited: str
    sha1: str
    namesakes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Vanished:
    """A revision that cannot be had any more."""

    pin: Pin
    why: str
    """deleted, hidden, or changed: its text has another sha1."""


class VanishedError(BenchwrightError):
    """Some revisions are gone: which, and the pages that are still there."""

    def __init__(self, address: str, vanished: Sequence[Vanished], pages: Sequence[Page]) -> None:
        self.vanished = tuple(vanished)
        self.pages = tuple(pages)
        named = ", ".join(f"{one.pin.title} (revision {one.pin.revision}: {one.why})" for one in vanished[:_SHOWN])
        more = f" and {len(vanished) - _SHOWN} more" if len(vanished) > _SHOWN else ""
        super().__init__(
            f"{len(vanished)} of {len(vanished) + len(pages)} pinned revisions are gone from {address}: {named}{more}; "
            "the release cannot be built again as it was: build a new version without them"
        )


def pin(page: Page) -> Pin:
    """What must be kept of a page to fetch it again."""
    return Pin(page.id, page.title, page.created, page.revision, page.edited, page.sha1, page.namesakes)


def fetch_pinned(wiki: Wiki, pins: Sequence[Pin], store: ResponseStore) -> tuple[Page, ...]:
    """The pages at exactly these revisions, in the order given; raises VanishedError where some are gone."""
    revisions = [one.revision for one in pins]
    cached = CachedWiki(wiki, store, {"site": wiki.address, "revisions": sorted(revisions)})
    queries = [({**_CONTENT, "revids": "|".join(map(str, batch))}, 0) for batch in in_batches(revisions, AT_ONCE)]
    found: dict[int, Page | str] = {}
    for replies in cached.ask_all(queries):
        for reply in replies:
            for page in reply.get("query", {}).get("pages", ()):
                for revision in page.get("revisions", ()):
                    found[revision["revid"]] = read_page({**page, "revisions": [revision]})
    pages, vanished = [], []
    for one in pins:
        read = _same(one, found.get(one.revision, "deleted"))
        if isinstance(read, str):
            vanished.append(Vanished(one, read))
        else:
            pages.append(read)
    if vanished:
        raise VanishedError(wiki.address, vanished, pages)
    return tuple(pages)


def read_pin(record: Mapping[str, Any]) -> Pin:
    """A pin as a release keeps it. Raises BenchwrightError where something is missing."""
    try:
        return Pin(
            int(record["id"]), str(record["title"]), str(record["created"]), int(record["revision"]),
            str(record["edited"]), str(record["sha1"]), tuple(map(str, record.get("namesakes", ()))),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError) as error:
        raise BenchwrightError(f"a pinned page is not whole ({type(error).__name__}: {error})") from None


def _same(one: Pin, found: Page | str) -> Page | str:
    if isinstance(found, str):
        return "changed" if found == DAMAGED else found
    if found.sha1 != one.sha1:
        return "changed"
    return replace(found, id=one.id, title=one.title, created=one.created, edited=one.edited, namesakes=one.namesakes)
