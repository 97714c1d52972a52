"""Pages with their wikitext, fifty at a time, each of them a page or the reason why it is no article."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchwright.builders.wiki.page_rules import (
    DAMAGED,
    DISAMBIGUATION,
    HIDDEN,
    NOT_AN_ARTICLE,
    NOT_WIKITEXT,
    SHORTEST,
    Accept,
    why_no_article,
)
from benchwright.builders.wiki.pages import Page, hash_wikitext
from benchwright.builders.wiki.site.cached_wiki import CachedWiki

AT_ONCE = 50
"""Pages whose content a wiki gives in one reply."""
NO_PAGE = "no page"
"""Reason: there is none with that id (any more)."""

_CONTENT = {
    "prop": "revisions|info|pageprops", "ppprop": "disambiguation", "rvslots": "main",
    "rvprop": "ids|timestamp|slotsha1|content",
}  # fmt: skip


class PageFetcher:
    """Fetches pages by id or at random, each of them once."""

    def __init__(self, wiki: CachedWiki, shortest: int = SHORTEST, accept: Accept | None = None) -> None:
        self._wiki = wiki
        self._shortest = shortest
        self._accept = accept
        self._fetched: dict[int, Page | str] = {}

    def fetch(self, ids: Sequence[int]) -> list[Page | str]:
        """For each id the page, or why it is left out."""
        unknown = [number for number in dict.fromkeys(ids) if number not in self._fetched]
        queries = [
            ({**_CONTENT, "pageids": "|".join(map(str, batch))}, 0) for batch in in_batches(unknown, AT_ONCE)
        ]  # fmt: skip
        for replies in self._wiki.ask_all(queries):
            self._read(replies)
        return [self._fetched.get(number, NO_PAGE) for number in ids]

    def fetch_random(self, serials: Iterable[int]) -> list[tuple[int, Page | str]]:
        """Fifty pages for each serial number, as the wiki draws them: ids, each with its page or why it is left out."""
        query = {
            **_CONTENT, "generator": "random", "grnnamespace": 0, "grnlimit": AT_ONCE,
            "grnfilterredir": "nonredirects",
        }  # fmt: skip
        drawn = [self._read(replies) for replies in self._wiki.ask_all((query, serial) for serial in serials)]
        return [(number, self._fetched[number]) for ids in drawn for number in ids]

    def _read(self, replies: list[dict[str, Any]]) -> list[int]:
        """Judges the pages of a reply and of its continuations; their ids."""
        pages: dict[int, dict[str, Any]] = {}
        for reply in replies:
            for page in reply.get("query", {}).get("pages", ()):
                if "pageid" in page:
                    pages.setdefault(page["pageid"], {}).update(page)
        for number, page in sorted(pages.items()):
            self._fetched.setdefault(number, self._judge(page))
        return sorted(pages)

    def _judge(self, record: Mapping[str, Any]) -> Page | str:
        """The page of a record, or why it is left out."""
        if record.get("missing") or record.get("invalid"):
            return NO_PAGE
        if record["ns"] != 0:
            return NOT_AN_ARTICLE
        page = read_page(record)
        if isinstance(page, str):
            return page
        reason = why_no_article(page, self._shortest, is_redirect=bool(record.get("redirect")))
        reason = reason or (self._accept(page) if self._accept else None)
        is_marked = "disambiguation" in record.get("pageprops", {})
        return reason or (DISAMBIGUATION if is_marked else page)


def read_page(page: Mapping[str, Any]) -> Page | str:
    """A page of a reply with one revision, its creation not known; or why it cannot be used."""
    revision = (page.get("revisions") or [{}])[0]
    slot = revision.get("slots", {}).get("main", {})
    if "content" not in slot:
        return HIDDEN
    if slot.get("contentmodel") != "wikitext":
        return NOT_WIKITEXT
    wikitext, sha1 = slot["content"], slot.get("sha1", "")
    if hash_wikitext(wikitext) != sha1:
        return DAMAGED
    return Page(page["pageid"], page["title"], "", revision["revid"], revision["timestamp"], sha1, wikitext)


def in_batches(items: Sequence[Any], size: int) -> list[Sequence[Any]]:
    """Items in runs of a size, the last one shorter."""
    return [items[start : start + size] for start in range(0, len(items), size)]
