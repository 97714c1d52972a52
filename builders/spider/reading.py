"""Reads a page: where it states each fact of its row, and what it says that is none of them. The proof of a release and
the build call the same; the writer shares nothing with it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from benchwright.builders.spider.facts import FactKey
from benchwright.builders.spider.profiles import Fact, Profile
from benchwright.builders.sql.wording import english

SHORTEST, LONGEST = 200, 400
"""Words of a page (GRAMMAR, appendix H.2)."""
Span = tuple[int, int]

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_END = re.compile(r"(?<=[.!?])[\"”’)]*\s+(?=\S)|\n+")
_NOT = re.compile(
    r"\b(?:not|never|no longer|formerly|previously|allegedly|reportedly|rumou?red|perhaps|maybe|might|may have|"
    r"is unknown|denie[sd]|unconfirmed|wrongly|if)\b|n['’]t\b",
    re.IGNORECASE,
)
"""What takes back, doubts or passes on what a sentence states."""


@dataclass
class Strangers:
    """Names and values that pages could state of the wrong row, as runs of words."""

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
                self._add(self.values.setdefault(_column(profile, fact), set()), fact.value)
            elif fact.sort == "link":
                self._add(self.names, fact.value)

    def _add(self, texts: set[str], text: str) -> None:
        words = _WORD.findall(text)
        if len("".join(words)) > 2:
            texts.add(" ".join(words))
            self.longest = max(self.longest, min(8, len(words)))

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
        return any(run in self.names or run in self._held for run, _, _ in self.runs(text))


def find_facts(profile: Profile, text: str) -> dict[FactKey, list[Span]]:
    """Where a text states each fact of a profile that it states: of a cell its value, else from the first to the last
    of what belongs together."""
    found: dict[FactKey, list[Span]] = {}
    sentences = [(start, text[start:end]) for start, end in sentences_of(profile, text)]
    for fact in profile.facts:
        for start, sentence in sentences:
            span = _stated(fact, sentence)
            if span is not None:
                found.setdefault(fact.key, []).append((start + span[0], start + span[1]))
    return found


def problems_of(profile: Profile, text: str, strangers: Strangers, may_lack_pairs: bool = False) -> list[str]:
    """What is wrong with a page: facts that it lacks, numbers, names and values that belong to no fact of its row.

    Args:
        profile: what it must state.
        text: the page.
        strangers: the names and values of all profiles.
        may_lack_pairs: whether what an associative table says may stand on the other row's page.
    """
    found = find_facts(profile, text)
    problems = [
        f"it does not state that the {fact.label} of {profile.name} is {fact.value}: say so plainly in one sentence"
        for fact in profile.facts
        if fact.key not in found and not (may_lack_pairs and fact.sort == "pair")
    ]
    parts = [part for fact in profile.facts for part in (fact.value, fact.label, fact.tie, *fact.names)]
    held = [profile.name, profile.noun, *parts]
    numbers = {number for part in held for number in _NUMBER.findall(part)}
    problems += [
        f"it holds the number {number[0]}, which is in no fact: leave it out"
        for number in _NUMBER.finditer(text)
        if number[0] not in numbers
    ]
    own = {run for part in held for run, _, _ in strangers.runs(part)}
    for line in text.split("\n"):
        named = {run for run, _, _ in strangers.runs(line) if run in strangers.names and run not in own}
        problems += [f"it names {name}, of which no fact speaks: leave it out" for name in sorted(named)]
    for start, end in sentences_of(profile, text):
        sentence = text[start:end]
        for run, _, _ in strangers.runs(sentence):
            if run in own:
                continue
            for fact in profile.facts:
                held_there = strangers.values.get(_column(profile, fact), ()) if fact.sort == "cell" else ()
                if run in held_there and _has_words(sentence, fact.label):
                    problems.append(f"it says {run} where the {fact.label} of {profile.name} is {fact.value}")
        doubt = _NOT.search(sentence)
        if doubt and any(_stated(fact, sentence, asserted=False) for fact in profile.facts):
            problems.append(f"it takes back or doubts a fact by {doubt[0]!r}: state it plainly")
    return list(dict.fromkeys(problems))


def gives_a_value(profile: Profile, text: str, label: str, strangers: Strangers) -> bool:
    """Whether a page has a value for a column that its row has none of: a sentence with the words of the label that
    states no fact of a label like it, and a number or a value that other rows have there."""
    held = strangers.values.get(f"{profile.row[0]}\0{label}", ())
    alike = [fact for fact in profile.facts if _roots(label) <= _roots(fact.label)]
    for start, end in sentences_of(profile, text):
        sentence = text[start:end]
        if not _has_words(sentence, label) or any(_stated(fact, sentence) for fact in alike):
            continue
        if _NUMBER.search(sentence) or any(run in held for run, _, _ in strangers.runs(sentence)):
            return True
    return False


def sentences_of(profile: Profile, text: str) -> list[Span]:
    """The sentences of a text; a full stop within a name or a value ends none."""
    names = {profile.name, *(part for fact in profile.facts for part in (fact.value, *fact.names))}
    held = [match.span() for name in names if re.search(r"[.!?]", name) for match in re.finditer(re.escape(name), text)]
    spans, start = [], 0
    for end in _END.finditer(text):
        if any(low < end.start() < high for low, high in held):
            continue
        if any(high == end.start() for _, high in held) and not text[end.end() : end.end() + 1].isupper():
            continue
        spans.append((start, end.start()))
        start = end.end()
    return [span for span in [*spans, (start, len(text))] if text[span[0] : span[1]].strip()]


def words_in(text: str) -> int:
    """The words of a text."""
    return len(text.split())


def _column(profile: Profile, fact: Fact) -> str:
    return f"{profile.row[0]}\0{fact.label}"


def _stated(fact: Fact, sentence: str, asserted: bool = True) -> Span | None:
    """Where a sentence states a fact; None where it does not."""
    values = [match.span() for match in _as_words(fact.value).finditer(sentence)]
    if not values or (asserted and _NOT.search(_without(sentence, (fact.value, fact.label, *fact.names)))):
        return None
    names = [[match.span() for match in _as_words(name).finditer(sentence)] for name in fact.names]
    if not all(names) or (fact.has_label and not _has_words(_without(sentence, (fact.value, *fact.names)), fact.label)):
        return None
    if fact.scale and not re.match(rf"\s+{fact.scale}\b", sentence[values[0][1] :]):
        return None
    if fact.sort == "cell":
        return values[0]
    edges = [values[0], *(places[0] for places in names)]
    if len(set(edges)) < len(edges):
        return None
    return min(low for low, _ in edges), max(high for _, high in edges)


def _without(sentence: str, parts: Iterable[str]) -> str:
    """A sentence without some of its parts, so that a label is not found within a name."""
    for part in sorted(parts, key=len, reverse=True):
        sentence = _as_words(part).sub("·", sentence)
    return sentence


@lru_cache(maxsize=65_536)
def _as_words(text: str) -> re.Pattern[str]:
    """A text as whole words, a number as the whole number."""
    before = r"(?<!\w)" + (r"(?<!\d[.,])(?<![-−])" if text[:1].isdigit() else "")
    after = r"(?!\w)" + (r"(?![.,]\d)" if text[-1:].isdigit() else "")
    return re.compile(before + r"\s+".join(map(re.escape, text.split())) + after)


def _has_words(sentence: str, label: str) -> bool:
    """Whether a sentence holds all words of a label, in singular or plural."""
    return _roots(label) <= _roots(sentence)


@lru_cache(maxsize=16_384)
def _roots(text: str) -> frozenset[str]:
    return frozenset(english.singular(word.casefold()) for word in _WORD.findall(text))


def as_page(paragraphs: Sequence[str]) -> str:
    """A page's text: paragraphs with an empty line between."""
    return "\n\n".join(paragraphs)
