"""How values are written: several styles of dates, money, quantities and numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from benchwright.benchmarks.text.dates import MONTHS, SHORT_MONTHS
from benchwright.benchmarks.text.numbers import SMALL
from benchwright.builders.aurp.draws import Draw
from benchwright.builders.aurp.schema import Kind

WORDED = SMALL[:13]
"""Counts that are written in words: zero to twelve."""
UNITS = {"m": "metres", "m2": "square metres", "m3": "cubic metres", "t": "tonnes", "days": "days", "years": "years"}
SYMBOLS = {"m": "m", "m2": "m²", "m3": "m³", "t": "t", "days": "days", "years": "years"}


def ordinal(day: int) -> str:
    """1st, 2nd, 3rd, 4th …"""
    ending = "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


DATES: tuple[Callable[[date], str], ...] = (
    lambda d: f"{d.day} {MONTHS[d.month - 1]} {d.year}",
    lambda d: f"{MONTHS[d.month - 1]} {d.day}, {d.year}",
    lambda d: f"{MONTHS[d.month - 1]} {ordinal(d.day)}, {d.year}",
    lambda d: f"{d.day} {SHORT_MONTHS[d.month - 1]} {d.year}",
    lambda d: f"{ordinal(d.day)} {MONTHS[d.month - 1]} {d.year}",
    lambda d: d.isoformat(),
)
"""The last one suits tables and lists better than sentences."""

ROUND_MONEY: tuple[Callable[[int], str], ...] = (
    lambda n: f"${n / 1e6:.9g} million",
    lambda n: f"US${n / 1e6:.9g} million",
    lambda n: f"USD {n / 1e6:.9g} million",
    lambda n: f"{n / 1e6:.9g} million US dollars",
)
PLAIN_MONEY: tuple[Callable[[int], str], ...] = (
    lambda n: f"${n:,}",
    lambda n: f"USD {n:,}",
    lambda n: f"US${n:,}",
    lambda n: f"{n:,} US dollars",
)


def written_forms(kind: Kind, value: str | int, unit: str | None = None) -> list[str]:
    """Every style in which a value may be written."""
    if kind == "date":
        day = date.fromisoformat(str(value))
        return [write(day) for write in DATES]
    if kind == "money":
        amount = int(value)
        return [write(amount) for write in (ROUND_MONEY if amount >= 1_000_000 else ()) + PLAIN_MONEY]
    if kind == "quantity" and unit:
        return [f"{value:,} {SYMBOLS[unit]}", f"{value:,} {UNITS[unit]}", f"{value}-{UNITS[unit][:-1]}"]
    if kind == "count":
        number = int(value)
        return [f"{number:,}", *([WORDED[number]] if number < len(WORDED) else [])]
    return [str(value)]


def lowered(text: str) -> str:
    """Lower case but for words such as BIM or MEng that are not written so."""
    return " ".join(word.lower() if word[1:].islower() else word for word in text.split(" "))


@dataclass(frozen=True, slots=True)
class Styles:
    """The habits of one document's writer."""

    date: int
    money: int
    symbols: bool

    @classmethod
    def drawn(cls, draw: Draw) -> "Styles":
        """Habits for a document."""
        return cls(draw.below(len(DATES) - 1), draw.below(4), draw.chance(0.4))

    def write(self, draw: Draw, kind: Kind, value: str | int, unit: str | None, manner: str) -> str:
        """A value as this writer puts it; `manner` is how the phrase asks for it: "", "low", "adj", "iso", "cap"."""
        if kind == "date":
            style = -1 if manner == "iso" else draw.below(len(DATES) - 1) if draw.chance(0.15) else self.date
            return DATES[style](date.fromisoformat(str(value)))
        if kind == "money":
            amount = int(value)
            style = draw.below(4) if draw.chance(0.15) else self.money
            return (PLAIN_MONEY if amount < 1_000_000 or draw.chance(0.25) else ROUND_MONEY)[style](amount)
        if kind == "quantity" and unit:
            if manner == "adj":
                return f"{value}-{UNITS[unit][:-1]}"
            return f"{value:,} {(SYMBOLS if self.symbols else UNITS)[unit]}"
        if kind == "count":
            number = int(value)
            return WORDED[number] if number < len(WORDED) and manner != "iso" else f"{number:,}"
        text = str(value)
        if manner == "low":
            return lowered(text)
        return text[:1].upper() + text[1:] if manner == "cap" else text
