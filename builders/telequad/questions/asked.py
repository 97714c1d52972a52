"""What is asked of a specification: a fact, the wordings of one question for it, and the characters that answer it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from benchwright.builders.documents.sections import Section, Span


@dataclass(frozen=True)
class Specification:
    """A document as the patterns read it."""

    name: str
    """Its path in the folder, or the file's name."""
    called: str
    """What questions call it: "LCS 21.104", "RFC 7540", or its title; no two documents of a build share it."""
    sections: tuple[Section, ...]
    """In the order of the document."""

    @cached_property
    def by_number(self) -> Mapping[str, int]:
        """The number of a clause → its place in `sections`; a number that two clauses have is left out."""
        found: dict[str, int | None] = {}
        for place, section in enumerate(self.sections):
            number = section.clause.number
            found[number] = None if number in found else place
        return {number: place for number, place in found.items() if number and place is not None}


@dataclass(frozen=True, slots=True)
class Stated:
    """Characters of a section that state an answer, or one of the facts that it needs."""

    section: int
    """Place in `Specification.sections`."""
    span: Span
    fact: int = 0
    """Places with the same fact are alternatives; a question needs every one of its facts."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One semantic group: a question in several wordings, and its answer as it stands in a section."""

    pattern: str
    """Which sort of statement it is about: a name of PATTERNS."""
    wordings: Mapping[str, tuple[str, ...]]
    """Linguistic form (`short`, `long`, `interrogative`) → questions, each of which names the specification."""
    context: int
    """Place of the section that the config `squad` gives as context."""
    answers: tuple[Span, ...] = ()
    """Each place of the context at which the answer stands so that it answers; the first is the one that the pattern
    read. All are the same words up to case. Empty: the document does not answer."""
    stated: tuple[Stated, ...] = ()
    """What must be read to answer: of one hop the sentence, row or item around the answer; of two hops also, as a fact
    of its own, the clause that refers to it."""
    asks: str = ""
    """What of it is asked: the column, who shall do it, the length. Groups of a pattern that ask the same have one
    template, and their answers could be confused."""
    entity: str = ""
    """What the question is about and names: the term, the row's name, the timer."""
    aliases: tuple[str, ...] = ()
    """Other right forms of the answer, such as "10 s" for "10 seconds"."""
    hops: int = 1
    no_answer: str = ""
    """Of one without an answer, why: one of NO_ANSWER_SORTS in `benchmarks/types.py`."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """What a reader of the release wants to know: table, row, column, the numbers of the clauses."""


Pattern = Callable[[Specification], Iterable[Asked]]
"""Everything that a pattern can ask of a specification, in the order of the document; nothing is drawn here."""
