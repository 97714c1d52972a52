"""Which words of a sentence say what a value is: those of its column, or others of ordinary prose (`cues.toml`)."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from benchwright.benchmarks.data_files import read_toml
from benchwright.builders.sql.wording import english

Span = tuple[int, int]
_WORD = re.compile(r"\w+")
_ENDINGS = (
    "ations", "ation", "ating", "ated", "ates", "ate", "ings", "ing", "ials", "ial", "ers", "er", "ed", "ies", "ity",
    "al", "es", "ly", "s", "y", "e",
)  # fmt: skip
_LEAST_STEM = 4
_PREPOSITION = re.compile(r"\s+(?:of|from|at|in|by|for|with)\b")
_BEFORE = re.compile(
    r"(?:[\s$€£:]|\b(?:of|was|were|is|are|at|as|to|stood|stands|reached|total|totalled|totaled|totals|came|comes|amounted|"
    r"amounts?|worth|being|given|put|recorded|has|have|had|stated|reported|about|a|an|the|US)\b)*"
)
"""Between words and the value that follows them and that they are about."""
_BEHIND = re.compile(r"(?:[\s-]|\b(?:billion|million|thousand|trillion|dollars?|euros?|pounds?|US|in|of|as)\b)*")
"""Between a value and the words behind it that are about it."""


@dataclass(frozen=True)
class Cue:
    """Words that say what a value is."""

    start: int
    end: int
    label: str


@dataclass(frozen=True)
class Value:
    """A value of a profile in a sentence."""

    start: int
    end: int
    label: str


def is_class(label: str) -> bool:
    """Whether a value of the column says by itself what it is: a retailing company is one of that industry."""
    return label.casefold().rpartition(" ")[2] in _classes()


@cache
def _classes() -> frozenset[str]:
    return frozenset(read_toml(__package__, "cues.toml")["classes"]["words"].split())


@lru_cache(maxsize=4_096)
def _phrases(label: str) -> re.Pattern[str] | None:
    """What people say for a column's words."""
    known: dict[str, list[str]] = read_toml(__package__, "cues.toml")["phrases"]
    low = label.casefold()
    head = low.rpartition(" ")[2]
    found = [
        phrase
        for key, phrases in known.items()
        if key in {low, head, english.singular(head)} or key == f"{low.rpartition(' ')[0]} {english.singular(head)}"
        for phrase in phrases
    ]
    if not found:
        return None
    parts = [
        rf"(?<!\w){re.escape(one)}" if one[0].isalnum() else re.escape(one) for one in sorted(found, key=len)[::-1]
    ]
    return re.compile(rf"(?:{'|'.join(parts)})(?!\w)", re.IGNORECASE)


def places_of_stems(sentence: str) -> Mapping[str, Sequence[Span]]:
    """Where the words of a sentence stand, whatever their form."""
    places: dict[str, list[Span]] = {}
    for word in _WORD.finditer(sentence):
        places.setdefault(_stem(word[0]), []).append(word.span())
    return places


def cues_of(label: str, sentence: str, places: Mapping[str, Sequence[Span]]) -> Iterator[Cue]:
    """Where a sentence says what a value is.

    Args:
        label: the words of the column.
        sentence: with names and values blanked out, which may hold such words.
        places: of its words; see `places_of_stems`.
    """
    stems = _stems(label)
    if stems and all(stem in places for stem in stems):
        yield from (_cue(sentence, *span, label) for span in places[stems[-1]])
    phrases = _phrases(label)
    if phrases is not None:
        yield from (_cue(sentence, *match.span(), label) for match in phrases.finditer(sentence))


def _cue(sentence: str, start: int, end: int, label: str) -> Cue:
    """Words with the preposition that follows them: `graduated from`."""
    more = _PREPOSITION.match(sentence, end)
    return Cue(start, more.end() if more else end, label)


def has_words(places: Mapping[str, Sequence[Span]], label: str) -> bool:
    """Whether a sentence with these words holds all those of a column, in any form."""
    return all(stem in places for stem in _stems(label))


@lru_cache(maxsize=4_096)
def _stems(label: str) -> Sequence[str]:
    return [_stem(word) for word in _WORD.findall(label)]


@lru_cache(maxsize=16_384)
def _stem(word: str) -> str:
    """What forms of a word have in common: graduation, graduated; profit, profits."""
    low = word.casefold()
    if len(low) < _LEAST_STEM:
        return low
    low = english.singular(low)
    while True:
        ending = next((one for one in _ENDINGS if low.endswith(one) and len(low) - len(one) >= _LEAST_STEM), "")
        if not ending:
            return low
        low = low.removesuffix(ending)


def is_about(value: Value, sentence: str, cues: Sequence[Cue], values: Sequence[Value]) -> Span | None:
    """The place of the words that say what a value is; None where there are none, or where they are about another.

    Words before a value are about it unless another value stands between, or one just before them has taken them; words
    behind it the same, unless others before it are about it: `sales of 41.1 and profits of 433.5` does not say that
    the profits are 41.1.
    """
    others = [one for one in values if not (one.start < value.end and value.start < one.end)]
    before = _nearest([cue for cue in cues if cue.end <= value.start], lambda cue: -cue.end)
    behind = _nearest([cue for cue in cues if cue.start >= value.end], lambda cue: cue.start)
    if before:
        place = before[0]
        labels = {cue.label for cue in before}
        between = [
            one for one in others if place.end <= one.start and one.end <= value.start and one.label not in labels
        ]
        taken = any(
            one.end <= place.start and one.label != value.label and _BEHIND.fullmatch(sentence[one.end : place.start])
            for one in others
        )
        if value.label in labels and not between and not taken:
            return place.start, place.end
        if value.label not in labels and _BEFORE.fullmatch(sentence[place.end : value.start]):
            return None
    if behind:
        place = behind[0]
        labels = {cue.label for cue in behind}
        between = [
            one for one in others if value.end <= one.start and one.end <= place.start and one.label not in labels
        ]
        if value.label in labels and not between:
            return place.start, place.end
    return None


def _between(values: Sequence[Value], low: int, high: int, labels: Collection[str]) -> list[Value]:
    return [one for one in values if low <= one.start and one.end <= high and one.label not in labels]


def _nearest(cues: Sequence[Cue], distance: Callable[[Cue], int]) -> list[Cue]:
    """The nearest words, and what else stands in their place."""
    if not cues:
        return []
    first = min(cues, key=distance)
    return [first, *(cue for cue in cues if cue is not first and cue.start < first.end and first.start < cue.end)]
