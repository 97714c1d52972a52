"""What the parts of a question by rule hand each other: facts of a passage, and a question of one or two of them."""

from dataclasses import dataclass

from benchwright.builders.wiki.questions.vocabulary import AnswerKind
from benchwright.builders.wikieval.material import Made

NO_OTHER = "nothing of its kind can take the place of what it tells"


@dataclass(frozen=True, slots=True)
class Fact:
    """What a passage states of its subject, and what asks for it."""

    question: str
    asked: str
    """The question with `{s}` where the subject is named: the same for the same kind of fact on every page."""
    value: str
    """The short answer, word for word in the passage."""
    kind: AnswerKind
    statement: str
    """A full sentence that answers the question."""
    follows: str
    """The same, after a sentence that has named the subject; nothing where that cannot be said."""
    asked_next: str
    """The question, after another that has named the subject; nothing where that cannot be said."""
    pool: str = ""
    """Of what its value is one, for a value to put in its place: `river`; nothing: its kind and its question tell."""

    def as_row(self) -> dict[str, str]:
        return {"question": self.question, "value": self.value, "kind": self.kind}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a passage with its grounded answer."""

    question: Made
    answer: Made
    facts: tuple[Fact, ...]
    """Those that it asks for, in its order."""
    definition: str
    """What the passage says that its subject is, as a sentence without those facts; nothing where it says nothing."""
