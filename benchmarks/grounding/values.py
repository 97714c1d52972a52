"""Values of a database as the texts of questions and answers, and as SQL literals."""

from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError

YES, NO = "yes", "no"


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
    raise BenchwrightError(f"a value of the type {type(value).__name__} cannot stand in a question or an answer")


def to_boolean_text(value: Any) -> str:
    """A value of a boolean column, which SQLite keeps as 0 or 1, as `yes` or `no`; anything else as `to_text`."""
    return (YES if value else NO) if value in (0, 1) else to_text(value)


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
