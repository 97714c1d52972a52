"""What an endpoint that answers with retrieval says that it read, wherever in its reply: `citations.toml`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.systems.frameworks import plain_contexts


@dataclass(frozen=True)
class Cited:
    """What a reply shows."""

    contexts: tuple[Any, ...]
    """As the fields of a context."""
    is_all: bool
    """It is what was retrieved; else what the answer cites."""
    place: str
    """Where it was found, in words."""


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
