"""When the fact that a question asks for came to be: read from its answer, its sentence, its section or its article.

An article that was created yesterday may tell of 1400. So each question carries the date of its fact, and only one
whose fact lies after the cutoff is a question of the subset `post_cutoff`. What tells no date has none. An interval
holds every date that the fact may have, so that a fact counts as after the cutoff only where all of them are:

answer      a question for a date asks for the fact of that date
sentence    else the dates that the sentence of the evidence names, from the first to the last; births are left out,
            because "Ada Moor (born 1980) won" dates no victory, and years of which it names the day
section     else the date in the heading of its section, or of one above it: "2023 season"
article     else, of a thing, the day from which there has been anything to say of it: "is a 2023 film", "founded in
            2023"; from it to the revision that was read. Of a person nothing: who won something in 2023 went to school
            before
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from benchwright.benchmarks.releases.fact_dates import read_fact_date
from benchwright.builders.wiki.pages import Article
from benchwright.builders.wiki.questions.dates import Dated, find_dates, says_birth
from benchwright.builders.wiki.questions.subjects import ArticleSubject, read_subject, split_sentences, without_brackets
from benchwright.builders.wiki.questions.vocabulary import listed

PLACES = ("after", "around", "before", "unknown", "claimed")
"""What `place_in_time` says."""
BY_MODEL = "model"
"""Stands where a date was read, of one that a model alone tells; see `proposal_dates`."""
ReadFrom = Literal["answer", "sentence", "section", "article"]
_PRESENT = re.compile(r"\s?[-–—]\s?(?:present|now|today)\b", re.IGNORECASE)
_DEFINED = re.compile(r" (?:is|was|are|were) (?:an?|the) (?:[a-z-]+ ){0,2}$")
_CAME = re.compile(r"\b(?P<words>[a-z]+(?: [a-z]+)?) (?:in|on) $")
_TAKEN_PLACE = re.compile(r"\b(?:took place|occurred|happened|held|played|contested)\b[^.;]{0,80}$")


@dataclass(frozen=True, slots=True)
class FactDate:
    """The days on which a fact may have come to be."""

    first: date
    last: date
    read_from: ReadFrom

    def as_text(self) -> str:
        """An ISO date, or an interval of two: the column `fact_date`."""
        return self.first.isoformat() if self.first == self.last else f"{self.first}/{self.last}"


def is_after(fact_date: str | None, cutoff: date, dated_by: str = "") -> bool:
    """Whether a fact lies wholly after a cutoff, the first day of what is after it; one without a date does not, nor
    one that a model alone dates."""
    return place_in_time(fact_date, cutoff, dated_by) == "after"


def place_in_time(fact_date: str | None, cutoff: date, dated_by: str = "") -> str:
    """after, before or around the cutoff, unknown, or claimed, where a model alone tells the date."""
    if fact_date is None:
        return "unknown"
    if dated_by == BY_MODEL:
        return "claimed"
    first, last = read_fact_date(fact_date)
    return "after" if first >= cutoff else "before" if last < cutoff else "around"


def date_fact(
    article: Article, start: int, end: int, answer: str, answer_kind: str, language: str = "en"
) -> FactDate | None:
    """When the fact came to be that a question asks for; None where nothing tells it.

    Args:
        article: that states it.
        start, end: its evidence: offsets into the article's text, end exclusive.
        answer: the answer of the question.
        answer_kind: `date` where that is a date.
        language: of the article; what its definition tells is read in English alone.
    """
    if answer_kind == "date":
        found = find_dates(answer, language)
        return FactDate(found[0].first, found[0].last, "answer") if len(found) == 1 else None
    sentence = article.text[start:end]
    named = [one for one in find_dates(sentence, language) if not says_birth(sentence, one, language)]
    dates = _finest(named)
    if dates:
        return FactDate(min(one.first for one in dates), max(one.last for one in dates), "sentence")
    return _of_section(article, start, language) or (_of_article(article) if language == "en" else None)


def _finest(dates: Sequence[Dated]) -> list[Dated]:
    """Dates without the years and months of which another one names the day: "the 2021 final, on 6 December 2021"."""
    return [
        one
        for one in dates
        if one.precision not in ("year", "month") or not any(_is_finer(other, one) for other in dates)
    ]


def _is_finer(one: Dated, than: Dated) -> bool:
    is_within = than.first <= one.first and one.last <= than.last
    return is_within and (one.first, one.last) != (than.first, than.last) and one.precision in ("day", "month")


def _of_section(article: Article, start: int, language: str) -> FactDate | None:
    """The date in the heading of the section, or of the nearest one above it that has one."""
    below = 99
    for section in reversed([one for one in article.sections if one.start <= start]):
        if section.level >= below or section.level == 0:
            continue
        below = section.level
        dates = find_dates(section.heading, language)
        if dates:
            is_open = _PRESENT.match(section.heading, dates[-1].end)
            last = _edited(article) if is_open else dates[-1].last
            return FactDate(min(one.first for one in dates), max(last, dates[0].first), "section")
    return None


def _of_article(article: Article) -> FactDate | None:
    """From when there has been anything to say of a thing, to the revision that was read."""
    subject = read_subject(article)
    found = None if subject.is_person else _beginning(article, subject)
    return FactDate(found.first, max(found.last, _edited(article)), "article") if found else None


def _beginning(article: Article, subject: ArticleSubject) -> Dated | None:
    """The date in its definition that says when it came to be."""
    spans = split_sentences(article.introduction)
    if not subject.is_defined or not spans:
        return None
    sentence = without_brackets(article.text[slice(*spans[0])])
    dates = [one for one in find_dates(sentence) if one.precision in ("day", "month", "season", "year", "years")]
    if not dates or any(one.first < dates[0].first for one in dates):
        return None
    told = [one for one in dates if _begins_with(sentence, one, subject)]
    return min(told, key=lambda one: one.first, default=None)


def _begins_with(sentence: str, found: Dated, subject: ArticleSubject) -> bool:
    """Whether a date in a definition says when the subject came to be: "is a 2023 film", "was founded in 2023"."""
    before = sentence[: found.start]
    came = _CAME.search(before)
    if came and listed("came").intersection(came["words"].split()):
        return True
    if _DEFINED.search(before) and re.match(r" [\w-]", sentence[found.end :]):
        return True
    return bool(_TAKEN_PLACE.search(before)) or (found.start < len(subject.title) + 12 and _is_named(subject, found))


def _is_named(subject: ArticleSubject, found: Dated) -> bool:
    """Whether a date is the one of the title: "2023 Holm Open"."""
    return any(one.first == found.first for one in find_dates(subject.title))


def _edited(article: Article) -> date:
    try:
        return date.fromisoformat(article.page.edited[:10])
    except ValueError:
        return date.max
