"""Builds the text of a document from pieces that carry their facts, so that every span is exact by construction."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from benchwright.benchmarks.text.dates import MONTHS
from benchwright.benchmarks.types import Document
from benchwright.builders.aurp.draws import Draw
from benchwright.builders.aurp.phrases import Phrase, Slot, expand
from benchwright.builders.aurp.schema import Kind
from benchwright.builders.aurp.styles import Styles

_CONSONANT_SOUND = re.compile(r"(?:uni|use|eu|one\b|ur[aeiou])", re.IGNORECASE)
_VOWEL_LETTERS = frozenset("AEFHILMNORSX")


@dataclass(frozen=True, slots=True)
class Fact:
    """A cell of the standard schema, ready to be written; the value of a reference is the name it points at."""

    table: str
    key: int
    column: str
    kind: Kind
    value: str | int
    unit: str | None = None
    superseded: bool = False


@dataclass(frozen=True, slots=True)
class StatedCell:
    """A stretch of a document that states a cell."""

    table: str
    key: int | str
    column: str
    start: int
    """Offset of the first character, in Python code points into the document's text."""
    end: int
    """Offset after the last character."""
    value_text: str
    superseded: bool
    """Whether the document says that this value no longer holds."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a document is about: its name, and what it is called once it has been named."""

    name: str
    again: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlainText:
    """Text for a free slot, with the cells that its writing states, if any."""

    text: str
    facts: tuple[Fact, ...] = ()


Filling = Fact | PlainText


class Writer:
    """One document in the making."""

    def __init__(self, draw: Draw, subject: Subject) -> None:
        self.draw, self.subject = draw, subject
        self.styles = Styles.drawn(draw)
        self.stated: list[StatedCell] = []
        self.used: set[str] = set()
        self._parts: list[str] = []
        self._length = 0
        self._named = 0
        self._fresh = True

    def about(self, subject: Subject) -> None:
        """Turns to another subject, which is named in full when it is next mentioned."""
        self.subject, self._named = subject, 0

    def heading(self, text: str) -> None:
        """A line of its own, before a paragraph."""
        self.paragraph()
        self._add(text)
        self._fresh = True

    def paragraph(self) -> None:
        """Starts a new paragraph."""
        if self._parts and self._parts[-1] != "\n\n":
            self._add("\n\n")
        self._fresh = True

    def line(self) -> None:
        """Starts a new line."""
        self._add("\n")
        self._fresh = True

    def marked_line(self, mark: str, phrase: Phrase, fillings: Mapping[str, Filling]) -> None:
        """Adds an entry of a list after its mark."""
        self._add(mark)
        self.sentence(phrase, fillings)

    def sentence(self, phrase: Phrase, fillings: Mapping[str, Filling], lead: str = "") -> None:
        """Adds a sentence, after a few leading words if there are any; the first letter becomes a capital.

        Where something is said of a row that a reference points at (`{manager} belongs to {manager.department}`), the
        sentence takes the reference for granted and does not state it. `{P:chief_executive}` mentions the subject, and
        where it does so by its full name it states that cell, which holds it.
        """
        if not self._fresh:
            self._add(" ")
        pieces: list[tuple[str, tuple[Fact, ...]]] = [(lead, ())] if lead else []
        introduced = {slot.partition(".")[0] for slot in phrase.slots if "." in slot}
        for part in expand(phrase.wording, self.draw):
            if isinstance(part, str):
                pieces.append((part, ()))
            elif part.name == "P":
                pieces.append(self._mentioned(fillings.get(part.manner)))
            else:
                text, facts = self._filled(part, fillings[part.name])
                pieces.append((text, () if part.name in introduced else facts))
        self._fresh = False
        first = True
        for position, (text, facts) in enumerate(pieces):
            if "a(n) " in text:
                following = pieces[position + 1][0] if position + 1 < len(pieces) else ""
                text = _articles(text, following)
            if first and text:
                text, first = text[0].upper() + text[1:], False
            for fact in facts:
                end = self._length + len(text)
                stated = StatedCell(fact.table, fact.key, fact.column, self._length, end, text, fact.superseded)
                self.stated.append(stated)
            self._add(text)

    def words(self) -> int:
        """Words written so far."""
        return len("".join(self._parts).split())

    def document(self, identifier: str, title: str, metadata: Mapping[str, Any]) -> Document:
        """The finished document."""
        return Document(identifier, title, "".join(self._parts), metadata)

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _filled(self, slot: Slot, filling: Filling) -> tuple[str, tuple[Fact, ...]]:
        if isinstance(filling, PlainText):
            return filling.text, filling.facts
        text = self.styles.write(self.draw, filling.kind, filling.value, filling.unit, slot.manner)
        return text, (filling,)

    def _mentioned(self, filling: Filling | None) -> tuple[str, tuple[Fact, ...]]:
        text = self._mention()
        return text, (filling,) if isinstance(filling, Fact) and filling.value == text else ()

    def _mention(self) -> str:
        self._named += 1
        opens = self._fresh and self.draw.chance(0.5)
        if self._named == 1 or opens or self.draw.chance(0.12):
            return self.subject.name
        return self.draw.pick(self.subject.again)


def _articles(text: str, following: str) -> str:
    head, *tails = text.split("a(n) ")
    for tail in tails:
        head += f"{article(tail or following)} {tail}"
    return head


def article(following: str) -> str:
    """The indefinite article before this text."""
    word = following.split(" ")[0] if following else ""
    if len(word) > 1 and word[:2].isupper():
        return "an" if word[0] in _VOWEL_LETTERS else "a"
    if digits := re.match(r"\d+", word):
        return "an" if digits[0][0] == "8" or digits[0] in ("11", "18") else "a"
    return "an" if word[:1].lower() in set("aeiou") and not _CONSONANT_SOUND.match(word) else "a"


def long_date(day: str) -> str:
    """The day of a document, for its title."""
    parsed = date.fromisoformat(day)
    return f"{parsed.day} {MONTHS[parsed.month - 1]} {parsed.year}"
