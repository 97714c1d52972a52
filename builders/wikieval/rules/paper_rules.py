"""The six rules for a question (Es et al. 2024, section 4), whoever wrote it, and what tells that one is broken.

1. The text answers it in full: ANSWERED; of a model's answer `candidate_checks.answer_problem` looks further.
2. It asks for something that is not trivial: TRIVIAL.
3. The answer has no link: LINK.
4. It is of moderate difficulty: DIFFICULTY, YES_OR_NO.
5. People can understand and answer it: UNREADABLE; of a model's question also NO_SUBJECT.
6. It does not speak of a "provided context": POINTING. The phrases are English.
"""

import functools
import re
from collections.abc import Sequence
from typing import Any

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.text.folding import fold
from benchwright.builders.wiki.questions.questions_by_rule import holds_answer

ANSWERED = "the text does not answer it in full"
TRIVIAL = "the question or the title tells its answer"
LINK = "it has a link"
DIFFICULTY = "it is too short or too long to be of moderate difficulty"
YES_OR_NO = "it can be answered by yes or no"
UNREADABLE = "people could not read it as one question"
NO_SUBJECT = "it does not name what it is about"
POINTING = "it speaks of a text that whoever is asked does not see"
_MARKS = "?？؟"


@functools.cache
def read_rules() -> dict[str, Any]:
    """What stands in `rules.toml`."""
    return read_toml(__package__, "rules.toml")


def broken_rules(question: str, answer: str, context: str, values: Sequence[str]) -> tuple[str, ...]:
    """Which of the six rules a question of known facts breaks, in the paper's order; nothing: it keeps them.

    Args:
        question: one question, which may have parts.
        answer: its grounded answer, in full sentences.
        context: what it was made from.
        values: the short answers of its parts, word for word in the context.
    """
    found = {
        ANSWERED: not values or not all(states([plain(context)], [value]) for value in values),
        TRIVIAL: any(holds_answer(question, value) for value in values),
        LINK: has_link(answer),
        DIFFICULTY: len(values) > read_rules()["most_parts"],
        **dict.fromkeys(broken_by_words(question), True),
    }
    return tuple(rule for rule, is_broken in found.items() if is_broken)


def broken_by_words(question: str) -> tuple[str, ...]:
    """Which of the rules the words of a question break by themselves, in the paper's order."""
    rules, words = read_rules(), re.findall(r"\w[\w'’-]*", question)
    found = {
        LINK: has_link(question),
        DIFFICULTY: not rules["fewest_words"] <= len(words) <= rules["most_words"],
        YES_OR_NO: bool(words) and fold(words[0]).lower() in rules["yes_or_no"].split(),
        UNREADABLE: not _is_one_question(question),
        POINTING: _has(question, "about_the_context"),
    }
    return tuple(rule for rule, is_broken in found.items() if is_broken)


def has_link(text: str) -> bool:
    """Whether a text has a link or the address of a website."""
    return _has(text, "links")


def _has(text: str, name: str) -> bool:
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in read_rules()[name])


def _is_one_question(question: str) -> bool:
    """Whether a text reads as one question: it ends as one, once, is printable, and its marks are in pairs."""
    return (
        question.endswith(tuple(_MARKS))
        and sum(question.count(mark) for mark in _MARKS) == 1
        and question.isprintable()
        and question.count("(") == question.count(")")
        and question.count('"') % 2 == 0
        and not any(sign in question for sign in "[]{}|<>")
    )
