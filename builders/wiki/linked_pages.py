"""The articles that pages link to: those whose links stand in a page's introduction come first.

The API is that of MediaWiki's queries by title (https://www.mediawiki.org/wiki/API:Query).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from benchwright.builders.wiki.backlinks import Linking, Read, as_title, without_text
from benchwright.builders.wiki.dumps.harvest import judge
from benchwright.builders.wiki.dumps.xml import RawPage
from benchwright.builders.wiki.pages import Page
from benchwright.builders.wiki.site.cached_wiki import CachedWiki
from benchwright.builders.wiki.site.fetch_pages import AT_ONCE, PageFetcher, in_batches

T = TypeVar("T")
LOOKED_AT = 8
"""Links of a page that are followed: some lead to no article, or to one in which nothing is found."""
_LINK = re.compile(r"\[\[\s*+(?P<to>[^\[\]|#\n]{1,255})(?:#[^\[\]|\n]*)?(?:\|(?P<shown>[^\[\]\n]*))?\]\]")
_OTHER_SPACE = re.compile(
    r"\s*:|(?:file|image|category|template|help|portal|special|user|wikipedia|wikt|draft)\s*:", re.I
)
_QUERY_LENGTH = 4_000
"""Characters of titles in one query."""


def links_of(page: Page, introduction: str) -> list[str]:
    """The titles of the first eight pages that a page links to, those first whose links its introduction shows."""
    found: dict[str, bool] = {}
    for match in _LINK.finditer(page.wikitext):
        if _OTHER_SPACE.match(match["to"]):
            continue
        title = as_title(match["to"])
        is_shown = (match["shown"] or match["to"]).strip() in introduction
        found[title] = found.get(title, False) or is_shown
    found.pop(as_title(page.title), None)
    return sorted(found, key=lambda title: not found[title])[:LOOKED_AT]


class LinkedInDump(Generic[T]):
    """What is found in the articles that some pages link to, while the pages of a dump go by."""

    def __init__(self, links: Mapping[Page, Sequence[str]], read: Read[T], shortest: int) -> None:
        """For pages with the titles that they link to; `read` finds something in (the page, the linked article)."""
        self._links = links
        self._read = read
        self._shortest = shortest
        self._wanted = _turned(links)
        self._found: dict[int, dict[str, tuple[Page, Sequence[T]]]] = {page.id: {} for page in links}

    def look_at(self, raw: RawPage) -> None:
        """Reads a page of the dump that is linked to."""
        title = as_title(raw.title)
        if raw.namespace or title not in self._wanted or isinstance(article := judge(raw, self._shortest), str):
            return
        for page in self._wanted[title]:
            if said := self._read(page, article):
                self._found[page.id][title] = without_text(article), said

    def first(self, most: int) -> Linking[T]:
        """Page id → the first so many articles that it links to, in the order of its links."""
        return {page.id: _first(self._found[page.id], titles, most) for page, titles in self._links.items()}


def linked_on_site(
    wiki: CachedWiki, links: Mapping[Page, Sequence[str]], read: Read[T], *, most: int, shortest: int
) -> Linking[T]:
    """Page id → the first articles of a wiki that it links to, each with what `read` finds in it; redirects are none.

    Args:
        wiki: is asked.
        links: pages with the titles that they link to.
        read: (the page, the article that it links to) → what is in it.
        most: articles for each page.
        shortest: characters that an article has at least.

    Raises:
        BenchwrightError: the wiki does not reply.
    """
    wanted = _turned(links)
    queries = [({"prop": "info", "titles": "|".join(batch)}, 0) for batch in _batches(sorted(wanted))]
    ids = [
        listed["pageid"]
        for replies in wiki.ask_all(queries)
        for reply in replies
        for listed in reply.get("query", {}).get("pages", ())
        if "pageid" in listed and listed.get("ns") == 0 and not listed.get("redirect")
    ]
    found: dict[int, dict[str, tuple[Page, Sequence[T]]]] = {page.id: {} for page in links}
    for batch in in_batches(ids, AT_ONCE):
        for article in PageFetcher(wiki, shortest).fetch(batch):
            if not isinstance(article, Page):
                continue
            for page in wanted.get(as_title(article.title), ()):
                if said := read(page, article):
                    found[page.id][as_title(article.title)] = without_text(article), said
    return {page.id: _first(found[page.id], titles, most) for page, titles in links.items()}


def _turned(links: Mapping[Page, Sequence[str]]) -> Mapping[str, Sequence[Page]]:
    """Title → the pages that link to it."""
    turned: dict[str, list[Page]] = defaultdict(list)
    for page, titles in links.items():
        for title in titles:
            turned[title].append(page)
    return turned


def _first(
    found: Mapping[str, tuple[Page, Sequence[T]]], titles: Iterable[str], most: int
) -> Mapping[Page, Sequence[T]]:
    return dict([found[title] for title in titles if title in found][:most])


def _batches(titles: Iterable[str]) -> list[list[str]]:
    """Titles in runs that fit into one query."""
    batches: list[list[str]] = [[]]
    for title in titles:
        if len(batches[-1]) == AT_ONCE or sum(map(len, batches[-1])) + len(title) > _QUERY_LENGTH:
            batches.append([])
        batches[-1].append(title)
    return [batch for batch in batches if batch]
