"""A fact swapped for another of its kind: date for date, number for a number near it, person for person.

What is put in its place is never stated by the passage, so that an answer with it is not grounded, by construction.
"""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.text.dates import MONTHS
from benchwright.benchmarks.text.numbers import SMALL
from benchwright.builders.wiki.questions.dates import Dated, find_dates
from benchwright.builders.wikieval.questions import Fact

Pool = Mapping[str, Sequence[str]]
"""The question with `{s}` for its subject → the answers that other pages have to it."""

_MOST_YEARS = 7
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_WORD = re.compile(r"[^\W\d_]{4,}")


@functools.cache
def _pools() -> tuple[tuple[Sequence[str], str, tuple[str, ...]], ...]:
    """Kinds, pattern of the question and values of each pool."""
    return tuple(
        (one["kinds"], one["asked"], tuple(value.strip() for value in re.split(r"[;\n]", one["values"].strip())))
        for one in read_toml(__package__, "swaps.toml")["pool"]
    )


def swap(facts: Sequence[Fact], text: str, seed: int, others: Pool | None = None) -> tuple[str, ...] | None:
    """Other values for the facts of an answer, in their order; None where one of them has no other of its kind.

    The dates of an answer are moved by the same number of years, so that nobody dies before being born.

    Args:
        facts: what an answer states.
        text: the passage; no value that it states is taken.
        seed: decides among the values.
        others: the answers of other pages to the same question, which are taken before the built-in ones.
    """
    held = plain(text)
    latest = max((one.last.year for one in find_dates(text)), default=date.max.year)
    for years in sorted(_moves(), key=lambda move: rank(seed, "years", *(one.question for one in facts), move)):
        found: list[str] = []
        for fact in facts:
            ways = _dates(fact, years, text, latest, seed) if fact.kind == "date" else _others(fact, seed, others or {})
            value = next((way for way in ways if way not in found and _is_other(way, fact, held)), None)
            if value is None:
                break
            found.append(value)
        if len(found) == len(facts):
            return tuple(found)
    return None


def _moves() -> Iterator[int]:
    for years in range(1, _MOST_YEARS + 1):
        yield years
        yield -years


def _is_other(value: str, fact: Fact, held: str) -> bool:
    """Whether a value is another than that of a fact, and the passage, plain, states it nowhere, nor its main part."""
    if fact.kind in ("date", "number"):
        return not states([held], [value])
    if states([held], [bare := re.sub(r"^(?:the|an?) ", "", value), bare.partition(",")[0]]):
        return False
    if fact.kind in ("organisation", "name"):
        return plain(value).removeprefix("the ") != plain(fact.value).removeprefix("the ")
    return not {word.lower() for word in _WORD.findall(value)} & {word.lower() for word in _WORD.findall(fact.value)}


def _dates(fact: Fact, years: int, text: str, latest: int, seed: int) -> Iterator[str]:
    """A date moved by so many years, written as it was; none that is later than all the passage's years."""
    read = find_dates(fact.value)
    stated = find_dates(text)
    if len(read) == 1 and str(read[0].first.year) in fact.question:
        # The name of an event tells its year: only the day is moved, within that year.
        years, stated = 0, [one for one in stated if one.precision != "year"]
    if len(read) != 1 or read[0].first.year + years > latest:
        return
    for days in sorted(range(31, 300, 3), key=lambda move: rank(seed, "days", fact.question, move)):
        moved = _write(fact.value, read[0], years, days)
        if moved is None:
            continue
        told = find_dates(moved)
        if len(told) == 1 and not any(_overlap(told[0], one) for one in stated):
            yield moved


def _overlap(one: Dated, other: Dated) -> bool:
    return one.first <= other.last and other.first <= one.last and other.precision not in ("decade", "century", "years")


def _write(value: str, read: Dated, years: int, days: int) -> str | None:
    """A date in the form of another: its year, month and day replaced; None where its form is not known."""
    year = read.first.year + years
    if read.precision == "year":
        return value.replace(str(read.first.year), str(year), 1)
    # In a year without a leap day: every year has the day that comes out.
    day = date(2001, read.first.month, min(read.first.day, 28)) + timedelta(days=days)
    month = next((name for name in MONTHS if name in value), "")
    if read.precision not in ("month", "day") or not month or (read.precision == "day" and read.first != read.last):
        return None
    moved = value.replace(month, MONTHS[day.month - 1], 1).replace(str(read.first.year), str(year), 1)
    if read.precision == "day":
        moved = re.sub(rf"(?<!\d)0?{read.first.day}(?!\d)", str(day.day), moved, count=1)
    return moved


def _others(fact: Fact, seed: int, others: Pool) -> Iterator[str]:
    """Other values of a fact that is no date, in seeded order; those of other pages first."""
    if fact.kind == "number":
        yield from _numbers(fact)
        return
    listed = next(
        (values for kinds, asked, values in _pools() if fact.kind in kinds and re.search(asked, fact.question)), ()
    )
    for values in (others.get(fact.asked, ()), listed):
        for value in sorted(set(values), key=lambda one: rank(seed, "swap", fact.question, one)):
            is_long = fact.kind == "place" and "," not in fact.value
            yield value.partition(",")[0] if is_long else value


def _numbers(fact: Fact) -> Iterator[str]:
    """Numbers near another, written as it is."""
    small = fact.value.lower()
    if small in SMALL[2:]:
        place = SMALL.index(small)
        yield from (SMALL[near] for near in (place + 2, place + 3, place - 1, place + 4) if 1 < near < len(SMALL))
        return
    match = _NUMBER.search(fact.value)
    if match is None:
        return
    digits = match.group()
    decimals = len(digits.partition(".")[2])
    number = float(digits.replace(",", ""))
    for factor in (1.4, 0.7, 1.25, 0.8, 1.6):
        near = number * factor
        step = 10 ** (len(str(int(near))) - 2) if near >= 1000 and number % 10 == 0 else 1
        written = f"{near:,.{decimals}f}" if decimals else f"{max(1, round(near / step) * step):,d}"
        yield fact.value.replace(digits, written if "," in digits else written.replace(",", ""), 1)
