"""Other values of a column that nobody would take for the true one in another spelling."""

from rapidfuzz import fuzz

from benchwright.benchmarks.metrics.answers.values import kind_of
from benchwright.benchmarks.text.dates import Date
from benchwright.benchmarks.text.folding import value_words
from benchwright.benchmarks.text.numbers import Number

_ALIKE = 70
"""Likeness of two texts, from 0 to 100, from which on one may be the other, misspelt."""
_NEAR = 0.02
"""Of two numbers: by how much of the larger they must differ."""


def is_plainly_another(value: str, true: str) -> bool:
    """Whether a value differs from the true one in more than case, spelling, precision or how it is written."""
    (key, read), (true_key, true_read) = kind_of(value), kind_of(true)
    if key == true_key:
        return False
    if isinstance(read, Number) and isinstance(true_read, Number):
        one, other = read.value * read.factor, true_read.value * true_read.factor
        return abs(one - other) > _NEAR * max(abs(one), abs(other))
    if isinstance(read, Date) and isinstance(true_read, Date):
        return True
    words, true_words = set(value_words(value)), set(value_words(true))
    if words <= true_words or true_words <= words:
        return False
    return fuzz.ratio(" ".join(sorted(words)), " ".join(sorted(true_words))) < _ALIKE
