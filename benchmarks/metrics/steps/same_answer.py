"""Whether two answers to one question say the same, by their words and figures: no gold answer is needed."""

from benchwright.benchmarks.metrics.answers.answer_text import AnswerText, read_answer_text
from benchwright.benchmarks.metrics.answers.boolean import read_boolean
from benchwright.benchmarks.text.folding import clean, lower
from benchwright.benchmarks.text.numbers import find_numbers
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
    given = {number.value for number in find_numbers(asked)}
    if _figures(one) - given != _figures(other) - given:
        return False
    words, others, known = _roots(first), _roots(second), _roots(question)
    if words - known and others - known:
        words, others = words - known, others - known
    if not words or not others:
        return one.lowered == other.lowered or bool(_figures(one))
    return len(words & others) / min(len(words), len(others)) > SHARED


def _says_nothing(text: AnswerText) -> bool:
    return text.says_nothing or text.abstains or not text.lowered.strip()


def _figures(text: AnswerText) -> set[object]:
    """Dates, by what they may mean, and numbers."""
    return {date.readings for date in text.dates} | {number.value for number in text.numbers}


def _roots(text: str) -> set[str]:
    return {root(word) for word in content_words(text) if not word.isdecimal()}
