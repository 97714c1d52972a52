"""Replies of a given shape: a frozen dataclass as JSON Schema, in the way that an endpoint supports, and back."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, Literal, TypeVar

Mode = Literal["json_schema", "tools", "json_object", "text"]
MODES: tuple[Mode, ...] = ("json_schema", "tools", "json_object", "text")
"""From the strictest: what an endpoint does not support is followed by the next."""

T = TypeVar("T")
_FENCE = re.compile(r"\A\s*```(?:json)?\s*\n(?P<inside>.*?)\n?\s*```\s*\Z", re.DOTALL)


class InvalidReply(Exception):
    """A reply that does not fit; its text says how."""


@dataclass(frozen=True)
class Shape(Generic[T]):
    """What a structured reply must be."""

    name: str
    schema: Mapping[str, Any]
    adapter: Any

    def parse(self, text: str) -> T:
        """A reply's JSON as the dataclass.

        Raises:
            InvalidReply: it is no JSON, or does not fit.
        """
        from pydantic import ValidationError

        fenced = _FENCE.match(text)
        inside = fenced["inside"] if fenced else text
        start, end = inside.find("{"), inside.rfind("}")
        if start < 0 or end < start:
            raise InvalidReply("it holds no JSON object")
        try:
            return self.adapter.validate_json(inside[start : end + 1], extra="forbid")
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            raise InvalidReply(f"{place}: {first['msg']}" if place else str(first["msg"])) from None


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
