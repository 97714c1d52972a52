"""The six rules for a question, checked by rule (Es et al. 2024, section 4), whoever wrote it."""

import functools
import re
from collections.abc import Sequence
from typing import Any

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.builders.wiki.questions.questions_by_rule import holds_answer

ANSWERED = "the context does not answer it whole"
TRIVIAL = "the question tells its answer"
LINKED = "the answer has a link"
DIFFICULTY = "it is too short or too long to be of moderate difficulty"
UNREADABLE = "people could not read it as one question"
OF_CONTEXT = "the question speaks of its context"


@functools.cache
def _words() -> dict[str, Any]:
    return read_toml(__package__, "rules.toml")


def broken_rules(question: str, answer: str, context: str, values: Sequence[str] = ()) -> tuple[str, ...]:
    """Which of the six rules a question breaks, in the paper's order; nothing: it keeps them.

    Args:
        question: one question, which may have parts.
        answer: its grounded answer, in full sentences.
        context: what it was made from.
        values: the short answers of its parts, word for word in the context; without them the first two rules look at
            the figures and the names of the answer, and where it has none, at its longer words.
    """
    asked = values or _told(answer)
    words = re.findall(r"\w[\w'’-]*", question)
    found = {
        ANSWERED: not asked or not all(states([plain(context)], [value]) for value in asked),
        TRIVIAL: any(holds_answer(question, value) for value in values) or holds_answer(question, " ".join(asked)),
        LINKED: has_link(answer),
        DIFFICULTY: not _words()["fewest_words"] <= len(words) <= _words()["most_words"]
        or len(values) > _words()["most_parts"],
        UNREADABLE: not _is_one_question(question, words),
        OF_CONTEXT: speaks_of_context(question),
    }
    return tuple(rule for rule, is_broken in found.items() if is_broken)


def has_link(text: str) -> bool:
    """Whether a text has a link or the address of a website."""
    return _has(text, "links")


def speaks_of_context(question: str) -> bool:
    """Whether a question speaks of a text that whoever is asked does not see, in English."""
    return _has(question, "about_the_context")


def _has(text: str, name: str) -> bool:
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in _words()[name])


def _is_one_question(question: str, words: Sequence[str]) -> bool:
    """Whether a text reads as one question: it asks, ends once, is printable, and its marks are in pairs."""
    return (
        bool(words)
        and words[0].lower() in _words()["asks"].split()
        and question.endswith("?")
        and question.count("?") == 1
        and question.isprintable()
        and question.count("(") == question.count(")")
        and question.count('"') % 2 == 0
        and not any(sign in question for sign in "[]{}|<>")
    )


def _told(answer: str) -> tuple[str, ...]:
    """The figures of an answer and its words with a capital that begin no sentence; without them, its longer words."""
    found = re.findall(r"\d[\d,.]*\d|\d|(?<=[a-z,] )[^\W\d_a-z][\w’'-]+|(?<=[A-Z]\w )[A-Z]\w+", answer)
    return tuple(found or re.findall(r"[^\W\d_]{5,}", answer))
