"""What a candidate of a model must be: a question under the six rules, and whether an answer stays with its text.

As far as words can tell, an answer is grounded where its names and figures, and most of its other words, are in the
text. The rules are those of `paper_rules`, which the questions by rule keep, too.
"""

import re
import unicodedata
from functools import cache

from benchwright.benchmarks.metrics.answers.answer_text import read_answer_text
from benchwright.benchmarks.text.alike import alike, meaningful
from benchwright.benchmarks.text.dates import MONTHS, Day, covers, find_dates
from benchwright.benchmarks.text.folding import clean, fold, lower
from benchwright.benchmarks.text.sentences import COUNTED
from benchwright.benchmarks.text.words import root, words
from benchwright.builders.wikieval.material import Passage
from benchwright.builders.wikieval.rules.paper_rules import (
    LINK,
    NO_SUBJECT,
    TRIVIAL,
    UNREADABLE,
    broken_by_words,
    has_link,
    read_rules,
)

EMPTY, STRAY, LONG = "it is empty", "it has signs that nobody sees", "it is too long"
DECLINES, NOT_IN_TEXT = "the answer says that it is not known", "the answer says what the text does not"
OF_ITSELF = "the writer speaks of itself and what it knows"
GROUNDED = "it says nothing that the text does not say"
NOTHING_LEFT_OUT = "it leaves nothing of the answer out"
NOT_OF_ANSWER = "what it is said to leave out is not in the answer"
_LONGEST = 800
"""Characters of a candidate."""
_OTHER_WORDS = 0.25
"""The share of the words of an answer that may be the writer's own, such as "took place" for "was held"."""


def question_problem(question: str, passage: Passage) -> str:
    """Why a question cannot be used, as far as it alone tells; nothing where it can."""
    if problem := plain_problem(question):
        return problem
    if broken := broken_by_words(question):
        return broken[0]
    if len(COUNTED.spans(question)) != 1:
        return UNREADABLE
    spans = COUNTED.spans(passage.text)
    subject = f"{passage.title} {passage.text[slice(*spans[0])] if spans else ''}"
    return "" if roots(question) & roots(subject) else NO_SUBJECT


def answer_problem(answer: str, question: str, passage: Passage) -> str:
    """Why an answer that should be grounded cannot be used; nothing where it can."""
    if problem := plain_problem(answer) or _not_said(answer):
        return problem
    if not told(answer, question, passage.title):
        return TRIVIAL
    return "" if is_grounded(answer, question, passage) else NOT_IN_TEXT


def ungrounded_problem(candidate: str, answer: str, question: str, passage: Passage) -> str:
    """Why an answer that was given without the text cannot be used as the less faithful one; nothing where it can.

    Args:
        candidate: the answer without the text.
        answer: the grounded one.
        question: that both answer.
        passage: that the grounded one was made of.
    """
    if problem := plain_problem(candidate) or _not_said(candidate):
        return problem
    said = told(candidate, question, passage.title)
    is_another = said.isdisjoint(told(answer, question, passage.title)) and not said <= roots(passage.text)
    return GROUNDED if not is_another and is_grounded(candidate, question, passage) else ""


def incomplete_problem(poor: str, left_out: str, answer: str, question: str, passage: Passage) -> str:
    """Why an answer cannot be used as the less complete one; nothing where it can.

    Args:
        poor: the incomplete answer.
        left_out: what it is said to leave out of the answer.
        answer: the full one.
        question: that both answer.
        passage: that the full one was made of.
    """
    if problem := plain_problem(poor):
        return problem
    if _speaks_of_itself().search(fold(poor).lower()):
        return OF_ITSELF
    if facts(poor) - _known(question, passage):
        return NOT_IN_TEXT
    missing = told(left_out, question, passage.title)
    if not missing or missing - roots(answer):
        return NOT_OF_ANSWER
    return NOTHING_LEFT_OUT if missing <= roots(poor) else ""


def is_grounded(answer: str, question: str, passage: Passage) -> bool:
    """Whether the names and figures of an answer, and three in four of its words, are in text, title or question."""
    known = _known(question, passage)
    if facts(answer) - known or not _states_dates(passage.text, answer):
        return False
    said = roots(answer)
    other = said - roots(f"{passage.title} {passage.text} {question}")
    return len(other) <= _OTHER_WORDS * len(said)


def facts(text: str) -> frozenset[str]:
    """The figures of a text, and its words with a capital, in small letters.

    The first word of a sentence counts where another with a capital follows: "Mira Sand", but not "Lanterns".
    """
    found: set[str] = set()
    for start, end in COUNTED.spans(text):
        said = re.findall(r"\d+(?:\.\d+)*|[^\W\d_]+", alike(text[start:end]))
        for place, word in enumerate(said):
            is_name = word[0].isupper() and (place or (said[1:2] and said[1][0].isupper()))
            if word[0].isdigit() or is_name:
                found.add(word.lower())
    return frozenset(meaningful(sorted(found)))


def told(answer: str, question: str, title: str) -> frozenset[str]:
    """The roots of the words of an answer that neither the question nor the title has."""
    return roots(answer) - roots(f"{question} {title}")


def roots(text: str) -> frozenset[str]:
    """What the words of a text that carry meaning share with their other forms; numbers in letters are figures."""
    return frozenset(root(word) for word in meaningful(words(alike(text))))


def _states_dates(text: str, answer: str) -> bool:
    """Whether each date of an answer is one of a text, or its day stands beside its month there: "4 to 6 May 2022"."""
    lowered = lower(clean(text))
    stated = [day for date in find_dates(lowered) for day in date.readings]

    def is_stated(gold: Day) -> bool:
        if any(covers(day, gold) for day in stated):
            return True
        month, beside = MONTHS[gold[1] - 1][:3].lower(), rf"(?<!\d)0?{gold[2] or gold[0]}(?!\d)"
        before = rf"{beside}.{{0,12}}\b{month}|" if gold[2] else ""
        return bool(re.search(rf"{before}\b{month}\w*.{{0,12}}{beside}", lowered))

    return all(any(map(is_stated, date.readings)) for date in find_dates(lower(clean(answer))))


def _known(question: str, passage: Passage) -> frozenset[str]:
    return frozenset(words(alike(f"{passage.title}\n{passage.text}\n{question}")))


def plain_problem(text: str) -> str:
    """Why a text cannot be a candidate, whatever it says; nothing where it can."""
    if not any(sign.isalnum() for sign in text):
        return EMPTY
    if any(unicodedata.category(sign) in ("Cc", "Cf", "Co", "Cn") for sign in text):
        return STRAY
    if len(text) > _LONGEST:
        return LONG
    return LINK if has_link(text) else ""


def _not_said(answer: str) -> str:
    """Why a text is no answer: it declines, or tells who wrote it."""
    if _speaks_of_itself().search(fold(answer).lower()):
        return OF_ITSELF
    read = read_answer_text(answer)
    return DECLINES if read.says_nothing or read.abstains else ""


@cache
def _speaks_of_itself() -> re.Pattern[str]:
    return re.compile("|".join(read_rules()["of_itself"]))
