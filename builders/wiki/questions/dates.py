"""Dates in a text, with the days that each may mean; what is relative ("last year") is left alone.

How a language writes its dates stands in `languages/`.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Any

from benchwright.builders.wiki.questions.languages import LANGUAGES, read_language

_YEAR = r"(?:1\d{3}|20\d{2})"
_PARTS = {
    "year": _YEAR,
    "end": rf"{_YEAR}|\d\d(?!\d)",
    "day": r"\d{1,2}",
    "number": r"\d{1,2}",
    "decade": r"1\d\d|20\d",
    "century": r"\d{1,2}",
    "roman": r"X{0,2}(?:IX|IV|V?I{0,3})",
}
"""What stands in the braces of a form."""
_ISO = "{year}-{number}-{day}"
_NEUTRAL: Mapping[str, Any] = {
    "months": [], "seasons": {}, "counted": ["%"], "before": r"(?<![\w/.,$£€¥₹#-])", "after": r"(?!\w|%|[.,-]\d)",
    "forms": ["{year}"], "life": {"words": [], "opens": ["("]},
}  # fmt: skip
"""Of a language that is not known: years and dates in figures."""
_ROMAN = {"I": 1, "V": 5, "X": 10}


@dataclass(frozen=True, slots=True)
class _Calendar:
    """How a language writes dates."""

    pattern: re.Pattern[str]
    months: Mapping[str, int]
    seasons: Mapping[str, tuple[int, int]]


@functools.cache
def _calendar(language: str) -> _Calendar:
    told = read_language(language)["dates"] if language in LANGUAGES else _NEUTRAL
    months = {name: number for number, names in enumerate(told["months"], start=1) for name in names.split()}
    parts = {
        **_PARTS,
        "month": rf"(?:{_any_of(months)})\b\.?" if months else "(?!)",
        "season": _any_of(told["seasons"]) or "(?!)",
    }
    forms = []
    for number, form in enumerate([_ISO, *told["forms"]]):
        for name, pattern in parts.items():
            form = form.replace("{" + name + "}", f"(?P<{name}{number}>{pattern})")
        forms.append(form)
    counted = "|".join(map(re.escape, told["counted"]))
    after = told["after"].replace("{counted}", counted)
    pattern = re.compile(f"{told['before']}(?:{'|'.join(forms)}){after}")
    seasons = {name.lower(): (first, last) for name, (first, last) in told["seasons"].items()}
    return _Calendar(pattern, {name.lower(): number for name, number in months.items()}, seasons)


def _any_of(names: Mapping[str, Any]) -> str:
    """A pattern of any of these, the longest first; the first letter of one in small letters may be a capital."""
    ordered = sorted(names, key=lambda name: (-len(name), name))
    return "|".join(
        f"[{name[0].upper()}{name[0]}]{re.escape(name[1:])}" if name[0].islower() else re.escape(name)
        for name in ordered
    )


@dataclass(frozen=True, slots=True)
class Dated:
    """A date in a text."""

    start: int
    """Offsets into the text, end exclusive."""
    end: int
    first: date
    """The first day that it may mean; of a period, its first."""
    last: date
    precision: str
    """day, month, season, year, years, decade or century."""

    def after(self, cutoff: date) -> float:
        """How much of it lies after a cutoff, which is the first day of what is after it: from 0 to 1."""
        if self.first >= cutoff:
            return 1.0
        if self.last < cutoff:
            return 0.0
        return ((self.last - cutoff).days + 1) / ((self.last - self.first).days + 1)


_DAYS = re.compile(r"(?<![\d-])\d{1,2}\s*[-–]\s*(?P<last>\d{1,2})(?!\d)")
_FROM_DAY = re.compile(r"\b(?:between|from) (?P<first>\d{1,2}) (?:and|to) $")


def date_pattern(language: str) -> str:
    """A regular expression of a date in a language, without groups: longer ways of writing it before shorter ones."""
    return re.sub(r"\(\?P<\w+>", "(?:", _calendar(language).pattern.pattern)


def find_dates(text: str, language: str = "en") -> list[Dated]:
    """The dates of a text in order: days, months, seasons, years, decades and centuries since the year 1000.

    Numbers that count something, and parts of other numbers, are no years; what is in no calendar is no date. Of a
    language that is not known, only years and dates as 2022-03-12 are found.
    """
    return list(_find(text, _calendar(language)))


def says_birth(text: str, found: Dated, language: str = "en") -> bool:
    """Whether a date says when somebody was born or died, or opens a parenthesis that tells it."""
    life = read_language(language)["life"] if language in LANGUAGES else _NEUTRAL["life"]
    if "within" in life and text.rfind(life["within"][0], 0, found.start) > text.rfind(
        life["within"][1], 0, found.start
    ):
        return True
    reach = max(12, 5 + max(map(len, life["words"]), default=0))
    before = text[max(0, found.start - reach) : found.start].rstrip()
    return before.endswith(tuple(life["opens"])) or any(word in before.split() for word in life["words"])


def _find(text: str, calendar: _Calendar) -> Iterator[Dated]:
    for match in calendar.pattern.finditer(text):
        try:
            yield _read(match, calendar)
        except ValueError:  # 31 June
            continue


def _read(match: re.Match[str], calendar: _Calendar) -> Dated:
    span, form = match.span(), re.sub(r"\D", "", match.lastgroup or "")
    told = {name.removesuffix(form): value for name, value in match.groupdict().items() if value is not None}
    if "century" in told or "roman" in told:
        century = int(told["century"]) if "century" in told else _from_roman(told["roman"])
        if not 10 <= century <= 21:
            raise ValueError
        return Dated(*span, date(100 * century - 99, 1, 1), date(100 * century, 12, 31), "century")
    if "decade" in told:
        year = int(told["decade"] + "0")
        return Dated(*span, date(year, 1, 1), date(year + 9, 12, 31), "decade")
    year = int(told["year"])
    if "season" in told:
        first, last = calendar.seasons[told["season"].lower()]
        return Dated(*span, date(year, first, 1), _month_end(year, last), "season")
    if "end" in told:
        end = int(told["end"]) if len(told["end"]) == 4 else year // 100 * 100 + int(told["end"])
        if end < year:
            raise ValueError
        return Dated(*span, date(year, 1, 1), date(end, 12, 31), "years")
    if "month" not in told and "number" not in told:
        return Dated(*span, date(year, 1, 1), date(year, 12, 31), "year")
    month = int(told["number"]) if "number" in told else calendar.months[told["month"].lower().rstrip(".")]
    if "day" in told:
        day = date(year, month, int(told["day"]))
        return _with_days_beside(match, day)
    return Dated(*span, date(year, month, 1), _month_end(year, month), "month")


def _with_days_beside(match: re.Match[str], day: date) -> Dated:
    """A day, or the days from one to another: "8–10 September 2023", "between 8 and 10 September 2023"."""
    first = last = day
    with suppress(ValueError):  # "from 31 to 2 June": of two months
        if ends := _DAYS.search(match.group()):
            last = max(day, day.replace(day=int(ends["last"])))
        elif begins := _FROM_DAY.search(match.string, max(0, match.start() - 25), match.start()):
            first = min(day, day.replace(day=int(begins["first"])))
    return Dated(*match.span(), first, last, "day")


def _from_roman(numeral: str) -> int:
    values = [_ROMAN[sign] for sign in numeral]
    return sum(
        -value if value < following else value for value, following in zip(values, [*values[1:], 0], strict=True)
    )


def _month_end(year: int, month: int) -> date:
    return date.fromordinal(date(year + month // 12, month % 12 + 1, 1).toordinal() - 1)
