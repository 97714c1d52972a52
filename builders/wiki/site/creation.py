"""Whether a page really was created when a list says so."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from benchwright.builders.wiki.pages import Page
from benchwright.builders.wiki.seeded_order import in_order
from benchwright.builders.wiki.site.cached_wiki import CachedWiki
from benchwright.builders.wiki.site.fetch_pages import PageFetcher
from benchwright.builders.wiki.site.listing import ListedPage, stamp

CHECKED = 20
"""Pages of a harvest whose first revision is looked at."""


class Creation:
    """Confirms pages: from the list of all revisions, else by their ids, which grow with time; and a sample one by one.

    Where one of the sample turns out to be older, no list is trusted any more, and each page is looked at.
    """

    def __init__(self, wiki: CachedWiki, start: datetime, end: datetime, lowest: int, checks: Counter[str]) -> None:
        self._wiki = wiki
        self._start, self._end = stamp(start), stamp(end)
        self._lowest = lowest
        self._checks = checks
        self._first: dict[int, str] = {}
        self._trusting = True
        self.listed: Mapping[int, str] | None = None
        """When each page was created, by all revisions since the cutoff, if they were listed."""

    def confirm(self, candidate: ListedPage) -> tuple[str, str]:
        """When a page was created, and why it is left out, one of them empty."""
        if not self._trusting:
            return self._look(candidate.id)
        if self.listed is not None:
            if created := self.listed.get(candidate.id):
                self._checks["confirmed by the list of revisions"] += 1
                return created, ""
        elif candidate.created and candidate.id >= self._lowest:
            self._checks["confirmed by the order of ids"] += 1
            return candidate.created, ""
        return self._look(candidate.id)

    def look_ahead(self, candidates: Iterable[ListedPage], fetcher: PageFetcher, most: int) -> None:
        """Looks at several first revisions at once: of articles of which no list says when they were begun."""
        if self.listed is None:
            unknown = [one.id for one in candidates if one.id and not one.created]
            pages = zip(unknown, fetcher.fetch(unknown), strict=True)
            self._fetch([number for number, page in pages if isinstance(page, Page)][:most])

    def check_sample(self, pages: Sequence[Page], seed: int, count: int) -> dict[int, str]:
        """Looks at the first revisions of a seeded sample: page → why it is left out."""
        sample = in_order(seed, "checked", (page.id for page in pages))[:count]
        bad = self._bad(sample)
        if bad and self._trusting:
            self._trusting = False
            bad = self._bad(page.id for page in pages)
        return bad

    def exact(self, page: Page) -> str:
        """When a page was created: by its first revision, where that was looked at."""
        return self._first.get(page.id, page.created)

    def _bad(self, ids: Iterable[int]) -> dict[int, str]:
        ids = list(ids)
        self._fetch(ids)
        return {number: why for number in ids if (why := self._look(number)[1])}

    def _look(self, number: int) -> tuple[str, str]:
        self._fetch([number])
        first = self._first[number]
        if not first:
            return "", "deleted"
        return (first, "") if self._start <= first < self._end else ("", "older")

    def _fetch(self, ids: Sequence[int]) -> None:
        new = [number for number in ids if number not in self._first]
        queries = [
            {"prop": "revisions", "pageids": number, "rvdir": "newer", "rvlimit": 1, "rvprop": "ids|timestamp"}
            for number in new
        ]
        for number, replies in zip(new, self._wiki.ask_all(((query, 0) for query in queries), on=False), strict=True):
            pages = replies[0].get("query", {}).get("pages", [])
            revisions = pages[0].get("revisions", []) if pages else []
            self._first[number] = revisions[0]["timestamp"] if revisions else ""
            self._checks["first revisions looked at"] += 1
