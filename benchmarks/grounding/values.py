"""Values of a database as the texts of questions and answers, and as SQL literals."""

import json
import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError

YES, NO = "yes", "no"
TRUTHS = {
    "1": True,
    "0": False,
    "y": True,
    "n": False,
    "yes": True,
    "no": False,
    "t": True,
    "f": False,
    "true": True,
    "false": False,
}
"""What databases without booleans, and columns of text, keep them as, in small letters."""
EXACT_DIGITS = 15
"""Digits of a decimal that SQLite keeps, which has binary numbers for it; those with more are copied as texts."""
LARGEST_INTEGER = 2**63 - 1
"""That SQLite keeps."""
_AT_MIDNIGHT = re.compile(r"(\d{4}-\d{2}-\d{2})[ T]00:00(?::00(?:\.0+)?)?\Z", re.ASCII)
"""A date for which a database without a type for dates shows the time of day that all such dates have."""


def to_text(value: Any) -> str:
    """One value as people write it: 19.0 is `19`, a date is ISO 8601, a boolean is `yes` or `no`.

    Raises:
        BenchwrightError: the value is binary, infinite or not a number.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return YES if value else NO
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float | Decimal):
        number = Decimal(repr(value)) if isinstance(value, float) else value
        if not number.is_finite():
            raise BenchwrightError(f"the value {value} is no number that a question can hold")
        text = format(number, "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):  # MariaDB's TIME, which goes beyond a day and below nothing
        return _duration(value)
    raise BenchwrightError(f"a value of the type {type(value).__name__} cannot stand in a question or an answer")


def _duration(value: timedelta) -> str:
    """As MariaDB writes it: `34:05:06`, `-00:30:00`."""
    size = abs(value)
    hours, seconds = size.days * 24 + size.seconds // 3600, size.seconds % 3600
    fraction = f".{size.microseconds:06}" if size.microseconds else ""
    return f"{'-' if value < timedelta() else ''}{hours:02}:{seconds // 60:02}:{seconds % 60:02}{fraction}"


def to_answer(value: Any, is_boolean: bool = False) -> str:
    """A value as an answer: as `to_text`, but midnight of a day is that day, and what a boolean is kept as (1, Y,
    false) is `yes` or `no`. A value that a question is filled with keeps its time of day: it names a row."""
    text = to_text(value)
    if is_boolean and (truth := TRUTHS.get(text.strip().lower())) is not None:
        return YES if truth else NO
    midnight = _AT_MIDNIGHT.match(text) if isinstance(value, str | datetime) else None
    return midnight[1] if midnight else text


def stored_value(value: Any) -> Any:
    """A value as SQLite can keep it."""
    if isinstance(value, int) and abs(value) > LARGEST_INTEGER:
        return str(value)
    if value is None or isinstance(value, str | int | float | bytes):
        return value
    if isinstance(value, datetime | date | time | timedelta) or (isinstance(value, Decimal) and value.is_finite()):
        return to_text(value)
    if isinstance(value, bytearray | memoryview):
        return bytes(value)
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def answer_array(values: Sequence[Any]) -> pa.Array:
    """Values without None as an array of answers, as `to_answer` gives them."""
    texts = text_array(values)
    if pc.any(pc.match_substring(texts, "00:00")).as_py():
        return pa.array([to_answer(value) for value in values], pa.string())
    return texts


def text_array(values: Sequence[Any]) -> pa.Array:
    """Values without None as an array of texts, as `to_text` gives them."""
    try:
        array = pa.array(values)
    except (pa.ArrowException, OverflowError):
        return pa.array([to_text(value) for value in values], pa.string())
    if pa.types.is_string(array.type):
        return array
    if pa.types.is_integer(array.type):
        return array.cast(pa.string())
    return pa.array([to_text(value) for value in values], pa.string())


def to_literal(value: Any) -> str:
    """A value as a literal of standard SQL. Only for showing and re-executing: a build never pastes it into a query."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float | Decimal):
        return repr(value) if isinstance(value, float) else format(value, "f")
    return "'" + to_text(value).replace("'", "''") + "'"


def literal_array(values: Sequence[Any], texts: pa.Array) -> pa.Array:
    """Literals of many values, of which `texts` are the texts."""
    if all(isinstance(value, str) for value in values):
        return pc.binary_join_element_wise("'", pc.replace_substring(texts, "'", "''"), "'", "")
    return pa.array([to_literal(value) for value in values], pa.string())
