"""Which other pages of a wiki share the names of pages, by its API, in as few requests as it can be had.

What costs nothing comes first: the pages that were harvested, and the notes at the top of their own text. Then titles
are asked for by fifties: the bare name of a qualified title, the page that tells a name apart, what the notes name; and
what such pages link to. A small wiki lists all its titles instead. Only names that nothing shares so far are looked for
one by one, two in a request: in the list of titles, what follows a name before a comma or a parenthesis stands in one
stretch of it ("Paris", "Paris, Texas", "Paris (plant)"). Any MediaWiki gives that list; a full-text search, where there
is one, differs from wiki to wiki and joins its conditions by AND only, so that it would take more requests.

What is known less well than from a dump: of a name that is shared, further namesakes may stand on no page that tells
them apart; other spellings of a name (accents, case) are found where such a page links to them, or in a small wiki.
What is known better: a bare name that leads to a page of quite another name counts, and a dump is not asked where
redirects lead.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import Any
from urllib.parse import quote

from benchwright.builders.wiki.hatnotes import disambiguation_of, is_called_disambiguation, named_in_hatnotes
from benchwright.builders.wiki.names import LONGEST, SharedNames, base_name, shares_name
from benchwright.builders.wiki.pages import Page
from benchwright.builders.wiki.site.cached_wiki import CachedWiki, Parameters
from benchwright.builders.wiki.site.connection import About, RefusedError
from benchwright.builders.wiki.site.fetch_pages import in_batches
from benchwright.builders.wiki.site.listing import PER_REQUEST

log = logging.getLogger("benchwright")

Progress = Callable[[str, int, int], None]

_TITLES = 50
"""Titles in a request, at most."""
_LENGTH = 6_000
"""Characters that they take in its address, at most."""
_PAIR = 2
"""Names that are looked for in one request."""
_MORE = 3
"""How many times as many titles as the wiki says that it has articles are listed, at most."""
_WHAT = "names looked for"
_ALL: Parameters = {"list": "allpages", "apnamespace": 0, "apfilterredir": "nonredirects", "aplimit": "max"}
_SECOND = {"gapnamespace": 0, "gapfilterredir": "nonredirects", "gaplimit": "max"}


def find_namesakes(
    wiki: CachedWiki, site: About, pages: Sequence[Page], corpus: Iterable[str], progress: Progress
) -> tuple[SharedNames, dict[str, int]]:
    """The namesakes of pages, and how many pages have some, by where that is seen.

    Args:
        wiki: asked for nothing that it has told this harvest.
        pages: whose namesakes are looked for, with their wikitext.
        corpus: titles of pages that are beside them.
        progress: told how many names are done.

    Raises:
        BenchwrightError: the wiki does not reply. Where it refuses to, the names are counted as not looked for.
    """
    names = SharedNames(pages, corpus)
    language = site.language.partition("-")[0].lower()
    in_hatnotes = {page.title: named_in_hatnotes(page, language) for page in pages}
    search = _Search(wiki, language, names, [page.title for page in pages], progress)
    if pages:
        search.run(site.articles, {title for titles in in_hatnotes.values() for title in titles})
    return names, names.counts(in_hatnotes)


class _Search:
    """A search for the namesakes of pages, under way."""

    def __init__(
        self, wiki: CachedWiki, language: str, names: SharedNames, titles: Sequence[str], progress: Progress
    ) -> None:
        self.wiki, self.language, self.names, self.titles, self.progress = wiki, language, names, titles, progress
        self._apart: set[str] = set()
        """Titles of pages that only tell others apart, as their own title or the wiki says."""

    def run(self, articles: int, in_hatnotes: set[str]) -> None:
        """Looks for all names; `articles` is how many the wiki says that it has."""
        self.progress(_WHAT, 0, len(self.titles))
        bases = {title: base for title in self.titles if (base := base_name(title)) != title}
        most = ceil(len(self.titles) / _PAIR)
        expected = ceil(articles / PER_REQUEST)
        listed = None
        if expected <= most:  # what a wiki counts as articles are not all titles, so that there may be more
            listed = self._allowed(lambda: self._list_all(min(most, _MORE * expected + _MORE)))
        if listed:
            self._lead_of(bases, {base for base in bases.values() if base not in listed})
        else:
            apart = {disambiguation_of(title, self.language) for title in self.titles}
            self._lead_of(bases, {*bases.values(), *in_hatnotes, *apart})
            self._allowed(self._follow_links)
            self._look_one_by_one()
        self.progress(_WHAT, len(self.titles), len(self.titles))

    def _allowed(self, ask: Callable[[], Any]) -> Any:
        """What asking gives; None where the wiki refuses it."""
        try:
            return ask()
        except RefusedError as error:
            log.warning("names are looked for without what the wiki refuses: %s", error)
            return None

    def _list_all(self, most: int) -> set[str] | None:
        """All titles of a small wiki; None where they take more requests than `most`."""
        found: set[str] = set()
        for place, reply in enumerate(self.wiki.ask_on(_ALL), start=1):
            found.update(_titles_of(reply))
            if place >= most and "continue" in reply:
                return None
        for title in found:
            self.names.tell(title)
        return found

    def _lead_of(self, bases: Mapping[str, str], asked: set[str]) -> None:
        """Looks at titles, and at those bare names among them that lead to a page of another name."""
        leads = self._allowed(lambda: self._ask_titles(sorted(asked))) or {}
        for title, base in bases.items():
            target = leads.get(base, title)
            if target != title and not shares_name(title, target):
                self.names.tell_of(title, base)

    def _ask_titles(self, titles: Sequence[str]) -> dict[str, str]:
        """Title → the article that it leads to, of those that lead to one."""
        query = {"prop": "pageprops", "ppprop": "disambiguation", "redirects": 1}
        batches = _batches(titles)
        leads: dict[str, str] = {}
        replies = self.wiki.ask_all(({**query, "titles": "|".join(batch)}, 0) for batch in batches)
        for batch, told in zip(batches, replies, strict=True):
            pages: dict[str, bool] = {}
            ways: dict[str, str] = {}
            for reply in told:
                found = reply.get("query", {})
                ways |= {way["from"]: way["to"] for kind in _WAYS for way in found.get(kind, ())}
                for page in found.get("pages", ()):
                    if page.get("ns") == 0 and "pageid" in page:
                        pages[page["title"]] = pages.get(page["title"], False) or "pageprops" in page
            for title in batch:
                target = _end_of(title, ways)
                if target in pages:
                    leads[title] = target
            for title, is_apart in pages.items():
                self.names.tell(title)
                if is_apart or is_called_disambiguation(title):
                    self._apart.add(title)
        return leads

    def _follow_links(self) -> None:
        """Looks at what the pages link to that tell others apart."""
        query = {"generator": "links", "gplnamespace": 0, "gpllimit": "max", "redirects": 1}
        queries = (({**query, "titles": "|".join(batch)}, 0) for batch in _batches(sorted(self._apart)))
        for replies in self.wiki.ask_all(queries, whole=True):
            for title in (title for reply in replies for title in _titles_of(reply)):
                self.names.tell(title)

    def _look_one_by_one(self) -> None:
        """Looks for the names that nothing shares so far in the list of titles."""
        alone = self.names.alone
        stretches = [(title, stretch) for title in alone for stretch in _stretches(base_name(title))]
        pairs = list(in_batches(stretches, _PAIR))
        left = {title for title, _ in stretches}
        done = 0
        try:
            for pair, replies in zip(pairs, self.wiki.ask_all(map(_listing, pairs), whole=True), strict=True):
                for title in (title for reply in replies for title in _titles_of(reply)):
                    self.names.tell(title)
                done += len(pair)
                left = {title for title, _ in stretches[done:]}
                self.progress(_WHAT, len(self.titles) - len(left), len(self.titles))
        except RefusedError as error:
            self.names.not_looked_for |= left
            log.warning("%d names are not looked for, as the wiki refuses it: %s", len(left), error)


_WAYS = ("normalized", "redirects")
"""Where a reply says what a title leads to."""


def _end_of(title: str, ways: Mapping[str, str]) -> str:
    """Where a title leads to in the end; of a ring of redirects, somewhere in it."""
    seen = {title}
    while (further := ways.get(title, title)) not in seen:
        title = further
        seen.add(title)
    return title


def _titles_of(reply: Mapping[str, Any]) -> Iterator[str]:
    """Titles of articles in a list or a generator's pages; those that are missing are left out."""
    query = reply.get("query", {})
    for page in (*query.get("allpages", ()), *query.get("pages", ())):
        if page.get("ns") == 0 and "pageid" in page:
            yield page["title"]


