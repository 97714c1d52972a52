"""Questions by a model: sections are drawn, a model is asked about each, and rules hold its proposals against them."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.builders.base import Progress
from benchwright.builders.documents.sections import Section
from benchwright.builders.telequad.questions.asked import Asked, Pattern, Specification
from benchwright.builders.telequad.questions.names import Names
from benchwright.builders.telequad.questions.proposals import (
    Proposals,
    Reading,
    expressions,
    read_proposals,
)

ROLE, STEP, PROMPT = "writer", "questions", "telequad_questions"
TEMPERATURE = 1.0
NO_REPLY = "no usable reply"
_SHORTEST, _SHOWN = 150, 12_000
"""Characters that a section must have to be asked about, and that a model is shown of it."""
_UNANSWERABLE_OF = 4
"""Of so many sections of a document a question without an answer is asked for about one."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a model is asked about one section."""

    document: int
    """Place of the document among those that were read."""
    section: int
    """Place of the section in the document."""
    called: str
    """What questions call the document."""
    text: str
    """The beginning of the section."""
    is_cut: bool
    count: int
    """Questions that are wanted."""
    unanswerable: int
    """Those without an answer that are wanted, 0 or 1."""


@dataclass
class AskedByModel:
    """What a model was asked, and what came of it."""

    asked: dict[str, list[Asked]] = field(default_factory=dict)
    """Document → questions, in the order of its sections."""
    sections: int = 0
    used: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    wordings_left_out: Counter[str] = field(default_factory=Counter)
    named: int = 0

    @property
    def pattern(self) -> Pattern:
        """What the model asks of a specification, as the patterns give it."""
        return lambda specification: self.asked.get(specification.name, ())

    def take(self, document: str, reading: Reading) -> None:
        """Takes in what came of one section of a document."""
        self.sections += 1
        self.used += len(reading.asked)
        self.asked.setdefault(document, []).extend(reading.asked)
        self.refused += reading.refused
        self.wordings_left_out += reading.wordings_left_out
        self.named += reading.named

    def checks(self) -> dict[str, Any]:
        """The counts, for the manifest."""
        return {
            "proposals_used": {"sections asked about": self.sections, "proposals used": self.used},
            "proposals_refused": dict(sorted(self.refused.items())),
            "wordings_of_model_left_out": dict(sorted(self.wordings_left_out.items())),
            "wordings_given_the_documents_name": self.named,
        }


def ask_model(
    client: Client,
    orders: Iterable[Order],
    total: int,
    specification: Callable[[int], Specification],
    progress: Progress,
) -> AskedByModel:
    """Asks about each section, several at once.

    Args:
        client: asks the model of the role `writer`, at temperature 1.
        orders: those about one document follow each other; they are taken as they are needed.
        total: how many they are.
        specification: the document at a place; one at a time is held.
        progress: told how many are done.

    Raises:
        StopError: nothing that follows would go better; the replies that came are kept.
        Estimated: after the last section, where nothing is to be asked.
    """

    async def ask(order: Order) -> Proposals:
        messages = client.prompt(PROMPT).fill(
            called=order.called,
            text=order.text,
            is_cut=order.is_cut,
            count=order.count,
            unanswerable=order.unanswerable,
        )
        return (await client.chat(ROLE, messages, step=STEP, reply=Proposals, temperature=TEMPERATURE)).value

    found, names = AskedByModel(), None
    place = -1
    for done, (order, result) in enumerate(client.each(orders, ask, must_answer=True), 1):
        if names is None or place != order.document:
            place, names = order.document, Names(specification(order.document))
        if isinstance(result, ReplyError):
            reading = Reading(refused=Counter({f"{NO_REPLY}: {result.reason}": 1}))
        else:
            reading = read_proposals(result, names, order.section, order.count, order.unanswerable)
        found.take(names.specification.name, reading)
        progress("sections asked about", done, total)
    return found


def orders_about(
    document: int, specification: Specification, places: Sequence[int], count: int, seed: int
) -> Iterator[Order]:
    """What is asked about some sections of a document.

    Args:
        document: its place among those that were read.
        specification: the document.
        places: of its sections.
        count: questions about each.
        seed: decides of which sections a question without an answer is asked for.
    """
    ranked = sorted(places, key=lambda place: rank(seed, "telequad unanswerable", specification.name, place))
    drawn = ranked[: -(-len(places) // _UNANSWERABLE_OF)]
    for place in places:
        text = specification.sections[place].text
        yield Order(
            document,
            place,
            specification.called,
            text[:_SHOWN],
            len(text) > _SHOWN,
            count,
            int(place in drawn),
        )


def can_be_asked_about(section: Section) -> bool:
    """Whether a section is text that engineers ask about: not references or a history of changes."""
    title = section.clause.title.casefold().strip(" .:")
    return len(section.text) >= _SHORTEST and not any(re.fullmatch(each, title) for each in expressions("headings"))


def choose_sections(
    documents: Mapping[int, tuple[str, Sequence[int]]], each: int, groups: int, per_document: int, seed: int
) -> dict[int, list[int]]:
    """The sections that are asked about, by document in the order of its sections: of each document the first by the
    seed, then the second of each, until the questions would be enough.

    Args:
        documents: place of a document → its name, and the places of its sections that can be asked about.
        each: questions about a section.
        groups: the most questions of all; 0: any.
        per_document: the most of a document; 0: any.
        seed: decides which.
    """
    ranked = {
        document: sorted(places, key=lambda place: rank(seed, "telequad sections", name, place))
        for document, (name, places) in documents.items()
    }
    most = -(-per_document // each) if per_document else max(map(len, ranked.values()), default=0)
    order = [(turn, document) for turn in range(most) for document, places in ranked.items() if turn < len(places)]
    found: dict[int, list[int]] = {}
    for turn, document in order[: -(-groups // each)] if groups else order:
        found.setdefault(document, []).append(ranked[document][turn])
    return {document: sorted(found[document]) for document in documents if document in found}
