"""Passages by recursive chunking: a text is cut at blank lines, what is too long at line ends, at spaces and at last
between characters, and neighbouring pieces are joined again while they fit.

The cuts are those that the recursive splitter of LangChain makes with its default separators; here they keep their
offsets, so that what a passage holds can be told by them.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.types import Document

CHARACTERS, OVERLAP = 1024, 48
"""The most that a passage holds, and the most that it repeats of the one before (Kenneweg et al. 2024, section IV)."""
_SEPARATORS = ("\n\n", "\n", " ")

Span = tuple[int, int]


def recursive_spans(text: str, characters: int = CHARACTERS, overlap: int = OVERLAP) -> list[Span]:
    """Start and end of each passage of a text, without the white space around it.

    Args:
        text: what is cut.
        characters: the most that a passage holds.
        overlap: the most that a passage repeats of the one before it; whole pieces only, and none where a single piece
            is longer.
    """
    return list(_cut(text, (0, len(text)), _SEPARATORS, characters, overlap))


def _cut(text: str, span: Span, separators: Sequence[str], characters: int, overlap: int) -> Iterator[Span]:
    at = next((i for i, each in enumerate(separators) if text.find(each, *span) >= 0), len(separators))
    fitting: list[Span] = []
    for piece in _pieces(text, span, separators[at] if at < len(separators) else ""):
        if piece[1] - piece[0] < characters or at >= len(separators):
            fitting.append(piece)
            continue
        yield from _joined(text, fitting, characters, overlap)
        fitting = []
        yield from _cut(text, piece, separators[at + 1 :], characters, overlap)
    yield from _joined(text, fitting, characters, overlap)


def _pieces(text: str, span: Span, separator: str) -> Iterator[Span]:
    """What stands between separators, each of which begins the piece behind it."""
    start, end = span
    if not separator:
        yield from ((place, place + 1) for place in range(start, end))
        return
    for match in re.finditer(re.escape(separator), text[start:end]):
        if start < span[0] + match.start():
            yield start, span[0] + match.start()
        start = span[0] + match.start()
    if start < end:
        yield start, end


def _joined(text: str, pieces: Iterable[Span], characters: int, overlap: int) -> Iterator[Span]:
    """Pieces in a row as passages: each as long as fits, beginning with as many of the last pieces as may overlap."""
    held = deque[Span]()
    total = 0
    for start, end in pieces:
        size = end - start
        if total + size > characters and held:
            yield from _stripped(text, held[0][0], held[-1][1])
            while total > overlap or (total + size > characters and total > 0):
                first = held.popleft()
                total -= first[1] - first[0]
        held.append((start, end))
        total += size
    if held:
        yield from _stripped(text, held[0][0], held[-1][1])


def _stripped(text: str, start: int, end: int) -> Iterator[Span]:
    inner = text[start:end]
    start += len(inner) - len(inner.lstrip())
    end = start + len(inner.strip())
    if start < end:
        yield start, end


def chunk_recursively(
    documents: Iterable[Document], characters: int = CHARACTERS, overlap: int = OVERLAP
) -> list[Passage]:
    """The passages of all documents, in order; each has its document's title, which does not count."""
    return [
        Passage(document.id, document.title, start, end, document.body[start:end])
        for document in documents
        for start, end in recursive_spans(document.body, characters, overlap)
    ]