def _stretches(name: str) -> list[tuple[str, str]]:
    """First and last of the titles that a name begins and that tell its thing apart.

    After a capital or a digit, what lies between a comma and a space is much of the list: "US", "USS Arrow".
    """
    if len(name.encode()) + 4 > LONGEST:
        return []
    if name[-1:].isupper() or name[-1:].isdigit():
        return [(f"{name},", f"{name}-"), (f"{name} (", f"{name} )")]
    return [(f"{name},", f"{name} )")]


def _listing(pair: Sequence[tuple[str, tuple[str, str]]]) -> tuple[Parameters, int]:
    """The query for one stretch of the list of titles, or for two."""
    (_, (first, last)), *others = pair
    query = {**_ALL, "apfrom": first, "apto": last}
    for _, (first, last) in others:
        query |= {"generator": "allpages", "gapfrom": first, "gapto": last, **_SECOND}
    return query, 0


def _batches(titles: Iterable[str]) -> list[list[str]]:
    """Titles in runs that a request can hold; those that are longer than any page's are left out."""
    batches: list[list[str]] = []
    length = _LENGTH
    for title in titles:
        if len(title.encode()) > LONGEST:
            continue
        size = len(quote(title)) + 3
        if length + size > _LENGTH or len(batches[-1]) == _TITLES:
            batches.append([])
            length = 0
        batches[-1].append(title)
        length += size
    return batches
