"""What a cell says: a text, several texts, yes or no. A cell that says something else is no reading of ours."""

import ast
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

LONGEST = 20_000
"""Characters that a question or an answer may have."""
LONGEST_DOCUMENT = 50_000_000
_LONGEST_LIST = 1_000_000
_TRUTHS = {
    **dict.fromkeys(("true", "yes", "1"), True),
    **dict.fromkeys(("false", "no", "0"), False),
}
_BOOLEANS = {"yes": "yes", "true": "yes", "no": "no", "false": "no"}


class UnreadableCell(Exception):
    """A cell that cannot be read as what its column is: why, as a clause that names its column."""


def is_blank(value: Any) -> bool:
    """Whether a cell says nothing: null, not a number, or white space."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return True
    return isinstance(value, str) and not value.strip()


def text_of(value: Any, what: str, most: int = LONGEST) -> str:
    """The text of a cell without white space around it; empty where it says nothing.

    A number is written as it would be by hand: `1990.0`, as tables with gaps have it, is 1990.

    Raises:
        UnreadableCell: it holds something that is no text, or too much of it.
    """
    if is_blank(value):
        return ""
    if isinstance(value, str):
        text = value.strip()
    elif isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, float):
        text = str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    elif isinstance(value, int | Decimal):
        text = str(value)
    elif isinstance(value, datetime):
        text = value.isoformat(sep=" ")
    elif isinstance(value, date):
        text = value.isoformat()
    else:
        raise UnreadableCell(f"{what} is no text but {_sort(value)}")
    if len(text) > most:
        raise UnreadableCell(f"{what} has more than {most:,} characters")
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise UnreadableCell(f"{what} holds half of a character (a surrogate alone)")
    return text


def question_of(value: Any) -> str:
    """The text of a question.

    Raises:
        UnreadableCell: it is empty or no text: a number is no question.
    """
    if is_blank(value):
        raise UnreadableCell("its question is empty")
    if not isinstance(value, str):
        raise UnreadableCell(f"its question is no text but {_sort(value)}")
    return text_of(value, "its question")


def texts_of(value: Any, what: str, separator: str = "", most: int = LONGEST) -> list[str]:
    """The texts of a cell, each once, without empty ones: a list, a list written out as a text, or a text that is cut.

    Args:
        value: the cell.
        what: it is, for messages.
        separator: what stands between several in a text; empty: nothing does.
        most: characters that one may have.

    Raises:
        UnreadableCell: one is no text.
    """
    found = (text_of(each, what, most) for each in _items(value, separator))
    return list(dict.fromkeys(text for text in found if text))


def parallel_texts(value: Any, what: str, most: int) -> list[str]:
    """The texts of a cell as they stand, also empty ones: for lists that go together.

    Raises:
        UnreadableCell: one is no text.
    """
    return [text_of(each, what, most) for each in _items(value, "")]


def _items(value: Any, separator: str) -> Sequence[Any]:
    if isinstance(value, str):
        text = value.strip()
        written = written_list(text)
        if written is not None:
            return written
        return text.split(separator) if separator else [text]
    return value if isinstance(value, list | tuple) else [value]


def written_list(text: str) -> Sequence[Any] | None:
    """A list that a program wrote into a cell, as JSON or as Python has it: `["a", "b"]`, `['a', 'b']`."""
    if not (text.startswith("[") and text.endswith("]") and len(text) <= _LONGEST_LIST):
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            found = read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return found if isinstance(found, list) else None
    return None


def valued(value: Any) -> tuple[Any, Any]:
    """An answer and its aliases, where one cell has both as fields, as TriviaQA's do; else the cell and nothing."""
    if isinstance(value, Mapping) and "value" in value:
        return value["value"], value.get("aliases")
    return value, None


def truth_of(value: Any, what: str) -> bool | None:
    """Yes or no; None where a cell says nothing.

    Raises:
        UnreadableCell: it is neither.
    """
    if is_blank(value):
        return None
    found = _TRUTHS.get(text_of(value, what).lower())
    if found is None:
        raise UnreadableCell(f"{what} is neither true nor false")
    return found


def number_of(value: Any, what: str) -> int | None:
    """A whole number from 0; None where a cell says nothing.

    Raises:
        UnreadableCell: it is none.
    """
    if is_blank(value):
        return None
    text = text_of(value, what)
    if not (text.isdecimal() and len(text) < 10):
        raise UnreadableCell(f"{what} is no whole number")
    return int(text)


def as_boolean(answers: Sequence[str]) -> str | None:
    """`yes` or `no` where that is the one answer; else None."""
    return _BOOLEANS.get(answers[0].lower()) if len(answers) == 1 else None


def spans_of(value: Any, what: str) -> tuple[list[str], list[int]] | None:
    """The texts and the places of answers as SQuAD has them; None where a cell is not of that shape.

    Raises:
        UnreadableCell: it is of that shape, and an answer is no text or a place no whole number.
    """
    if isinstance(value, list | tuple) and value and all(isinstance(each, Mapping) for each in value):
        pairs: list[tuple[Any, Any]] = [(each.get("text"), each.get("answer_start")) for each in value]
    elif isinstance(value, Mapping) and "text" in value and "answer_start" in value:
        texts, starts = value["text"], value["answer_start"]
        are_lists = isinstance(texts, list | tuple) and isinstance(starts, list | tuple) and len(texts) == len(starts)
        pairs = list(zip(texts, starts, strict=True)) if are_lists else [(texts, starts)]
    else:
        return None
    if any(type(start) is not int or not isinstance(text, str) for text, start in pairs):
        raise UnreadableCell(f"{what} has no text or no whole number as its place")
    return [text for text, _ in pairs], [start for _, start in pairs]


def at(cells: Mapping[str, Any], column: str) -> Any:
    """A cell by the name of its column, or by a path into it: `answers.text`."""
    if column in cells:
        return cells[column]
    value: Any = cells
    for part in column.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(part)
    return value


def paths_of(cells: Mapping[str, Any], depth: int = 2) -> Iterator[str]:
    """The columns of a row, and the paths into those that hold fields."""
    for name, value in cells.items():
        yield str(name)
        if depth and isinstance(value, Mapping):
            yield from (f"{name}.{path}" for path in paths_of(value, depth - 1))


def _sort(value: Any) -> str:
    if isinstance(value, Mapping):
        names = ", ".join(map(str, value))
        return f"an object with {names[:100]}: name a field of it, as COLUMN.FIELD"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, bytes):
        return "bytes"
    return f"of the sort {type(value).__name__}"
