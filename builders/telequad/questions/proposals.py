"""What a model proposes to ask of a section, and which of it can be used: what rules let pass."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.text.words import content_words
from benchwright.benchmarks.types import MADE_NAME
from benchwright.builders.documents.sections import Section
from benchwright.builders.telequad.questions.asked import Asked, Specification, Stated
from benchwright.builders.telequad.questions.locating import NOT_WITHIN, find_answer, stated_around
from benchwright.builders.telequad.questions.names import Names
from benchwright.builders.telequad.questions.wordings import FORMS
from benchwright.builders.telequad.triplets.contains import Answer, Said

PATTERN = "model"
EMPTY, STRAY = "the question or the answer is empty", "it has signs that nobody sees"
LONG_QUESTION, LONG_ANSWER = "the question is too long", "the answer is too long"
NO_QUESTION = "it is no question"
IN_QUESTION = "the answer is in the question"
FORM, POINTING = "it asks how the document is laid out", "it points at a text that whoever is asked does not see"
STRANGE = "it has no word of the section"
NO_WORDING, OTHER = "there is none", "it has no word of the question that it is another wording of"
REPEATED = "it is asked already"
TOO_MANY = "it is more than was asked for"
NAME_THERE = "what it takes for a made-up name stands in the document"
NAME_NOT_ASKED = "it does not ask about the made-up name"
MOST_READ = 50
"""Proposals of one reply that are looked at."""
NOT_READ = f"a reply of more than {MOST_READ} proposals: the rest is not read"
_MOST_ASKED, _MOST_ANSWERED = 600, 400
"""Characters of a wording and of an answer."""


@dataclass(frozen=True)
class Proposal:
    """A question with an answer, as a model gives it."""

    interrogative: str
    short: str
    long: str
    answer: str
    quote: str


@dataclass(frozen=True)
class UnanswerableProposal:
    """A question without one, about a thing that the specification does not have."""

    interrogative: str
    short: str
    long: str
    name: str


@dataclass(frozen=True)
class Proposals:
    """The shape of a reply."""

    questions: tuple[Proposal, ...]
    unanswerable: tuple[UnanswerableProposal, ...] = ()


@dataclass
class Reading:
    """What can be used of a section's proposals, and what became of the others."""

    asked: list[Asked] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    """Why proposals are not used → how many."""
    wordings_left_out: Counter[str] = field(default_factory=Counter)
    """Why single wordings of those that are used are not → how many."""
    named: int = 0
    """Wordings that did not name the document, and now do."""


def read_proposals(proposals: Proposals, names: Names, place: int, count: int, unanswerable: int) -> Reading:
    """Holds proposals against the section that they are about.

    Args:
        proposals: of one reply.
        names: of the specification that they are about.
        place: of the section.
        count: questions that were asked for.
        unanswerable: those without an answer that were asked for.
    """
    found, specification = Reading(), names.specification
    for proposal in proposals.questions[:MOST_READ]:
        asked = TOO_MANY if len(found.asked) >= count else _read(proposal, specification, place, found)
        _take(asked, found)
    answered = len(found.asked)
    for proposal in proposals.unanswerable[:MOST_READ]:
        is_more = len(found.asked) - answered >= unanswerable
        _take(TOO_MANY if is_more else _read_unanswerable(proposal, names, place, found), found)
    if len(proposals.questions) > MOST_READ or len(proposals.unanswerable) > MOST_READ:
        found.refused[NOT_READ] += 1
    return found


def _take(asked: Asked | str, found: Reading) -> None:
    if isinstance(asked, str):
        found.refused[asked] += 1
    else:
        found.asked.append(asked)


def _read(proposal: Proposal, specification: Specification, place: int, found: Reading) -> Asked | str:
    """The question, or why it is not used."""
    section = specification.sections[place]
    if not (proposal.interrogative.strip() and proposal.answer.strip()):
        return EMPTY
    if len(proposal.answer) > _MOST_ANSWERED:
        return LONG_ANSWER
    span = find_answer(section.text, proposal.answer, proposal.quote)
    if isinstance(span, str):
        return span
    answer = section.text[span.start : span.end]
    stated = stated_around(section, span, proposal.quote)
    if stated is None:
        return NOT_WITHIN
    if _any("place").fullmatch(answer.casefold()):
        return FORM
    if any(span.start < other.end and other.start < span.end for each in found.asked for other in each.answers):
        return REPEATED
    wordings = _wordings(proposal, specification, section, answer, found)
    if isinstance(wordings, str):
        return wordings
    return Asked(
        PATTERN,
        wordings,
        place,
        answers=(span,),
        stated=(Stated(place, stated),),
        metadata={"clause": section.clause.number},
    )


