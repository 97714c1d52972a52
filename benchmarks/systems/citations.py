"""The reply of an endpoint that answers with retrieval: its text, and what it says that it read (`citations.toml`)."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeGuard

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.models.responses import shown
from benchwright.benchmarks.systems.frameworks import plain_contexts
from benchwright.benchmarks.systems.messages import field_of, message_text


def is_of_openai(reply: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether a reply is a chat completion or a response."""
    return isinstance(reply, Mapping) and any(isinstance(reply.get(name), list) for name in ("choices", "output"))


def answer_of(reply: Mapping[str, Any]) -> str:
    """The text of a chat completion or a response.

    Raises:
        BenchwrightError: there is none.
    """
    if isinstance(reply.get("choices"), list):
        choice = reply["choices"][0] if reply["choices"] else {}
        text, message = message_text({"choices": [choice]}), field_of(choice, "message")
        refusal = field_of(message, "refusal")
    else:
        messages = [item for item in reply["output"] if field_of(item, "type") in (None, "message")]
        parts = [part for item in messages for part in field_of(item, "content") or () if isinstance(part, Mapping)]
        text = "".join(str(part["text"]) for part in parts if isinstance(part.get("text"), str))
        refusal = next((part["refusal"] for part in parts if part.get("refusal")), None)
    if refusal and not text:
        raise BenchwrightError(f"refusal: {shown(str(refusal))}")
    if not text:
        raise BenchwrightError("returned a message without text")
    return text.strip()


@dataclass(frozen=True)
class Cited:
    """What a reply shows."""

    contexts: tuple[Any, ...]
    """As the fields of a context."""
    is_all: bool
    """It is what was retrieved; else what the answer cites."""
    place: str
    """Where it was found, in words."""


class CitedCount:
    """Counts the answers that show what they cite, and not all that was retrieved."""

    def __init__(self) -> None:
        self._answers: Counter[str] = Counter()
        """By place."""

    def contexts(self, reply: Mapping[str, Any]) -> list[Any] | None:
        """The contexts that a reply shows, if any."""
        cited = citations_of(reply)
        if cited is None:
            return None
        if not cited.is_all:
            self._answers[cited.place] += 1
        return list(cited.contexts)

    @property
    def said(self) -> list[str]:
        """What is to be said in the end."""
        return [
            f"{count:,} answers show what they cite ({place}), and not all that was retrieved: "
            "figures of retrieval are of the former"
            for place, count in self._answers.items()
        ]


def citations_of(reply: Mapping[str, Any]) -> Cited | None:
    """The contexts that a reply shows; None where it does not say any."""
    from jmespath.exceptions import JMESPathError

    without_text: Cited | None = None
    is_empty: Cited | None = None
    for place, expression, is_all in _places():
        try:
            found = expression.search(reply)
        except JMESPathError:  # what stands there is of another kind
            continue
        if not isinstance(found, list):
            continue
        contexts = tuple(_distinct(found))
        cited = Cited(contexts, is_all, place)
        if any(isinstance(each, str) or each.get("text") for each in contexts):
            return cited
        if contexts:
            without_text = without_text or cited
        elif is_all and found == []:
            is_empty = is_empty or cited
    return without_text or is_empty


def _distinct(found: list[Any]) -> list[Any]:
    """Contexts without what says nothing and what was said before."""
    kept: list[Any] = []
    for each in found:
        if isinstance(each, Mapping):
            fields = {name: value for name, value in each.items() if value is not None}
            (each,) = plain_contexts([fields])
            if not (isinstance(each, Mapping) and any(each.get(name) for name in ("id", "uri", "text"))):
                continue
        elif not isinstance(each, str) or not each:
            continue
        if each not in kept:
            kept.append(each)
    return kept


@cache
def _places() -> tuple[tuple[str, Any, bool], ...]:
    import jmespath

    rows = read_toml("benchwright.benchmarks.systems", "citations.toml")["place"]
    return tuple(
        (row["of"], jmespath.compile(f"{at}[].{row['each']}" if "each" in row else at), row.get("all", False))
        for row in rows
        for at in row["at"]
    )
