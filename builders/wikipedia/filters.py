"""Which questions stay: those that the article answers and neither the question nor a closed book does, each once.

Every question that is left out is counted with its reason. What a model would decide is decided by the built-in reader
where no model plays the role `system`.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.grounding.chunking import Passage, chunk_document
from benchwright.benchmarks.metrics.correct import correct
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import Reply, ReplyError
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.systems.language_model import CLOSED_BOOK, FROM_CONTEXTS, ROLE, TEMPERATURE
from benchwright.benchmarks.systems.reader.extract import read_passages
from benchwright.benchmarks.types import Document, Question
from benchwright.builders.wiki.pages import Article
from benchwright.builders.wiki.questions.article_questions import ArticleQuestion, RejectedQuestion
from benchwright.builders.wiki.questions.questions_by_rule import (
    BY_RULE,
    IN_QUESTION,
    SAME_EVIDENCE,
    counted,
    holds_answer,
)
from benchwright.builders.wiki.questions.subjects import read_subject
from benchwright.builders.wiki.questions.wordings import plainly
from benchwright.builders.wikipedia.classifier import LONGEST

REPEATED = "it repeats another question"
NOT_READ = "the built-in reader does not find the answer in its passage"
NOT_ANSWERED = "a model that has the article does not answer it rightly"
BUILT_IN, NOBODY = "built-in reader", "nobody"
KNOWN = "a model answers it without the article"
NO_REPLY = "the model gave no usable reply"
ARTICLE_STEP, CLOSED_STEP = "answerable", "closed book"
PROMPTS = (FROM_CONTEXTS, CLOSED_BOOK)
_ALIKE, _SAME_ANSWER = 95.0, 85.0
"""From this likeness on (of 100) two wordings repeat each other: whatever the answers are, and with the same answer."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Filtered:
    """What the filters left, and what they did not."""

    kept: tuple[ArticleQuestion, ...]
    rejected: tuple[RejectedQuestion, ...]
    answered: int
    """Questions that were answered rightly from the article, or from the passage that holds the evidence."""
    tried: int
    """Questions of which that was tried."""
    by: str
    """Who tried: `built-in reader`, or a model's name."""

    def checks(self) -> dict[str, Any]:
        """The counts, for a manifest."""
        share = round(self.answered / self.tried, 4) if self.tried else None
        return {
            "questions_kept": len(self.kept),
            "questions_filtered_out": counted(self.rejected),
            "answerable_from_the_article": {"by": self.by, "right": self.answered, "of": self.tried, "share": share},
        }


def filter_questions(
    articles: Mapping[int, Article],
    asked: Sequence[ArticleQuestion],
    *,
    client: Client | None = None,
    drop_known: bool = False,
    language: str = "en",
) -> Filtered:
    """Leaves out what gives its answer away, repeats another question or its evidence, cannot be answered, or is known.

    Args:
        articles: page id → article.
        asked: questions; of two that repeat each other the first stays.
        client: its model of the role `system` answers from the article; without one the built-in reader does, from the
            passages that hold the evidence, where rules ask: of good questions by a model it fails nearly half.
        drop_known: ask that model without the article too, and leave out what it answers rightly.
        language: of the articles; the built-in reader reads English, and tries no question in another one.

    Raises:
        UsageError: known questions are to be left out, and there is no model.
        StopError: nothing that follows would go better; the replies that came are kept.
        Estimated: nothing is to be asked, and not all replies are there already.
    """
    has_model = client is not None and client.has(ROLE)
    if drop_known and not has_model:
        raise UsageError(f"drop_known=true needs a model to ask closed book: add --model {ROLE}=NAME")
    left, rejected = _apart(articles, asked)
    tried = len(left)
    if client is not None and has_model:
        left, failed = _by_model(
            client, left, lambda one: _with_article(client, articles[one.page], one), is_known=False
        )
        answered, by = len(left), client.settings.endpoints[ROLE].model
        rejected += failed
        if drop_known:
            left, known = _by_model(client, left, lambda one: _closed_book(client, one), is_known=True)
            rejected += known
    elif language != "en" or any(one.by != BY_RULE for one in left):
        return Filtered(tuple(left), tuple(rejected), 0, 0, NOBODY)
    else:
        right = [read_rightly(articles[one.page], one) for one in left]
        rejected += [_out(one, NOT_READ) for one, is_right in zip(left, right, strict=True) if not is_right]
        left = [one for one, is_right in zip(left, right, strict=True) if is_right]
        answered, by = len(left), BUILT_IN
    return Filtered(tuple(left), tuple(rejected), answered, tried, by)


