"""A question and its short answer said as one full sentence: "Who wrote X?" and "Ada Moor" as "Ada Moor wrote X."."""

import functools
import re
from dataclasses import dataclass

from benchwright.benchmarks.data_files import read_toml
from benchwright.builders.wiki.questions.dates import find_dates
from benchwright.builders.wiki.questions.vocabulary import verbs

_GIVEN = ("receive", "win")
"""What one receives has an article: "a Fields Medal"; before a person it belongs to another word: "an artist, Ada"."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form of question, and how its answer is stated."""

    asked: str
    """A regular expression with `{S}` where the subject is named."""
    stated: str


@functools.cache
def _forms() -> tuple[Form, ...]:
    return tuple(Form(one["asked"], one["stated"]) for one in read_toml(__package__, "statements.toml")["form"])


@functools.cache
def _pasts() -> dict[str, str]:
    """Base form → past, the first that is known."""
    found: dict[str, str] = {}
    for past, base in verbs().base_of_past.items():
        found.setdefault(base, past)
    return found


def state(question: str, answer: str, evidence: str, name: str, said: str) -> str | None:
    """A full sentence that answers a question; None where the question has no form that is known.

    Args:
        question: a question of `builders/wikipedia`.
        answer: its short answer, word for word in the evidence.
        evidence: the sentence that states it: the words before the answer are said as there.
        name: how the question names its subject.
        said: how the sentence names it: the same, or a pronoun.
    """
    for form in _forms():
        match = re.match(form.asked.replace("{S}", re.escape(name)), question)
        if match is None:
            continue
        groups = {key: value or "" for key, value in match.groupdict().items()}
        past = _pasts().get(groups.get("base", ""), "")
        if "{past}" in form.stated and not past:
            return None
        place, the = _before(evidence, answer)
        if the != "the " and groups.get("base") not in _GIVEN:
            the = ""
        stated = form.stated.format(
            **{**groups, "s": groups["s"].replace(name, said), "a": answer, "past": past, "at": _at(answer)},
            place=place,
            the=the,
        )
        return stated[:1].upper() + re.sub(r" +", " ", stated[1:]).replace("..", ".")
    return None


def _before(evidence: str, answer: str) -> tuple[str, str]:
    """The preposition of a place, and the article that the evidence has before the answer, with its space."""
    match = re.search(rf"(?:\b(in|at|on|near|outside) )?((?:(?:the|an?) )?){re.escape(answer)}", evidence)
    if match is None:
        return "in", ""
    return match[1] or "in", match[2]


def _at(answer: str) -> str:
    """The preposition of a date."""
    dates = find_dates(answer)
    return "on" if dates and dates[0].precision == "day" else "in"
