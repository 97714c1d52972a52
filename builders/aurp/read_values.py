"""Reads values back out of text, to prove what was written: shares only words for months and counts with the writer."""

import re
from collections.abc import Iterator

from benchwright.benchmarks.text.dates import MONTHS, month_number
from benchwright.benchmarks.text.numbers import SMALL
from benchwright.builders.aurp.schema import Kind

FoundValue = tuple[int, int, str]
"""Start, end and canonical form of a value in a text."""

_MONTH = rf"({'|'.join(name[:3] for name in MONTHS)})[a-z]*\.?"
_DATES = (
    (re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b"), (3, 2, 1)),
    (re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH},? (\d{{4}})\b", re.IGNORECASE), (1, 2, 3)),
    (re.compile(rf"\b{_MONTH} (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})\b", re.IGNORECASE), (2, 1, 3)),
)
_NUMBER = r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_MONEY = re.compile(rf"(?:US\$|\$|USD )\s?{_NUMBER}( million)?|\b{_NUMBER}( million)? US dollars", re.IGNORECASE)
_UNITS = {
    "m": r"(?:m|met(?:re|er)s?)",
    "m2": r"(?:m²|square met(?:re|er)s?)",
    "m3": r"(?:m³|cubic met(?:re|er)s?)",
    "t": r"(?:t|tonnes?)",
    "days": r"(?:days?)",
    "years": r"(?:years?)",
}
_QUANTITIES = {unit: re.compile(rf"(?<![\w$.]){_NUMBER}[ -]{words}(?![\w²³])") for unit, words in _UNITS.items()}
_WORDS = {word: number for number, word in enumerate(SMALL[:13]) if number}
_COUNT = re.compile(rf"(?<![\w$.,+-])(?:{_NUMBER}|({'|'.join(_WORDS)}))(?![\w%]|[.,-]\d)", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\w$.,+-])(\d{4})(?![\w%]|[.,-]\d)")
_SPACE = re.compile(r"\s+")


def canonical(kind: Kind, value: str | int) -> str:
    """A value of the database in the form that `find` and `read` give."""
    if kind in ("text", "reference", "name"):
        return _SPACE.sub(" ", str(value)).strip().casefold()
    return str(value)


def find(kind: Kind, text: str, unit: str | None = None) -> list[FoundValue]:
    """All dates, amounts of money, quantities of a unit, counts or years in a text."""
    if kind == "date":
        return list(_dates(text))
    if kind == "money":
        return [(m.start(), m.end(), _amount(m[1] or m[3], m[2] or m[4])) for m in _MONEY.finditer(text)]
    if kind == "quantity" and unit:
        return [(m.start(), m.end(), _amount(m[1], None)) for m in _QUANTITIES[unit].finditer(text)]
    if kind == "year":
        return [(m.start(), m.end(), m[1]) for m in _YEAR.finditer(text)]
    if kind == "count":
        return [(m.start(), m.end(), _counted(m)) for m in _COUNT.finditer(text)]
    raise ValueError(f"no way to find every {kind} in a text")


def read(kind: Kind, text: str, unit: str | None = None) -> str | None:
    """The canonical form of a text that is one value and nothing else; None if it is not."""
    if kind in ("text", "reference", "name"):
        return canonical(kind, text)
    whole = [form for start, end, form in find(kind, text, unit) if (start, end) == (0, len(text))]
    return whole[0] if whole else None


def find_text(value: str, text: str) -> list[FoundValue]:
    """Where a text or a name stands as whole words, in any case."""
    wanted, low = canonical("text", value), text.lower()
    found: list[FoundValue] = []
    at = low.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not (at and low[at - 1].isalnum()) and not (end < len(low) and low[end].isalnum()):
            found.append((at, end, wanted))
        at = low.find(wanted, at + 1)
    return found


def _dates(text: str) -> Iterator[FoundValue]:
    for pattern, (day, month, year) in _DATES:
        for match in pattern.finditer(text):
            name = match[month]
            number = int(name) if name.isdigit() else month_number(name)
            yield match.start(), match.end(), f"{match[year]}-{number:02d}-{int(match[day]):02d}"


def _amount(number: str, million: str | None) -> str:
    value = float(number.replace(",", ""))
    return f"{round(value * (1_000_000 if million else 1), 6):.10g}" if not million else str(round(value * 1_000_000))


def _counted(match: re.Match[str]) -> str:
    return str(_WORDS[match[2].lower()]) if match[2] else match[1].replace(",", "")
