"""What a sentence must be that widens a context, whoever wrote it: full, of a sensible length, and telling no answer.

What is asked is not told in other words of the same value either: a date in another form or a part of it ("2022" of
"13 January 2022"), a number written otherwise, somebody by the surname alone.
"""

import datetime
import re
from collections.abc import Collection, Iterator

from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.text.dates import find_dates as find_days
from benchwright.benchmarks.text.folding import clean, lower
from benchwright.benchmarks.text.numbers import find_numbers
from benchwright.benchmarks.text.sentences import COUNTED
from benchwright.benchmarks.text.words import root
from benchwright.builders.wiki.questions.dates import find_dates
from benchwright.builders.wikieval.contexts.leaning import leans
from benchwright.builders.wikieval.material import Passage
from benchwright.builders.wikieval.models.candidate_checks import facts, plain_problem, roots

NOT_SENTENCE = "it is not one full sentence"
LEANS = "it does not say what it is about"
IN_TEXT, REPEATED = "the text says it already", "it is there already"
TELLS, ELSEWHERE = "it tells a part of the answer", "it has nothing to do with the text"
LONG = "it is too long"
_FEWEST = 4
"""Words of a sentence."""
_LONGEST = 400
"""Characters of a sentence."""
_FULL = re.compile(r"[\"'“„‘«(\[]*[^\Wa-z_].*[.!…。！।॥۔][\"'”“’»)\]]*", re.DOTALL)
_BRACKETS = (("(", ")"), ("[", "]"), ("“", "”"))

Days = tuple[datetime.date, datetime.date]


def sentence_problem(sentence: str, told: Collection[str], question: str, passage: Passage) -> str:
    """Why a sentence cannot widen a context whoever wrote it; nothing where it can.

    Args:
        sentence: with single spaces between its words.
        told: what must not be told: the values of the facts that are asked, or the answer as a whole.
        question: that is asked.
        passage: the context.
    """
    if problem := plain_problem(sentence):
        return problem
    if len(sentence) > _LONGEST:
        return LONG
    is_whole = _FULL.fullmatch(sentence) and not any(
        sentence.count(one) != sentence.count(two) for one, two in _BRACKETS
    )
    if not is_whole or len(COUNTED.spans(sentence)) != 1 or len(sentence.split()) < _FEWEST:
        return NOT_SENTENCE
    if plain(sentence) in plain(passage.text) or roots(sentence) <= roots(passage.text):
        return IN_TEXT
    return TELLS if any(tells(sentence, each, question, passage.title) for each in told) else ""


def new_sentence_problem(sentence: str, told: Collection[str], question: str, passage: Passage) -> str:
    """The same of a sentence that a model wrote, which has to belong there and to be understood by itself."""
    if problem := sentence_problem(sentence, told, question, passage):
        return problem
    if leans(sentence):
        return LEANS
    return "" if roots(sentence) & roots(f"{passage.title} {passage.text}") else ELSEWHERE


def tells(sentence: str, value: str, question: str, title: str) -> bool:
    """Whether a sentence tells a value or a part of it, in its words or others, that question and title do not tell."""
    if states([plain(sentence)], [value, value.partition(", ")[0]]):
        return True
    known = set(_days(f"{question} {title}"))
    asked_days, told_days = list(_days(value)), [days for days in _days(sentence) if days not in known]
    if any(first <= end and begin <= last for first, last in asked_days for begin, end in told_days):
        return True
    counted = _counted(_without_dates(value)) - _counted(_without_dates(f"{question} {title}"))
    if counted & _counted(_without_dates(sentence)):
        return True
    asked = roots(_without_dates(value)) - roots(f"{question} {title}")
    said = roots(_without_dates(sentence))
    named = {root(word) for word in facts(_without_dates(value))} & asked
    return bool(said & named) or (not asked_days and 2 * len(said & asked) > len(asked))


def _days(text: str) -> Iterator[Days]:
    """The first and the last day of each date of a text; two readings of a date in figures are two."""
    for dated in find_dates(text):
        yield dated.first, dated.last
    for date in find_days(lower(clean(text))):
        for year, month, day in date.readings:
            if year and month and day:
                stated = datetime.date(year, month, day)
                yield stated, stated


def _without_dates(text: str) -> str:
    for dated in reversed(find_dates(text)):
        text = f"{text[: dated.start]} {text[dated.end :]}"
    return text


def _counted(text: str) -> set[float]:
    """The numbers of a text, scaled: 4.2 million is 4200000. One is no number here: "a year" is one year."""
    return {number.value for number in find_numbers(lower(clean(text))) if number.value != 1}
