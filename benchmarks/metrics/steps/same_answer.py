"""Whether two answers to one question say the same, by their words and figures: no gold answer is needed."""

from collections.abc import Sequence

from benchwright.benchmarks.metrics.answers.answer_text import AnswerText, read_answer_text
from benchwright.benchmarks.metrics.answers.boolean import read_boolean
from benchwright.benchmarks.text.dates import Day, covers
from benchwright.benchmarks.text.folding import clean, lower
from benchwright.benchmarks.text.numbers import Number, find_numbers, same_value, unit_of
from benchwright.benchmarks.text.words import content_words, root

SHARED = 0.5
"""Of the words of the shorter answer, more must stand in the other."""
_ASKS_YES_OR_NO = frozenset(
    ("is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could", "will", "would", "should")
)


def same_by_words(question: str, first: str, second: str) -> bool:
    """Whether two answers give the same yes or no, the same dates and numbers, and mostly the same words.

    Words and figures that the question has are left aside where both answers have others. An answer that says that it
    does not know is the same as none.
    """
    one, other = read_answer_text(first), read_answer_text(second)
    if _says_nothing(one) or _says_nothing(other):
        return False
    asked = lower(clean(question))
    if asked.split(" ", 1)[0] in _ASKS_YES_OR_NO:
        meant = read_boolean(one.lowered, question), read_boolean(other.lowered, question)
        if set(meant) <= {"yes", "no"}:
            return meant[0] == meant[1]
    given = find_numbers(asked)
    figures, other_figures = _figures(one, given), _figures(other, given)
    if not (_all_in(figures, other_figures) and _all_in(other_figures, figures)):
        return False
    words, others, known = _roots(first), _roots(second), _roots(question)
    if words - known and others - known:
        words, others = words - known, others - known
    if not words or not others:
        return bool(figures) or one.lowered == other.lowered
    return len(words & others) / min(len(words), len(others)) > SHARED


def _says_nothing(text: AnswerText) -> bool:
    return text.says_nothing or text.abstains or not text.lowered.strip()


def _figures(text: AnswerText, given: Sequence[Number]) -> list[Day | Number]:
    """Its dates, and its numbers that the question does not give."""
    numbers = [number for number in text.numbers if not any(same_value(number.value, each.value) for each in given)]
    return [*(day for date in text.dates for day in date.readings[:1]), *numbers]


def _all_in(figures: Sequence[Day | Number], others: Sequence[Day | Number]) -> bool:
    return all(any(_agree(figure, other) for other in others) for figure in figures)


def _agree(one: Day | Number, other: Day | Number) -> bool:
    """The same, though perhaps not to the day, or in another unit."""
    if isinstance(one, Number) and isinstance(other, Number):
        if one.dimension and one.dimension == other.dimension:
            return same_value(one.value * one.factor, other.value * other.factor)
        return same_value(one.value, other.value)
    day, another = (
        figure if isinstance(figure, tuple) else (round(min(figure.value, 1e9)), 0, 0) for figure in (one, other)
    )
    return covers(day, another) or covers(another, day)


def _roots(text: str) -> set[str]:
    """What the forms of its words share, without figures and units."""
    return {root(word) for word in content_words(text) if not word[0].isdigit() and unit_of(word) is None}
