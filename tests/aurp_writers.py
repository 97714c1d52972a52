"""A stand-in writer of Aurp's documents: it writes what it is told to, in other words, with a slip now and then."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card

SETTINGS: dict[str, Any] = {"size": "10", "forms": "short", "wordings": "1"}
"""Parameters of the small Aurp that is built."""
FIRST = 4
"""Messages of a first request: what to do, the demonstration and its reply, the order."""
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def order_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """The order in a request."""
    return json.loads(body["messages"][FIRST - 1]["content"])


def other_form(value: str) -> str:
    """A value in another way than the order gives it."""
    if match := re.fullmatch(r"(\d+) ([A-Z][a-z]+) (\d{4})", value):
        return f"{match[3]}-{MONTHS.index(match[2]) + 1:02d}-{int(match[1]):02d}"
    if match := re.fullmatch(r"\$([\d.]+) million", value):
        return f"USD {round(float(match[1]) * 1e6):,}"
    return value


def sentence(fact: Mapping[str, str]) -> str:
    """A fact in this model's words."""
    was = "had formerly" if "former" in fact.get("note", "") else "has"
    return f"{fact['of']} {was}, as its {fact['what']}, {other_form(fact['value'])}."


def written(order: Mapping[str, Any], without: int = 0, more: str = "") -> dict[str, Any]:
    """A document with all facts of an order but the first `without`, and a sentence more."""
    told = [sentence(fact) for fact in order["facts"]][without:]
    note = []
    if "note" in order:
        day, what = re.findall(r"the report of (.+?) supersedes what this one says of the (.+?)\.", order["note"])[0]
        note = [f"NOTE. Some of this, the {what}, was superseded on {other_form(day)}."]
    paragraphs = [
        *note,
        "## What there is to know",
        "\n".join(f"- {one}" for one in told),
        f"The weather was kind. {more}",
    ]
    return {"paragraphs": paragraphs}


def model(body: Mapping[str, Any]) -> Any:
    """The scripted model: good at most documents, and with a fault of its own for each other kind."""
    order, attempt = order_of(body), 1 + (len(body["messages"]) - FIRST) // 2
    kind = order["document"]
    good = written(order)
    if "one supplier" in kind:
        return written(order, more="Invoices bear the number 4711.")
    if "one client" in kind:
        return {"refusal": "I would rather not."}
    if attempt > 1:
        return good
    if "one office" in kind:
        return written(order, without=2)
    if "one department" in kind and order["must_not_say"]:
        gap = order["must_not_say"][0]
        return written(order, more=f"For what it is worth: {gap['value']}.")
    return good


def settings(server_url: str, cache: Path, **rest: Any) -> ModelSettings:
    return ModelSettings({"writer": Endpoint("scribe", server_url, rates=(1.0, 2.0))}, cache=cache, **rest)


def build(root: Path, client: Client | None = None, **parameters: object) -> Release:
    given = {**SETTINGS, **{key: str(value) for key, value in parameters.items()}}
    return build_release("aurp", given, render_card, output=root, client=client)[0]


PROSE = {
    "start date": "Work on {of} started on {value}.",
    "end date": "{of} ends on {value}, weather or no weather.",
    "completion date": "The whole of {of} is to be handed over on {value}.",
    "project manager": "{of} is managed by {value}, who answers every question twice.",
    "project director": "{of} is directed by {value}.",
    "client": "{value} commissioned {of} and is its client.",
    "main contractor": "{value}, the main contractor, builds {of}.",
    "budget": "At {value}, the budget of {of} leaves little room for surprises.",
    "location": "{of} is located in {value}.",
    "lead office": "{of} is led from {value}, the lead office.",
    "frame material": "The frame of {of} is made of {value}.",
    "foundation type": "{of} stands on {value}; that is its foundation.",
    "job title": "{of} works with us as {value}.",
    "department": "{of} is part of {value}, a department of friendly people.",
    "office": "You will find {of} at {value}, the office with the good coffee.",
    "supervisor": "{of} reports to {value}.",
    "hiring date": "{of} joined us on {value}.",
    "academic degree": "{of} came with a degree, {value}.",
    "telephone extension": "Dial extension {value} to reach {of}.",
    "industry": "{of} is active in {value}.",
    "payment term": "Invoices to {of} are paid within {value}.",
    "founding year": "{of} was founded in {value}.",
    "number of workers": "{of} employs {value} people.",
    "steward": "{value} looks after {of} as its steward.",
}
"""Ordinary sentences, by what they say; what is not here is said as `sentence` does."""


PAIRS = {
    ("start date", "completion date"): "Construction of {of} began on {one} and is due to finish on {other}.",
    ("start date", "end date"): "{of} runs from {one} to {other}.",
    ("project director", "project manager"): "{of} is directed by {one} and managed by {other}.",
    ("industry", "location"): "{of}, a company in {one}, has its seat in {other}.",
    ("department", "supervisor"): "In {one}, {of} reports to {other}.",
    ("amount of steel", "amount of concrete"): "Into {of} go {one} of steel and {other} of concrete.",
}
"""Sentences with two values, by what the two are."""


def told(fact: Mapping[str, str]) -> str:
    """A fact in prose as people write it."""
    frame = PROSE.get(fact["what"])
    if frame is None or fact.get("note"):
        return sentence(fact)
    return frame.format(of=fact["of"], value=other_form(fact["value"]))


def all_told(facts: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """Facts in sentences: those that go well together in one."""
    known = {(fact["of"], fact["what"], "former" in fact.get("note", "")): fact for fact in facts}
    said: set[str] = set()
    for fact in facts:
        if fact["id"] in said:
            continue
        other, frame = known.get((fact["of"], fact["what"], True)), None
        if other is not None and other is not fact and fact["what"] == "budget":
            frame, fact, other = "The budget of {of} has been revised from {one} to {other}.", other, fact
        for one, second in PAIRS:
            if frame is None and fact["what"] == one and not fact.get("note"):
                other = known.get((fact["of"], second, False))
                frame = PAIRS[one, second] if other and not other.get("note") and other["id"] not in said else None
        if frame is None or other is None:
            yield told(fact)
            continue
        said.add(other["id"])
        said.add(fact["id"])
        yield frame.format(of=fact["of"], one=other_form(fact["value"]), other=other_form(other["value"]))


def prose(body: Mapping[str, Any]) -> dict[str, Any]:
    """A document as a model that writes well writes it: paragraphs of ordinary sentences, with remarks between them."""
    order = order_of(body)
    note = []
    if "note" in order:
        day, what = re.findall(r"the report of (.+?) supersedes what this one says of the (.+?)\.", order["note"])[0]
        note = [f"NOTE. The report of {other_form(day)} supersedes what is said here of the {what}."]
    said = list(all_told(order["facts"]))
    remarks = [
        "Nobody has complained about the weather yet.",
        "It is good to see how much has been done.",
        "More soon.",
    ]
    paragraphs = [" ".join([*said[at : at + 4], remarks[at // 4 % 3]]) for at in range(0, len(said), 4)]
    return {"paragraphs": [*note, *paragraphs]}
