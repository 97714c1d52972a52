"""Whether something is so, as a sentence has it: yes where one says all of it, no where one says otherwise of the same.

It is for questions that ask for yes or no in words of their own ("is the budget of X 3 million?", "whether …").
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.reader.passages import Value, find_values, read_passage
from benchwright.benchmarks.systems.reader.question import LONGEST, names_of
from benchwright.benchmarks.systems.reader.vocabulary import filler, roots, synonyms
from benchwright.benchmarks.text.dates import parse_date
from benchwright.benchmarks.text.numbers import parse_number
from benchwright.benchmarks.text.words import content_words

_WHETHER = re.compile(r"\b(?:whether|(?:know|see|tell|check|confirm|sure) if)\s+(?P<claim>[^;?]+)")
_PUT = re.compile(r"(?i)(?:is|are|was|were|does|did|has|have)\s+(?!there\b)\S")
_ASKS_BESIDES = re.compile(r"\b(?:says?|tells?|knows?|states?|shows?)\b[^?]*\b(?:what|which|who|where|when|how)\b")
"""What is asked for is not whether somebody can say so: "does any page say what the genre of X is?"."""
_MARKED = re.compile(r"(?i)(?P<claim>.+?)[,:]?\s*\b(?:yes or no|or not|true or false|(?<!is )correct)\s*\?\s*$")
_THIS = re.compile(r"\b(?:this|that|these|its|their)\b")
_HALF = 0.5
"""The share of what is not a name or a figure that a sentence must say."""


@dataclass(frozen=True, slots=True)
class _Claim:
    names: tuple[frozenset[str], ...]
    figures: tuple[object, ...]
    said: tuple[frozenset[str], ...]
    """Of each other word, the roots that say the same."""


def confirmed(question: str, passages: Sequence[Passage]) -> str | None:
    """Yes or no; None where the question does not ask for that, or no sentence speaks of it."""
    claim = _read(question)
    if claim is None:
        return None
    speaks = False
    for sentence in (sentence for passage in passages for sentence in read_passage(passage).sentences):
        here = [name for name in claim.names if name <= sentence.words]
        near = [name for name in claim.names if all(sentence.above(word) for word in name - sentence.words)]
        if claim.names and not near:
            continue
        figures = _figures(sentence.values)
        said = sum(not group.isdisjoint(sentence.words) for group in claim.said)
        is_whole = len(near) == len(claim.names) <= len(here) + 1 and all(one in figures for one in claim.figures)
        if is_whole and _is_said(claim, said, has_value=bool(claim.figures) or len(near) > 1):
            return "Yes"
        speaks = speaks or (said > 0)
    return "No" if speaks else None


def _is_said(claim: _Claim, said: int, *, has_value: bool) -> bool:
    """Whether a sentence says enough of a claim: beside its figure or a second name, one word of what it is about."""
    return said >= (min(1, len(claim.said)) if has_value else _HALF * len(claim.said) + 1)


def _read(question: str) -> _Claim | None:
    if len(question) > LONGEST:
        return None
    whether = _WHETHER.search(question)
    marked = _MARKED.match(question)
    is_put = _PUT.match(question) and not _ASKS_BESIDES.search(question)
    text = whether["claim"] if whether else marked["claim"] if marked else question if is_put else ""
    if not text:
        return None
    names = tuple(dict.fromkeys(roots(match[0]) for match in names_of(text)))
    if _THIS.search(text):
        names = tuple(dict.fromkeys((*(roots(match[0]) for match in names_of(question)), *names)))
    of_names = frozenset[str]().union(*names)
    figures = tuple(_figures(find_values(text)))
    words = [word for word in content_words(text) if word not in filler() and not word[0].isdigit()]
    others = [synonyms(word) for word in dict.fromkeys(words) if of_names.isdisjoint(roots(word))]
    return _Claim(names, figures, tuple(others)) if names or figures else None


def _figures(values: Sequence[Value] | Iterator[Value]) -> dict[object, None]:
    """Dates and numbers, read."""
    found: dict[object, None] = {}
    for value in values:
        if value.kind == "date":
            date = parse_date(value.text)
            found[value.text if date is None else date.readings] = None
        elif value.kind in ("number", "year", "money"):
            number = parse_number(value.text)
            found[re.sub(r"\D", "", value.text) if number is None else number.value] = None
    return found
