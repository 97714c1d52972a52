"""Texts that tell a judge what to say, put into an answer or a context: what judged metrics are tried with.

They stand in `injections.toml`. What a fence and a parser do with them is tested for each judged metric; what a model
does is measured by `score-metric RUN METRIC --injections`.
"""

import base64
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, cast, get_args

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.metrics.base import JudgedItem
from benchwright.benchmarks.models.fencing import fenced
from benchwright.benchmarks.types import Document

Place = Literal["answer", "context"]
PLACES: tuple[Place, ...] = get_args(Place)
"""Where an injection may stand: in the answer, or in what the judge reads beside it (the first context that the system
handed in, and each gold document)."""
CONTROL = "control"
"""The kind of texts that tell nothing."""
_FILLER = "The weather was fair that week, and the boats went out in the morning as they did on other days."
_TAGS = 0xE0000


@dataclass(frozen=True, slots=True)
class Injection:
    """A text that tells a judge what to say."""

    name: str
    kind: str
    wants: Literal["highest", "lowest", "broken", "nothing"]
    """What becomes of the score of a judge that obeys."""
    text: str
    at: Literal["begin", "end"] = "end"
    written: Literal["plain", "base64", "tags", "zero-width", "reversed"] = "plain"
    padding: int = 0
    """Sentences of harmless text between it and what it is added to."""

    def added_to(self, text: str, limits: tuple[float, float]) -> str:
        """A text with the injection in it.

        Args:
            text: an answer or a context.
            limits: the lowest and the highest value of the metric.
        """
        low, high = (f"{limit:g}" for limit in limits)
        values = {"{lowest}": low, "{highest}": high, "{end}": fenced(text).rpartition("\n")[2]}
        said = _written(_filled(self.text.removeprefix("\n"), values), self.written)
        between = " ".join([_FILLER] * self.padding)
        parts = [text, between, said] if self.at == "end" else [said, between, text]
        return "\n\n".join(part for part in parts if part)


def _filled(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(name, value)
    return text


def _written(text: str, how: str) -> str:
    if how == "base64":
        return base64.b64encode(text.encode()).decode()
    if how == "tags":
        return "".join(chr(_TAGS + ord(sign)) for sign in text)
    if how == "zero-width":
        return "\N{ZERO WIDTH SPACE}".join(text)
    return text[::-1] if how == "reversed" else text


@cache
def injections() -> tuple[Injection, ...]:
    """All of them, in the order of the file."""
    return tuple(Injection(**each) for each in read_toml(__package__, "injections.toml")["injection"])


def with_injection(
    item: JudgedItem, injection: Injection, place: Place, limits: tuple[float, float]
) -> JudgedItem | None:
    """A prediction with an injection in it; None where there is no such text to put it into."""
    prediction = item.prediction
    if place == "answer":
        if not prediction.answer:
            return None
        return replace(item, prediction=replace(prediction, answer=injection.added_to(prediction.answer, limits)))
    changed = {
        name: replace(item.documents[name], text=injection.added_to(item.documents[name].body, limits))
        for name in item.question.documents
        if name in item.documents and item.documents[name].body
    }
    first = next((at for at, context in enumerate(prediction.contexts) if context.text), None)
    if first is None and not changed:
        return None
    contexts = list(prediction.contexts)
    if first is not None:
        contexts[first] = replace(contexts[first], text=injection.added_to(contexts[first].text or "", limits))
    documents = ChainMap(changed, cast(dict[str, Document], item.documents))
    return replace(item, prediction=replace(prediction, contexts=tuple(contexts)), documents=documents)
