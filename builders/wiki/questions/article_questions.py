"""What is asked about an article, and what is not: the questions before they are rows of a release."""

from dataclasses import dataclass

from benchwright.builders.wiki.questions.vocabulary import AnswerKind


@dataclass(frozen=True, slots=True)
class ArticleQuestion:
    """A question of an article, with its answer and where that stands."""

    page: int
    """The article's page id."""
    question: str
    answer: str
    aliases: tuple[str, ...]
    answer_kind: AnswerKind
    start: int
    """The evidence, a sentence or line that states the answer: offsets into the article's text, end exclusive."""
    end: int
    by: str
    """`rule`, or the name of a model."""
    fact_date: str | None = None
    """When the fact came to be that it asks for: an ISO date, or an interval of two; None: nothing tells it."""
    dated_by: str = ""
    """Where that was read: answer, sentence, section or article; model, where a model alone tells it; else nothing."""
    happened: str | None = None
    """What the model that asks says of when that was; None of a rule."""


@dataclass(frozen=True)
class RejectedQuestion:
    """A question that is not used."""

    page: int
    question: str
    """Nothing, where it never came to a wording."""
    answer: str
    reason: str


@dataclass(frozen=True)
class ArticleQuestions:
    """The questions of an article, and those that are not used."""

    asked: tuple[ArticleQuestion, ...]
    rejected: tuple[RejectedQuestion, ...]
