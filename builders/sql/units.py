"""Units of columns, and a value as people write it with its unit: the other accepted forms of an answer.

A unit is known where a column's name ends with it (`weight_kg`), where everybody knows it (the length of a film is in
minutes), or from whoever says so. A form states exactly the value: nothing is rounded.
"""

import re
from collections.abc import Collection, Sequence
from datetime import time, timedelta
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

import pyarrow as pa

from benchwright.benchmarks.data_files import read_toml, read_words
from benchwright.benchmarks.grounding.values import to_text
from benchwright.builders.sql.technical import words_of

NO_UNIT = "none"
"""What the schema file says of a column whose unit was taken for another than none."""
CLOCK, FRACTION, MONEY = "time of day", "fraction", "money"
"""Units without a sign: `15:00:00` is 3 pm, 0.15 is 15 %, 4.5 of a currency that nobody named is 4.50."""
_UNITS = read_toml(__package__, "units.toml")
_MONEY: dict[str, tuple[str, str, str]] = {
    unit: (sign, code, one) for unit, (sign, code, one) in _UNITS["money"].items()
}
"""Unit → sign, code and singular; no sign where it shares that of another."""
_MEASURES: dict[str, tuple[str, str]] = {unit: (sign, one) for unit, (sign, one) in _UNITS["measures"].items()}
"""Unit → sign and singular."""
PERCENT = "percent"
_ENDINGS: dict[str, str] = {
    **{unit: unit for unit in (*_MONEY, *_MEASURES) if " " not in unit and unit != "pounds"},
    **{one: unit for unit, (_, one) in _MEASURES.items() if one.endswith(("metre", "gram", "watt"))},
    **_UNITS["endings"],
}
"""Last word of a column's name → its unit."""
_SQUARED = {("m", "2"): "square metres", ("km", "2"): "square kilometres"}
_AFTER = {ending: (said["unit"], frozenset(said["words"].split())) for ending, said in _UNITS["after"].items()}
"""Endings that mean a unit behind one of some words alone."""
LENGTHS = _AFTER["m"][1]
"""Words of columns that hold how long something is."""
_WORDS = read_words(__package__, "units.toml", "words")
_FILMS, _RUNNING = _WORDS["films"], _WORDS["running"]
_FILM_MINUTES = (10, 900)
_PRICES, _SHARES, _RATES, _LASTING = (_WORDS[name] for name in ("prices", "shares", "rates", "lasting"))
_CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?")
_OF_TIME = {"minutes": (("hour", 60), ("minute", 1)), "seconds": (("hour", 3600), ("minute", 60), ("second", 1))}
_LARGEST = 10**15
_YEARS = 1000
"""From here on, years are those of a calendar."""


def unit_by_name(noun: str, column: str, values: Collection[Any]) -> str:
    """The unit of a column, or nothing.

    Args:
        noun: what a row of its table is called.
        column: its name.
        values: some of its values, none of them NULL.
    """
    words = words_of(column)
    if not words or not values:
        return ""
    numbers = [Decimal(str(value)) for value in values if isinstance(value, int | float | Decimal)]
    if not numbers:
        is_clock = not _LASTING & set(words) and all(map(_is_time_of_day, values))
        return CLOCK if is_clock else ""
    found = _SQUARED.get((words[-2], words[-1])) if len(words) > 1 else None
    found = found or _ENDINGS.get(words[-1], "")
    if not found and words[-1] in _AFTER and _AFTER[words[-1]][1] & set(words[:-1]):
        found = _AFTER[words[-1]][0]
    if found == PERCENT and max(map(abs, numbers)) <= 1:
        return ""
    is_share = words[-1] in _SHARES or (words[-1] == "rate" and _RATES & set(words))
    if not found and is_share and all(0 <= number <= 1 for number in numbers):
        return FRACTION if any(0 < number < 1 for number in numbers) else ""
    if not found and words[-1] in _PRICES and any(number % 1 for number in numbers):
        return MONEY if all(number == round(number, 2) for number in numbers) else ""
    if not found and noun.lower() in _FILMS and " ".join(words) in _RUNNING:
        least, most = _FILM_MINUTES
        return "minutes" if all(least <= number <= most for number in numbers) else ""
    return found


