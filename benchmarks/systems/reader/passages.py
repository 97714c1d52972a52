"""Passages as the reader sees them: sentences with their words, what stands around them, and the values they hold."""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.reader.spans import Span, find_spans
from benchwright.benchmarks.systems.reader.vocabulary import classes
from benchwright.benchmarks.text.sentences import PROSE
from benchwright.benchmarks.text.words import STOP_WORDS, content_words, root, words

_FADING, _FADING_PARAGRAPH = 0.85, 0.5
"""What remains of a name with each sentence, and with each paragraph."""
_OLD_BEFORE = re.compile(
    r"\b(?:former(?:ly)?|previous(?:ly)?|original(?:ly)?|initially|had (?:once |first )?been|no longer|used to|"
    r"instead of|rather than|until now|not|old)\b(?:(?!\b(?:now|is|but)\b)[^.;,])*$"
    r"|\b(?:rose|raised|increased|grew|fell|cut|reduced|lowered|changed|revised|went|up|down) from\s$"
)
_OLD_AFTER = re.compile(
    r"^,? (?:gives? way|gave way|"
    r"(?:is|was|has been|have been) (?:superseded|replaced|withdrawn|dropped|succeeded|followed)|"
    r"who (?:had )?(?:held|did|was|left)|formerly|previously|until recently|has moved|has left|has handed|has passed)"
)
_NEW_BEFORE = re.compile(
    r"\b(?:gives? way to|gave way to|replaced by|superseded by|succeeded by|followed by|"
    r"(?:handed|passed|given) [\w ]{0,30}to|changed to|moved to|put back to|brought forward to|"
    r"(?:revised|raised|cut|reduced|corrected) to|becomes)"
    r"\b[^.;,]{0,25}$|\b(?:is|are|was|were|stands at|comes to) now (?:the |an? )?$"
)
_NEW_AFTER = re.compile(
    r"^,? (?:takes its place|took its place|instead|replaces|has taken over|took over|has succeeded|has replaced|"
    r"has stepped in|now applies|is the new)"
)
_VOID = re.compile(r"\b(?:no longer|supersed\w+|out of date|outdated|withdrawn|obsolete|replaced)\b", re.IGNORECASE)
_OFFICE = frozenset((root("office"), root("building")))
_CLIENT = frozenset((root("client"), root("customer")))
_OLD, _NEW = -3.0, 1.5
"""What it counts that a sentence calls a value old, or new."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a sentence, with what comparing it needs."""

    span: Span
    roots: frozenset[str]
    implied: frozenset[str]
    """Roots of words that the value says of itself."""
    has_figures: bool
    standing: float
    """Below 0 where its sentence calls it old, above where new."""
    named: str | None
    """What kind of thing a name names, where a word of it tells."""
    measure: str | None
    """What a number with a unit measures."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage, read once for all questions."""

    text: str
    places: tuple[tuple[str, int, int], ...]
    """The roots of its content words, with start and end."""
    words: frozenset[str]
    above: Mapping[str, float]
    """The roots of the sentences before it in its passage, and how near they stand: 1 in the one before, less above."""
    around: frozenset[str]
    """Those of its whole passage and of its document's title."""
    title: frozenset[str]
    void: frozenset[str]
    """What the passage says of itself that it no longer holds."""
    values: tuple[Value, ...]
    cues: frozenset[str]
    """Its words, and what its values say of themselves."""


@functools.lru_cache(maxsize=50_000)
def roots(text: str) -> frozenset[str]:
    """The roots of a text's content words."""
    return frozenset(root(word) for word in content_words(text))


def _places(text: str) -> tuple[tuple[str, int, int], ...]:
    """Content words with their offsets."""
    found, end = [], 0
    lowered = text.lower()
    for word in words(text):
        start = lowered.index(word, end)
        end = start + len(word)
        if word not in STOP_WORDS:
            found.append((root(word), start, end))
    return tuple(found)


def _standing(text: str, span: Span) -> float:
    before, after = text[max(0, span.start - 70) : span.start], text[span.end : span.end + 45]
    if _NEW_AFTER.search(after) or _NEW_BEFORE.search(before):
        return _NEW
    return _OLD if _OLD_AFTER.search(after) or _OLD_BEFORE.search(before) else 0.0


def _sort_of_name(text: str, said: list[str]) -> str | None:
    names = classes("names")
    return "organisation" if "&" in text else next((names[word] for word in reversed(said) if word in names), None)


def _implied(text: str, span: Span, named: str | None) -> frozenset[str]:
    """What a value says of itself: a building is an office; for whom something is done is a client."""
    if named == "building":
        return _OFFICE
    if named == "organisation" and text.endswith(" for ", 0, span.start):
        return _CLIENT
    return span.implied


def _value(text: str, span: Span) -> Value:
    said = words(span.text)
    named = _sort_of_name(span.text, said) if span.kind == "name" or span.text[:1].isupper() else None
    return Value(
        span=span,
        roots=roots(span.text),
        implied=_implied(text, span, named),
        has_figures=any(letter.isdigit() for letter in span.text),
        standing=_standing(text, span),
        named=named,
        measure=classes("units").get(span.unit.split()[0]) if span.unit else None,
    )


@functools.lru_cache(maxsize=20_000)
def read_passage(passage: Passage) -> tuple[Sentence, ...]:
    """The sentences of a passage."""
    title = roots(passage.title)
    around = title | roots(passage.text)
    parts = [(start, end, passage.text[start:end]) for start, end in PROSE.spans(passage.text)]
    void = frozenset[str]().union(*(roots(text) for _, _, text in parts if "here" in text and _VOID.search(text)))
    found: list[Sentence] = []
    above: dict[str, float] = {}
    last = 0
    for start, end, text in parts:
        fading = _FADING_PARAGRAPH if "\n\n" in passage.text[last:start] else _FADING
        above = {word: weight * fading for word, weight in above.items()}
        last = end
        places = _places(text)
        own = frozenset(word for word, _, _ in places)
        values = tuple(_value(text, span) for span in find_spans(text))
        cues = own.union(*(value.implied for value in values))
        found.append(Sentence(text, places, own, above, around, title, void, values, cues))
        above = above | dict.fromkeys(own, 1.0 / _FADING)
    return tuple(found)
