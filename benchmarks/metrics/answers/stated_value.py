"""Answers that give a value to a question of yes or no, whose SQL says which value it asks about.

"Was Quay Wall made for Halden Marine?" – "Halden Marine" says yes, and "Orla Foods" says no, where that is another
value of the column. What is neither, but was given in place of a yes or a no, answers nothing: the name of the thing
that is asked about, a piece of a telephone number, a value of another column.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from benchwright.benchmarks.metrics.answers.answer_text import read_answer_text
from benchwright.benchmarks.metrics.answers.boolean_question import read_asked, word_set
from benchwright.benchmarks.metrics.answers.judge import (
    AGREES,
    DENIED,
    NO_VALUES,
    NOT_FOUND,
    OPPOSES,
    OTHER,
    AnswerJudgment,
    ask,
    judge_asked,
)
from benchwright.benchmarks.metrics.answers.values import Values, kind_of, prepare_values
from benchwright.benchmarks.text.dates import Date
from benchwright.benchmarks.text.folding import value_words
from benchwright.benchmarks.text.numbers import Number
from benchwright.benchmarks.types import YES_NO, Question

NEITHER = AnswerJudgment("wrong", "says neither yes nor no")
_LONGEST = 10
"""Words of an answer that is a value and nothing else."""
_LEADING = ("answer", "response", "value", "result")
_NAME = r'(?:"[^"]+"|\w+)'
_CONDITION = re.compile(rf"({_NAME})\.({_NAME}) = ('(?:[^']|'')*'|-?\d[\d.]*(?:[eE][+-]?\d+)?)(?: AND |;?\s*$)")
_SELECTED = re.compile(rf"\s*SELECT (?:{_NAME}\.)?({_NAME}) FROM ")
_YES_OR_NO = "SELECT COUNT(*) > 0 "


class AskedValue(NamedTuple):
    """A value that a question of yes or no asks about."""

    column: str
    """Its column's name; those of several columns with spaces between."""
    value: str


def asked_value(sql: str) -> AskedValue | None:
    """What `SELECT COUNT(*) > 0 … WHERE given AND column = value` asks about; None where it is not of that shape."""
    start = sql.find(" WHERE ")
    if not sql.startswith(_YES_OR_NO) or start < 0:
        return None
    found: list[tuple[str, str, str]] = []
    place = start + len(" WHERE ")
    while place < len(sql):
        match = _CONDITION.match(sql, place)
        if match is None:
            return None
        found.append((match[1], _bare(match[2]), _literal(match[3])))
        place = match.end()
    if len(found) < 2:
        return None
    last = found[-1][0]
    width = 1 if found[0][0] == last else sum(1 for alias, *_ in found if alias == last)
    return AskedValue(" ".join(name for _, name, _ in found[-width:]), " ".join(value for *_, value in found[-width:]))


@dataclass(frozen=True)
class StatedValues:
    """What the questions of a release say that values are."""

    columns: Mapping[str, Values]
    """By the name of a column, the values that questions ask about, and those that are answers of others."""
    known: frozenset[str]
    """The keys of all of them, and of what else questions name."""

    def judge(self, question: Question, answer: str, wanted: bool) -> AnswerJudgment | None:
        """What an answer without a yes or a no says by the value that it gives; None where that is not sure.

        Args:
            question: of the kind yes_no.
            answer: what the system said.
            wanted: whether yes is right.
        """
        about = asked_value(question.sql or "") if question.kind == YES_NO else None
        if about is None:
            return None
        column = self.columns.get(about.column, NO_VALUES)
        left = question.question.replace(about.value, " ")
        judged = judge_asked(answer, ask(left, (about.value,), ((),), "one", column))
        is_negative = read_asked(question.question).is_negative
        if judged.outcome == "correct" or judged in (OTHER, DENIED):
            if _is_longer(answer, about.value, left):
                return None
            says_so = (judged.outcome == "correct") != is_negative
            return AGREES if says_so == wanted else OPPOSES
        if wanted != is_negative and judged == NOT_FOUND and _is_another_figure(answer, about.value, left):
            return OPPOSES
        return NEITHER if self._is_neither(answer, about.value, left) else None

    def _is_neither(self, answer: str, value: str, question: str) -> bool:
        """Whether an answer is nothing but a value that has nothing to do with the one that is asked about."""
        words = value_words(read_answer_text(answer).text)
        if not words or len(words) > _LONGEST:
            return False
        own = value_words(value)
        if _is_part(words, own) or _is_piece(answer, value):
            return not any(word.isalpha() for word in words)
        if set(own) & set(words) and not all(word.isdigit() for word in words):
            return False
        return _is_part(words, value_words(question)) or kind_of(" ".join(words))[0] in self.known


