"""Numbers in figures and words, with scales and units."""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.text.folding import clean, lower

_TABLES = read_toml(__package__, "numbers.toml")
SMALL: tuple[str, ...] = tuple(_TABLES["small"].split())
"""The words of 0 to 19."""
TENS: tuple[str, ...] = tuple(_TABLES["tens"].split())
"""The words of 20, 30, … 90."""
_SCALES: Mapping[str, float] = _TABLES["scales"]
_VALUES = {word: float(value) for value, word in enumerate(SMALL)} | {
    word: float(20 + 10 * index) for index, word in enumerate(TENS)
}
NUMBER_WORDS = frozenset(_VALUES) | {"dozen"}
_WORDS = frozenset(_VALUES) | {"dozen"}
_WORDS = "|".join(
    [*sorted(_VALUES, key=len, reverse=True), "hundred", "thousand", "million", "billion", "trillion", "dozen"]
)
_SYMBOLS = r"us\$|[$€£¥]"
# A figure is only tried where a character can begin one: that made the expression more than twice as fast.
_NUMBER = re.compile(
    rf"(?=[\d$€£¥u.-])(?P<symbol>(?:{_SYMBOLS})\s?)?(?P<sign>(?<![\w.)])-)?"
    r"(?P<figure>(?<![\w.])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|(?<![\w.])\d+(?:\.\d+)?|(?<!\w)\.\d+)"
    r"(?:[\s-]?(?P<scale>hundred|thousand|millions?|billions?|trillion|mln|mn|bn|tn|k|m|b)\b)?"
    rf"|\b(?P<words>(?:{_WORDS})(?:(?:[\s-]+|\s+and\s+)(?:{_WORDS}))*)\b"
)
_CODE_BEFORE = re.compile(r"(?<![a-z])(usd|eur|gbp|cny|rmb|jpy)\s?$")
_UNIT = re.compile(
    r"[\s-]*(?:(?:consecutive|full|whole|straight|calendar|solid|complete|long)\s+)?"
    r"(?:(?:u\.s\.|american)\s+(?=dollars|cents))?"
    r"(%|[a-z]+2?(?: (?:feet|foot|metres?|meters?|kilometres?|kilometers?|sterling|points|cent|dollars|tons))?)"
)
_HALF = re.compile(r"\s+and\s+a\s+half\b")
_MORE_MONTHS = re.compile(rf"\s*(?:,|and|,\s*and)?\s*(\d{{1,2}}|{'|'.join(SMALL[1:12])})\s+months?\b")
_SMALLER: Mapping[tuple[str, float], tuple[tuple[float, str], ...]] = {
    ("time", 3600.0): ((60.0, "minutes?|mins?|m"), (1.0, "seconds?|secs?|s")),
    ("time", 60.0): ((1.0, "seconds?|secs?|s"),),
    ("dollars", 1.0): ((0.01, "cents?"),),
    ("euros", 1.0): ((0.01, "cents?"),),
}
"""Units that may follow a larger one, as in `1 hour 52 minutes`, with their factors."""
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_A_PERIOD = re.compile(r"\b(?:a|an|the past|the last)\s+(?:single\s+|full\s+)?(year|month|week|day|decade|hour)\b")


@dataclass(frozen=True, slots=True)
class Number:
    """A number as a text states it."""

    start: int
    end: int
    value: float
    """With its scale: 4.2 million is 4200000."""
    unscaled: float
    """As written: 4.2."""
    scale: str
    """The word that scales it, or nothing."""
    dimension: str
    """What its unit measures, or nothing."""
    factor: float
    """Its unit in the dimension's base."""
    digits: int
    """Significant figures that are stated."""
    noun: str
    """The word after it that is not a unit."""
    is_m: bool = False
    """Its "m" is read as metres and may mean millions."""


@functools.cache
def units() -> dict[str, tuple[str, float]]:
    """The dimension and the factor of every spelling of a unit."""
    return {
        spelling: (dimension, float(entry[0]))
        for dimension, table in read_toml(__package__, "units.toml").items()
        for entry in table.values()
        for spelling in entry[1:]
    }


def unit_of(word: str) -> tuple[str, float] | None:
    """The dimension and the factor of a unit's spelling."""
    return units().get(word)


def scale_of(word: str) -> float:
    """What a word like "billion" or "bn" scales by; 1 for any other word."""
    return _SCALES.get(word, 1.0)


def same_value(first: float, second: float) -> bool:
    """Equal but for the last bits."""
    return first == second or abs(first - second) <= 1e-9 * max(abs(first), abs(second))


