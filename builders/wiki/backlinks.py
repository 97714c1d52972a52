"""Which pages link to others: by their wikitext in a dump, by the wiki's own table over its API.

The API is that of MediaWiki's modules `linkshere` (https://www.mediawiki.org/wiki/API:Linkshere), which lists the links
to fifty pages in one reply, and `backlinks` (https://www.mediawiki.org/wiki/API:Backlinks), those to one.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

from benchwright.builders.wiki.dumps.harvest import judge
from benchwright.builders.wiki.dumps.xml import Dump, RawPage
from benchwright.builders.wiki.pages import Page
from benchwright.builders.wiki.seeded_order import page_rank
from benchwright.builders.wiki.site.cached_wiki import CachedWiki
from benchwright.builders.wiki.site.fetch_pages import AT_ONCE, PageFetcher, in_batches

T = TypeVar("T")
Progress = Callable[[str, int, int], None]
Read = Callable[[Page, Page], Sequence[T]]
"""(the page that is linked to, the article that links to it) → what is found in it."""
Linking = Mapping[int, Mapping[Page, Sequence[T]]]
"""Page id → the articles that link to it, their wikitext left out, each with what was found in it."""
LISTED = 100
"""Pages that link to one, as far as they are looked at: those with the lowest ids."""
_SPARE = 2
"""Pages whose text is fetched for each that is wanted: in some nothing is found."""
_LINKS = 500
"""Links in a reply."""
_REPLIES = 4
"""Replies to a query about fifty pages: what is linked to so often that more are needed is asked about by itself."""
_LINK = re.compile(r"\[\[\s*+:?([^\[\]|#\n]{1,255})")
_EVERY = 1_000


def links_on_site(
    wiki: CachedWiki,
    pages: Sequence[Page],
    read: Read[T],
    *,
    most: int,
    shortest: int,
    seed: int,
    progress: Progress = lambda what, done, total: None,
) -> Linking[T]:
    """Page id → articles of a wiki that link to it, each with what `read` finds in it.

    They are drawn by the seed from the first hundred that the wiki lists; one in which nothing is found is passed over.
    Fifty texts are held at a time.

    Args:
        wiki: is asked.
        pages: those that are linked to.
        read: (the page that is linked to, the article that links to it) → what is in it.
        most: articles for each page.
        shortest: characters that an article has at least.
        seed: decides which are read.
        progress: told how many texts were read.

    Raises:
        BenchwrightError: the wiki does not reply.
    """
    drawn = {
        number: sorted(linking, key=lambda one: page_rank(seed, f"links to {number}", one))[: _SPARE * most]
        for number, linking in linking_ids(wiki, [page.id for page in pages]).items()
    }
    linked: dict[int, list[Page]] = defaultdict(list)
    for page in pages:
        for number in drawn[page.id]:
            linked[number].append(page)
    found: dict[int, dict[int, tuple[Page, Sequence[T]]]] = {page.id: {} for page in pages}
    done = 0
    for batch in in_batches(list(linked), AT_ONCE):
        progress("pages that link to these", done, len(linked))
        # A fetcher keeps what it fetched
        for article in PageFetcher(wiki, shortest).fetch(batch):
            if isinstance(article, Page):
                for page in linked[article.id]:
                    if said := read(page, article):
                        found[page.id][article.id] = without_text(article), said
        done += len(batch)
    return {
        number: dict(islice((found[number][one] for one in ranked if one in found[number]), most))
        for number, ranked in drawn.items()
    }


def linking_ids(wiki: CachedWiki, pages: Sequence[int]) -> dict[int, list[int]]:
    """Page id → the ids of the articles that link to it, redirects and itself left out: the lowest hundred.

    Raises:
        BenchwrightError: the wiki does not reply.
    """
    found: dict[int, set[int]] = {page: set() for page in pages}
    alone: list[int] = []
    for batch in in_batches(pages, AT_ONCE):
        query = {
            "prop": "linkshere", "pageids": "|".join(map(str, batch)), "lhnamespace": 0, "lhshow": "!redirect",
            "lhprop": "pageid", "lhlimit": _LINKS,
        }  # fmt: skip
        last: set[int] = set()
        is_whole = False
        for reply in islice(wiki.ask_on(query), _REPLIES):
            listed = {
                page["pageid"]: {one["pageid"] for one in page["linkshere"]}
                for page in reply.get("query", {}).get("pages", ())
                if page.get("linkshere")
            }
            for page, linking in listed.items():
                found[page] |= linking
            last, is_whole = set(listed), "continue" not in reply
        if not is_whole:  # the lists of pages follow each other, and the last ones are cut off
            alone += [page for page in batch if not found[page] or (page in last and len(found[page]) < LISTED)]
    one = {"list": "backlinks", "blnamespace": 0, "blfilterredir": "nonredirects", "bllimit": LISTED}
    queries = [({**one, "blpageid": page}, 0) for page in alone]
    for page, replies in zip(alone, wiki.ask_all(queries, on=False), strict=True):
        found[page] = {one["pageid"] for one in replies[0].get("query", {}).get("backlinks", ())}
    return {page: sorted(linking - {page})[:LISTED] for page, linking in found.items()}


def links_in_dump(
    path: Path | str,
    pages: Iterable[Page],
    read: Read[T],
    *,
    most: int,
    shortest: int,
    look_at: Callable[[RawPage], None] = lambda raw: None,
    progress: Progress = lambda what, done, total: None,
) -> Linking[T]:
    """Page id → the first articles of a dump that link to it, each with what `read` finds in it: once through the dump.

    Args:
        path: pages-articles: a file, a folder of parts or a pattern.
        pages: those that are linked to.
        read: (the page that is linked to, the article that links to it) → what is in it; where it is nothing, no link.
        most: articles for each page.
        shortest: characters that an article has at least.
        look_at: is shown each article of the dump.
        progress: told how much was read.

    Raises:
        BenchwrightError: the dump is missing or damaged.
    """
    wanted = {as_title(page.title): page for page in pages}
    found: dict[int, dict[Page, Sequence[T]]] = {page.id: {} for page in wanted.values()}
    number = 0
    for number, raw in enumerate(Dump(path, "page").read(), 1):
        if number % _EVERY == 0:
            progress("links in the dump", number, 0)
        if not isinstance(raw, RawPage) or raw.namespace or not raw.revision.text:
            continue
        look_at(raw)
        named = {as_title(match[1]) for match in _LINK.finditer(raw.revision.text)} & wanted.keys()
        named = {name for name in named if wanted[name].id != raw.id and len(found[wanted[name].id]) < most}
        if not named or isinstance(article := judge(raw, shortest), str):
            continue
        for name in sorted(named):
            if said := read(wanted[name], article):
                found[wanted[name].id][without_text(article)] = said
    progress("links in the dump", number, number)
    return found


def as_title(link: str) -> str:
    """A title as a wiki knows it: the first letter is a capital, and gaps are single spaces."""
    name = " ".join(link.replace("_", " ").split())
    return name[:1].upper() + name[1:]


def without_text(page: Page) -> Page:
    """A page without its wikitext, for as long as only its revision is needed."""
    return Page(page.id, page.title, page.created, page.revision, page.edited, page.sha1, "")
