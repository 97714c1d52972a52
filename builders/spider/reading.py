"""Reads a page: where it states each fact of its row, and what it says that is none of them. The proof of a release and
the build call the same; the writer shares nothing with it."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from benchwright.builders.spider.facts import FactKey
from benchwright.builders.spider.profile import Fact, Profile
from benchwright.builders.spider.sentences import Sentence, Span, names_of
from benchwright.builders.spider.strangers import Strangers

SHORTEST, LONGEST = 200, 400
"""Words of a page (GRAMMAR, appendix H.2)."""
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_END = re.compile(r"(?<=[.!?])[\"”’)]*\s+(?=\S)|\n+")


class Reading:
    """A page, read once for the facts of its row."""

    def __init__(self, profile: Profile, text: str) -> None:
        """
        Args:
            profile: what it must state.
            text: the page.
        """
        self._profile, self._text = profile, text
        names = names_of(profile)
        self._sentences = [
            (start, Sentence(profile, names, text[start:end])) for start, end in sentences_of(profile, text)
        ]

    @cached_property
    def facts(self) -> Mapping[FactKey, Sequence[Span]]:
        """Where it states each fact of its row that it states: of a cell its value, else from the first to the last of
        what belongs together."""
        found: dict[FactKey, list[Span]] = {}
        for at, sentence in self._sentences:
            for key, span in sentence.stated.items():
                found.setdefault(key, []).append((at + span[0], at + span[1]))
        return found

    def problems(self, strangers: Strangers, may_lack_pairs: bool = False) -> list[str]:
        """What is wrong with it: facts that it lacks, numbers, names and values that belong to no fact of its row.

        Args:
            strangers: the names and values of all profiles.
            may_lack_pairs: whether what an associative table says may stand on the other row's page.
        """
        profile = self._profile
        problems = [
            f"it does not state that the {said_of(fact, profile.name)}: say so plainly in one sentence"
            for fact in profile.facts
            if fact.key not in self.facts and not (may_lack_pairs and fact.sort == "pair")
        ]
        parts = [part for fact in profile.facts for part in (fact.value, fact.label, fact.tie, *fact.names)]
        held = dict.fromkeys([profile.name, profile.noun, *parts])
        numbers = {number for part in held for number in _NUMBER.findall(part)}
        problems += [
            f"it holds the number {number[0]}, which is in no fact: leave it out"
            for number in _NUMBER.finditer(self._text)
            if number[0] not in numbers
        ]
        own = {run for part in held for run, _, _ in strangers.runs(part)}
        for line in self._text.split("\n"):
            problems += [
                f"it names {name}, of which no fact speaks: leave it out"
                for name in sorted(strangers.named(line) - own)
            ]
        cells = [fact for fact in profile.facts if fact.sort == "cell"]
        for _, sentence in self._sentences:
            for fact in cells:
                problems += [
                    f"it says {other} where the {fact.label} of {profile.name} is {fact.value}"
                    for other in sentence.others(fact, strangers, own)
                ]
            problems += [f"it takes back or doubts a fact by {doubt!r}: state it plainly" for doubt in sentence.doubts]
        return list(dict.fromkeys(problems))

    def gives_a_value(self, label: str, strangers: Strangers) -> bool:
        """Whether it has a value for a column that its row has none of: a sentence with the words of the label that
        states no fact of a label like it, and a number or a value that other rows have there."""
        profile = self._profile
        alike = {fact.key for fact in profile.facts if label in fact.label or fact.label in label}
        for _, sentence in self._sentences:
            if not sentence.cues(label) or alike & sentence.stated.keys():
                continue
            if _NUMBER.search(sentence.text) or any(strangers.held(profile, label, strangers.runs(sentence.text))):
                return True
        return False


def said_of(fact: Fact, name: str) -> str:
    """A fact of a row in a few words."""
    others = [other for other in (*fact.names, *((fact.value,) if fact.sort == "pair" else ())) if other != name]
    if fact.sort != "pair":
        return f"{fact.label} of {name} is {fact.value}"
    if not fact.key[2]:
        return f"{fact.label} is one of {name} and {others[0] if others else name}"
    return f"{fact.label} of {name} with {others[0]} is {fact.value}"


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


def as_page(paragraphs: Sequence[str]) -> str:
    """A page's text: paragraphs with an empty line between."""
    return "\n\n".join(paragraphs)
