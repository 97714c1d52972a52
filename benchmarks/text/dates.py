"""Dates in figures and words."""

import datetime
import re
from dataclasses import dataclass

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.text.folding import clean, lower

Day = tuple[int, int, int]
"""Year, month, day; a month or a day of 0 is not stated."""

_TABLES = read_toml(__package__, "dates.toml")
MONTHS: tuple[str, ...] = tuple(_TABLES["months"].split())
"""January to December."""
SHORT_MONTHS: tuple[str, ...] = tuple(_TABLES["short_months"].split())
"""Jan to Dec; September is Sept."""
MONTH = "(?:" + "|".join(sorted({*MONTHS, *SHORT_MONTHS, "Sep"}, key=len, reverse=True)) + r")\b\.?"
"""A regular expression of a month with its capital, whole or shortened."""
_MONTH = MONTH.lower()
FOREIGN_MONTHS = {name: number for number, names in enumerate(_TABLES["foreign"], start=1) for name in names.split()}
"""1 to 12, by the names of months in other languages, without accents, in small letters."""
_FOREIGN_NAME = "(?:" + "|".join(sorted(FOREIGN_MONTHS, key=len, reverse=True)) + r")\b"
_NUMBER_OF_MONTH = {name[:3].lower(): number for number, name in enumerate(MONTHS, start=1)}
ORDINALS: tuple[str, ...] = tuple(_TABLES["ordinals"].split())
"""First to thirty-first."""
_ORDINAL_OF = {name: index + 1 for index, name in enumerate(ORDINALS)}
_ORDINAL = "|".join(name.replace("-", "[- ]") for name in sorted(ORDINALS, key=len, reverse=True))
_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?|{_ORDINAL})"
_GAP = r"[\s\-./,]*"
_IN_YEAR = r"(?:of\s+|in\s+)?(?:the\s+year\s+)?"
# Begins with the character before a date, so that it looks at each word and not at each character.
_DATE = re.compile(
    r"[^\w./](?:"
    r"(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})(?!\d)"
    r"|(?P<a2>\d{1,2})[-/.](?P<b2>\d{1,2})[-/.](?P<y2>\d{4}|\d{2})(?!\d)"
    rf"|(?P<d3>{_DAY})(?:\s+day)?(?:\s+of)?{_GAP}(?P<m3>{_MONTH}){_GAP}{_IN_YEAR}'?(?P<y3>\d{{4}}|\d{{2}}(?!\d|:))"
    rf"|(?P<m4>{_MONTH})[\s\-./]*(?:the\s+)?(?P<d4>{_DAY})(?!\d)(?:\s*,\s*|[\s\-./]+){_IN_YEAR}(?P<y4>\d{{4}})"
    rf"|(?P<y5>\d{{4}})[\s\-./,]+(?P<m5>{_MONTH})[\s\-./]*(?P<d5>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)"
    rf"|(?P<m6>{_MONTH})(?:\s*,\s*|[\s\-./]+){_IN_YEAR}(?P<y6>\d{{4}})(?!\d)"
    rf"|(?P<y7>\d{{4}})[\s\-./,]+(?P<m7>{_MONTH})"
    rf"|(?P<d0>\d{{1,2}})(?:er|\.|o)?(?:\s+d[eo]l?)?\s+(?P<m0>{_FOREIGN_NAME})(?:\s+d[eo]l?)?\s+(?P<y0>\d{{4}})"
    r"|(?P<yc>\d{4})年(?P<mc>\d{1,2})月(?P<dc>\d{1,2})日"
    r"|(?<!-)(?P<y8>\d{4})-(?P<m8>\d{2})(?![\d-])"
    r"|(?<!-)(?P<y9>(?:19|20)\d{2})(?P<m9>\d{2})(?P<d9>\d{2})(?!\w)"
    r")"
)
_LONGEST_LEAD = 40
"""Characters of a date before its first digit."""
_DIGIT = re.compile(r"\d")
_TIME = re.compile(r"[t ]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:z|[+-]\d{2}:?\d{2})?$")
_WEEKDAY = re.compile(r"^(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+")


@dataclass(frozen=True, slots=True)
class Date:
    """A date as a text states it."""

    start: int
    end: int
    readings: tuple[Day, ...]
    """Two where day and month cannot be told apart."""


def month_number(name: str) -> int:
    """1 to 12, by the first three letters of a month's name in any case; raises KeyError for another word."""
    return _NUMBER_OF_MONTH[name[:3].lower()]


def _year(text: str) -> int:
    return int(text) if len(text) == 4 else 2000 + int(text) if int(text) < 70 else 1900 + int(text)


def _month(text: str) -> int:
    return int(text) if text.isdigit() else FOREIGN_MONTHS.get(text) or month_number(text)


def _day(text: str) -> int:
    if text.isdigit():
        return int(text)
    word = re.sub(r"[\s-]+", "-", text)
    return _ORDINAL_OF[word] if word in _ORDINAL_OF else int(re.sub(r"\D", "", text))


def _real(year: int, month: int, day: int) -> bool:
    try:
        datetime.date(year, month, day or 1)
    except ValueError:
        return False
    return True


def _readings(match: re.Match[str]) -> tuple[Day, ...]:
    # The groups of one alternative share a number: the last one's tells which it was.
    number = (match.lastgroup or "")[-1]
    year = _year(match["y" + number])
    if number == "2":
        first, second = int(match["a2"]), int(match["b2"])
        candidates = [(year, second, first), (year, first, second)]
    else:
        day = _day(match["d" + number]) if "d" + number in match.re.groupindex else 0
        candidates = [(year, _month(match["m" + number]), day)]
    return tuple(dict.fromkeys(day for day in candidates if _real(*day)))


def find_dates(lowered: str) -> list[Date]:
    """The dates of a cleaned, lowered text that name at least a year and a month.

    01/09/2022 has two readings; what is not in the calendar is no date.
    """
    digit = _DIGIT.search(lowered)
    if digit is None:
        return []
    matches = _DATE.finditer(" " + lowered, max(0, digit.start() - _LONGEST_LEAD))
    found = [Date(match.start(), match.end() - 1, _readings(match)) for match in matches]
    return [date for date in found if date.readings]


def parse_date(value: str) -> Date | None:
    """The date that a whole value is (a time of day is left out), or none. ISO 8601 is read as such."""
    lowered = _WEEKDAY.sub("", _TIME.sub("", lower(clean(value)).strip(" .")))
    match = _DATE.fullmatch(" " + lowered)
    if match is None:
        return None
    readings = _readings(match)
    return Date(0, len(lowered), readings) if readings else None


def covers(stated: Day, gold: Day) -> bool:
    """Whether a stated date is the gold date, at least as exactly: 15 March 2021 covers March 2021."""
    return all(wanted == 0 or wanted == given for wanted, given in zip(gold, stated, strict=True))
