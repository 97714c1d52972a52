"""What a model proposes to ask of an article, and which of it can be used: what our own checks let pass."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.text.dates import parse_date
from benchwright.builders.wiki.pages import Article
from benchwright.builders.wiki.questions.article_questions import ArticleQuestion, RejectedQuestion
from benchwright.builders.wiki.questions.guessing import GUESSABLE, is_guessable
from benchwright.builders.wiki.questions.questions_by_rule import IN_QUESTION, SAME_EVIDENCE, holds_answer
from benchwright.builders.wiki.questions.subjects import split_sentences, without_brackets
from benchwright.builders.wiki.questions.vocabulary import AnswerKind, listed
from benchwright.builders.wikipedia.filters import is_repeat
from benchwright.builders.wikipedia.proposal_dates import date_problem, date_proposal, is_year_of

NO_QUOTE, NOT_IN_QUOTE = "the quote is not in the article", "the answer is not in the quote"
NO_SUBJECT, SHARED = "the question does not name its subject", "its name is shared, and nothing tells it apart"
EMPTY, STRAY = "it is empty", "it has signs that nobody sees"
LONG_ANSWER, LONG_QUESTION, LONG_QUOTE = "the answer is too long", "the question is too long", "the quote is too long"
TWICE, BETTER = "the quote stands there more than once", "another sentence answers it rather"
TOO_MANY, REPEATED = "it is more than was asked for", "it is asked already"
MOST_READ = 50
"""Proposals of one reply that are looked at."""
NOT_READ = f"a reply of more than {MOST_READ} proposals: the rest is not read"
_MOST_WORDS, _MOST_ASKED, _MOST_QUOTED = 12, 300, 600
"""Words of an answer; characters of a question and of a quote."""
_KEPT = 1_000
"""Characters of each text of a refused proposal that are kept."""
_QUALIFIER = re.compile(r"\s*\(([^()]*)\)$")


@dataclass(frozen=True)
class Proposal:
    """A question as a model gives it."""

    question: str
    answer: str
    quote: str
    happened: str
    """When what it asks for came to be: see `proposal_dates.read_happened`."""


@dataclass(frozen=True)
class Proposals:
    """The shape of a reply."""

    questions: tuple[Proposal, ...]


@dataclass(frozen=True)
class RefusedProposal(RejectedQuestion):
    """A proposal that is not used."""

    quote: str = ""
    happened: str = ""
    round: int = 1
    """1, or 2 where it came when the model was asked again."""


def refuse(page: int, proposal: Proposal, reason: str, number: int) -> RefusedProposal:
    """A proposal that is not used, with the beginnings of its texts."""
    question, answer, quote, happened = (
        text[:_KEPT] for text in (proposal.question, proposal.answer, proposal.quote, proposal.happened)
    )
    return RefusedProposal(page, question, answer, reason, quote, happened, number)


def read_proposals(
    article: Article,
    proposals: Sequence[Proposal],
    count: int,
    model: str,
    *,
    before: Sequence[ArticleQuestion] = (),
    number: int = 1,
    language: str = "en",
) -> tuple[list[ArticleQuestion], list[RefusedProposal]]:
    """What can be used of a model's proposals, at most `count`, and what cannot, with its reason.

    Args:
        article: that they ask about.
        proposals: of one reply.
        count: how many were asked for.
        model: its name.
        before: questions of the article that are used already.
        number: of the round.
        language: of the article.
    """
    asked: list[ArticleQuestion] = []
    refused: list[RefusedProposal] = []
    for proposal in proposals[:MOST_READ]:
        question, answer = " ".join(proposal.question.split()), " ".join(proposal.answer.split()).rstrip(".")
        happened = proposal.happened.strip()
        span = find_quote(article.text, proposal.quote) if len(proposal.quote) <= 2 * _MOST_QUOTED else None
        if len(asked) >= count:
            reason = TOO_MANY
        elif span is None and len(proposal.quote) > 2 * _MOST_QUOTED:
            reason = LONG_QUOTE
        else:
            reason = problem_of(article, question, answer, span, happened, [*before, *asked], language)
        if reason or span is None:
            refused.append(refuse(article.page.id, proposal, reason, number))
            continue
        asked.append(as_asked(article, question, answer, span, model, happened, language))
    if len(proposals) > MOST_READ:
        refused.append(RefusedProposal(article.page.id, "", "", NOT_READ, round=number))
    return asked, refused


def as_asked(
    article: Article,
    question: str,
    answer: str,
    span: tuple[int, int],
    model: str,
    happened: str,
    language: str = "en",
) -> ArticleQuestion:
    """A question of a model that passed its checks, with the date of its fact."""
    kind = answer_kind(answer, article.text[slice(*span)], language)
    dated = date_proposal(article, span, answer, kind, happened, language)
    return ArticleQuestion(article.page.id, question, answer, (), kind, *span, model, *dated, happened)


def problem_of(
    article: Article,
    question: str,
    answer: str,
    span: tuple[int, int] | None,
    happened: str,
    before: Sequence[ArticleQuestion],
    language: str = "en",
) -> str:
    """Why a question of a model is not used; nothing where it is.

    Args:
        article: whose text is asked about.
        question, answer: without white space around them, or two spaces in them.
        span: where its quote stands; None: nowhere.
        happened: when that was, as the model says.
        before: the questions of the article that are used already.
        language: of the article.
    """
    title = article.page.title
    if not question or not answer:
        return EMPTY
    if has_stray_signs(question + answer, article.text):
        return STRAY
    if span is None:
        return NO_QUOTE
    quote = article.text[slice(*span)]
    if article.text.find(quote, span[0] + 1) >= 0 and span not in split_sentences(article.text):
        return TWICE
    if not states([plain(quote)], [answer]):
        return NOT_IN_QUOTE
    too_long = _too_long(question, answer, quote)
    if too_long:
        return too_long
    if holds_answer(plain(question), plain(answer)):
        return IN_QUESTION
    kind = answer_kind(answer, quote, language)
    is_english = language == "en"
    if is_guessable(question, title, answer, kind) if is_english else holds_answer(f"{question} {title}", answer):
        return GUESSABLE
    if not names_subject(question, title):
        return NO_SUBJECT
    if not tells_apart(question, article):
        return SHARED
    if any(is_repeat(question, answer, each.question, each.answer, title) for each in before):
        return REPEATED
    if any(span[0] < each.end and each.start < span[1] for each in before):
        return SAME_EVIDENCE
    problem = date_problem(article, span, answer, kind, happened, language)
    is_dated = date_proposal(article, span, answer, kind, happened, language)[1] if not problem else ""
    if is_dated in ("sentence", "section") and is_better_answered(article, question, answer, span):
        return BETTER
    return problem


def has_stray_signs(text: str, known: str) -> bool:
    """Whether a text has control characters, or signs that nobody sees and that a known text does not have."""
    return any((kind := unicodedata.category(sign))[0] == "C" and (kind != "Cf" or sign not in known) for sign in text)


def _too_long(question: str, answer: str, quote: str) -> str:
    if len(answer.split()) > _MOST_WORDS or len(answer) > _MOST_ASKED:
        return LONG_ANSWER
    if len(question) > _MOST_ASKED:
        return LONG_QUESTION
    return LONG_QUOTE if len(quote) > _MOST_QUOTED else ""


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
    """Whether a question names what a title names: its name, or half of its longer words, or the last of them."""
    name = _QUALIFIER.sub("", title)
    if len(name) > 1 and name.casefold() in question.casefold():
        return True  # also where no spaces part words
    named = [word for word in _words(name) if word not in listed("little")]
    asked = set(_words(question))
    held = [word for word in named if word in asked]
    return bool(held) and (2 * len(held) >= len(named) or named[-1] in asked)


def is_better_answered(article: Article, question: str, answer: str, span: tuple[int, int]) -> bool:
    """Whether another sentence that states the answer has more words of the question than those of a quote.

    So a question about something old does not get the date of something new that has the same answer.
    Words with which a question may name its subject, those of the title and the first sentence, do not count.
    """
    if plain(article.text).count(plain(answer)) < 2:
        return False
    spans = split_sentences(article.text)
    first = article.text[slice(*spans[0])] if spans else ""
    named = set(_words(f"{article.page.title} {first} {answer}"))
    asked = {word for word in _words(question) if len(word) > 2} - named - listed("little")

    def shared(text: str) -> int:
        return len(asked & set(_words(text)))

    own = " ".join(article.text[slice(*one)] for one in spans if one[0] < span[1] and span[0] < one[1])
    others = (article.text[slice(*one)] for one in spans if one[1] <= span[0] or span[1] <= one[0])
    return any(shared(text) > shared(own) for text in others if states([plain(text)], [answer]))


def tells_apart(question: str, article: Article) -> bool:
    """Whether a question says which of several things of one name it means, where there are several.

    It does with a word of the qualifier of the title ("footballer, born 1993") or of the first sentence, parentheses
    apart, where no title of another page has that word and it is not one that any question may have.
    """
    if not article.page.namesakes:
        return True
    qualifier = _QUALIFIER.search(article.page.title)
    spans = split_sentences(article.introduction)
    said = without_brackets(article.text[slice(*spans[0])]) if spans else ""
    others = (_QUALIFIER.sub("", article.page.title), *article.page.namesakes)
    common = {word for title in others for word in _words(title)} | listed("anybodys") | listed("little")
    described = {word for word in _words(said) if len(word) > 3}
    telling = (described | set(_words(qualifier[1] if qualifier else ""))) - common
    return any(word in question.casefold() for word in telling)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def answer_kind(answer: str, quote: str, language: str = "en") -> AnswerKind:
    """Date, number or name, by what an answer looks like, and where it stands: in "2022 seats" is no year."""
    if parse_date(answer) or is_year_of(quote, answer, language):
        return "date"
    return "number" if re.match(r"[$£€¥₹]?\s?\d", answer) else "name"
