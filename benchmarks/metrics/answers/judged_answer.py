"""An answer beside the question that it answers, and what that question asks for."""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from benchwright.benchmarks.lazy import CachedProperty
from benchwright.benchmarks.metrics.answers.answer_text import AnswerText
from benchwright.benchmarks.metrics.answers.gold import Gold
from benchwright.benchmarks.metrics.answers.values import Index, Values, word_lists
from benchwright.benchmarks.text.folding import clean, fold, lower, words
from benchwright.benchmarks.text.numbers import units
from benchwright.benchmarks.text.sentences import stretch_at
from benchwright.benchmarks.text.variants import variant, variants
from benchwright.benchmarks.text.words import carries_meaning

_HOW_MANY = re.compile(
    r"\bhow (?:many|much|long|far|old|tall|high|big|large|deep|fast|heavy|wide|often|hot|cold)\b"
    r"|\b(?:percentage|percent|number|population|age|temperature|speed|distance|length|height|weight|size|value) of\b"
    r"|\b(?:cost|price|salary) of\b"
)
_COUNTED = re.compile(r"\b(?:how many|number of)\s+(?:different |total |official |major |main )?([a-z]+)")


@dataclass(frozen=True, eq=False)
class QuestionText:
    """What of a question is looked at. Each part is found when it is first looked at: most answers need none."""

    question: str

    @CachedProperty
    def folded(self) -> str:
        """As it is, in lower case."""
        return fold(self.question).lower()

    @CachedProperty
    def lowered(self) -> str:
        """Cleaned, in lower case."""
        return lower(clean(self.question))

    @CachedProperty
    def words(self) -> tuple[str, ...]:
        """Its words."""
        return tuple(words(self.lowered))

    @CachedProperty
    def said(self) -> frozenset[str]:
        """Its words, in no order, and the parts of those with an apostrophe."""
        return frozenset((*self.words, *self.lowered.split()))

    @CachedProperty
    def variants(self) -> frozenset[str]:
        """The variants of its words."""
        return frozenset(form for form, _, _ in variants(self.words))

    @CachedProperty
    def asked_for(self) -> list[str]:
        """Those of them that carry meaning, in order, without those that only say what sort is wanted."""
        sorts = word_lists("asks")["sorts"]
        return [form for form, _, _ in variants(self.words) if carries_meaning(form) and form not in sorts]

    @CachedProperty
    def stems(self) -> frozenset[str]:
        """The first five letters of each word: "managing" and "manager" are one."""
        return frozenset(word[:5] for word in self.words)

    @CachedProperty
    def units(self) -> dict[str, float]:
        """The units that it names: dimension and factor."""
        known = units()
        found = dict(known[word] for word in self.words if word in known and len(word) > 2)
        if not found and any(phrase in self.lowered for phrase in word_lists("asks")["time"]):
            return {"calendar": 12.0}
        return found

    @CachedProperty
    def is_how_many(self) -> bool:
        """It asks for a number."""
        return _HOW_MANY.search(self.lowered) is not None

    @CachedProperty
    def counted(self) -> str:
        """The variant of what it asks the number of, or nothing."""
        match = _COUNTED.search(self.lowered)
        return "" if match is None else variant(match.group(1))

    @CachedProperty
    def former(self) -> bool:
        """It asks how something was before."""
        return not word_lists("asks")["former"].isdisjoint(self.words)

    @CachedProperty
    def present(self) -> bool:
        """It asks how something is now."""
        return not word_lists("asks")["present"].isdisjoint(self.words) and word_lists("asks")["past"].isdisjoint(
            self.words
        )

    @CachedProperty
    def person(self) -> bool:
        """It asks for a person."""
        asks = word_lists("asks")
        if self.words[:1] in (("who",), ("whom",), ("whose",)):
            return True
        return not asks["person"].isdisjoint(self.words) and asks["not_person"].isdisjoint(self.words)

    @CachedProperty
    def country(self) -> bool:
        """It asks for a country or a place."""
        return self.people or not word_lists("asks")["country"].isdisjoint(self.words)

    @CachedProperty
    def people(self) -> bool:
        """It asks for a nationality."""
        return not word_lists("asks")["people"].isdisjoint(self.words)


read_question = functools.lru_cache(maxsize=1_024)(QuestionText)
"""A question, read once."""


class JudgedAnswer(NamedTuple):
    """One answer and what it is judged against. One is made for most answers: a tuple is the fastest."""

    answer_text: AnswerText
    """Without offers of further help."""
    text: str
    """Cleaned, with its case."""
    lowered: str
    words: Sequence[str]
    question: str
    gold: Gold
    values: Values
    is_cued: bool
    """Some word of it may change the sense of a value."""
    abstains: bool
    is_open: bool
    """Nothing but the gold answer is looked for: no template tells what it could be confused with."""
    is_covered: bool
    """The values hold the gold answer too, with its other forms."""

    @property
    def question_text(self) -> QuestionText:
        """The question, read."""
        return read_question(self.question)

    @property
    def question_lowered(self) -> str:
        """The question as it is, in lower case: enough to see that a word is not in it."""
        return read_question(self.question).folded

    @property
    def spans(self) -> Sequence[tuple[int, int]]:
        """Where the words lie."""
        return self.answer_text.spans

    @property
    def sentences(self) -> Sequence[int]:
        """Where sentences begin."""
        return self.answer_text.sentences

    @property
    def has_capitals(self) -> bool:
        """Whether a letter after the first is a capital."""
        return self.answer_text.has_capitals

    @property
    def indexes(self) -> tuple[Index, ...]:
        """What the answer is searched with: the template's index, and the gold answer's where the template lacks it."""
        return (self.values.index,) if self.is_covered else (self.values.index, self.gold.values.index)

    def clause(self, position: int) -> tuple[int, int]:
        """Start and end of the clause around an offset."""
        return stretch_at(self.answer_text.breaks, len(self.lowered), position)

    def sentence(self, position: int) -> tuple[int, int]:
        """Start and end of the sentence around an offset."""
        return stretch_at(self.sentences, len(self.lowered), position)

    def is_capital(self, position: int) -> bool:
        """Whether a capital (or a digit) stands there, or the answer has none at all."""
        return not self.has_capitals or not self.text[position].islower()


@dataclass(frozen=True, eq=False)
class Asked:
    """A question and what its answers are judged against, read once for any number of answers."""

    question: str
    gold: Gold
    values: Values
    is_open: bool
    """See `JudgedAnswer`."""
    is_covered: bool
    wanted: bool | None = None
    """Of a question of yes or no, which is right."""


def asked_with(question: str, gold: Gold, values: Values, wanted: bool | None = None) -> Asked:
    """A question beside its gold answer and the values that an answer could be confused with."""
    return Asked(question, gold, values, values.items <= gold.items, gold.items <= values.items, wanted)


def beside(answer: AnswerText, asked: Asked) -> JudgedAnswer:
    """An answer, without offers of further help, beside what it is judged against."""
    kept = answer.kept
    is_cued = kept.is_cued
    return JudgedAnswer(
        kept,
        kept.text,
        kept.lowered,
        kept.words,
        asked.question,
        asked.gold,
        asked.values,
        is_cued,
        is_cued and kept.abstains,
        asked.is_open,
        asked.is_covered,
    )
