"""All titles of a dump's articles, so that those which share a name with the chosen ones are found in the end.

Which pages are chosen is known at the dump's end only, and then their namesakes have gone by. So titles are kept,
packed: 80 MB for seven million. Reading the dump again for its titles alone would take as long as unpacking it, and
hashes of names alone would not tell the titles.
"""

import zlib
from collections.abc import Iterator

_PIECE = 8_192
"""Titles that are packed together."""


class PackedTitles:
    """Titles in the order in which they came."""

    def __init__(self) -> None:
        self._packed: list[bytes] = []
        self._recent: list[str] = []

    def add(self, title: str) -> None:
        """Takes a title."""
        self._recent.append(title)
        if len(self._recent) == _PIECE:
            self._packed.append(zlib.compress("\n".join(self._recent).encode("utf-8", "surrogatepass"), 1))
            self._recent.clear()

    def __iter__(self) -> Iterator[str]:
        for piece in self._packed:
            yield from zlib.decompress(piece).decode("utf-8", "surrogatepass").split("\n")
        yield from self._recent