def _apart(
    articles: Mapping[int, Article], asked: Sequence[ArticleQuestion]
) -> tuple[list[ArticleQuestion], list[RejectedQuestion]]:
    """The questions that stand for themselves, and those that do not."""
    kept: list[ArticleQuestion] = []
    rejected: list[RejectedQuestion] = []
    of_page: dict[int, list[ArticleQuestion]] = {}
    wordings: set[str] = set()
    for one in asked:
        title, words = articles[one.page].page.title, _plain(one.question)
        siblings = of_page.setdefault(one.page, [])
        if holds_answer(one.question, one.answer):
            rejected.append(_out(one, IN_QUESTION))
        elif words in wordings or any(
            is_repeat(one.question, one.answer, e.question, e.answer, title) for e in siblings
        ):
            rejected.append(_out(one, REPEATED))
        elif any(one.start < each.end and each.start < one.end for each in siblings):
            rejected.append(_out(one, SAME_EVIDENCE))
        else:
            wordings.add(words)
            siblings.append(one)
            kept.append(one)
    return kept, rejected


def is_repeat(question: str, answer: str, other: str, others_answer: str, title: str) -> bool:
    """Whether two questions of one article ask the same: without the title's words their wordings are nearly the same.

    Of different articles only equal wordings repeat each other, because another name makes another question.
    """
    from rapidfuzz import fuzz

    if title in question and title in other and " " not in question:  # no spaces between words, as in Japanese
        question, other = question.replace(title, " "), other.replace(title, " ")
    named = set(_WORD.findall(title.lower()))
    one, two = (" ".join(sorted(set(_WORD.findall(text.lower())) - named)) for text in (question, other))
    if len(set(_WORD.findall(question.lower())) & named) != len(set(_WORD.findall(other.lower())) & named):
        one, two = _plain(question), _plain(other)
    alike = fuzz.ratio(one, two)
    return alike >= _ALIKE or (alike >= _SAME_ANSWER and _plain(answer) == _plain(others_answer))


def read_rightly(article: Article, asked: ArticleQuestion) -> bool:
    """Whether the built-in reader answers a question rightly from the passages that hold its evidence.

    The reader is no language model: a subject that is told apart ("the Norwegian film director Ada Moor") is also tried
    by its bare name, because what tells it apart need not stand in those passages.
    """
    document = Document(str(article.page.id), article.page.title, article.text)
    holding = [each for each in chunk_document(document) if each.start < asked.end and asked.start < each.end]
    wordings = [asked.question, *plainly(asked.question, read_subject(article))]
    return any(_is_right(asked, read_passages(wording, holding)) for wording in wordings)


def _with_article(client: Client, article: Article, asked: ArticleQuestion) -> Awaitable[Reply[str]]:
    start = max(0, min(asked.start - LONGEST // 4, len(article.text) - LONGEST))
    text = article.text[start : start + LONGEST]
    passage = Passage(str(article.page.id), article.page.title, start, start + len(text), text)
    messages = client.prompt(FROM_CONTEXTS).fill(question=asked.question, passages=[passage])
    return client.chat(ROLE, messages, step=ARTICLE_STEP, temperature=TEMPERATURE)


def _closed_book(client: Client, asked: ArticleQuestion) -> Awaitable[Reply[str]]:
    messages = client.prompt(CLOSED_BOOK).fill(question=asked.question)
    return client.chat(ROLE, messages, step=CLOSED_STEP, temperature=TEMPERATURE)


def _by_model(
    client: Client,
    asked: Sequence[ArticleQuestion],
    ask: Callable[[ArticleQuestion], Awaitable[Reply[str]]],
    *,
    is_known: bool,
) -> tuple[list[ArticleQuestion], list[RejectedQuestion]]:
    """The questions that a model answers rightly, or with `is_known` those that it does not, and the others."""
    kept: list[ArticleQuestion] = []
    rejected: list[RejectedQuestion] = []
    for one, reply in client.each(asked, ask, must_answer=True):
        if isinstance(reply, ReplyError):
            rejected.append(_out(one, NO_REPLY))
        elif _is_right(one, reply.value) != is_known:
            kept.append(one)
        else:
            rejected.append(_out(one, KNOWN if is_known else NOT_ANSWERED))
    return kept, rejected


def _is_right(asked: ArticleQuestion, said: str) -> bool:
    question = Question("", asked.question, (asked.answer,), (asked.aliases,), "one")
    return correct(question, Prediction("", said)).outcome == "correct"


def _out(asked: ArticleQuestion, reason: str) -> RejectedQuestion:
    return RejectedQuestion(asked.page, asked.question, asked.answer, reason)


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))
