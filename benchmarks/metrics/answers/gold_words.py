"""A gold wording as the variants of the words that carry its meaning, for answers that give it in other words."""

import functools
import re
from dataclasses import dataclass
from typing import Literal

from benchwright.benchmarks.metrics.answers.values import word_lists
from benchwright.benchmarks.text import countries
from benchwright.benchmarks.text.folding import clean, fold, lower, value_words, words
from benchwright.benchmarks.text.variants import variants
from benchwright.benchmarks.text.words import STOP_WORDS, carries_meaning

Sort = Literal["name", "phrase"]

_JOINED = re.compile(r"\s*(?:[,;/&]|\band\b)\s*(?:and\s+)?")
_NOTE = re.compile(r"\s*\([^()]*\)")
_SHORT = 3
"""Words that a member of a list of phrases may have."""
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class GoldWords:
    """One part of a gold wording: the whole of it, or a member of a list."""

    words: tuple[str, ...]
    """Variants, in order, without function words."""
    given: tuple[str, ...]
    """Of a name of several words, all but the last as written, initials too."""
    sort: Sort
    """A name has a capital or a figure at every word."""
    capital: frozenset[str]
    """Those words that have a capital."""

    @property
    def numerals(self) -> frozenset[str]:
        """Those words that are numbers: none of them can be missing."""
        return frozenset(word for word in self.words if word[0].isdigit())


def _is_name(text: str) -> bool:
    found = [word for word in _WORD.findall(fold(text)) if word.lower() not in STOP_WORDS and word != "s"]
    return bool(found) and all(word[0].isupper() or word[0].isdigit() for word in found)


def _parts(text: str) -> list[str]:
    """The members of a list, of names or of three and more short phrases; any other text as it is."""
    found = [part for part in _JOINED.split(text) if part]
    if len(found) < 2:
        return [text]
    if not all(_is_name(part) for part in found):
        return found if len(found) > 2 and all(len(part.split()) <= _SHORT for part in found) else [text]
    wider = [countries.is_wider_place(value_words(part)) for part in found]
    if (wider[-1] and not wider[0]) or found[-1].strip(".").lower() in ("jr", "sr", "inc", "ltd"):
        return [text]
    return found


def _read(part: str) -> GoldWords | None:
    titles = word_lists("names")["titles"]
    raw = [word for word in words(lower(clean(part))) if word not in titles or part.islower()]
    kept = tuple(form for form, _, _ in variants(raw) if carries_meaning(form))
    if not kept:
        return None
    sort: Sort = "name" if _is_name(part) and len(kept) <= 6 else "phrase"
    capitals = [word.lower() for word in _WORD.findall(fold(part)) if word[0].isupper()]
    names = frozenset(form for form, _, _ in variants(capitals))
    return GoldWords(kept, tuple(raw[:-1]) if sort == "name" else (), sort, names)


def alternatives(wording: str) -> list[str]:
    """A wording, and both sides of a slash in it: "Holland/the Netherlands"."""
    sides = [side.strip() for side in wording.split("/")] if "/" in wording else []
    return [wording, *sides] if len(sides) > 1 and all(len(side) > 3 for side in sides) else [wording]


@functools.lru_cache(maxsize=50_000)
def gold_words(wording: str) -> tuple[GoldWords, ...]:
    """The parts of a wording, each of which an answer must give; empty where no word carries meaning."""
    text = _NOTE.sub("", wording).strip() or wording
    read = [_read(part) for part in _parts(text)]
    return tuple(part for part in read if part is not None)
