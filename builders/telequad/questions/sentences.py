"""Sentences of a specification without the references between them, and where each character of them stands."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.text.sentences import COUNTED
from benchwright.builders.documents.sections import Section, Span
from benchwright.builders.documents.tree import Paragraph
from benchwright.builders.telequad.questions.asked import Specification

_TARGET = (
    r"(?:(?:sub)?clauses?|sections?|tables?|figures?|annex|annexes|appendix|§)\s*[A-Z]?[\w.\-]*\d[\w.\-]*"
    r"|\[[\w.\- ]+\]"
)
_TARGETS = (
    rf"(?:{_TARGET})(?:(?:,? (?:and|or|of) |, )(?:{_TARGET}|(?:the present document)|[A-Z]+ [\d.]+(?: \[\d+\])?))*"
)
REFERENCE = re.compile(
    rf"\s*\((?:(?:see|cf\.?|defined in|specified in|as [a-z]+ in|counter \w+,) ?)*{_TARGETS}\)"
    rf"|,? (?:as )?(?:specified|defined|described|given|coded as|listed|set out|shown) in {_TARGETS}(?P<comma>,)?"
    rf"|\s\[\d+\]",
    re.IGNORECASE,
)
"""Where a sentence says in which clause or table more stands."""
_OPENS = re.compile(r"(?:In|Upon|On|If|When|Whenever|After|Once)\b[^,]*")
"""What stands before the comma that parts a condition from what it is about: that comma stays."""
_UNIT_ENDS = re.compile(r"(?<=\d) ?[°kMmµ]?[AVWKCFNJ]\.(?= [A-Z])")
_BROKEN = re.compile(r"[^\S ]|  ")
"""White space other than one space."""
_MARKER = re.compile(r"(?:[-–—•*o]|\(?[a-z0-9]{1,3}[).])\s+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in one line, without references to other clauses."""

    text: str
    places: Sequence[int]
    """Where each character stands in the section's text."""
    section: int
    kind: str
    """The paragraph's."""

    @property
    def span(self) -> Span:
        """All of it in the section's text."""
        return self.part(0, len(self.text))

    def part(self, start: int, end: int) -> Span:
        """A stretch of it in the section's text."""
        return Span(self.places[start], self.places[end - 1] + 1)

    def piece(self, start: int, end: int) -> "Piece":
        """A stretch of it."""
        return Piece(self.text[start:end], self.places[start:end])


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of a sentence."""

    text: str
    places: Sequence[int]
    """Where each character stands in the section's text; words that are told elsewhere may follow those that do."""

    @property
    def span(self) -> Span:
        """From its first to its last character in the section's text."""
        return Span(self.places[0], self.places[-1] + 1)

    def part(self, start: int, end: int) -> "Piece":
        """A stretch of it."""
        return Piece(self.text[start:end], self.places[start:end])


@dataclass(frozen=True, slots=True)
class Block:
    """The sentences of a paragraph, and the items of the list that its last one opens."""

    sentences: tuple[Sentence, ...]
    items: tuple[Sentence, ...] = ()


def blocks(specification: Specification) -> Iterator[Block]:
    """Paragraphs and lists, in the order of the document; notes, examples and references are no statements."""
    for place, section in enumerate(specification.sections):
        yield from _blocks(section, place)


def _blocks(section: Section, number: int) -> Iterator[Block]:
    waiting: tuple[Sentence, ...] = ()
    items: list[Sentence] = []
    for placed in section.placed:
        part = placed.part
        kind = part.kind if isinstance(part, Paragraph) else ""
        if kind == "list" and waiting:
            items.append(_item(section.text, placed.span, number))
            continue
        if waiting:
            yield Block(waiting, tuple(items))
            waiting, items = (), []
        if kind not in ("paragraph", "list"):
            continue
        found = _sentences(section.text, placed.span, number, kind)
        if kind == "paragraph" and found and found[-1].text.endswith(":"):
            waiting = found
        elif found:
            yield Block(found)
    if waiting:
        yield Block(waiting, tuple(items))


def _sentences(text: str, span: Span, section: int, kind: str) -> tuple[Sentence, ...]:
    line, places = _one_line(text, span)
    if kind == "list" and (marker := _MARKER.match(line)):
        line, places = line[marker.end() :], places[marker.end() :]
    return tuple(
        without_references(Sentence(line[start:end], places[start:end], section, kind))
        for start, end in _ends_of_units(line)
    )


def _ends_of_units(line: str) -> Iterator[tuple[int, int]]:
    """Where sentences start and end; one that ends in a unit such as volts, "13.2 V.", does not end in an initial."""
    for start, end in COUNTED.spans(line):
        for found in _UNIT_ENDS.finditer(line, start, end):
            yield start, found.end()
            start = found.end() + 1
        yield start, end


def _item(text: str, span: Span, section: int) -> Sentence:
    line, places = _one_line(text, span)
    marker = _MARKER.match(line)
    start = marker.end() if marker else 0
    return without_references(Sentence(line[start:], places[start:], section, "item"))


def _one_line(text: str, span: Span) -> tuple[str, Sequence[int]]:
    """The characters of a span with one space for any white space, and where they stand."""
    if _BROKEN.search(text, span.start, span.end) is None:
        return text[span.start : span.end], range(span.start, span.end)
    letters, places = [], []
    for place in range(span.start, span.end):
        letter = " " if text[place].isspace() else text[place]
        if letter != " " or (letters and letters[-1] != " "):
            letters.append(letter)
            places.append(place)
    return "".join(letters), tuple(places)


def without_references(sentence: Sentence) -> Sentence:
    """The sentence without what it says about where more stands."""
    if REFERENCE.search(sentence.text) is None:
        return sentence
    text, places, end = [], [], 0
    for match in REFERENCE.finditer(sentence.text):
        text.append(sentence.text[end : match.start()])
        places.extend(sentence.places[end : match.start()])
        end = match.end()
        if match["comma"] and (not match[0].startswith(",") or _OPENS.fullmatch(sentence.text, 0, match.start())):
            end -= 1
    text.append(sentence.text[end:])
    places.extend(sentence.places[end:])
    return Sentence("".join(text), tuple(places), sentence.section, sentence.kind)
