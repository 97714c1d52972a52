"""Documents by a language model: each is written from its plan, checked, asked for anew where something is wrong.

After `ATTEMPTS` replies that cannot be used the document stays as it is made by rule. Nothing that a model says of its
own text is believed: a fact counts as stated where `finding` finds it, and the release's own proofs follow.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.prompts import Messages
from benchwright.benchmarks.models.responses import ESTIMATED, ReplyError
from benchwright.builders.aurp.asserted import taken_back, unasserted
from benchwright.builders.aurp.cells import Cells
from benchwright.builders.aurp.document_plan import Plan, PlannedFact, make_plan, shown_day
from benchwright.builders.aurp.document_text import StatedCell
from benchwright.builders.aurp.documents import shown_in
from benchwright.builders.aurp.documents_checker import CHECKER, CHECKER_SORTS, PROMPT, compared, read_by_model
from benchwright.builders.aurp.documents_reports import Made
from benchwright.builders.aurp.find_facts import FactFinder, as_stated
from benchwright.builders.aurp.find_forbidden import (
    ADDED,
    ASIDE,
    FIGURE,
    HINT,
    NAME,
    TIME,
    Problem,
    forbidden,
    wrongly_stated,
)
from benchwright.builders.aurp.find_frames import unframed
from benchwright.builders.aurp.find_strangers import longest_word
from benchwright.builders.aurp.prove_documents import CONTRADICTION, GAP, Checker
from benchwright.builders.aurp.read_pages import Page
from benchwright.builders.aurp.read_statements import states

ROLE, STEP = "writer", "documents"
PROMPTS = ("aurp_document", "aurp_document_again")
ATTEMPTS = 3
"""Replies to one order, before the document is left to rules."""
GIVEN_UP = f"after {ATTEMPTS} attempts"
TEMPERATURE = 0.7
LONGEST = 3
"""Times as many words as were ordered."""
LONGEST_WORD = 60
"""Characters."""
FACT, OPEN, NOTE, LENGTH = "fact not found", "fact not asserted", "note not found", "too long or empty"
SORTS = (FACT, OPEN, NOTE, LENGTH, GAP, HINT, CONTRADICTION, ADDED, NAME, FIGURE, TIME, ASIDE)

_SPACES = re.compile(r"[^\S\n]+")
_EMPHASIS = re.compile(r"\*{2,}|\*[^\W\d]|[^\W\d]\*")
_PLAIN = str.maketrans({"\u2010": "-", "\u2011": "-", "\u00ad": None, "\u200b": None, "*": None, "\r": "\n"})


@dataclass(frozen=True)
class Written:
    """A document as a model gives it."""

    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """What came of one order."""

    made: Made
    attempt: int
    """Of how many replies the last one was used; 0: none was."""
    problems: tuple[str, ...]
    """The sorts of all that was wrong with those before."""


@dataclass
class ModelWriter:
    """Writes the documents of a world; counts what happens."""

    client: Client
    coverage: float
    attempts: Counter[int] = field(default_factory=Counter)
    """Replies that it took → documents."""
    by_rule: Counter[str] = field(default_factory=Counter)
    """Why a document stayed as rules make it → documents."""
    problems: Counter[str] = field(default_factory=Counter)

    def rewrite(self, cells: Cells, made: Iterator[Made]) -> Iterator[Made]:
        """The documents, written anew one by one and in their order.

        Raises:
            StopError: a limit of the client is reached.
            Estimated: after the last document, where nothing is to be asked.
        """
        superseded = cells.superseded()
        checker, show = Checker(cells.world, self.coverage), shown_in(cells.world)
        plans = (make_plan(cells, superseded, document, stated) for document, stated in made)

        async def ask(plan: Plan) -> Outcome:
            return await _write(self.client, plan, checker, show)

        for plan, outcome in self.client.each(plans, ask, must_answer=True):
            if isinstance(outcome, ReplyError):
                yield self._left_to_rule(plan, outcome.reason)
                continue
            self.problems.update(outcome.problems)
            if not outcome.attempt:
                yield self._left_to_rule(plan, GIVEN_UP)
                continue
            self.attempts[outcome.attempt] += 1
            yield outcome.made

    def checks(self) -> dict[str, Any]:
        """The counts, for the manifest."""
        return {
            "documents_by_model": self.attempts.total(),
            "documents_by_rule": {reason: self.by_rule[reason] for reason in sorted({GIVEN_UP, *self.by_rule})},
            "attempts_per_document_by_model": {str(n): self.attempts[n] for n in range(1, ATTEMPTS + 1)},
            "problems_in_attempts": {sort: self.problems[sort] for sort in (*SORTS, *self._checker_sorts())},
        }

    def texts(self) -> dict[str, int]:
        """How many documents the model wrote, and how many the rules wrote since it gave none that could be used."""
        return {"model": self.attempts.total(), "fallback": self.by_rule.total()}

    def described(self) -> list[dict[str, str | None]]:
        """What the manifest says of the model."""
        checkers = self.client.described(CHECKER, [PROMPT]) if self.client.has(CHECKER) else []
        return [*self.client.described(ROLE, PROMPTS), *checkers]

    def _checker_sorts(self) -> Sequence[str]:
        return CHECKER_SORTS if self.client.has(CHECKER) else ()

    def _left_to_rule(self, plan: Plan, reason: str) -> Made:
        self.by_rule[reason] += 1
        told = {**plan.document.metadata, "writer": "rule", "reason": reason}
        return replace(plan.document, metadata=told), list(plan.stated)


async def _write(
    client: Client, plan: Plan, checker: Checker, show: Callable[[Sequence[StatedCell]], tuple[StatedCell, ...]]
) -> Outcome:
    """One document: asked for, and asked for anew while something is wrong with it."""
    order = client.prompt(PROMPTS[0]).fill(order=plan.order)
    order = replace(order, output_tokens=round(1.4 * len(plan.document.body.split())) + 40)
    messages, wrong = order, list[str]()
    for attempt in range(1, ATTEMPTS + 1):
        try:
            reply = await client.chat(
                ROLE, messages, step=STEP, reply=Written, temperature=TEMPERATURE, repeat=attempt - 1
            )
        except ReplyError as error:
            if error.reason == ESTIMATED and client.has(CHECKER):
                await read_by_model(client, plan, plan.document.body)
            raise
        (document, stated), problems = read_reply(plan, reply.value, checker, show)
        if not problems and client.has(CHECKER):
            problems = sorted(compared(plan, await read_by_model(client, plan, document.body)))
        if not problems:
            told = {**plan.document.metadata, "writer": "model", "attempts": attempt}
            return Outcome((replace(document, metadata=told), stated), attempt, tuple(wrong))
        wrong += [sort for sort, _ in problems]
        messages = _again(client, order, reply.text, [text for _, text in problems], attempt + 1 == ATTEMPTS)
    return Outcome((plan.document, list(plan.stated)), 0, tuple(wrong))


def _again(client: Client, order: Messages, said: str, problems: Sequence[str], is_last: bool) -> Messages:
    """The order, the last reply and what is wrong with it; nothing of earlier ones."""
    asked = client.prompt(PROMPTS[1]).fill(problems=problems, is_last=is_last)
    reply = {"role": "assistant", "content": said}
    return replace(asked, messages=(*order.messages, reply, *asked.messages))


def read_reply(
    plan: Plan, written: Written, checker: Checker, show: Callable[[Sequence[StatedCell]], tuple[StatedCell, ...]]
) -> tuple[Made, list[Problem]]:
    """A document with what it states, and all that is wrong with it."""
    text = "\n\n".join(paragraph for one in written.paragraphs if (paragraph := tidied(one)))
    finder = FactFinder(plan, text)
    stated: list[StatedCell] = []
    problems: list[Problem] = []
    if not 0 < len(text.split()) <= LONGEST * len(plan.document.body.split()):
        problems.append((LENGTH, f"it has {len(text.split()):,} words: see `words` of the order"))
    if longest_word(text) > LONGEST_WORD:
        problems.append((LENGTH, f"a word of it has more than {LONGEST_WORD} characters: write words"))
    if emphasis := _EMPHASIS.search("\n".join(written.paragraphs)):
        problems.append((ASIDE, f"it holds marks of another format: {emphasis[0]!r}, write plain text"))
    page = Page(checker.rows, plan.document.title, text)
    if back := taken_back(text):
        problems.append((OPEN, f"it takes back what it says elsewhere: {back!r}"))
    for one, places in finder.stated():
        left_open = [] if one.is_replaced else [(place, _left_open(finder, one, place)) for place in places]
        problems += [(OPEN, _not_asserted(one, words)) for _, words in left_open if words]
        places = [place for place in places if (place, None) in left_open or one.is_replaced]
        clear = [made for place in places if _is_clear(page, show([made := as_stated(text, one, place)]))]
        stated += clear
        if not clear and not any(words for _, words in left_open):
            problems.append((FACT, _missing(one)))
    if plan.later and finder.note() is None:
        problems.append((NOTE, f"the note that the order asks for is missing: name {shown_day(plan.later)} in it"))
    problems += forbidden(finder, checker)
    stated.sort(key=lambda one: (one.start, one.end))
    document = replace(plan.document, text=text)
    if not problems:
        problems += wrongly_stated(checker, document, show(stated))
    return (document, stated), problems


def _is_clear(page: Page, shown: Sequence[StatedCell]) -> bool:
    """Whether what seems to state a fact is one that a proof of the release finds too."""
    return all(one.superseded or states(page, (one.table, one.key, one.column), one.start, one.end) for one in shown)


def _left_open(finder: FactFinder, one: PlannedFact, place: tuple[int, int]) -> str | None:
    """The words by which the text denies or doubts what it states at a place, or that may not stand there."""
    found = unasserted(finder.text, finder.sentence(place[0]), place)
    return found[1] if found else unframed(finder, one, place)


def _not_asserted(one: PlannedFact, words: str) -> str:
    """What a model is told of a fact that its text denies, doubts, passes on or asks."""
    return f"{one.id} is a fact: say plainly that the {one.label} of {one.subject} is {one.shown}, without {words!r}"


def tidied(text: str) -> str:
    """A paragraph without the marks and spaces that hide words from a search."""
    plain = unicodedata.normalize("NFC", text).translate(_PLAIN)
    lines = (_SPACES.sub(" ", line).strip() for line in plain.split("\n"))
    return "\n".join(line for line in lines if line)


def _missing(one: PlannedFact) -> str:
    """What a model is told of a fact that its text does not state."""
    earlier = " was formerly" if one.is_replaced else " is"
    return (
        f"{one.id} is not stated: say in a sentence of its own that the {one.label} of {one.subject}{earlier} "
        f"{one.shown}, with that name and that value"
    )
