"""Replies of a given shape: a frozen dataclass as JSON Schema, in the way that an endpoint supports, and back."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, Literal, TypeVar

Mode = Literal["json_schema", "tools", "json_object", "text"]
MODES: tuple[Mode, ...] = ("json_schema", "tools", "json_object", "text")
"""From the strictest: what an endpoint does not support is followed by the next."""

T = TypeVar("T")
_PUNCTUATION = re.compile(r'[{}]|"(?:[^"\\\n]|\\.)*"')
"""Braces, and strings, within which they mean nothing. A quotation mark that no other one on the line ends is none."""


class InvalidReply(Exception):
    """A reply that does not fit; its text says how."""


@dataclass(frozen=True)
class Shape(Generic[T]):
    """What a structured reply must be."""

    name: str
    schema: Mapping[str, Any]
    adapter: Any

    def parse(self, text: str) -> T:
        """A reply's JSON as the dataclass, with whatever stands around it.

        Raises:
            InvalidReply: it is no JSON, or does not fit, or several objects fit that differ.
        """
        fitting: list[T] = []
        problem = ""
        for found in json_objects(text):
            try:
                value = self._read(found)
            except InvalidReply as wrong:
                problem = str(wrong)
            else:
                fitting += [] if value in fitting else [value]
        if len(fitting) > 1:
            raise InvalidReply(f"it holds {len(fitting)} JSON objects that fit, and they differ")
        if not fitting:
            raise InvalidReply(problem or "it holds no JSON object")
        return fitting[0]

    def _read(self, text: str) -> T:
        from pydantic import ValidationError

        try:
            _strictly(text)
            return self.adapter.validate_json(text, extra="forbid")
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            raise InvalidReply(f"{place}: {first['msg']}" if place else str(first["msg"])) from None


def json_objects(text: str) -> Iterator[str]:
    """The stretches of a text that are written as JSON objects are, from brace to brace, one after the other."""
    start = text.find("{")
    while start >= 0:
        end = _closing(text, start)
        if end is None:
            return
        yield text[start:end]
        start = text.find("{", end)


def _closing(text: str, start: int) -> int | None:
    """Where the object ends that begins there; braces in strings do not count. None: nowhere."""
    depth = 0
    for found in _PUNCTUATION.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(found.group(), 0)
        if not depth:
            return found.end()
    return None


def _strictly(text: str) -> None:
    """Raises:
    InvalidReply: what Python and pydantic would read, and is no JSON.
    """

    def no_number(name: str) -> None:
        raise InvalidReply(f"{name} is no JSON")

    def no_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise InvalidReply(f"it says {twice!r} twice")
        return dict(pairs)

    try:
        json.loads(text, parse_constant=no_number, object_pairs_hook=no_repetition)
    except RecursionError:
        raise InvalidReply("its JSON is nested too deep") from None
    except ValueError:
        return  # which pydantic says in words of its own


@cache
def shape(kind: type[T]) -> Shape[T]:
    """The shape of a frozen dataclass."""
    from pydantic import TypeAdapter

    adapter = TypeAdapter(kind)
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower().strip("_")
    return Shape(name, _strict(adapter.json_schema()), adapter)


def _strict(schema: Any) -> Any:
    """A JSON Schema as strict endpoints want it: every property required, no others, no titles or defaults."""
    if isinstance(schema, list):
        return [_strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {
        key: {name: _strict(item) for name, item in value.items()} if key in ("properties", "$defs") else _strict(value)
        for key, value in schema.items()
        if key not in ("title", "default")
    }
    if kept.get("type") == "object":
        kept["required"] = list(kept.get("properties", {}))
        kept["additionalProperties"] = False
    return kept


def asked_for(wanted: Shape[Any], mode: Mode) -> dict[str, Any]:
    """What a request for a structured reply holds beside its messages and settings."""
    if mode == "json_schema":
        described = {"name": wanted.name, "schema": wanted.schema, "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": described}}
    if mode == "json_object":
        return {"response_format": {"type": "json_object"}}
    if mode == "text":
        return {}
    function = {"name": wanted.name, "description": "Gives the reply.", "parameters": wanted.schema}
    return {
        "tools": [{"type": "function", "function": function}],
        "tool_choice": {"type": "function", "function": {"name": wanted.name}},
    }