def _is_time_of_day(value: Any) -> bool:
    return isinstance(value, str | time | timedelta) and _CLOCK.fullmatch(to_text(value)) is not None


def named_unit(said: str) -> str:
    """The unit that somebody means by its sign, code or name; what is not known here as it is."""
    words = said.lower().rstrip(".") or said
    for unit, (sign, code, singular) in _MONEY.items():
        if words in (sign, code.lower(), singular):
            return unit
    for unit, (sign, singular) in _MEASURES.items():
        if words in (sign.lower(), singular):
            return unit
    return {"%": PERCENT, "m2": "square metres", "km2": "square kilometres"}.get(words) or _ENDINGS.get(words, said)


def known_units() -> tuple[str, ...]:
    """The units that are known here."""
    return (*_MONEY, *_MEASURES, PERCENT, FRACTION, CLOCK, MONEY)


@lru_cache(maxsize=100_000)
def with_unit(value: str, unit: str) -> tuple[str, ...]:
    """The other forms in which people write a value of a unit; none for a value that is none.

    Any words may be a unit: of those that are not known here, the value goes before them.
    """
    if unit == NO_UNIT:
        return ()
    if unit == CLOCK:
        return tuple(_of_clock(value))
    try:
        number = Decimal(value)
    except InvalidOperation:
        return ()
    if not unit or not number.is_finite() or abs(number) >= _LARGEST or (unit == "years" and abs(number) >= _YEARS):
        return ()
    return tuple(form for form in dict.fromkeys(_of_number(number, unit)) if form != value)


def _of_number(number: Decimal, unit: str) -> list[str]:
    shown = f"{number:,f}"
    if unit == FRACTION:
        number, unit = (number * 100).normalize(), PERCENT
        shown = f"{number:,f}"
    if unit == PERCENT:
        return [f"{shown}%", f"{shown} percent"]
    if unit == MONEY or unit in _MONEY:
        cents = number == number.quantize(Decimal("0.01"))
        shown = f"{abs(number):,.2f}" if cents and number % 1 else f"{abs(number):,f}"
        minus = "-" if number < 0 else ""
        if unit == MONEY:
            return [f"{minus}{shown}"]
        sign, code, singular = _MONEY[unit]
        spoken = [
            f"{minus}{shown} {singular if abs(number) == 1 else unit}",
            f"{code} {minus}{shown}",
            f"{minus}{shown}",
        ]
        return [f"{minus}{sign}{shown}", *spoken] if sign else spoken
    if unit not in _MEASURES:
        return [f"{shown} {unit}"]
    sign, singular = _MEASURES[unit]
    forms = [f"{shown} {singular if number == 1 and singular else unit}"] if singular else []
    return [*forms, *([f"{shown} {sign}"] if sign else []), *_in_parts(number, unit)]


def _in_parts(number: Decimal, unit: str) -> list[str]:
    """112 minutes as `1 hour 52 minutes`."""
    parts = _OF_TIME.get(unit, ())
    if not parts or number % 1 or number < parts[-2][1]:
        return []
    left, said = int(number), []
    for name, size in parts:
        count, left = divmod(left, size)
        if count:
            said.append(f"{count} {name}{'' if count == 1 else 's'}")
    return [" ".join(said)]


def _of_clock(value: str) -> list[str]:
    match = _CLOCK.fullmatch(value)
    if match is None or match[3] not in (None, "00"):
        return []
    hour, half = int(match[1]), "pm" if int(match[1]) >= 12 else "am"
    twelve = hour % 12 or 12
    forms = [f"{match[1]}:{match[2]}", f"{twelve}:{match[2]} {half}"]
    return [form for form in [*forms, *([f"{twelve} {half}"] if match[2] == "00" else [])] if form != value]


def aliases_of(answers: Sequence[str], units: Sequence[str]) -> list[list[str]]:
    """The other forms of the elements of an answer, whose units are those of the columns asked for, in turn."""
    return [list(with_unit(answer, units[place % len(units)])) for place, answer in enumerate(answers)]


def alias_array(answers: pa.ListArray, units: Sequence[str]) -> pa.ListArray:
    """The same of many answers."""
    found = [aliases_of(elements, units) for elements in answers.to_pylist()]
    return pa.array(found, pa.list_(pa.list_(pa.string())))
