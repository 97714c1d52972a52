"""Where in a section an answer stands that a model gives, and what must be read for it."""

import re

from benchwright.benchmarks.text.sentences import COUNTED
from benchwright.builders.documents.sections import Section, Span
from benchwright.builders.documents.tree import Table

NOT_THERE = "the answer does not stand in the section word for word"
TWICE = "the answer stands there more than once, and the quote does not say which is meant"
NOT_WITHIN = "the answer is not within one paragraph or one cell"
_MOST_QUOTED = 1_000
"""Characters of a quote that is looked for."""


def find_answer(text: str, answer: str, quote: str) -> Span | str:
    """Where an answer stands in a text as whole words: once, or where the quote that stands once has it once; or why it
    is not known where. White space may differ."""
    wanted = answer.strip()
    places = _places(text, wanted) or _places(text, wanted.rstrip("."))
    if not places:
        return NOT_THERE
    if len(places) > 1:
        quotes = _quotes(text, quote)
        places = [each for each in places if any(one.start <= each.start and each.end <= one.end for one in quotes[:1])]
        if len(quotes) != 1 or len(places) != 1:
            return TWICE
    return places[0]


def stated_around(section: Section, answer: Span, quote: str) -> Span | None:
    """What must be read for an answer: the row of a table, the quote, or the sentence around it; None where it is not
    within one paragraph or one cell."""
    for placed in section.placed:
        if not (placed.span.start <= answer.start and answer.end <= placed.span.end):
            continue
        if isinstance(placed.part, Table):
            for row in placed.cells:
                if any(cell.start <= answer.start and answer.end <= cell.end for cell in row):
                    return Span(row[0].start, row[-1].end)
            notes = (note for note in placed.notes if note.start <= answer.start and answer.end <= note.end)
            return next(notes, None)
        around = [each for each in _quotes(section.text, quote) if _is_in(answer, each) and _is_in(each, placed.span)]
        if around:
            return around[0]
        text = section.text[placed.span.start : placed.span.end]
        sentences = (Span(placed.span.start + start, placed.span.start + end) for start, end in COUNTED.spans(text))
        return next((each for each in sentences if _is_in(answer, each)), placed.span)
    return None


def _is_in(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _quotes(text: str, quote: str) -> list[Span]:
    return _places(text, quote.strip(), as_words=False) if len(quote) <= _MOST_QUOTED else []


def _places(text: str, wanted: str, *, as_words: bool = True) -> list[Span]:
    """Where a text stands in another, with any white space between its words."""
    parts = wanted.split()
    if not parts:
        return []
    pattern = r"\s+".join(map(re.escape, parts))
    if as_words:
        pattern = rf"(?<!\w){pattern}(?!\w)"
    return [Span(*match.span()) for match in re.finditer(pattern, text)]
