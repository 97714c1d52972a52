"""The context that is wider than it need be, by rule: sentences of neighbours stand among its own.

They take the place of sentences scraped from pages that link to a page (Es et al. 2024, section 4). None of them states
a fact that is asked for, so that the context is less relevant to its question by construction.
"""

import re
from collections.abc import Iterator, Sequence

from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.hashing import rank
from benchwright.builders.wiki.questions.dates import find_dates
from benchwright.builders.wiki.questions.subjects import split_sentences
from benchwright.builders.wikieval.material import MadeContext, Passage
from benchwright.builders.wikieval.questions import Asked

_SHORTEST, _LONGEST = 40, 400
"""Characters of a sentence that is put in."""
_FEWEST = 2
_WHOLE = re.compile(r"[^\W\d_a-z].*[.!?][\"”’')]*$", re.DOTALL)


def widen(asked: Asked, passage: Passage, seed: int) -> MadeContext | None:
    """The passage with sentences of its neighbours among its own; None where no neighbour has one that fits.

    As many are put in as the passage has sentences, at least two where there are two. The detail has `added`, the
    places of those sentences in the context, counted from 0, and `sentences`, how many it has.
    """
    own = [passage.text[start:end] for start, end in split_sentences(passage.text)]
    values = [fact.value for fact in asked.facts]
    fit = sorted(set(_fitting(passage.neighbours, own, values)), key=lambda text: rank(seed, passage.title, text))
    taken = fit[: max(_FEWEST, len(own))]
    if not taken:
        return None
    marked = [(place + 1.0, False, text) for place, text in enumerate(own)]
    # The passage's first sentence stays first: it says what all others are about.
    slots = sorted(range(len(taken)), key=lambda place: rank(seed, "slot", passage.title, place))
    marked += [(1.5 + slot % max(1, len(own)), True, text) for slot, text in zip(slots, taken, strict=True)]
    marked.sort(key=lambda one: one[0])
    detail = {"added": [place for place, one in enumerate(marked) if one[1]], "sentences": len(marked)}
    return MadeContext(tuple(text for _, _, text in marked), "rule", detail)


def _fitting(neighbours: Sequence[str], own: Sequence[str], values: Sequence[str]) -> Iterator[str]:
    """The whole sentences of neighbours that the passage does not have and that state nothing that is asked for."""
    held = {plain(text) for text in own}
    days = [one for value in values for one in find_dates(value)]
    for text in (re.sub(r"\s+", " ", each).strip() for each in neighbours):
        if not _SHORTEST <= len(text) <= _LONGEST or not _WHOLE.match(text) or plain(text) in held:
            continue
        if states([plain(text)], [*values, *(value.partition(",")[0] for value in values)]):
            continue
        if any(one.first <= day.first <= one.last for one in find_dates(text) for day in days):
            continue
        yield text
