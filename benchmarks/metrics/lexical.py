"""Texts compared by their words, for what is scored without a model: how alike two are, what one says of another's."""

import math
import re
from collections import Counter

from benchwright.benchmarks.text.alike import alike, meaningful
from benchwright.benchmarks.text.folding import fold
from benchwright.benchmarks.text.remembering import remembers
from benchwright.benchmarks.text.words import carries_meaning, root, stem

BY_RULE = "by rule: "
"""Begins the reason of a score that a rule gave in a model's place."""
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|\d+(?:[.,]\d+)*|[^\W\d_]+")
"""A number, a run of letters, or one sign of a script that is written without spaces."""


def all_words(text: str) -> list[str]:
    """The words of a text in small letters, without accents and the s of a plural."""
    return [stem(word) for word in _WORD.findall(fold(text).lower())]


def _content_words(text: str) -> list[str]:
    """The words of a text that are no function words of English and no single Latin letters."""
    found = _WORD.findall(fold(text).lower())
    return [stem(word) for word in found if carries_meaning(word) or not word.isascii()]


@remembers(characters=10_000_000)
def telling_words(text: str) -> tuple[str, ...]:
    """The roots of the words of a text that carry meaning, in four languages; figures and units written alike."""
    return tuple(root(word) for word in meaningful(_WORD.findall(alike(text).lower())))


def word_cosine(first: str, second: str) -> float:
    """The cosine of two texts' counts of words, 0 to 1; 0 where one has none.

    Function words are not counted, unless a text has no others.
    """
    counts = Counter(_content_words(first)), Counter(_content_words(second))
    if not all(counts):
        counts = Counter(all_words(first)), Counter(all_words(second))
    one, other = counts
    shared = sum(count * other[word] for word, count in one.items())
    lengths = math.prod(sum(count * count for count in each.values()) for each in counts)
    return min(1.0, shared / math.sqrt(lengths)) if lengths else 0.0
