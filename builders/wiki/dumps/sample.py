"""Which pages of a stream are kept: those that a seed puts first, or those that were edited last.

And only those whose ids agree with their age.
"""

import heapq
import zlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from benchwright.builders.wiki.dumps.creation_log import seconds
from benchwright.builders.wiki.pages import Page
from benchwright.builders.wiki.seeded_order import page_rank

_AGREE = 0.95
"""Share of pages that must be in the order of their ids for the others to be doubted: in a wiki that was imported, ids
say nothing."""


class PackedPage(Page):
    """A page that holds its wikitext compressed, to a fifth of what text takes, so that many fit into memory."""

    __slots__ = ("_packed",)

    @property
    def wikitext(self) -> str:
        """Unpacked each time that it is asked for."""
        return zlib.decompress(self._packed).decode()

    @wikitext.setter
    def wikitext(self, text: str) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        object.__setattr__(self, "_packed", zlib.compress(text.encode(), 1))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Page) and all(getattr(self, name) == getattr(other, name) for name in Page.__slots__)

    __hash__ = Page.__hash__


class FirstBySeed:
    """The pages that a seed puts first, at most so many: the same ones in whatever order they are seen."""

    def __init__(self, size: int, seed: int, what: str) -> None:
        self._size, self._seed, self._what = size, seed, what
        self._heap: list[tuple[int, int, Page]] = []

    def place(self, page: Page) -> int | None:
        """A page's place, the highest first, if it is high enough so far."""
        if not self._size:
            return None
        place = self._place(page)
        return place if len(self._heap) < self._size or place > self._heap[0][0] else None

    def _place(self, page: Page) -> int:
        return -int.from_bytes(page_rank(self._seed, self._what, page.id), "big")

    def add(self, place: int, page: Page) -> None:
        """Takes a page, and lets the last one go if there are too many."""
        put = heapq.heappush if len(self._heap) < self._size else heapq.heapreplace
        put(self._heap, (place, page.id, page))

    def pages(self) -> Iterator[Page]:
        """The pages in the order of the seed."""
        return (page for _, _, page in sorted(self._heap, reverse=True))


class LastEdited(FirstBySeed):
    """The pages that were saved last, at most so many; of the same second, those with the lower ids."""

    def _place(self, page: Page) -> int:
        return (seconds(page.edited) << 40) - page.id


def doubted(pages: Sequence[Page]) -> set[int]:
    """The ids of pages that are not as old as they are said to be: ids grow with time.

    All but the longest run of pages whose creations grow with their ids; none where the ids do not follow time at all.
    """
    inside = _longest_run(sorted(pages, key=lambda page: page.id))
    return {page.id for page in pages} - inside if len(inside) >= _AGREE * len(pages) else set()


def _longest_run(pages: Sequence[Page]) -> set[int]:
    """The ids of the longest subsequence whose creations never fall (patience sorting)."""
    tops: list[str] = []
    piles: list[int] = []
    """The place of the page on top of each pile."""
    below: list[int] = []
    """For each page the place of the one before it in its run, or -1."""
    for place, page in enumerate(pages):
        pile = bisect_right(tops, page.created)
        below.append(piles[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [page.created]
        piles[pile : pile + 1] = [place]
    inside: set[int] = set()
    place = piles[-1] if piles else -1
    while place >= 0:
        inside.add(pages[place].id)
        place = below[place]
    return inside
