"""The small words by which the checker by rule reads a wording, and which stretch of it tells what is asked."""

import itertools
from collections.abc import Sequence

from benchwright.builders.sql.wording.lexicon import PLACE, words_called

MARKS = frozenset(".?!;:,()–—")
ENDS = frozenset(".?!;")
ARTICLES = frozenset({"the", "a", "an", "this", "that", "his", "her", "their", "it"})
BE = frozenset({"is", "was", "are", "were", "be"})
DO = frozenset({"did", "do", "doe", "has", "have", "had"})
PREPOSITIONS = frozenset({"in", "of", "to", "from", "by", "with", "on", "at", "for", "under", "about"})
_FAR = 6
"""The most tokens of a long wording from one of what is asked and given to the next, where they belong together."""
_NEAR = 3
"""Tokens before what is asked that may still belong to it."""
_CLAUSES = words_called("clauses")
"""Words that begin a clause of its own."""


def around(there: Sequence[str], places: Sequence[int]) -> range:
    """The stretch of some places with what stands around it in its sentence, as far as it may belong there."""
    start = first = min(places)
    last = max(places)
    while start and there[start - 1] not in MARKS and first - start < 2 * _NEAR:
        start -= 1
    while last + 1 < len(there) and there[last + 1] not in ENDS:
        last += 1
    return range(start, last + 1)


def near(there: Sequence[str], wanted: Sequence[frozenset[str] | set[str]]) -> frozenset[int]:
    """The places of a long wording from what is asked to what is given in one clause, and right before.

    What follows them is not looked at: idle talk cannot be told from a condition there.
    """
    places = sorted(places_of(there, wanted))
    found: set[int] = set()
    for first, last in itertools.pairwise(places):
        stretch = there[first:last]
        if len(stretch) <= _FAR and not any(token in MARKS or token in _CLAUSES for token in stretch):
            found.update(range(first, last + 1))
    for place in places:
        found.update(range(max(0, place - 1), place + 1))
    return frozenset(found)


def places_of(there: Sequence[str], wanted: Sequence[frozenset[str] | set[str]]) -> list[int]:
    """The places of all placeholders, and of each set the one that is nearest to them."""
    fixed = [place for place, token in enumerate(there) if token == PLACE] or [0]
    found = list(fixed)
    for some in wanted[1:]:
        places = [place for place, token in enumerate(there) if token in some or some & set(token.split("_"))]
        if places:
            found.append(min(places, key=lambda place: min(abs(place - one) for one in fixed)))
    return found
