"""Questions before they are checked, and how they are worded with one of their subject's names."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from benchwright.builders.wiki.questions.guessing import GUESSABLE, is_guessable
from benchwright.builders.wiki.questions.subjects import ArticleSentence, ArticleSubject
from benchwright.builders.wiki.questions.vocabulary import AnswerKind

SUBJECT = "{s}"
"""Stands in a wording where the subject is named."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question before it is checked."""

    question: str
    answer: str
    kind: AnswerKind
    start: int
    """The sentence that states the answer."""
    end: int
    problem: str = ""
    """Why it cannot be used; nothing where the rules found nothing wrong."""


def candidate(question: str, answer: str, kind: AnswerKind, sentence: ArticleSentence, problem: str = "") -> Candidate:
    """A candidate whose evidence is a sentence; the question has `SUBJECT` where that is named."""
    return Candidate(question[:1].upper() + question[1:], answer, kind, sentence.start, sentence.end, problem)


def named(found: Iterable[Candidate], subject: ArticleSubject, title: str) -> Iterator[Candidate]:
    """The candidates with their subject named in the first way that does not give the answer away."""
    for one in found:
        ways = [one.question.replace(SUBJECT, name) for name in subject.names or (subject.title,)]
        kept = [way for way in ways if not is_guessable(way, title, one.answer, one.kind)]
        problem = one.problem or subject.problem or ("" if kept or not one.question else GUESSABLE)
        yield replace(one, question=(kept or ways)[0], problem=problem)


def plainly(question: str, subject: ArticleSubject) -> tuple[str, ...]:
    """A question with its subject's bare name, where it names it otherwise."""
    longest = sorted((name for name in subject.names if name in question), key=len, reverse=True)
    return tuple(question.replace(name, subject.title) for name in longest[:1] if name != subject.title)
