"""Names and values that a page could state of the wrong row, and whether a text holds them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from benchwright.builders.spider.closed_columns import closed_words
from benchwright.builders.spider.cues import is_class
from benchwright.builders.spider.profile import Profile

_WORD = re.compile(r"\w+")
_LONGEST = 8
"""Words of a name or value that are compared."""


@dataclass
class Strangers:
    """Names and values, as runs of words."""

    names: set[str] = field(default_factory=set)
    values: dict[str, set[str]] = field(default_factory=dict)
    """Table and label → the texts that its columns hold, as words."""
    longest: int = 1
    """Words of the longest."""

    @cached_property
    def _held(self) -> set[str]:
        return set[str]().union(*self.values.values())

    def see(self, profile: Profile) -> None:
        """Adds what a profile names and holds."""
        self._add(self.names, profile.name)
        for fact in profile.facts:
            if fact.sort == "cell" and not fact.value[0].isdigit():
                self._add(self.values.setdefault(_column(profile, fact.label), set()), fact.value)
            elif fact.sort == "link":
                self._add(self.names, fact.value)

    def _add(self, texts: set[str], text: str) -> None:
        words = _WORD.findall(text)
        if len("".join(words)) > 2:
            texts.add(" ".join(words))
            self.longest = max(self.longest, min(_LONGEST, len(words)))

    def runs(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Every run of words of a text that could be one of them, with its place."""
        words = list(_WORD.finditer(text))
        for first in range(len(words)):
            run = ""
            for last in range(first, min(len(words), first + self.longest)):
                run = f"{run} {words[last][0]}" if run else words[last][0]
                yield run, words[first].start(), words[last].end()

    def touch(self, text: str) -> bool:
        """Whether a text holds any of them."""
        return any(
            run in self.names or run in self._held or run[0].upper() + run[1:] in self._held
            for run, _, _ in self.runs(text)
        )

    def named(self, text: str) -> set[str]:
        """The names in a line of text, without a word of everyday language with which a sentence begins."""
        everyday = closed_words()["common"]
        return {
            run for run, start, _ in self.runs(text)
            if run in self.names and not (run.casefold() in everyday and _begins(text, start))
        }  # fmt: skip

    def held(
        self, profile: Profile, label: str, runs: Iterable[tuple[str, int, int]]
    ) -> Iterator[tuple[str, int, int]]:
        """The values that rows of its table have in a column, among the runs of words of a text, with their places."""
        known = self.values.get(_column(profile, label))
        if not known:
            return
        for run, start, end in runs:
            capital = run[0].upper() + run[1:]
            if run in known:
                yield run, start, end
            elif capital in known and may_be_small(capital, label):
                yield capital, start, end


def _column(profile: Profile, label: str) -> str:
    """Under which a column's values are known."""
    return f"{profile.row[0]}\0{label}"


@lru_cache(maxsize=16_384)
def may_be_small(value: str, label: str) -> bool:
    """Whether a value begins with a small letter within a sentence, as `Oil and gas` does, and `Linden` does not."""
    words = _WORD.findall(value)
    if not words or not words[0][:1].isupper() or not words[0][1:].islower():
        return False
    return all(word.islower() for word in words[1:]) and (len(words) > 1 or is_class(label))


def _begins(text: str, start: int) -> bool:
    """Whether a sentence begins there."""
    before = text[:start].rstrip()
    return not before or before[-1] in '.!?:"”'
