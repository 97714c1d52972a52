"""How alike two wordings are once synonyms, padding and the words of the schema are set aside."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rapidfuzz.distance import Levenshtein

from benchwright.builders.sql.wording.meaning import Entity, Meaning

PLACEHOLDER = re.compile(r"\[[^\[\]]+\]")

_ARTICLES_AND_PREPOSITIONS = "a an the about as at by concerning for from in into of on regarding to up with"
_COURTESY_AND_EMPHASIS = """
again also courtesy exactly hello hey here hi just kindly now ok please quick quickly really respectfully simply so
thanks then
"""
_REQUESTS = """
determine establish fetch find get give identify indicate list look name obtain provide report retrieve return say
search share show specify state supply tell
"""
FILLER = frozenset(f"{_ARTICLES_AND_PREPOSITIONS} {_COURTESY_AND_EMPHASIS} {_REQUESTS}".split())
"""Words that make no difference between two wordings; verbs of asking and answering can stand for one another."""

SAME = {
    "asked": "ask",
    "asks": "ask",
    "can": "could",
    "may": "could",
    "might": "could",
    "will": "could",
    "would": "could",
    "are": "is",
    "need": "require",
    "needed": "require",
    "needs": "require",
    "required": "require",
    "requires": "require",
    "sought": "require",
    "wanted": "require",
    "us": "me",
    "we": "i",
    "our": "my",
    "which": "what",
    "who": "what",
    "whom": "what",
}
"""Words that count as one."""


def words_of(meaning: Meaning) -> frozenset[str]:
    """All table and column words of a meaning, as phrases: what `skeleton` masks."""

    def walk(entity: Entity) -> Iterator[str]:
        yield entity.noun
        for given in entity.given:
            yield given.words
        for link in entity.links:
            yield link.role
            yield from walk(link.entity)

    return frozenset((*walk(meaning.of), *(asked.words for asked in meaning.asked)))


def skeleton(text: str, words: Iterable[str]) -> tuple[str, ...]:
    """The structure of a wording: placeholders are P, the given table and column words C (runs of one kind are one
    token), filler and punctuation are dropped, the rest is in lower case with interchangeable words made equal."""
    kept: list[str] = []
    for token in _tokens(mask(text, words)):
        if token in FILLER or (kept and token in {"C", "P"} and kept[-1] == token):
            continue
        kept.append(SAME.get(token, token))
    return tuple(kept)


def mask(text: str, words: Iterable[str]) -> str:
    """A text with marks, each a P or C between two NULs, for placeholders and for table and column words."""
    text = PLACEHOLDER.sub(" \x00P\x00 ", text)
    for phrase in sorted(words, key=lambda phrase: (-len(phrase), phrase)):
        text = re.sub(rf"(?<![\w\x00]){re.escape(phrase)}(?![\w\x00])", " \x00C\x00 ", text, flags=re.IGNORECASE)
    return text


def _tokens(masked: str) -> Iterator[str]:
    for mask, word in re.findall(r"\x00([CP])\x00|([^\W_]+(?:['’][^\W_]+)*)", masked):
        if mask:
            yield mask
            continue
        stem, _, ending = word.lower().replace("’", "'").partition("'")
        if stem != "s":  # of a placeholder's or a masked word's possessive
            yield stem
        if ending in {"s", "re"}:
            yield "is"


def distance(a: Sequence[str], b: Sequence[str]) -> float:
    """Edit distance of two skeletons over the length of the longer one: 0 for equal ones, 1 for nothing in common."""
    return Levenshtein.normalized_distance(a, b)
