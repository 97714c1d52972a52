"""Questions by a model, each with a quote that is found again in the article and holds the answer."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import Reply, ReplyError
from benchwright.benchmarks.text.dates import parse_date
from benchwright.builders.wiki.pages import Article
from benchwright.builders.wikipedia.classifier import LONGEST, long_date, shortened
from benchwright.builders.wikipedia.fact_dates import date_fact
from benchwright.builders.wikipedia.filters import is_repeat
from benchwright.builders.wikipedia.questions_by_rule import (
    IN_QUESTION,
    SAME_EVIDENCE,
    ArticleQuestion,
    ArticleQuestions,
    RejectedQuestion,
    holds_answer,
)
from benchwright.builders.wikipedia.vocabulary import AnswerKind, listed

ROLE, STEP, PROMPT = "writer", "questions", "wikipedia_question"
TEMPERATURE = 1.0
NO_REPLY = "no usable reply"
NO_QUOTE, NOT_IN_QUOTE = "the quote is not in the article", "the answer is not in the quote"
NO_SUBJECT, TOO_LONG, EMPTY = "the question does not name its subject", "the answer is too long", "it is empty"
TOO_MANY, REPEATED = "it is more than was asked for", "it is asked already"
_LONGEST_ANSWER = 12
"""Words."""


@dataclass(frozen=True)
class Proposal:
    """A question as a model gives it."""

    question: str
    answer: str
    quote: str
    is_recent: bool


@dataclass(frozen=True)
class Proposals:
    """The shape of a reply."""

    questions: tuple[Proposal, ...]


def ask_by_model(
    client: Client,
    articles: Iterable[Article],
    count: int,
    *,
    cutoff: date | None = None,
    recent: bool = False,
    language: str = "en",
) -> Iterator[tuple[Article, ArticleQuestions]]:
    """Each article with the questions that a model wrote and our checks let pass, and with those that they rejected.

    Args:
        client: asks the model of the role `writer`, at temperature 1, with the first 12,000 characters of an article.
        articles: asked about one by one, as they are needed.
        count: questions for each article.
        cutoff: the date that "recent" means after.
        recent: at least one of them is to be about something after the cutoff.
        language: what the articles and the questions are written in.

    Raises:
        StopError: nothing that follows would go better; the replies that came are kept.
        Estimated: after the last article, where nothing is to be asked.
    """
    model = client.settings.endpoints[ROLE].model

    async def ask(article: Article) -> Reply[Proposals]:
        text = shortened(article.text, LONGEST)
        values = {"title": article.page.title, "text": text, "is_cut": text != article.text, "count": count}
        told = {
            "cutoff": long_date(cutoff) if cutoff else "",
            "recent": recent and cutoff is not None,
            "language": language,
        }
        messages = client.prompt(PROMPT).fill(**values, **told)
        return await client.chat(ROLE, messages, step=STEP, reply=Proposals, temperature=TEMPERATURE)

    for article, reply in client.each(articles, ask, must_answer=True):
        if isinstance(reply, ReplyError):
            yield (
                article,
                ArticleQuestions((), (RejectedQuestion(article.page.id, "", "", f"{NO_REPLY}: {reply.reason}"),)),
            )
        else:
            yield article, read_proposals(article, reply.value.questions, count, model, cutoff, language)


def read_proposals(
    article: Article,
    proposals: Sequence[Proposal],
    count: int,
    model: str,
    cutoff: date | None = None,
    language: str = "en",
) -> ArticleQuestions:
    """What can be used of a model's proposals, and what cannot, with its reason."""
    asked: list[ArticleQuestion] = []
    rejected: list[RejectedQuestion] = []
    for proposal in proposals:
        question, answer = " ".join(proposal.question.split()), " ".join(proposal.answer.split()).rstrip(".")
        span = find_quote(article.text, proposal.quote)
        reason = TOO_MANY if len(asked) >= count else problem_of(article, question, answer, span, asked)
        if reason or span is None:
            rejected.append(RejectedQuestion(article.page.id, question, answer, reason))
            continue
        asked.append(as_asked(article, question, answer, span, model, language))
    return ArticleQuestions(tuple(asked), tuple(rejected))


def as_asked(
    article: Article, question: str, answer: str, span: tuple[int, int], model: str, language: str = "en"
) -> ArticleQuestion:
    """A question of a model that passed its checks, with the date of its fact."""
    kind = answer_kind(answer)
    dated = date_fact(article, *span, answer, kind, language)
    date_and_place = (dated.as_text(), dated.read_from) if dated else (None, "")
    return ArticleQuestion(article.page.id, question, answer, (), kind, *span, model, *date_and_place)


def problem_of(
    article: Article, question: str, answer: str, span: tuple[int, int] | None, before: Sequence[ArticleQuestion]
) -> str:
    """Why a question of a model is not used; nothing where it is.

    Args:
        article: whose text is asked about.
        question, answer: without white space around them, or two spaces in them.
        span: where its quote stands; None: nowhere.
        before: the questions of the article that are used already.
    """
    if not question or not answer:
        return EMPTY
    if span is None:
        return NO_QUOTE
    if not states([plain(article.text[slice(*span)])], [answer]):
        return NOT_IN_QUOTE
    if len(answer.split()) > _LONGEST_ANSWER:
        return TOO_LONG
    if holds_answer(question, answer):
        return IN_QUESTION
    if not names_subject(question, article.page.title):
        return NO_SUBJECT
    if any(is_repeat(question, answer, each.question, each.answer, article.page.title) for each in before):
        return REPEATED
    return SAME_EVIDENCE if any(span[0] < each.end and each.start < span[1] for each in before) else ""


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """Where a quote stands in a text: exactly, else with any white space between its words; None where it does not."""
    wanted = quote.strip()
    for tried in (wanted, wanted.strip("\"“”'‘’"), wanted.strip("\"“”'‘’.… ")):
        if not tried:
            return None
        start = text.find(tried)
        if start >= 0:
            return start, start + len(tried)
        match = re.search(r"\s+".join(map(re.escape, tried.split())), text)
        if match:
            return match.span()
    return None


def names_subject(question: str, title: str) -> bool:
    """Whether a question names what a title names: half of its longer words, or its last one."""
    named = [
        word
        for word in re.findall(r"\w+", re.sub(r"\s*\([^()]*\)$", "", title).lower())
        if word not in listed("little")
    ]
    asked = set(re.findall(r"\w+", question.lower()))
    held = [word for word in named if word in asked]
    return bool(held) and (2 * len(held) >= len(named) or named[-1] in asked)


def answer_kind(answer: str) -> AnswerKind:
    """Date, number or name, by what an answer looks like."""
    if parse_date(answer) or re.fullmatch(r"(?:1\d|20)\d\d", answer):
        return "date"
    return "number" if re.match(r"[$£€¥₹]?\s?\d", answer) else "name"
