"""Which pages link to others: by their wikitext in a dump, by the wiki's own table over its API.

The API is that of MediaWiki's module `backlinks` (https://www.mediawiki.org/wiki/API:Backlinks).
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from benchwright.builders.wiki.dumps.harvest import judge
from benchwright.builders.wiki.dumps.xml import Dump, RawPage
from benchwright.builders.wiki.pages import Page
from benchwright.builders.wiki.seeded_order import page_rank
from benchwright.builders.wiki.site.cached_wiki import CachedWiki
from benchwright.builders.wiki.site.fetch_pages import PageFetcher

Progress = Callable[[str, int, int], None]
LISTED = 100
"""Pages that link to one, as far as they are looked at."""
_LINK = re.compile(r"\[\[\s*+:?([^\[\]|#\n]{1,255})")
_EVERY = 1_000


def pages_linking_to(wiki: CachedWiki, fetcher: PageFetcher, page: Page, most: int, seed: int) -> list[Page]:
    """At most so many articles that link to a page, drawn by the seed from the first hundred that the wiki lists.

    Raises:
        BenchwrightError: the wiki does not reply.
    """
    query = {
        "list": "backlinks", "bltitle": page.title, "blnamespace": 0, "blfilterredir": "nonredirects",
        "bllimit": LISTED,
    }  # fmt: skip
    listed = {each["pageid"] for each in wiki.ask(query).get("query", {}).get("backlinks", ())} - {page.id}
    ranked = sorted(listed, key=lambda number: page_rank(seed, f"links to {page.id}", number))[:most]
    return [found for found in fetcher.fetch(ranked) if isinstance(found, Page)]


def links_in_dump(
    path: Path | str,
    pages: Iterable[Page],
    read: Callable[[Page, Page], Sequence[str]],
    *,
    most: int,
    shortest: int,
    progress: Progress = lambda what, done, total: None,
) -> Mapping[int, Mapping[Page, Sequence[str]]]:
    """Page id → the first articles of a dump that link to it, each with what `read` finds in it: once through the dump.

    Args:
        path: pages-articles: a file, a folder of parts or a pattern.
        pages: those that are linked to.
        read: (the page that is linked to, the article that links to it) → texts; an article without any is passed over.
        most: articles for each page.
        shortest: characters that an article has at least.
        progress: told how much was read.

    Raises:
        BenchwrightError: the dump is missing or damaged.
    """
    wanted = {as_title(page.title): page for page in pages}
    found: dict[int, dict[Page, Sequence[str]]] = {page.id: {} for page in wanted.values()}
    for number, raw in enumerate(Dump(path, "page").read()):
        if number % _EVERY == 0:
            progress("links in the dump", number, 0)
        if not isinstance(raw, RawPage) or raw.namespace or not raw.revision.text:
            continue
        named = {as_title(match[1]) for match in _LINK.finditer(raw.revision.text)} & wanted.keys()
        named = {name for name in named if wanted[name].id != raw.id and len(found[wanted[name].id]) < most}
        if not named or isinstance(article := judge(raw, shortest), str):
            continue
        for name in sorted(named):
            if texts := read(wanted[name], article):
                found[wanted[name].id][_without_text(article)] = texts
    return found


def as_title(link: str) -> str:
    """A title as a wiki knows it: the first letter is a capital, and gaps are single spaces."""
    name = " ".join(link.replace("_", " ").split())
    return name[:1].upper() + name[1:]


def _without_text(page: Page) -> Page:
    return Page(page.id, page.title, page.created, page.revision, page.edited, page.sha1, "")
