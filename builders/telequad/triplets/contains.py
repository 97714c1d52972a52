"""Whether a text says an answer in any form: what training must not take for a wrong text.

A text says it where the words of one of its forms follow each other there, whatever their case, inflection and
spelling, with figures for numerals and one spelling for a unit; where it has the same quantity or date, however it is
written, or its figures and its unit apart, as a table with "Length (octets)" above "2" has "2 octets"; and, of an
answer of many words, where it has nearly all of them. It finds more rather than less.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from benchwright.benchmarks.grounding.stating import has_quantity
from benchwright.benchmarks.text.alike import alike
from benchwright.benchmarks.text.dates import parse_date
from benchwright.benchmarks.text.folding import lower, words
from benchwright.benchmarks.text.numbers import parse_number, unit_of
from benchwright.benchmarks.text.variants import variant
from benchwright.benchmarks.text.words import carries_meaning

_UNBROKEN = 6
"""Characters from which an answer is also found in words that are joined: "resync" in "re-sync"."""
_MOST = 0.6
"""The share of the words that lead from one fact to the other."""
_MANY, _NEARLY_ALL = 4, 0.8
"""Telling words from which an answer is long, and the share of them that a text must have to say the same."""
_BETWEEN_FIGURES = frozenset(
    ["to", "and", "or", "from", "between", "of", "at", "least", "most", "up", "than", "more", "less", "in", "per"]
)
"""Words of a quantity that are neither figure nor unit."""
_IN_A_CODE = re.compile(r"[^\W\d_]\d|\b0x", re.IGNORECASE)
"""Figures of names such as "T301" and "0x4D", which are no quantities."""
_FEW = 6
"""Words of a quantity, at the most."""
_SECONDS = frozenset({"s", "sec", "secs"})
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff]")
"""Scripts that set no spaces between words."""


class Said:
    """The words of a text, as answers are looked for in it."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def run(self) -> str:
        """Its words in one form each, with a space around each."""
        return f" {' '.join(_forms(self.text))} "

    @cached_property
    def joined(self) -> str:
        """The same without spaces."""
        return self.run.replace(" ", "")

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(self.run.split())

    @cached_property
    def units(self) -> frozenset[str]:
        """The units that it names, in one spelling each."""
        found = {word for word in words(lower(self.text)) if word[0].isalpha()}
        return frozenset(unit for word in found if (unit := _unit(word)))

    @cached_property
    def runs(self) -> frozenset[tuple[str, ...]]:
        """The words that stand next to each other, three at a time; of a shorter text all."""
        found = self.run.split()
        return frozenset(tuple(found[place : place + 3]) for place in range(max(1, len(found) - 2)))


@dataclass(frozen=True)
class Answer:
    """An answer, or another statement, as it is looked for in texts."""

    forms: tuple[str, ...]
    """The answer and its aliases."""

    @cached_property
    def _runs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(" ".join(found) for form in self.forms if (found := list(_forms(form)))))

    @cached_property
    def _joined(self) -> tuple[str, ...]:
        """Forms whose words may be joined, or their parts apart."""
        found = (run.replace(" ", "") for run in self._runs)
        return tuple(each for each in found if len(each) >= _UNBROKEN or _UNSPACED.search(each))

    @cached_property
    def _signs(self) -> tuple[str, ...]:
        """Forms without a word, such as "≥" or "+"."""
        return tuple(form.strip() for form in self.forms if form.strip() and not any(_forms(form)))

    @cached_property
    def _quantities(self) -> tuple[str, ...]:
        return tuple(form for form in self.forms if parse_date(form) or parse_number(form))

    @cached_property
    def _apart(self) -> tuple[tuple[str, ...], ...]:
        """The figures and units of each form that is a quantity or a range."""
        found = (form for form in self.forms if re.search(r"\d", form) and not _IN_A_CODE.search(form))
        parts = ([word for word in _forms(form) if word not in _BETWEEN_FIGURES] for form in found)
        return tuple(tuple(each) for each in parts if len(each) <= _FEW)

    @cached_property
    def _telling(self) -> tuple[frozenset[str], ...]:
        found = (frozenset(word for word in run.split() if carries_meaning(word)) for run in self._runs)
        return tuple(each for each in found if len(each) >= _MANY)

    def is_in(self, said: Said) -> bool:
        """Whether a text says it."""
        return (
            any(f" {run} " in said.run for run in self._runs)
            or any(each in said.joined and _parted(each).search(said.run) for each in self._joined)
            or any(sign in said.text for sign in self._signs)
            or any(all(word in said.words or word in said.units for word in each) for each in self._apart)
            or any(len(each & said.words) >= _NEARLY_ALL * len(each) for each in self._telling)
            or has_quantity(said.text, self._quantities)
        )


def _parted(letters: str) -> re.Pattern[str]:
    """Finds letters that begin and end with a word, wherever there are spaces between them."""
    inner = " ?".join(map(re.escape, letters))
    return re.compile(inner if _UNSPACED.search(letters) else f" {inner} ")


@dataclass(frozen=True)
class Bridge:
    """One of the facts of a question of several hops, in other words: a text says it that names what is asked about and
    most of what leads from there to the text with the answer."""

    entity: Answer
    words: frozenset[str]
    """As `Said.words` has them."""

    def is_in(self, said: Said) -> bool:
        """Whether a text says it."""
        return len(self.words & said.words) >= _MOST * len(self.words) and self.entity.is_in(said)


def bridge(entity: str, stated: str, positive: Said) -> Bridge | None:
    """The bridge over a statement about something to the text with the answer; None where they share no other word.
    Numbers of clauses lead nowhere: the text does not name them otherwise."""
    about = Said(entity).words
    there = Said(stated).words & positive.words
    shared = {word for word in there if word not in about and carries_meaning(word) and "." not in word}
    return Bridge(Answer((entity,)), frozenset(shared)) if shared and entity else None


def _forms(text: str) -> Iterator[str]:
    """A text's words, each in the one form that its variants share."""
    after_figure = False
    for word in words(lower(alike(text))):
        yield (_unit(word) if after_figure else "") or variant(word)
        after_figure = word[0].isdigit()


def _unit(word: str) -> str:
    """A unit by what it measures and its factor; "" where a word in small letters is none."""
    unit = unit_of("seconds" if word in _SECONDS else word)
    return f"{unit[0]}{unit[1]:g}" if unit else ""


def answer_of(answers: Iterable[str], aliases: Iterable[Iterable[str]]) -> Answer:
    """The answer of a row of `questions`."""
    return Answer(tuple(dict.fromkeys((*answers, *(each for more in aliases or () for each in more or ())))))
