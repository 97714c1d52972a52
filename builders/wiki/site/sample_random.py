"""Random articles of any age."""

from collections import Counter
from collections.abc import Callable, Collection
from itertools import count, islice

from benchwright.builders.wiki.pages import Page
from benchwright.builders.wiki.ranks import draw_ids
from benchwright.builders.wiki.site.fetch_pages import AT_ONCE, ELSEWHERE, NO_PAGE, Looker

Some = list[tuple[int, Page | str]]
Draw = Callable[[int], Some]
"""Gives about so many pages, each with its id, or why it is left out; none when there are no more."""

_FRUITLESS = 5
"""Replies in a row with nothing new, after which a wiki has no more pages to draw."""


def by_id(looker: Looker, seed: int, highest: int, taken: Collection[int], checks: Counter[str]) -> Draw:
    """Draws page ids with the seed: where most ids are articles."""
    ids = (number for number in draw_ids(seed, "random", highest) if number not in taken)

    def draw(wanted: int) -> Some:
        while some := list(islice(ids, wanted)):
            seen = list(zip(some, looker.look_at(some), strict=True))
            articles = [(number, page) for number, page in seen if page not in (NO_PAGE, ELSEWHERE)]
            checks["ids drawn that are no article's"] += len(seen) - len(articles)
            if articles:
                return articles
        return []

    return draw


def by_wiki(looker: Looker, taken: Collection[int]) -> Draw:
    """Lets the wiki draw, which takes no seed: where articles are few among the ids."""
    serials = count()
    known = set(taken)

    def draw(wanted: int) -> Some:
        fruitless = 0
        while fruitless < _FRUITLESS:
            drawn = looker.draw(list(islice(serials, max(1, wanted // AT_ONCE))))
            new = {number: page for number, page in drawn if number not in known}
            known.update(new)
            if new:
                return list(new.items())
            fruitless += 1
        return []

    return draw
