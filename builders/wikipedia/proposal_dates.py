"""When the fact of a model's question came to be: what the model says, held against what our rules read.

A model says of each question when that happened. It is believed only as far as the article shows it:

agreed      our rules read a date from the answer, its sentence, the section or the article (see `fact_dates`): the
            model's, or both ends of its interval, must overlap with it, else the proposal is refused; the rules' date
            is the fact's
said        our rules read none: the model's is taken where the article names such a date at all, and is marked
            `model`. It may be the date of something else, so it never makes a question one of `post_cutoff`
nothing     the model says nothing: the fact has no date, whatever the rules read

The sentence is the whole one that states the answer, not what the model quotes of it: a quote that leaves out "built in
1400" changes nothing. Of a quote of several sentences each that states the answer must be dated, and the fact lies
between the first and the last of their dates.

What remains possible: a sentence of one date may hold a clause about something older ("In 2022 the hall, designed by
Moor, was opened again"), a year may be the number of something (an infobox that says "capacity: 2022"), and a model may
say of either that it happened in 2022; so may it of what the article on something new tells of before that. An answer
may be the wrong date of its sentence. Nothing here finds that.
"""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.builders.wiki.pages import Article
from benchwright.builders.wiki.questions.dates import find_dates
from benchwright.builders.wiki.questions.fact_dates import BY_MODEL, FactDate, ReadFrom, date_fact
from benchwright.builders.wiki.questions.subjects import split_sentences
from benchwright.builders.wiki.questions.vocabulary import AnswerKind

UNREADABLE = "its date is none"
NOT_OF_QUOTE = "its date is not that of the quote"
NOT_OF_PLACE = "its date is not that of its section or article"
_PART = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", re.ASCII)
_YEAR = re.compile(r"(?:1\d|20)\d\d", re.ASCII)
_PLACES: Final[tuple[ReadFrom, ...]] = ("answer", "sentence", "section", "article")
"""Where rules read a date, the surest first."""

Period = tuple[date, date]
"""The first and the last day of something."""


def read_happened(text: str) -> tuple[Period, ...]:
    """What a model says of when something happened: 2022-05-04, 2022-05 or 2022; of two such, 2021-11/2022-02, both;
    nothing where it says nothing.

    Raises:
        ValueError: it says something else.
    """
    if not text:
        return ()
    periods = [_read_part(part) for part in text.split("/")]
    if len(periods) > 2 or periods[0][0] > periods[-1][1]:
        raise ValueError(text)
    return tuple(periods)


def date_problem(
    article: Article, span: tuple[int, int], answer: str, kind: AnswerKind, happened: str, language: str = "en"
) -> str:
    """Why what a model says of the date cannot be right; nothing where it can.

    Args:
        article: that is asked about.
        span: where the quote stands in its text.
        answer: of the question.
        kind: of the answer.
        happened: what the model says.
        language: of the article.
    """
    try:
        said = read_happened(happened)
    except ValueError:
        return UNREADABLE
    own = _read_date(article, span, answer, kind, language) if said else None
    if own is None or all(first <= own.last and own.first <= last for first, last in said):
        return ""
    return NOT_OF_QUOTE if own.read_from in ("answer", "sentence") else NOT_OF_PLACE


def date_proposal(
    article: Article, span: tuple[int, int], answer: str, kind: AnswerKind, happened: str, language: str = "en"
) -> tuple[str | None, str]:
    """The date of a fact without a problem, and where it was read; see `date_problem`."""
    said = read_happened(happened)
    if not said:
        return None, ""
    own = _read_date(article, span, answer, kind, language)
    if own is not None:
        return own.as_text(), own.read_from
    if not all(_is_named(article, period, language) for period in said):
        return None, ""
    first, last = said[0][0], said[-1][1]
    return (first.isoformat() if first == last else f"{first}/{last}"), BY_MODEL


def is_year_of(quote: str, answer: str, language: str = "en") -> bool:
    """Whether a number that looks like a year is one where it stands: in "2022 seats" it is none."""
    return bool(_YEAR.fullmatch(answer)) and any(
        answer in quote[one.start : one.end] for one in find_dates(quote, language)
    )


def _read_part(text: str) -> Period:
    match = _PART.fullmatch(text)
    if match is None:
        raise ValueError(text)
    year, month, day = (int(part) if part else None for part in match.groups())
    first = date(year or 0, month or 1, day or 1)
    if day:
        return first, first
    after = date(first.year + (not month or month == 12), 1 if not month else month % 12 + 1, 1)
    return first, after - timedelta(days=1)


def _read_date(
    article: Article, span: tuple[int, int], answer: str, kind: AnswerKind, language: str
) -> FactDate | None:
    """The date that rules read of the sentences that state the answer; None where one of them tells none."""
    read = [
        date_fact(article, start, end, answer, kind, language) for start, end in _stating(article.text, span, answer)
    ]
    found = [one for one in read if one is not None]
    if not found or len(found) < len(read):
        return None
    place = max(_PLACES.index(one.read_from) for one in found)
    return FactDate(min(one.first for one in found), max(one.last for one in found), _PLACES[place])


def _stating(text: str, span: tuple[int, int], answer: str) -> Sequence[tuple[int, int]]:
    """The whole sentences that a span touches: those that state the answer, else all."""
    start, end = text.rfind("\n", 0, span[0]) + 1, text.find("\n", span[1])
    line = text[start : end if end >= 0 else len(text)]
    spans = [(start + first, start + last) for first, last in split_sentences(line)]
    touched = [one for one in spans if one[0] < span[1] and span[0] < one[1]] or [span]
    return [one for one in touched if states([plain(text[slice(*one)])], [answer])] or touched


def _is_named(article: Article, period: Period, language: str) -> bool:
    """Whether an article names a date that lies in a period."""
    return any(period[0] <= one.first and one.last <= period[1] for one in find_dates(article.text, language))
