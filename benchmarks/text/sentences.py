"""Where sentences end: one splitter, with what its users differ in as parameters."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

CLOSING = "\"'”’)]"
"""Quotes and brackets that may stand between a sentence's last mark and the white space after it."""
NEW_SENTENCE = r"[\"'“‘(\[]*[^\Wa-z_]"
"""A regular expression of what a sentence of prose begins with: a capital, a figure or a letter without case, after any
quotes."""


def ending_dot(abbreviations: Iterable[str], before: Iterable[str] = ()) -> str:
    """A regular expression of a full stop that does not belong to an abbreviation.

    Args:
        abbreviations: in small letters, without their last full stop; they are known in capitals too.
        before: regular expressions, each of a fixed width, of what a full stop shortens besides, such as an initial.
    """
    by_length: dict[int, list[str]] = {}
    for word in abbreviations:
        by_length.setdefault(len(word), []).append(re.escape(word))
    same_length = [f"(?i:{'|'.join(words)})" for words in by_length.values()]
    return r"\." + "".join(rf"(?<!\b{each}\.)" for each in (*same_length, *before))


@dataclass(frozen=True)
class Splitter:
    """Splits text into sentences. A line break always ends one; what else does, its users need to differ in."""

    marks: str = r"[.!?]"
    """A regular expression of the mark that ends a sentence, where white space follows."""
    closing: str = CLOSING
    """Characters that may follow the mark and still belong to the sentence."""
    begins: str = NEW_SENTENCE
    """A regular expression of how the next sentence must begin; empty: anyhow."""
    always: str = ""
    """A regular expression of what ends a sentence whatever follows it."""

    @cached_property
    def _break(self) -> re.Pattern[str]:
        closing = f"[{re.escape(self.closing)}]*" if self.closing else ""
        begins = f"(?={self.begins})" if self.begins else ""
        always = rf"|(?P<always>{self.always})\s*" if self.always else ""
        return re.compile(rf"(?P<end>{self.marks}{closing})\s+{begins}{always}|\n\s*")

    def breaks(self, text: str) -> Iterator[tuple[int, int]]:
        """Where each sentence but the last ends, perhaps with white space, and where the next one begins."""
        for match in self._break.finditer(text):
            yield (match.end(match.lastgroup) if match.lastgroup else match.start()), match.end()

    def starts(self, text: str) -> tuple[int, ...]:
        """Where sentences begin, the first at 0: the white space between two belongs to the former."""
        return (0, *(start for _, start in self.breaks(text)))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Start and end of each sentence that holds anything, without the white space around it."""
        found, start = [], 0
        for end, following in (*self.breaks(text), (len(text), len(text))):
            part = text[start:end]
            if part.strip():
                found.append((start + len(part) - len(part.lstrip()), end - (len(part) - len(part.rstrip()))))
            start = following
        return found


def stretch_at(starts: Sequence[int], length: int, position: int) -> tuple[int, int]:
    """Start and end of the stretch of a text that holds a position, from where stretches begin, the first at 0."""
    place = bisect_right(starts, position)
    return starts[place - 1], starts[place] if place < len(starts) else length


PROSE = Splitter()
"""Sentences as passages are made of: cut rather once too often, after "Dr." too, than to run on."""
_ABBREVIATIONS = "dr mr mrs ms st prof inc ltd co corp jr sr no nos vs e.g i.e approx dept fig vol pp p ca cf etc"
_GERMAN_ABBREVIATIONS = "z d u nr bzw vgl inkl evtl ggf abs"
"""The first three stand in "z. B.", "d. h." and "u. a."."""
_SHORTENED = ending_dot([*_ABBREVIATIONS.split(), *_GERMAN_ABBREVIATIONS.split()], before=["[A-Z]"])
COUNTED = Splitter(marks=rf"(?:{_SHORTENED}|[!?])", always="[。！？।॥۔؟]")
"""Sentences where their number matters: not cut after a common abbreviation or an initial, and cut in scripts that have
marks of their own."""
