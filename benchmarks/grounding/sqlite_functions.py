"""SQLite's own functions that a few bytes can keep busy for hours, held to what they can do in a moment.

SQLite asks whether to go on between its steps, and not within a function: `%.2000000000c` (before 3.42) appends a
character so many times though the value was too long after the first million, and `trim` compares each character of a
text with each of a set.
"""

import re
import sqlite3
from functools import partial

_FILLS = re.compile(r"%[-+ 0#!,\d*]*\.[\d*]*l*c")
"""A directive of `printf` that repeats a character."""
_NUMBER = re.compile(r"\d+")
_MOST_COMPARISONS = 100_000_000

Value = str | bytes | int | float | None


def hold_functions(connection: sqlite3.Connection, longest: int) -> None:
    """From now on these functions refuse what would take long; otherwise they are as before.

    Args:
        connection: on which somebody else's queries run.
        longest: characters that `printf` may repeat in one call.
    """
    plain = sqlite3.connect(":memory:", check_same_thread=False)
    plain.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)
    for name in ("printf", "format"):
        connection.create_function(name, -1, partial(_printf, plain, longest), deterministic=True)
    for name in ("trim", "ltrim", "rtrim"):
        connection.create_function(name, 2, partial(_trim, plain, name), deterministic=True)


def _printf(plain: sqlite3.Connection, longest: int, *values: Value) -> Value:
    repeats = len(_FILLS.findall(_text(values[0]))) if values else 0
    if (
        repeats
        and repeats * max(int(text) for value in values for text in _NUMBER.findall(f"0 {_text(value)}")) > longest
    ):
        raise ValueError("it repeats a character too often")
    return _ask(plain, "printf", values)


def _trim(plain: sqlite3.Connection, name: str, text: Value, characters: Value) -> Value:
    if len(_text(text)) * len(_text(characters)) > _MOST_COMPARISONS:
        raise ValueError("it compares too many characters")
    return _ask(plain, name, (text, characters))


def _ask(plain: sqlite3.Connection, name: str, values: tuple[Value, ...]) -> Value:
    found: Value = plain.execute(f"SELECT {name}({', '.join('?' * len(values))})", values).fetchone()[0]
    return found


def _text(value: Value) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