def _from_words(text: str) -> float:
    total = current = 0.0
    for word in re.split(r"[\s-]+", text):
        if word == "hundred" or word == "dozen":
            current = max(current, 1.0) * (100 if word == "hundred" else 12)
        elif word in _SCALES:
            total += max(current, 1.0) * _SCALES[word]
            current = 0.0
        else:
            current += _VALUES.get(word, 0.0)
    return total + current


def _unit_after(lowered: str, end: int) -> tuple[str, float, str, int]:
    """Dimension, factor, following noun and new end."""
    match = _UNIT.match(lowered, end)
    if match is None:
        return "", 1.0, "", end
    spelling = match.group(1)
    for candidate in (spelling, spelling.split(" ")[0]):
        unit = unit_of(candidate)
        if unit is not None:
            return unit[0], unit[1], "", match.start(1) + len(candidate)
    return "", 1.0, spelling.split(" ")[0], end


def _read(lowered: str, match: re.Match[str]) -> Number | None:
    end, scale = match.end(), match.group("scale") or ""
    if match.group("words") is not None:
        unscaled = value = _from_words(match.group("words"))
        digits = len(f"{value:g}".rstrip("0"))
    else:
        figure = match.group("figure").replace(",", "")
        unscaled = float(figure) * (-1 if match.group("sign") else 1)
        value = unscaled * _SCALES.get(scale, 1.0)
        digits = len(figure.replace(".", "").strip("0"))
        if not scale and _ORDINAL.match(lowered, end):
            return None
    if _HALF.match(lowered, end):
        value, unscaled, end = value + 0.5, unscaled + 0.5, end + len(" and a half")
    dimension, factor, noun, end = _unit_after(lowered, end)
    if match.group("symbol"):
        unit = unit_of(match.group("symbol").strip())
        dimension, factor = unit or (dimension, factor)
    elif not dimension and (code := _CODE_BEFORE.search(lowered[max(0, match.start() - 5) : match.start()])):
        dimension, factor = units()[code.group(1)]
    is_m = scale == "m" and not dimension and not match.group("symbol")
    if is_m:
        dimension, factor, value, scale = "length", 1.0, unscaled, ""
    if dimension == "calendar" and factor == 12:
        months = _MORE_MONTHS.match(lowered, end)
        if months is not None:
            word = months.group(1)
            value, end = value + (float(word) if word.isdigit() else _VALUES[word]) / 12, months.end()
    for smaller, spellings in _SMALLER.get((dimension, factor), ()):
        more = _more(spellings).match(lowered, end)
        if more is not None:
            own = float(more[1]) if more[1].isdigit() else _from_words(more[1])
            value = unscaled = value * round(factor / smaller) + own
            factor, digits, end = smaller, len(f"{value:.0f}"), more.end()
    return Number(match.start(), end, value, unscaled, scale, dimension, factor, digits, noun, is_m)


@functools.cache
def _more(spellings: str) -> re.Pattern[str]:
    """What a smaller unit adds: ` 52 minutes`, ` and fifty-two minutes`."""
    words = rf"(?:{'|'.join(TENS)})(?:[\s-](?:{'|'.join(SMALL[1:10])}))?|{'|'.join(reversed(SMALL[1:]))}"
    return re.compile(rf"\.?\s*(?:,\s*and|,|and)?\s*(\d{{1,2}}|{words})[\s-]?(?:{spellings})\b")


def find_numbers(lowered: str) -> list[Number]:
    """The numbers of a cleaned, lowered text, ordinals left out. "a year" is one year."""
    found: list[Number] = []
    for match in _NUMBER.finditer(lowered):
        number = _read(lowered, match) if not found or match.start() >= found[-1].end else None
        if number is not None:
            found.append(number)
    for match in _A_PERIOD.finditer(lowered):
        dimension, factor = units()[match.group(1)]
        found.append(Number(match.start(), match.end(), 1.0, 1.0, "", dimension, factor, 1, ""))
    return sorted(found, key=lambda number: number.start)


def parse_number(value: str) -> Number | None:
    """The number that a whole value is, unit included, or none."""
    lowered = lower(clean(value)).strip().rstrip(" .")
    if not lowered or len(lowered) > 60:
        return None
    match = _NUMBER.match(lowered)
    number = _read(lowered, match) if match is not None else None
    if number is None:
        number = next((each for each in find_numbers(lowered) if each.start == 0), None)
    whole = number is not None and not number.noun and not lowered[number.end :].strip(" .")
    return number if whole else None
