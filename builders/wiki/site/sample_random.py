"""Random articles of any age."""

from collections import Counter
from collections.abc import Callable, Collection
from itertools import count, islice

from benchwright.builders.wiki.page_rules import NOT_AN_ARTICLE
from benchwright.builders.wiki.pages import Page
from benchwright.builders.wiki.seeded_order import draw_ids
from benchwright.builders.wiki.site.fetch_pages import AT_ONCE, NO_PAGE, PageFetcher

Batch = list[tuple[int, Page | str]]
Draw = Callable[[int], Batch]
"""Gives about so many pages, each with its id, or why it is left out; none when there are no more."""

_FRUITLESS = 5
"""Replies in a row with nothing new, after which a wiki has no more pages to draw."""


def by_id(fetcher: PageFetcher, seed: int, highest: int, taken: Collection[int], checks: Counter[str]) -> Draw:
    """Draws page ids with the seed: where most ids are articles."""
    ids = (number for number in draw_ids(seed, "random", highest) if number not in taken)

    def draw(wanted: int) -> Batch:
        while batch := list(islice(ids, wanted)):
            seen = list(zip(batch, fetcher.fetch(batch), strict=True))
            articles = [(number, page) for number, page in seen if page not in (NO_PAGE, NOT_AN_ARTICLE)]
            checks["ids drawn that are no article's"] += len(seen) - len(articles)
            if articles:
                return articles
        return []

    return draw


def by_wiki(fetcher: PageFetcher, taken: Collection[int]) -> Draw:
    """Lets the wiki draw, which takes no seed: where articles are few among the ids."""
    serials = count()
    known = set(taken)

    def draw(wanted: int) -> Batch:
        fruitless = 0
        while fruitless < _FRUITLESS:
            drawn = fetcher.fetch_random(list(islice(serials, max(1, wanted // AT_ONCE))))
            new = {number: page for number, page in drawn if number not in known}
            known.update(new)
            if new:
                return list(new.items())
            fruitless += 1
        return []

    return draw
