"""The words of the design as types: documents, questions, evidence."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

AnswerType = Literal["one", "set", "boolean", "none"]
Answerability = Literal["answerable", "gap", "unanswerable"]
Dimension = Literal["faithfulness", "answer_relevance", "context_relevance"]
"""What two candidates of a pair differ in."""
DIMENSIONS: tuple[Dimension, ...] = ("faithfulness", "answer_relevance", "context_relevance")


YES_NO = "yes_no"
"""The kind of questions whether a thing has a value, which they name."""
NO_ANSWER = "no_answer"
"""Key of a question's metadata: why it has no answer, one of NO_ANSWER_SORTS."""
MADE_NAME, NULL, FALSE_PREMISE = "made_name", "null", "false_premise"
NO_ANSWER_SORTS = (MADE_NAME, NULL, FALSE_PREMISE)
"""A name that nothing has; a fact that is not there; something taken for granted that is not so."""
FORMS_NOT_IN_SQUAD = "not_in_squad"
"""Key of a question's metadata: the accepted forms that its row of the config `squad` lacks, for its context does not
have them. SQuAD's metrics leave them out, so that they are the ones that others compute of that config."""
KEPT, FRESH = "kept", "fresh"
"""The subsets of a round's questions: they ask about names of a public edition, or about names that are in none."""


@dataclass(frozen=True, slots=True)
class Document:
    """A text of the corpus."""

    id: str
    title: str
    text: str | None
    """None in a release of offsets, which tells where answers stand in texts that it may not hold. `metadata` then has
    `text_sha256`, of the text in UTF-8, and `text_length`, in characters."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """Whatever the builder knows of the document; stored as a JSON string."""

    @property
    def body(self) -> str:
        """The text; empty where this release does not hold it."""
        return self.text or ""

    @property
    def length(self) -> int:
        """Characters of the text: counted, else as this release tells it; 0 where it does not."""
        told = self.metadata.get("text_length")
        return len(self.text) if self.text is not None else told if isinstance(told, int) else 0


@dataclass(frozen=True, slots=True)
class Evidence:
    """The stretch of a document that states an answer, or one of the facts that an answer needs."""

    document: str
    start: int
    """Offset of the first character, in Python code points into the document's text."""
    end: int
    """Offset after the last character."""
    fact: int = 0
    """Evidence with the same fact is alternative; a question needs every one of its facts."""


@dataclass(frozen=True, slots=True)
class Question:
    """One wording of what is asked, with its accepted answers: one row of the config `questions`."""

    id: str
    question: str
    answers: tuple[str, ...] = ()
    """The required elements: one for a single answer, all members for a set."""
    aliases: tuple[tuple[str, ...], ...] = ()
    """Other accepted forms, parallel to `answers`."""
    answer_type: AnswerType = "none"
    answerability: Answerability | None = None
    group: str | None = None
    """Semantic group: all questions that one executed query answers."""
    form: str | None = None
    template: str | None = None
    entity: str | None = None
    """The value of the first placeholder."""
    kind: str | None = None
    hops: int | None = None
    """Facts combined."""
    subset: str | None = None
    documents: tuple[str, ...] = ()
    """Ids of the documents that state the answer."""
    evidence: tuple[Evidence, ...] = ()
    sql: str | None = None
    fact_date: str | None = None
    """When what is asked for was so: an ISO 8601 date, `2021-10-01`, or an interval, `2021-10-01/2021-12-31`."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """What only one builder knows; stored as a JSON string."""
