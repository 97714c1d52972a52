"""Dates in English text, with the days that each may mean; what is relative ("last year") is left alone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from benchwright.benchmarks.text.dates import MONTH, month_number

_YEAR = r"(?:1\d{3}|20\d{2})"
_SEASON = r"(?:[Ss]pring|[Ss]ummer|[Aa]utumn|[Ff]all|[Ww]inter|[Ee]arly|[Mm]id|[Ll]ate)"
_COUNTED = (
    r"people|inhabitants|residents|households|metres|meters|feet|ft|km|kilometres|kilometers|miles|m|kg|tons|tonnes|"
    r"votes|seats|students|members|copies|soldiers|men|women|units|acres|hectares|pages|spectators|words|points|yards|runs|"
    r"million|billion|fans|employees|workers|species|families|tickets|square|cubic|hours|days|years|times|other|or more"
)
_DATE = re.compile(
    rf"(?<![\w/.,$£€¥₹#-])(?:"
    rf"(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?:\s*[-–]\s*\d{{1,2}})?\s+(?:of\s+)?(?P<m1>{MONTH}),?\s+(?P<y1>{_YEAR})"
    rf"|(?P<m2>{MONTH})\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?:\s*[-–]\s*\d{{1,2}})?,?\s+(?P<y2>{_YEAR})"
    rf"|(?P<m3>{MONTH})\s+(?:of\s+)?(?P<y3>{_YEAR})"
    rf"|(?P<y4>{_YEAR})-(?P<m4>\d\d)-(?P<d4>\d\d)"
    rf"|(?P<s5>{_SEASON})(?:\s+of)?[\s-]+(?P<y5>{_YEAR})(?!s)"
    rf"|(?P<y6>{_YEAR})\s*[-–/]\s*(?P<e6>{_YEAR}|\d\d(?!\d))"
    r"|(?P<y7>1\d\d|20\d)0s"
    r"|(?P<c8>\d{1,2})(?:st|nd|rd|th)[- ]century"
    rf"|(?P<y9>{_YEAR}))"
    rf"(?!\w|%|[.,-]\d|\s(?:{_COUNTED})\b)"
)
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11), "winter": (12, 12)}
_PARTS = {"early": (1, 4), "mid": (5, 8), "late": (9, 12)}


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


def find_dates(text: str) -> list[Dated]:
    """The dates of a text in order: days, months, seasons, years, decades and centuries since the year 1000.

    Numbers that count something, and parts of other numbers, are no years; what is in no calendar is no date.
    """
    return list(_find(text))


def says_birth(text: str, found: Dated) -> bool:
    """Whether a date says when somebody was born or died, or opens a parenthesis that tells it."""
    before = text[max(0, found.start - 12) : found.start].rstrip()
    return before.endswith("(") or any(word in before.split() for word in ("born", "(born", "died", "Born:", "Died:"))


def _find(text: str) -> Iterator[Dated]:
    for match in _DATE.finditer(text):
        try:
            yield _read(match)
        except ValueError:  # 31 June
            continue


def _read(match: re.Match[str]) -> Dated:
    kind = (match.lastgroup or "")[-1]
    span = match.span()
    if kind == "8":
        century = int(match["c8"])
        if not 10 <= century <= 21:
            raise ValueError
        return Dated(*span, date(100 * century - 99, 1, 1), date(100 * century, 12, 31), "century")
    year = int(match["y" + kind] + ("0" if kind == "7" else ""))
    if kind in "124":
        named = match["m" + kind]
        month = int(named) if named.isdigit() else month_number(named)
        day = date(year, month, int(match["d" + kind]))
        return Dated(*span, day, day, "day")
    if kind == "3":
        month = month_number(match["m3"])
        return Dated(*span, date(year, month, 1), _month_end(year, month), "month")
    if kind == "5":
        first, last = {**_SEASONS, **_PARTS}[match["s5"].lower()]
        return Dated(*span, date(year, first, 1), _month_end(year, last), "season")
    if kind == "6":
        end = int(match["e6"]) if len(match["e6"]) == 4 else year // 100 * 100 + int(match["e6"])
        if end < year:
            raise ValueError
        return Dated(*span, date(year, 1, 1), date(end, 12, 31), "years")
    if kind == "7":
        return Dated(*span, date(year, 1, 1), date(year + 9, 12, 31), "decade")
    return Dated(*span, date(year, 1, 1), date(year, 12, 31), "year")


def _month_end(year: int, month: int) -> date:
    return date.fromordinal(date(year + month // 12, month % 12 + 1, 1).toordinal() - 1)
