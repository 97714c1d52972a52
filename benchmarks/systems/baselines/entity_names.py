"""Takes the documents that hold the names that the question names: keyword matching of the names of entities.

A name is a document's title, or a run of capitalised words within a sentence of any document. Words of a question that
are no name count for nothing, however long it is.
"""

import re
from collections.abc import Iterator, Mapping

import numpy as np

from benchwright.benchmarks.systems.base import Opening
from benchwright.benchmarks.systems.baseline import Baseline, Retriever
from benchwright.benchmarks.systems.conditions import whole_document
from benchwright.benchmarks.systems.ranked_passages import RankedPassages
from benchwright.benchmarks.systems.reader.passages import CAPITALISED
from benchwright.benchmarks.text.words import STOP_WORDS, words
from benchwright.benchmarks.types import Document

_NAME = re.compile(rf"{CAPITALISED}(?:(?: | & | of | of the | de ){CAPITALISED})*")
_START = re.compile(r"(?:^|[.!?:]\s+|\n\s*|[-*•]\s+|(?:^|\n)(?:#{1,6}|\d{1,2}[.)]?)[ \t]+)\Z")
_LONGEST = 8
"""Words of a name."""
_IN_TITLE = 1.0
"""What it counts that a name is a document's title, besides that the document holds it."""

Name = tuple[str, ...]


def _names(text: str) -> Iterator[Name]:
    """The names in a text; a single word that begins a sentence or a heading is none."""
    for match in _NAME.finditer(text):
        parts = words(match[0])
        begins = _START.search(text, max(0, match.start() - 8), match.start()) is not None
        if begins and (len(parts) == 1 or parts[0] in STOP_WORDS):
            parts = parts[1:]
        if parts and len(parts) <= _LONGEST and not all(part in STOP_WORDS for part in parts):
            yield tuple(parts)


def _found(question: list[str], known: Mapping[Name, object]) -> set[Name]:
    """The longest names in a question, from its first word on, whatever the case."""
    found: set[Name] = set()
    place = 0
    while place < len(question):
        name = next(
            (
                name
                for length in range(min(_LONGEST, len(question) - place), 0, -1)
                if (name := tuple(question[place : place + length])) in known
            ),
            None,
        )
        place += len(name) if name else 1
        found.update({name} if name else ())
    return found


def _retriever(documents: Mapping[str, Document], opening: Opening) -> Retriever:
    ranked = RankedPassages([whole_document(document) for document in documents.values()])
    holding: dict[Name, dict[int, float]] = {}
    for place, passage in enumerate(ranked.passages):
        for name in set(_names(passage.text)):
            holding.setdefault(name, {})[place] = 1.0
        if title := tuple(words(passage.title)):
            holding.setdefault(title, {})[place] = 1.0 + _IN_TITLE

    def held_names(question: str) -> np.ndarray:
        held = np.zeros(len(ranked.passages))
        for name in _found(words(question), holding):
            for place, count in holding[name].items():
                held[place] += count
        return held

    return lambda attempt: ranked.best(held_names(attempt.question.question), opening.k, attempt.without)


BASELINE = Baseline(
    what="takes the {k} documents that hold most of the names that the question names",
    retriever=_retriever,
    settings=lambda opening: {"k": opening.k},
)