def stated_values(questions: Iterable[Question]) -> StatedValues:
    """The values of a release whose questions of yes or no have SQL; nothing where it has none."""
    items: dict[str, set[str]] = {}
    known: set[str] = set()
    others: list[Question] = []
    for question in questions:
        about = asked_value(question.sql) if question.kind == YES_NO and question.sql else None
        if about is not None:
            items.setdefault(about.column, set()).add(about.value)
        elif question.sql and question.kind != YES_NO:
            others.append(question)
    for question in others if items else ():
        match = _SELECTED.match(question.sql or "")
        if match and _bare(match[1]) in items:
            items[_bare(match[1])].update(question.answers)
    for values in items.values():
        known.update(kind_of(" ".join(value_words(value)))[0] for value in values)
    prepared = {name: prepare_values((value, ()) for value in values) for name, values in items.items()}
    return StatedValues(prepared, frozenset(known))


def _bare(name: str) -> str:
    return name.strip('"')


def _literal(sql: str) -> str:
    return sql[1:-1].replace("''", "'") if sql.startswith("'") else sql


def _is_longer(answer: str, value: str, question: str) -> bool:
    """Whether an answer without a verb has words beside the value that may make another one of it: Muri bei Bern."""
    words = read_answer_text(answer).words
    if isinstance(kind_of(value)[1], Date | Number):
        return False
    if len(words) > _LONGEST or not word_set("auxiliaries").isdisjoint(words):
        return False
    known = {*value_words(value), *value_words(question), *word_set("function"), *word_set("auxiliaries"), *_LEADING}
    return bool(set(value_words(value)) & set(words)) and any(word.isalpha() and word not in known for word in words)


def _is_another_figure(answer: str, value: str, question: str) -> bool:
    """Whether an answer gives one number or one date in place of another, and no other than those of the question."""
    text, asked, own = read_answer_text(answer), read_answer_text(question), kind_of(value)[1]
    if isinstance(own, Date):
        known = {reading for date in asked.dates for reading in date.readings}
        told = [date for date in text.dates if known.isdisjoint(date.readings)]
        return len(told) == 1 and set(own.readings).isdisjoint(told[0].readings)
    if isinstance(own, Number):
        numbers = {number.value * number.factor for number in text.numbers}
        numbers -= {number.value * number.factor for number in asked.numbers}
        return len(numbers) == 1 and not text.dates and own.value * own.factor not in numbers
    return False


def _is_piece(answer: str, value: str) -> bool:
    """Whether figures stand in a longer value that is no number, as a telephone number is none."""
    found = answer.strip(" .()")
    place = value.find(found)
    if place < 0 or not found or isinstance(kind_of(value)[1], Number):
        return False
    return not value[place + len(found) : place + len(found) + 1].isalnum() and not value[:place][-1:].isalnum()


def _is_part(words: tuple[str, ...], of: tuple[str, ...]) -> bool:
    """Whether words stand in others, one after the other."""
    return any(of[place : place + len(words)] == words for place in range(len(of) - len(words) + 1))
