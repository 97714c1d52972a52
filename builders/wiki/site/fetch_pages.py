"""Pages with their wikitext, fifty at a time, and why a page is no article to ask about."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from benchwright.builders.wiki.pages import Page
from benchwright.builders.wiki.site.cached_wiki import Kept

AT_ONCE = 50
"""Pages whose content a wiki gives in one reply."""
SHORTEST = 1000
"""Characters of text that an article has at least."""

NO_PAGE, ELSEWHERE, REDIRECT = "no page", "not an article", "redirect"
"""Reasons: there is none with that id (any more); it is not among the articles (any more); it points on."""

Accept = Callable[[Page], str | None]
"""A further rule: why a page is left out, or None."""

_CONTENT = {
    "prop": "revisions|info|pageprops", "ppprop": "disambiguation", "rvslots": "main",
    "rvprop": "ids|timestamp|slotsha1|content",
}  # fmt: skip
_REDIRECT = re.compile(r"\s*#\s*redirect\b", re.IGNORECASE)
_LIST = re.compile(r"(lists?|ind(ex|ices)|outlines?|timelines?|glossar(y|ies)) of\b|.*\(list\)$", re.IGNORECASE)
_DISAMBIGUATION = re.compile(
    r"\{\{\s*(?:template:)?\s*(?:disambig(?:uation)?(?:[ _]page)?|disamb|dab|hndis|geodis|numberdis|"
    r"(?:human|place)[ _]name[ _]disambiguation|(?:mathematical|school)[ _]disambiguation|"
    r"letter-numbercombdisambig)\s*(?:\||\}\})|__DISAMBIG__|\[\[\s*category\s*:\s*[^\]|]*disambiguation[ _]pages",
    re.IGNORECASE,
)
_UNSEEN = re.compile(
    r"<!--.*?-->|<ref\b[^>]*/>|<ref\b[^>]*>.*?</ref\s*>|\[\[\s*(?:category|file|image)\s*:[^\[\]]*\]\]",
    re.IGNORECASE | re.DOTALL,
)


class Looker:
    """Looks at pages, at each of them once."""

    def __init__(self, kept: Kept, shortest: int = SHORTEST, accept: Accept | None = None) -> None:
        self._kept = kept
        self._shortest = shortest
        self._accept = accept
        self._seen: dict[int, Page | str] = {}

    def look_at(self, ids: Sequence[int]) -> list[Page | str]:
        """For each id the page, or why it is left out."""
        unknown = [number for number in dict.fromkeys(ids) if number not in self._seen]
        queries = [
            ({**_CONTENT, "pageids": "|".join(map(str, some))}, 0) for some in in_batches(unknown, AT_ONCE)
        ]  # fmt: skip
        for replies in self._kept.ask_all(queries):
            self._read(replies)
        return [self._seen.get(number, NO_PAGE) for number in ids]

    def draw(self, serials: Iterable[int]) -> list[tuple[int, Page | str]]:
        """Fifty pages for each serial number, as the wiki draws them."""
        query = {
            **_CONTENT, "generator": "random", "grnnamespace": 0, "grnlimit": AT_ONCE,
            "grnfilterredir": "nonredirects",
        }  # fmt: skip
        drawn = [self._read(replies) for replies in self._kept.ask_all((query, serial) for serial in serials)]
        return [(number, self._seen[number]) for ids in drawn for number in ids]

    def _read(self, replies: list[dict[str, Any]]) -> list[int]:
        """Judges the pages of a reply and of its continuations; their ids."""
        pages: dict[int, dict[str, Any]] = {}
        for reply in replies:
            for page in reply.get("query", {}).get("pages", ()):
                if "pageid" in page:
                    pages.setdefault(page["pageid"], {}).update(page)
        for number, page in sorted(pages.items()):
            self._seen.setdefault(number, self._judge(page))
        return sorted(pages)

    def _judge(self, page: Mapping[str, Any]) -> Page | str:
        if page.get("missing") or page.get("invalid"):
            return NO_PAGE
        if page["ns"] != 0:
            return ELSEWHERE
        read = read_page(page)
        if isinstance(read, str):
            return read
        if page.get("redirect") or _REDIRECT.match(read.wikitext):
            return REDIRECT
        if "disambiguation" in page.get("pageprops", {}) or is_disambiguation(read):
            return "disambiguation"
        if _LIST.match(read.title):
            return "list"
        if len(read.wikitext) < self._shortest or longest_text(read.wikitext) < self._shortest:
            return "short"
        return (self._accept(read) if self._accept else None) or read


def read_page(page: Mapping[str, Any]) -> Page | str:
    """A page of a reply with one revision, its creation not known; or why it cannot be used."""
    revision = (page.get("revisions") or [{}])[0]
    slot = revision.get("slots", {}).get("main", {})
    if "content" not in slot:
        return "hidden"
    if slot.get("contentmodel") != "wikitext":
        return "not wikitext"
    wikitext, sha1 = slot["content"], slot.get("sha1", "")
    if hash_wikitext(wikitext) != sha1:
        return "damaged"
    return Page(page["pageid"], page["title"], "", revision["revid"], revision["timestamp"], sha1, wikitext)


def hash_wikitext(wikitext: str) -> str:
    """The sha1 of a text as a wiki gives it."""
    return hashlib.sha1(wikitext.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def is_disambiguation(page: Page) -> bool:
    """Whether a page only tells things of one name apart, as its title or its templates say."""
    return page.title.endswith("(disambiguation)") or _DISAMBIGUATION.search(page.wikitext) is not None


def longest_text(wikitext: str) -> int:
    """More characters than the text can have that people read: without comments, references and categories."""
    return len(_UNSEEN.sub("", wikitext).strip())


def in_batches(items: Sequence[Any], size: int) -> list[Sequence[Any]]:
    """Items in runs of a size, the last one shorter."""
    return [items[start : start + size] for start in range(0, len(items), size)]
