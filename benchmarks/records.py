"""Records at the boundary: as JSON, and what is wrong with a value that pydantic refuses, in a few words."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from pydantic import ValidationError


def problem_of(error: ValidationError) -> str:
    """The first thing that is wrong, where it stands, and what it is, as one line."""
    problem = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in problem["loc"])
    message = problem["msg"][:1].lower() + problem["msg"][1:]
    if problem["type"] in ("missing", "json_invalid") or not place:
        return f"{place}: {message}" if place else message
    return f"{place}: {message}, and is {shown(problem['input'])}"


def shown(value: object, most: int = 40) -> str:
    """A value as JSON, cut off where it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= most else text[: most - 3] + "..."


def as_json(value: Any) -> Any:
    """Dataclasses, mappings and sequences as JSON's values."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: as_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(each) for each in value]
    return value
