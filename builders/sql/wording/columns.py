"""What people call a column: the words of its identifier, completed where a form or a database drops half of them."""

import re

from benchwright.benchmarks.data_files import read_toml, read_words
from benchwright.builders.sql.units import LENGTHS
from benchwright.builders.sql.wording import english

_ENGLISH = read_toml(__package__, "columns.toml")
_WHOLE: dict[str, str] = _ENGLISH["whole"]
_DAYS: dict[str, str] = _ENGLISH["days"]
_IN_UNITS: dict[str, str] = _ENGLISH["in_units"]
_OF_TIME = read_words(__package__, "columns.toml", "words")["of_time"]
_NEEDS = {"m": LENGTHS} | dict.fromkeys(
    ["mins", "min", "minutes", "sec", "secs", "seconds", "hours", "days", "weeks", "months", "years"], _OF_TIME
)
_TURNS: dict[str, str] = _ENGLISH["turns"]
_CHECK = re.compile(r"\bcheck (in|out)\b")
_SHIP = re.compile(r"ship (?=(?:name|address|street|city|region|state|country|postal code|postcode|zip)\b)")


def column_words(table: str, column: str) -> str:
    """The words of a column that is asked for or given.

    Args:
        table: the noun of its table: a person's title is a job's.
        column: its identifier.
    """
    words = _CHECK.sub(r"check-\1", _SHIP.sub("ship-to ", english.words(column)))
    before, _, last = words.rpartition(" ")
    if last in ("at", "on") and before in _TURNS:
        return f"{_TURNS[before]} {'time' if last == 'at' else 'date'}"
    if last in ("at", "on") and before:
        rest, _, participle = before.rpartition(" ")
        if participle in _DAYS or participle.endswith("ed"):
            return f"{rest} {_DAYS.get(participle, participle)} date".lstrip()
    if last == "no" and before:
        return f"{before} number"
    if last == "title":
        if english.is_person(table) and not before:
            return "job title"
        if before and english.value_kind(before) == "person":
            return f"job title of the {before}"
    if before and last in _IN_UNITS and (last not in _NEEDS or before.split()[-1] in _NEEDS[last]):
        return f"{before} in {_IN_UNITS[last]}"
    return _WHOLE.get(words.lower(), words)