def _read_unanswerable(proposal: UnanswerableProposal, names: Names, place: int, found: Reading) -> Asked | str:
    """A question about a made-up name, or why it is not used: the name must stand nowhere in the document."""
    name = " ".join(proposal.name.split())
    if not (proposal.interrogative.strip() and re.search(r"\w", name)):
        return EMPTY
    if len(name) > _MOST_ANSWERED or not _is_visible(name):
        return STRAY if len(name) <= _MOST_ANSWERED else LONG_QUESTION
    said, specification = Answer((name,)), names.specification
    if not names.is_new(name) or any(said.is_in(Said(section.text)) for section in specification.sections):
        return NAME_THERE
    if name.casefold() not in " ".join(proposal.interrogative.split()).casefold():
        return NAME_NOT_ASKED
    if any(each.entity.casefold() == name.casefold() for each in found.asked):
        return REPEATED
    section = specification.sections[place]
    wordings = _wordings(proposal, specification, section, "", found, name)
    if isinstance(wordings, str):
        return wordings
    clause = {"clause": section.clause.number}
    return Asked(PATTERN, wordings, place, entity=name, no_answer=MADE_NAME, metadata=clause)


def _wordings(
    proposal: Proposal | UnanswerableProposal,
    specification: Specification,
    section: Section,
    answer: str,
    found: Reading,
    name: str = "",
) -> Mapping[str, tuple[str, ...]] | str:
    """The wordings that can be used, each of which names the document; or why the question itself cannot be."""
    kept: dict[str, tuple[str, ...]] = {}
    before = {text.casefold() for each in found.asked for texts in each.wordings.values() for text in texts}
    left_out, named = Counter[str](), 0
    for form in ("interrogative", *(each for each in FORMS if each != "interrogative")):
        given = " ".join(getattr(proposal, form).split())
        text = naming(given, specification.called, form) if given else ""
        problem = wording_problem(text, form, section, specification.called, answer, name)
        if not problem and text.casefold() in before:
            problem = REPEATED
        if (
            not problem
            and kept
            and not _telling(text, specification.called) & _telling(kept["interrogative"][0], specification.called)
        ):
            problem = OTHER
        if problem and form == "interrogative":
            return problem
        if problem:
            left_out[problem] += 1
            continue
        named += text != given
        kept[form] = (text,)
    found.wordings_left_out += left_out
    found.named += named
    return {form: kept[form] for form in FORMS if form in kept}


def wording_problem(text: str, form: str, section: Section, called: str, answer: str, name: str = "") -> str:
    """Why a wording is not used; nothing where it is.

    Args:
        text: in one line, with the document's name.
        form: which it is to be.
        section: that it is about.
        called: the document's name.
        answer: what must not be in it; "": it has none.
        name: what it must ask about.
    """
    if not text:
        return NO_WORDING
    if len(text) > _MOST_ASKED:
        return LONG_QUESTION
    if not _is_visible(text):
        return STRAY
    if form == "interrogative" and not text.endswith("?"):
        return NO_QUESTION
    if name and name.casefold() not in text.casefold():
        return NAME_NOT_ASKED
    asked = _without_name(text, called)
    if answer and Answer((answer,)).is_in(Said(asked)):
        return IN_QUESTION
    if _any("form").search(asked.casefold()):
        return FORM
    if _any("pointing").search(asked.casefold()):
        return POINTING
    known = {*content_words(section.text), *(word for heading in section.path for word in content_words(heading))}
    return "" if known & _telling(text, called) else STRANGE


def _without_name(text: str, called: str) -> str:
    """A wording without the document's name."""
    return re.sub(re.escape(called.strip('"')), " ", text, flags=re.IGNORECASE)


def _telling(text: str, called: str) -> set[str]:
    """The words of a wording that carry meaning, but for the document's name."""
    return {*content_words(_without_name(text, called))}


def naming(text: str, called: str, form: str) -> str:
    """A wording that names the document: as it is where it does, else with the name at its end."""
    if called.strip('"').casefold() in text.casefold():
        return text
    if form == "short":
        return f"{text.rstrip('.?!')} ({called})"
    mark = text[-1] if text[-1] in ".?!" else "." if form == "long" else ""
    return f"{text.rstrip('.?!')} according to {called}{mark}"


def _is_visible(text: str) -> bool:
    """Whether a text in one line has no sign that nobody sees."""
    return text.replace("\u00a0", " ").isprintable()


@cache
def _any(kind: str) -> re.Pattern[str]:
    """Any of the expressions of a list of `by_model.toml`."""
    return re.compile("|".join(f"(?:{each})" for each in expressions(kind)))


def expressions(kind: str) -> Sequence[str]:
    """A list of `by_model.toml`."""
    return read_toml(__package__, "by_model.toml")[kind]
