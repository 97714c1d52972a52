"""Where in a document a chunk of it stands that was not copied word for word: decorated, with a header, re-wrapped.

Runs of four words that both have vote for the stretch of the document that holds most of the chunk.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchwright.benchmarks.text.markup import without_markup
from benchwright.benchmarks.types import Document

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Letters of scripts that set no spaces between words: each counts as a word."""
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_RUN = 4
"""Words that must follow each other in both."""
_COVERED = 0.6
"""The share of a chunk's words that must stand in the stretch: the rest is its header or its decoration."""
_DENSE = 0.8
"""The share of the stretch's words that must stand in the chunk: of a summary the middle is not there."""
_WIDER = 1.25
"""Times as many words as the chunk has may the stretch have."""
_FREQUENT = 30
"""A run that stands so often in a document says nothing of the place."""
_REMEMBERED = 4_000_000
"""Words of documents that are remembered at once."""

Span = tuple[int, int]


@dataclass(frozen=True)
class _Words:
    """A document's words: where each stands, and where each run of them begins."""

    spans: Sequence[Span]
    runs: Mapping[int, Sequence[int]]


def _hashes(words: Sequence[str]) -> list[int]:
    return [hash(tuple(words[first : first + _RUN])) for first in range(len(words) - _RUN + 1)]


def _words_of(body: str) -> _Words:
    matches = list(_WORD.finditer(body))
    runs: dict[int, list[int]] = {}
    for place, value in enumerate(_hashes([match[0].casefold() for match in matches])):
        runs.setdefault(value, []).append(place)
    return _Words([match.span() for match in matches], runs)


@dataclass
class Locator:
    """Finds chunks in their documents, whose words it remembers."""

    _documents: dict[str, _Words] = field(default_factory=dict)
    _size: int = 0

    def locate(self, text: str, document: Document) -> Span | None:
        """Start and end of the stretch of a document that a text is a chunk of; None where there is no one stretch.

        Signs that touch it belong to it: brackets, a currency's sign, a full stop.
        """
        words = [match[0].casefold() for match in _WORD.finditer(without_markup(text))]
        if len(words) < _RUN:
            return None
        known = self._known(document)
        hits = sorted(
            (place, number)
            for number, value in enumerate(_hashes(words))
            if len(places := known.runs.get(value, ())) <= _FREQUENT
            for place in places
        )
        best = _densest(hits, int(len(words) * _WIDER) + _RUN)
        if best is None:
            return None
        first, last = best[0][0], best[-1][0] + _RUN
        in_chunk = {number + each for _, number in best for each in range(_RUN)}
        in_document = {place + each for place, _ in best for each in range(_RUN)}
        if len(in_chunk) < _COVERED * len(words) or len(in_document) < _DENSE * (last - first):
            return None
        return _widened(document.body, known.spans[first][0], known.spans[last - 1][1])

    def _known(self, document: Document) -> _Words:
        known = self._documents.get(document.id)
        if known is None:
            known = _words_of(document.body)
            if self._size > _REMEMBERED:
                self._documents.clear()
                self._size = 0
            self._documents[document.id] = known
            self._size += len(known.spans)
        return known


def _widened(body: str, start: int, end: int) -> Span:
    while start and not (body[start - 1].isspace() or body[start - 1].isalnum()):
        start -= 1
    while end < len(body) and not (body[end].isspace() or body[end].isalnum()):
        end += 1
    return start, end


def _densest(hits: Sequence[tuple[int, int]], width: int) -> Sequence[tuple[int, int]] | None:
    """Of places in a document and in a chunk, those in the stretch of so many words with most places of the chunk."""
    best, most, first = None, 0, 0
    inside = Counter[int]()
    for last, (place, number) in enumerate(hits):
        inside[number] += 1
        while place - hits[first][0] >= width:
            left = hits[first][1]
            inside[left] -= 1
            if not inside[left]:
                del inside[left]
            first += 1
        if len(inside) > most:
            best, most = (first, last + 1), len(inside)
    return None if best is None else hits[best[0] : best[1]]
