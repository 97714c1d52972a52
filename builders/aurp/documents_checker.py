"""A model in the role of checker reads a document and lists what it states; rules compare the list with the order.

It sees the text and which columns there are of each thing that it is about: neither the order's values, nor which of
the columns were ordered, nor what the writer said. What it lists is compared as a set with the facts of the order.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from benchwright.benchmarks.models.client import Client
from benchwright.builders.aurp.document_plan import Plan, PlannedFact, label
from benchwright.builders.aurp.find_forbidden import Problem
from benchwright.builders.aurp.read_values import canonical, find
from benchwright.builders.aurp.schema import STANDARD, Column

CHECKER, STEP, PROMPT = "checker", "documents read", "aurp_document_read"
UNREAD, UNSURE, UNORDERED = "checker: fact not read", "checker: fact not asserted", "checker: other fact"
CHECKER_SORTS = (UNREAD, UNSURE, UNORDERED)


@dataclass(frozen=True)
class Statement:
    """What a text states of a thing, as a model reads it."""

    of: str
    what: str
    value: str
    status: Literal["holds", "formerly", "open"]
    """"open": it is denied, doubted, hearsay, planned or asked."""


@dataclass(frozen=True)
class Reading:
    """All that a text states of the things and columns that were asked about."""

    statements: tuple[Statement, ...]


async def read_by_model(client: Client, plan: Plan, text: str) -> Reading:
    """What the checker reads in a text.

    Raises:
        ReplyError: it gave no list that could be used.
    """
    messages = client.prompt(PROMPT).fill(title=plan.document.title, text=text, things=_things(plan))
    return (await client.chat(CHECKER, messages, step=STEP, reply=Reading)).value


def compared(plan: Plan, reading: Reading) -> Iterator[Problem]:
    """What the order asks for and the reading lacks, and what the reading has and the order does not ask for."""
    columns = {
        (one.subject.casefold(), name.casefold()): column for one in plan.facts for name, column in _columns(one)
    }
    facts: dict[tuple[str, str], list[PlannedFact]] = {}
    for one in plan.facts:
        facts.setdefault((one.subject.casefold(), one.label.casefold()), []).append(one)
    stated: dict[tuple[str, str], list[Statement]] = {}
    for said in reading.statements:
        stated.setdefault((said.of.strip().casefold(), said.what.strip().casefold()), []).append(said)
    for asked, ordered in facts.items():
        for one in ordered:
            yield from _of_fact(one, [said for said in stated.get(asked, ()) if _says(said, one.column, one.value)])
    for told, statements in stated.items():
        column = columns.get(told)
        for said in statements if column else ():
            ordered = facts.get(told, [])
            if said.status == "holds" and not any(_says(said, one.column, one.value) for one in ordered):
                about = f"the {said.what} of {said.of} is {said.value!r}"
                yield (
                    UNORDERED,
                    f"a second reader takes from it that {about}, which is no fact of the order: leave it out",
                )


def _of_fact(one: PlannedFact, read: list[Statement]) -> Iterator[Problem]:
    wanted = "formerly" if one.is_replaced else "holds"
    was = "was formerly" if one.is_replaced else "is"
    if not read:
        told = f"{one.id}: a second reader does not find that the {one.label} of {one.subject} {was} {one.shown}"
        yield UNREAD, f"{told}: say so plainly"
    elif not any(said.status == wanted for said in read):
        told = f"{one.id}: a second reader is not sure that the {one.label} of {one.subject} {was} {one.shown}"
        yield UNSURE, f"{told}: assert it"


def _says(said: Statement, column: Column, value: str) -> bool:
    """Whether what was read is the value: a name or text may lack its article, an amount may be written anyhow."""
    if column.kind in ("text", "reference"):
        read = canonical("text", said.value)
        return value == read.removeprefix("the ").removesuffix(".")
    found = [form for _, _, form in find(column.kind, said.value, column.unit)]
    bare = [form for _, _, form in find("count", said.value)] if column.kind == "quantity" else []
    return value in (found or bare)


def _columns(one: PlannedFact) -> Iterator[tuple[str, Column]]:
    for column in STANDARD.table(one.fact.table).columns:
        if column.kind not in ("key", "name"):
            yield label(one.fact.table, column.name), column


def _things(plan: Plan) -> list[dict[str, str]]:
    """The rows that facts are about, with all columns that rows of their tables have."""
    found: dict[str, str] = {}
    for one in plan.facts:
        found.setdefault(one.subject, ", ".join(name for name, _ in _columns(one)))
    return [{"name": name, "columns": columns} for name, columns in found.items()]
