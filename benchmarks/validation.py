"""What pydantic finds wrong with data from outside, as one plain line: where, what, and which name was meant."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

_WANTED = {
    "string_type": "must be a text",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "dict_type": "must be a table of keys and values",
    "mapping_type": "must be a table of keys and values",
    "dataclass_type": "must be a table of keys and values",
    "dataclass_exact_type": "must be a table of keys and values",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "none_required": "must be null",
    "json_invalid": "is not JSON",
}
"""Sort of error → what is wanted; pydantic's own words where it is none of these."""
_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
_MISSING = ("missing", "missing_argument", "missing_keyword_only_argument")


def in_one_line(error: ValidationError, known: Mapping[str, Iterable[str]] | None = None) -> str:
    """The first of pydantic's errors in one line, and how many there are besides.

    Args:
        error: what pydantic raised.
        known: place (`parameters.*` for every entry of `parameters`, empty for the top) → the keys that it may have, to
            say which one an unknown key was meant to be.
    """
    # An unknown key comes first: a misspelt one is why another is missing.
    errors = sorted(error.errors(include_url=False, include_context=True), key=lambda one: one["type"] not in _UNKNOWN)
    first = errors[0]
    more = len({tuple(one["loc"]) for one in errors}) - 1
    return _one(first, known or {}) + (f"; {more:,} more" if more else "")


def _one(error: Any, known: Mapping[str, Iterable[str]]) -> str:
    place = [str(part) for part in error["loc"]]
    if error["type"] in _UNKNOWN:
        keys = list(_keys_at(place[:-1], known))
        near = get_close_matches(place[-1], keys, 1, 0.5)
        hint = f", did you mean {near[0]}?" if near else f"; known are {', '.join(keys)}" if keys else ""
        return f"{_prefix(place[:-1])}unknown key {place[-1]!r}{hint}"
    if error["type"] in _MISSING:
        return f"{_prefix(place[:-1])}{place[-1]} is missing"
    if error["type"] == "value_error":
        return f"{_prefix(place)}{error['ctx']['error']}"
    words = _WANTED.get(error["type"]) or error["msg"][:1].lower() + error["msg"][1:]
    return f"{'.'.join(place) or 'it'} {words}"


def _prefix(place: list[str]) -> str:
    return f"{'.'.join(place)}: " if place else ""


def _keys_at(place: list[str], known: Mapping[str, Iterable[str]]) -> Iterable[str]:
    for name, keys in known.items():
        parts = name.split(".") if name else []
        if len(parts) == len(place) and all(part in ("*", there) for part, there in zip(parts, place, strict=True)):
            return keys
    return ()
