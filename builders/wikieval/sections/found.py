"""What is found in a sentence of a document before it is known whether it can be asked for."""

from dataclasses import dataclass

from benchwright.builders.wiki.questions.vocabulary import AnswerKind


@dataclass(frozen=True, slots=True)
class Found:
    """A question about a sentence, and the words of it that answer."""

    sentence: str
    asked: str
    """The question without its mark, as it goes on after a comma."""
    value: str
    kind: AnswerKind
    sort: str
    """What can take its place: the values of the same sort in other sections."""
