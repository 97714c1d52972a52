"""Records at the boundary: as JSON, JSON lines read through pydantic's adapters, and what is wrong with one."""

import functools
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import jsonlines
from pydantic import ConfigDict, ValidationError

T = TypeVar("T")


@dataclass(frozen=True)
class BadLine:
    """A line that is no record."""

    error: BaseException
    """A ValidationError, or a UnicodeDecodeError."""


class Strict:
    """A dataclass that pydantic reads, and that may have no other keys than its fields."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


def read_records(path: Path, loads: Callable[[str], T]) -> Iterator[tuple[int, T | BadLine]]:
    """The number, from 1, of each line of a file that is not blank, and its record.

    Args:
        path: the file; a byte order mark at its beginning is left out.
        loads: makes a record of a line, such as an adapter's `validate_json`; may raise ValueError.
    """
    number = 0

    def lines() -> Iterator[bytes]:
        nonlocal number
        for line in file:
            number += 1
            yield line

    with path.open("rb") as file:
        reader = jsonlines.Reader(lines(), loads=loads)  # pyright: ignore[reportCallIssue]
        while True:
            try:
                record: T = reader.read(skip_empty=True)  # type: ignore[assignment]
            except EOFError:
                return
            except jsonlines.InvalidLineError as error:
                yield number, BadLine(error.__cause__ or error)
            else:
                yield number, record


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


_SCALARS = frozenset((str, int, float, bool, type(None)))


@functools.cache
def _field_names(kind: type) -> tuple[str, ...] | None:
    """The fields of a dataclass; None of another type."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else None


def as_json(value: Any) -> Any:
    """Dataclasses, mappings and sequences as JSON's values."""
    kind = type(value)
    if kind in _SCALARS:
        return value
    if (names := _field_names(kind)) is not None:
        return {name: as_json(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {key: as_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(each) for each in value]
    return value
