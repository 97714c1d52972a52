"""How far an answer says each nugget of its question: by a judge, in one call for all of them, or by rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.metrics.answers.judge import (
    HEDGED,
    NEEDS_JUDGE,
    NO_VALUES,
    NOT_UNDERSTOOD,
    ask,
    judge_asked,
)
from benchwright.benchmarks.metrics.answers.judged_answer import Asked
from benchwright.benchmarks.metrics.answers.stated import LONGEST as LONGEST_READ
from benchwright.benchmarks.metrics.answers.stated import stated_elements
from benchwright.benchmarks.metrics.answers.values import Values
from benchwright.benchmarks.metrics.base import NO_ANSWER, JudgedItem, Score, unscored
from benchwright.benchmarks.metrics.correct import NO_GOLD, UNANSWERABLE
from benchwright.benchmarks.metrics.steps.long_texts import beginning, with_notes
from benchwright.benchmarks.metrics.steps.nuggets import Nugget, Support, nuggets_of
from benchwright.benchmarks.metrics.steps.numbered import one_on_each
from benchwright.benchmarks.metrics.steps.word_support import word_support
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Document, Question

PROMPT = "judge_nuggets"
MOST_JUDGED = 100
"""Nuggets of one question that a judge is asked about: a set may have more members."""
_VALUE = 12
"""Words up to which a fact is looked for as a value is; a longer one by its words."""


@dataclass(frozen=True)
class NuggetVerdict:
    """What the judge says of one nugget."""

    nugget: int
    reason: str
    support: Support


@dataclass(frozen=True)
class NuggetVerdicts:
    """What the judge says of the nuggets of an answer."""

    verdicts: list[NuggetVerdict]


@dataclass(frozen=True, slots=True)
class NuggetSupport:
    """Nuggets, and how far an answer says each."""

    nuggets: tuple[Nugget, ...]
    supports: tuple[Support, ...]
    note: str | None = None
    """What was not read, for the reason of the score."""
    reasons: tuple[str, ...] = ()
    """The judge's, of each nugget."""


async def judged_support(item: JudgedItem, tools: Tools) -> NuggetSupport | None:
    """How far an answer says each nugget by the judge, in one call; None where there is nothing for it to judge."""
    answer = item.prediction.answer
    known = nuggets_of(item.question, item.documents)
    if not known or answer is None or not answer.strip() or item.prediction.abstained:
        return None
    nuggets = known[:MOST_JUDGED]
    read, cut = beginning(answer, "the answer")
    values = {
        "question": item.question.question,
        "nuggets": [each.text for each in nuggets],
        "answer": read,
    }
    imagined = NuggetVerdicts([NuggetVerdict(number, "", "full") for number in range(1, len(nuggets) + 1)])
    reply = await tools.ask(
        PROMPT, values, reply=one_on_each(NuggetVerdicts, len(nuggets), "points", "nugget"), imagined=imagined
    )
    verdicts = sorted(reply.verdicts, key=lambda each: each.nugget)
    left = f"the first {MOST_JUDGED} of {len(known):,} nuggets were judged" if len(nuggets) < len(known) else None
    reasons = tuple(each.reason for each in verdicts)
    return NuggetSupport(nuggets, tuple(each.support for each in verdicts), with_notes(cut, left), reasons)


def support_by_rule(
    question: Question, prediction: Prediction, documents: Mapping[str, Document], values: Values = NO_VALUES
) -> NuggetSupport | Score:
    """How far an answer says each nugget, by the rules that read answers for `correct`; or why that is unscored.

    Args:
        question: what was asked.
        prediction: what was said. Of one that abstains nothing is said.
        documents: the corpus by id.
        values: the other answers of the template, from `template_values`.
    """
    if question.answerability == "unanswerable":
        return UNANSWERABLE
    nuggets = nuggets_of(question, documents)
    if not nuggets:
        return NO_GOLD
    if prediction.abstained:
        return NuggetSupport(nuggets, ("none",) * len(nuggets), "said to abstain")
    answer = prediction.answer
    if answer is None:
        return NO_ANSWER
    asked = ask(question.question, question.answers, question.aliases, question.answer_type, values)
    okay = [each for each in nuggets if each.importance == "okay"]
    is_boolean = question.answer_type == "boolean"
    vital = _boolean(answer, asked) if is_boolean else _elements(answer, asked, is_alone=not okay)
    if isinstance(vital, Score):
        return vital
    supports = (*vital, *_facts(question.question, answer, okay))
    is_cut = len(answer) > LONGEST_READ
    note = f"the first {LONGEST_READ:,} of {len(answer):,} characters were read" if is_cut else None
    return NuggetSupport(nuggets, supports, note)


def _boolean(answer: str, asked: Asked) -> tuple[Support, ...] | Score:
    """How far yes or no is said."""
    judgment = judge_asked(answer, asked)
    if judgment == NOT_UNDERSTOOD:
        return unscored(NOT_UNDERSTOOD.reason)
    support: Support = "full" if judgment.outcome == "correct" else "partial" if judgment == HEDGED else "none"
    return (support,)


def _elements(answer: str, asked: Asked, *, is_alone: bool) -> tuple[Support, ...] | Score:
    """How far each required element is said, each once."""
    stated = stated_elements(answer, asked, is_alone=is_alone)
    if stated.undecided:
        return unscored(NEEDS_JUDGE.reason)
    supports: list[Support] = [stated.found[element.key] for element in dict.fromkeys(asked.gold.elements)]
    return tuple(supports)


def _facts(question: str, answer: str, nuggets: Sequence[Nugget]) -> tuple[Support, ...]:
    """How far facts on the way are said: values as the answer's are, longer texts by their words."""
    if not nuggets:
        return ()
    first = [each.forms[0] for each in nuggets]
    asked = ask(question, tuple(first), tuple(each.forms[1:] for each in nuggets), "set", NO_VALUES)
    found = stated_elements(answer, asked).found
    supports: list[Support] = []
    for value, element in zip(first, asked.gold.elements, strict=True):
        is_value = len(value.split()) <= _VALUE
        supports.append(found[element.key] if is_value else word_support(value, answer) or "none")
    return tuple(supports)
