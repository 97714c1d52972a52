"""Sentences as data: `{slot}`, `{slot:manner}` and alternatives `[one|another]`, read into trees and drawn from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from benchwright.benchmarks.data_files import read_toml
from benchwright.builders.aurp.draws import Draw

FREE = frozenset({"P", "date", "other", "list", "column"})
"""Slots that state no cell: the subject, the day of the document, and other plain text."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a value."""

    name: str
    manner: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A place for one of several wordings."""

    options: tuple["Wording", ...]


Wording = tuple["str | Slot | Choice", ...]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence, or a part of one, with the cells that it states."""

    text: str
    wording: Wording
    slots: frozenset[str]
    words: int
    """About how many words it comes to."""


@dataclass(frozen=True)
class Bank:
    """Phrases to choose from."""

    phrases: tuple[Phrase, ...]
    _fitting: dict[frozenset[str], tuple[Phrase, ...]] = field(default_factory=dict)

    def fitting(self, slots: frozenset[str]) -> tuple[Phrase, ...]:
        """The phrases that state something and nothing but these slots; a value with an `old.` one never goes alone."""
        found = self._fitting.get(slots)
        if found is None:
            revised = {slot.removeprefix("old.") for slot in slots if slot.startswith("old.")}
            found = tuple(
                phrase
                for phrase in self.phrases
                if phrase.slots
                and phrase.slots <= slots
                and all(f"old.{slot}" in phrase.slots for slot in phrase.slots & revised)
            )
            self._fitting[slots] = found
        return found


def parse(text: str) -> Phrase:
    """Reads one phrase; ValueError if its brackets do not match."""
    wording, end = _wording(text, 0, "")
    if end != len(text):
        raise ValueError(f"unmatched bracket in phrase: {text}")
    slots = frozenset(name for name in _slots(wording) if name not in FREE)
    return Phrase(text, wording, slots, len(text.split()) + len(slots) - text.count("|"))


def _wording(text: str, start: int, closing: str) -> tuple[Wording, int]:
    parts: list[str | Slot | Choice] = []
    literal, at = "", start
    while at < len(text) and text[at] not in closing:
        character = text[at]
        if character not in "{[":
            literal += character
            at += 1
            continue
        if literal:
            parts.append(literal)
            literal = ""
        if character == "{":
            end = text.index("}", at)
            name, _, manner = text[at + 1 : end].partition(":")
            parts.append(Slot(name, manner))
            at = end + 1
            continue
        options: list[Wording] = []
        while text[at] != "]":
            option, at = _wording(text, at + 1, "|]")
            if at == len(text):
                raise ValueError(f"unmatched bracket in phrase: {text}")
            options.append(option)
        parts.append(Choice(tuple(options)))
        at += 1
    if literal:
        parts.append(literal)
    return tuple(parts), at


def _slots(wording: Wording) -> Iterator[str]:
    for part in wording:
        if isinstance(part, Slot):
            yield part.name
        elif isinstance(part, Choice):
            for option in part.options:
                yield from _slots(option)


def expand(wording: Wording, draw: Draw) -> Iterator[str | Slot]:
    """One of the wordings, flat."""
    for part in wording:
        if isinstance(part, Choice):
            yield from expand(draw.pick(part.options), draw)
        else:
            yield part


@cache
def phrase(text: str) -> Phrase:
    """A phrase of the code's own, read once."""
    return parse(text)


@cache
def banks(file: str) -> dict[str, Bank]:
    """The banks of a data file: every list of strings in it, nested names joined by dots."""
    return dict(_banks(read_toml(__package__, file), ""))


def _banks(tree: dict[str, object], prefix: str) -> Iterator[tuple[str, Bank]]:
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from _banks(value, f"{prefix}{name}.")
        elif isinstance(value, list) and value and isinstance(value[0], str):
            yield prefix + name, Bank(tuple(parse(str(text)) for text in value))


@cache
def merged(file: str, names: tuple[str, ...]) -> Bank:
    """One bank of several."""
    return Bank(tuple(phrase for name in names for phrase in banks(file)[name].phrases))


def choose(bank: Bank, slots: Iterable[str], draw: Draw, used: set[str]) -> list[Phrase]:
    """Phrases that together state each of the slots once, in the order drawn; `used` ones are avoided and added to.

    Raises ValueError when no phrase of the bank can state a slot.
    """
    remaining = frozenset(slots)
    chosen: list[Phrase] = []
    while remaining:
        fitting = bank.fitting(remaining)
        if not fitting:
            raise ValueError(f"no phrase states {sorted(remaining)}")
        pick = draw.pick(fitting)
        for _ in range(3):
            if pick.text not in used:
                break
            pick = draw.pick(fitting)
        used.add(pick.text)
        chosen.append(pick)
        remaining -= pick.slots
    return chosen


def arranged(chosen: Sequence[Phrase], order: Sequence[str], draw: Draw, jitter: float) -> list[Phrase]:
    """Phrases in the order of the first slot that each states, loosened by up to `jitter` places.

    A phrase with a slot of another row, such as `client.location`, comes after all those that introduce the row.
    """
    places = {slot: place for place, slot in enumerate(order)}
    ranked = [(_place(phrase, places) + jitter * draw.random(), number) for number, phrase in enumerate(chosen)]
    return [chosen[number] for _, number in sorted(ranked)]


def _place(phrase: Phrase, places: Mapping[str, int]) -> int:
    if any("." in slot and not slot.startswith("old.") for slot in phrase.slots):
        return 2 * len(places)
    return min((places.get(slot, len(places)) for slot in phrase.slots), default=0)


def interleaved(told: Sequence[Phrase], spare: Sequence[Phrase], draw: Draw) -> list[Phrase]:
    """The told phrases in their order, with the spare ones at their end or somewhere between."""
    result = list(told)
    for phrase in spare:
        result.insert(len(result) if draw.chance(0.5) else draw.between(min(1, len(result)), len(result)), phrase)
    return result
