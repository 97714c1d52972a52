"""An answer, read: its words and sentences, and the question that it answers."""

import bisect
import functools
from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.benchmarks.answers import cues
from benchwright.benchmarks.answers.numbers import unit_of
from benchwright.benchmarks.answers.text import clean, fold, lower, spans, words
from benchwright.benchmarks.answers.values import Gold, Index, Values, word_lists


@dataclass(frozen=True, slots=True)
class Asked:
    """What of a question is looked at."""

    lowered: str
    words: tuple[str, ...]
    stems: frozenset[str]
    """The first five letters of each word: "managing" and "manager" are one."""
    units: dict[str, float]
    """The units that it names: dimension and factor."""
    person: bool
    """It asks for a person."""
    people: bool
    """It asks for a nationality."""


def _units(found: Sequence[str], lowered: str) -> dict[str, float]:
    units = [unit for word in found if len(word) > 2 and (unit := unit_of(word)) is not None]
    if not units and any(phrase in lowered for phrase in word_lists("asks")["time"]):
        return {"calendar": 12.0}
    return dict(units)


@functools.lru_cache(maxsize=20_000)
def read_question(question: str) -> Asked:
    """A question, read once."""
    lowered = lower(clean(question))
    found = tuple(words(lowered))
    every, asks = frozenset(found), word_lists("asks")
    return Asked(
        lowered=lowered,
        words=found,
        stems=frozenset(word[:5] for word in found),
        units=_units(found, lowered),
        person=not every.isdisjoint(asks["person"]) and every.isdisjoint(asks["not_person"]),
        people=not every.isdisjoint(asks["people"]),
    )


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer and what it is judged against."""

    text: str
    """Cleaned, with its case."""
    lowered: str
    words: Sequence[str]
    question: str
    gold: Gold
    values: Values
    has_capitals: bool
    is_cued: bool
    """Some word of it may change the sense of a value."""
    abstains: bool

    @property
    def asked(self) -> Asked:
        """The question, read."""
        return read_question(self.question)

    @property
    def question_lowered(self) -> str:
        """The question as it is, in lower case: enough to see that a word is not in it."""
        return fold(self.question).lower()

    @property
    def spans(self) -> Sequence[tuple[int, int]]:
        """Where the words lie."""
        return spans(self.lowered)

    @property
    def sentences(self) -> Sequence[tuple[int, int]]:
        """Start and end of each sentence."""
        return cues.sentences(self.lowered)

    @property
    def indexes(self) -> tuple[Index, ...]:
        """What the answer is searched with: the gold answer's own wordings only where the template lacks it."""
        return indexes_of(self.gold, self.values)

    def clause(self, position: int) -> tuple[int, int]:
        """Start and end of the clause around an offset."""
        breaks = cues.breaks(self.lowered)
        index = bisect.bisect_right(breaks, position)
        return breaks[index - 1], breaks[index] if index < len(breaks) else len(self.lowered)

    def sentence(self, position: int) -> tuple[int, int]:
        """Start and end of the sentence around an offset."""
        parts = cues.sentences(self.lowered)
        return next((part for part in parts if part[0] <= position < part[1]), (0, len(self.lowered)))

    def is_capital(self, position: int) -> bool:
        """Whether a capital (or a digit) stands there, or the answer has none at all."""
        return not self.has_capitals or not self.text[position].islower()


def indexes_of(gold: Gold, values: Values) -> tuple[Index, ...]:
    """The template's index, and that of a gold answer that is not among its values."""
    if all(element.item in values.items for element in gold.elements):
        return (values.index,)
    return (values.index, gold.values.index)


def read_answer(
    text: str,
    lowered: str,
    question: str,
    gold: Gold,
    values: Values,
    *,
    found: Sequence[str] | None = None,
    is_cued: bool | None = None,
) -> Reading:
    """A cleaned and lowered answer, without offers of further help."""
    kept, kept_lowered = cues.without_offers(text, lowered)
    if found is None or len(kept) < len(text):
        found = words(kept_lowered)
    text, lowered = kept, kept_lowered
    is_cued = cues.may_change(lowered, found) if is_cued is None else is_cued
    return Reading(
        text=text,
        lowered=lowered,
        words=found,
        question=question,
        gold=gold,
        values=values,
        has_capitals=text[1:] != lowered[1:],
        is_cued=is_cued,
        abstains=is_cued and cues.abstains(lowered),
    )
