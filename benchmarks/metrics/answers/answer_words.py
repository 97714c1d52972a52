"""The words of an answer as variants, beside those of its question and of the gold answer."""

from dataclasses import dataclass
from typing import NamedTuple

from benchwright.benchmarks.lazy import CachedProperty
from benchwright.benchmarks.metrics.answers.judged_answer import JudgedAnswer
from benchwright.benchmarks.metrics.answers.names import sounds_alike
from benchwright.benchmarks.metrics.answers.values import word_lists
from benchwright.benchmarks.text.folding import value_words, words
from benchwright.benchmarks.text.variants import falls_in, variants
from benchwright.benchmarks.text.words import carries_meaning


def forms_of(text: str) -> list[str]:
    """The variants of a text's words that carry meaning."""
    return [form for form, _, _ in variants(words(text.lower())) if carries_meaning(form)]


class Word(NamedTuple):
    """A word of an answer that carries meaning: its variant and its place among all words."""

    form: str
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class AnswerWords:
    """The words of an answer beside its question."""

    answer: JudgedAnswer

    @CachedProperty
    def meaning(self) -> list[Word]:
        """Those that carry meaning, in order."""
        return [Word(*each) for each in variants(self.answer.words) if carries_meaning(each[0])]

    @CachedProperty
    def places(self) -> dict[str, list[int]]:
        """Where each of them stands among those that carry meaning."""
        found: dict[str, list[int]] = {}
        for place, word in enumerate(self.meaning):
            found.setdefault(word.form, []).append(place)
        return found

    @property
    def asked(self) -> frozenset[str]:
        """The variants of the question's words."""
        return self.answer.question_text.variants

    @property
    def asked_for(self) -> list[str]:
        """Those of the question that carry meaning, in order, without those that only say what sort is wanted."""
        return self.answer.question_text.asked_for

    @property
    def asks_for_team(self) -> bool:
        """The question asks who won or played."""
        return not word_lists("asks")["team"].isdisjoint(self.asked)

    @CachedProperty
    def own(self) -> list[Word]:
        """Those that the question does not have."""
        return [word for word in self.meaning if word.form not in self.asked]

    def may_hold(self, wording: str) -> bool:
        """Whether any word of a wording may stand in the answer, by its first letters or as a figure."""
        lowered = self.answer.lowered
        return any(word[:3] in lowered or len(word) < 4 or word[0].isdigit() for word in value_words(wording))

    def find(self, form: str) -> list[int]:
        """Where a word of a gold answer stands, slips of the pen included."""
        if form.endswith("_"):
            return [place for other, places in self.places.items() if falls_in(other, form) for place in places]
        found = self.places.get(form, [])
        if found or len(form) < 4 or form[0].isdigit():
            return found
        near = (other for other in self.places if -5 < len(other) - len(form) < 5 and sounds_alike(other, form))
        return [place for other in near for place in self.places[other]]
