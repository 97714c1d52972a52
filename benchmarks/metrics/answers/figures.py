"""The date or the number inside a gold wording that is more than that, where the question asks for one."""

import functools
import re
from dataclasses import replace

from benchwright.benchmarks.metrics.answers.gold import Element
from benchwright.benchmarks.metrics.answers.judged_answer import JudgedAnswer
from benchwright.benchmarks.metrics.answers.mentions import Mention, date_mentions, number_mentions
from benchwright.benchmarks.metrics.answers.values import word_lists
from benchwright.benchmarks.text.dates import Day, find_dates
from benchwright.benchmarks.text.folding import clean, lower, words
from benchwright.benchmarks.text.numbers import Number, find_numbers

_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_RANGE = re.compile(r"\d\s*(?:-|–|to|and|until)+\s*[$€£]?\d")


@functools.lru_cache(maxsize=50_000)
def _inside(wording: str) -> tuple[tuple[Day, ...], tuple[Number, ...]]:
    """The only date of a wording, or its only number; neither of a range, or of a part of a year."""
    lowered = lower(clean(wording))
    dates = find_dates(lowered)
    if dates:
        return (dates[0].readings[:1], ()) if len(dates) == 1 else ((), ())
    numbers = find_numbers(lowered)
    if len(numbers) != 1 or _RANGE.search(lowered):
        return (), ()
    parts = word_lists("asks")["parts_of_time"]
    return (), tuple(numbers) if parts.isdisjoint(words(lowered)) else ()


def figures_in(answer: JudgedAnswer, key: str, wordings: tuple[str, ...]) -> list[Mention]:
    """Mentions of the date or the number of gold wordings such as "4 May 1990 at Leeds" or "a total of 24 members"."""
    question = answer.question_text
    wants_date = not word_lists("asks")["date"].isdisjoint(question.words)
    if not wants_date and not question.is_how_many:
        return []
    dates: list[Day] = []
    numbers: list[Number] = []
    for wording in wordings:
        days, figures = _inside(wording)
        dates += days if wants_date else ()
        is_year = bool(figures) and _YEAR.search(wording) is not None
        numbers += figures if question.is_how_many != is_year or (wants_date and is_year) else ()
    if not dates and not numbers:
        return []
    element = Element(key, (wordings[0], ()), (), tuple(dates), tuple(replace(each, noun="") for each in numbers), None)
    beside = answer._replace(gold=replace(answer.gold, elements=(element,)))
    return [*date_mentions(beside), *(number_mentions(beside) if numbers else [])]


def is_less_exact(answer: JudgedAnswer, element: Element) -> bool:
    """Whether an answer gives only the year, or year and month, of a gold date, where no day is asked for.

    Whether that is exact enough, people decide by the question: no rule does.
    """
    asked = answer.question_text.said
    if not element.dates or "when" not in asked or not asked.isdisjoint(("date", "day", "exact", "exactly")):
        return False
    stated = {day[:2] for date in answer.answer_text.dates for day in date.readings if not day[2]}
    years = {number.value for number in answer.answer_text.numbers if not number.dimension}
    return any(day[2] and (day[:2] in stated or day[0] in years) for day in element.dates)
