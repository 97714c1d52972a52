"""The text of an answer, read once whatever was asked."""

import functools
from dataclasses import dataclass

from benchwright.benchmarks.lazy import CachedProperty
from benchwright.benchmarks.metrics.answers import cues
from benchwright.benchmarks.text.dates import Date, find_dates
from benchwright.benchmarks.text.folding import LONGEST_ANSWER, clean, lower, spans, words
from benchwright.benchmarks.text.numbers import Number, find_numbers


@dataclass(frozen=True, eq=False)
class AnswerText:
    """A cleaned answer. Each part is found when it is first looked at, as most answers need few of them."""

    text: str
    """With its case."""
    lowered: str

    @CachedProperty
    def words(self) -> tuple[str, ...]:
        """Its words."""
        return tuple(words(self.lowered))

    @CachedProperty
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Where the words lie."""
        return spans(self.lowered)

    @CachedProperty
    def sentences(self) -> tuple[int, ...]:
        """Where sentences begin."""
        return cues.sentence_starts(self.lowered)

    @CachedProperty
    def breaks(self) -> tuple[int, ...]:
        """Where clauses begin."""
        return cues.clause_starts(self.lowered)

    @CachedProperty
    def has_capitals(self) -> bool:
        """Whether a letter after the first is a capital."""
        return self.text[1:] != self.lowered[1:]

    @CachedProperty
    def is_cued(self) -> bool:
        """Some word of it may change the sense of a value."""
        return cues.may_change(self.lowered, self.words)

    @CachedProperty
    def abstains(self) -> bool:
        """Some clause of it says that the answer is not known."""
        return cues.abstains(self.lowered, self.words)

    @CachedProperty
    def says_nothing(self) -> bool:
        """The whole of it is "N/A", "unknown" or the like."""
        return cues.says_nothing(self.lowered)

    @CachedProperty
    def dates(self) -> list[Date]:
        """Its dates."""
        return find_dates(self.lowered)

    @CachedProperty
    def undated(self) -> str:
        """The text in lower case with spaces in place of its dates."""
        text = self.lowered
        for date in self.dates:
            text = text[: date.start] + " " * (date.end - date.start) + text[date.end :]
        return text

    @CachedProperty
    def numbers(self) -> list[Number]:
        """Its numbers that are no part of a date."""
        return find_numbers(self.undated)

    @CachedProperty
    def kept(self) -> "AnswerText":
        """The answer without offers of further help."""
        text, lowered = cues.without_offers(self.text, self.lowered)
        return self if len(text) == len(self.text) else AnswerText(text, lowered)


@functools.lru_cache(maxsize=64)
def _read(answer: str) -> AnswerText:
    # The phrasings of one question come one after another and mostly get the same words for an answer.
    text = clean(answer)
    return AnswerText(text, lower(text))


def read_answer_text(answer: str) -> AnswerText:
    """The text of an answer as a system gave it; of more than `LONGEST_ANSWER` characters its beginning."""
    return _read(answer[:LONGEST_ANSWER])
