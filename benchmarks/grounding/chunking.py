"""Passages of documents: stretches that end with a paragraph or a sentence, with their offsets."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from benchwright.benchmarks.text.sentences import PROSE
from benchwright.benchmarks.types import Document

WORDS = 100
"""Words that a passage holds, unless one sentence is longer."""

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document."""

    document: str
    title: str
    start: int
    """Offset of the first character, in Python code points into the document's text."""
    end: int
    """Offset after the last character."""
    text: str


def _parts(text: str, words: int) -> Iterator[tuple[int, int, int]]:
    """Start, end and number of words of each sentence, those that are too long cut at words."""
    for start, end in PROSE.spans(text):
        spans = [match.span() for match in _WORD.finditer(text, start, end)]
        for first in range(0, len(spans), words):
            piece = spans[first : first + words]
            yield piece[0][0], piece[-1][1], len(piece)


def chunk_document(document: Document, words: int = WORDS) -> list[Passage]:
    """A document's passages: sentences joined while they have at most so many words together.

    Passages do not overlap and hold every word; a document without a word has none.
    """
    found: list[Passage] = []

    def close(start: int, end: int) -> None:
        found.append(Passage(document.id, document.title, start, end, document.body[start:end]))

    first, last, count = 0, 0, 0
    for start, end, size in _parts(document.body, words):
        if count and count + size > words:
            close(first, last)
            count = 0
        first, last, count = (start if not count else first), end, count + size
    if count:
        close(first, last)
    return found


def chunk_documents(documents: Iterable[Document], words: int = WORDS) -> list[Passage]:
    """The passages of all documents, in order."""
    return [passage for document in documents for passage in chunk_document(document, words)]
