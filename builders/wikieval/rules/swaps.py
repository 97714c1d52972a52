"""A fact swapped for another of its kind: date for date, number for a number near it, person for person.

What is put in its place is never stated by the passage, so that an answer with it is not grounded, by construction.
"""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeVar

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.text.dates import MONTHS
from benchwright.benchmarks.text.numbers import SMALL
from benchwright.builders.wiki.questions.dates import Dated, find_dates
from benchwright.builders.wiki.questions.vocabulary import words
from benchwright.builders.wikieval.rules.facts import Fact

Pool = Mapping[str, Sequence[str]]
"""The question with `{s}` for its subject → the answers that other pages have to it."""

_MOST_YEARS = 7
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_WORD = re.compile(r"[^\W\d_]{4,}")


_Number = TypeVar("_Number", int, float)


@dataclass(frozen=True, slots=True)
class _Listed:
    """A pool of `swaps.toml`."""

    pool: str
    kinds: frozenset[str]
    asked: str
    values: tuple[str, ...]


@functools.cache
def _pools() -> tuple[_Listed, ...]:
    return tuple(
        _Listed(
            one.get("pool", ""),
            frozenset(one["kinds"]),
            one.get("asked", "."),
            tuple(value.strip() for value in re.split(r"[;\n]", one["values"].strip()) if value.strip()),
        )
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
            if fact.pool == "span":
                ways = _spans(fact, years, latest)
            elif fact.kind == "date":
                ways = _dates(fact, years, text, latest, seed)
            else:
                ways = _others(fact, seed, others or {})
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
    if any(states([held], [part]) for part in _parts(value)):
        return False
    if states([held], [bare := re.sub(r"^(?:the|an?) ", "", value), bare.partition(",")[0]]):
        return False
    if fact.kind in ("organisation", "name") or fact.pool == "way":
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


def _spans(fact: Fact, years: int, latest: int) -> Iterator[str]:
    """A time from one date to another, moved by so many years."""
    moved = re.sub(r"\b[12]\d{3}\b", lambda year: str(int(year[0]) + years), fact.value)
    if max(int(year) for year in re.findall(r"\b[12]\d{3}\b", moved)) <= latest:
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
    """Other values of a fact that is no date, in seeded order; those of other pages first.

    They are written so that they can stand where its own value stands, after the article that is before that.
    """
    if fact.kind == "number":
        yield from _numbers(fact, seed)
        return
    said = fact.follows or fact.statement
    if fact.kind == "place" and re.search(rf"\b(?:on|near|outside|off) (?:the )?{re.escape(fact.value)}", said):
        return
    parts = _parts(fact.value) if fact.kind in ("person", "place") else [fact.value]
    has_article = has_the(fact)
    article = re.search(rf"\b(an?) {re.escape(fact.value)}(?!\w)", said)
    for values in (() if fact.pool in _BUILT_IN else others.get(fact.asked, ()), *_listed(fact, has_article)):
        ranked = sorted(set(values), key=lambda one: rank(seed, "swap", fact.question, one))
        single = [re.sub(r",.*", "", one) for one in ranked if len(_parts(one)) == 1]
        for place, value in enumerate(ranked):
            if len(parts) > 1 and len(_parts(value)) == 1:
                some = [*single[place % len(single) :], *single[: place % len(single)]][: len(parts)]
                value = _like(fact.value, parts, some) if len(some) == len(parts) else ""
            elif len(parts) != (len(_parts(value)) if fact.kind in ("person", "place") else 1):
                continue
            elif fact.kind == "place" and "," not in fact.value and fact.pool != "way":
                value = value.partition(",")[0]
            if (article and article[1] != ("an" if value[:1] in "aeiou" else "a")) or not _has_same_ending(fact, value):
                continue
            if value.startswith("the ") and has_article:
                yield value.removeprefix("the ")
            elif value and not has_article:
                yield value[:1].upper() + value[1:] if said.startswith(fact.value) else value


_BUILT_IN = ("profession", "ordinal", "ordinal in figures")
"""Pools whose values are not taken of other pages: "actress" is said of women alone."""


def _has_same_ending(fact: Fact, value: str) -> bool:
    """Whether a family of plants is swapped for one of plants, and of animals for one of animals."""
    ending = re.search(r"(?:aceae|idae)$", fact.value) if fact.kind == "name" else None
    return ending is None or value.endswith(ending[0])


def has_the(fact: Fact) -> bool:
    """Whether an answer has "the" before its value."""
    return re.search(rf"\b[Tt]he {re.escape(fact.value)}(?!\w)", fact.follows or fact.statement) is not None


def _listed(fact: Fact, has_article: bool) -> Iterator[Sequence[str]]:
    """The built-in values that a fact may be swapped for."""
    pool = fact.pool
    if has_article and pool == "country":
        pool = "the place"
    if fact.kind == "place" and not pool:
        if re.search(rf"\bat (?:the )?{re.escape(fact.value)}", fact.follows or fact.statement):
            pool = "venue"
        elif has_article:
            pool = "the place"
        elif fact.value.lower().split(" and ")[0].split(",")[0] in _countries():
            pool = "country"
    for one in _pools():
        if one.pool == pool and fact.kind in one.kinds and re.search(one.asked, fact.question):
            yield one.values
            return


def _parts(value: str) -> list[str]:
    """The names of which a value is a list: "Ada Moor and Ben Tal"; a place with its country is one."""
    if " and " not in value and " to " not in value:
        return [value]
    return [part for part in re.split(r", and |, | and | to ", re.sub(r"^(?:from|between) ", "", value)) if part]


def _like(value: str, parts: Sequence[str], others: Sequence[str]) -> str:
    """A list with other names in it."""
    marks = {f"\0{number}\0": other for number, other in enumerate(others)}
    for mark, part in zip(marks, parts, strict=True):
        value = value.replace(part, mark, 1)
    for mark, other in marks.items():
        value = value.replace(mark, other)
    return value


@functools.cache
def _countries() -> frozenset[str]:
    return frozenset(line.split()[0] for line in words()["nations"]["words"].strip().split("\n") if line)


def _numbers(fact: Fact, seed: int) -> Iterator[str]:
    """Numbers near another, written as it is; a share stays below all of them."""
    small = fact.value.lower()
    if small in SMALL[2:]:
        place = SMALL.index(small)
        yield from (
            SMALL[near] if small == fact.value else SMALL[near].capitalize()
            for near in _ranked((place + 2, place + 3, place - 1, place + 1), fact, seed)
            if 1 < near < len(SMALL)
        )
        return
    match = _NUMBER.search(fact.value)
    if match is None:
        return
    digits = match.group()
    decimals = len(digits.partition(".")[2])
    number = float(digits.replace(",", ""))
    is_share = "%" in fact.value or "per cent" in fact.value or "percent" in fact.value
    for factor in _ranked((1.4, 0.7, 1.25, 0.8, 1.55, 0.65), fact, seed):
        near = number * factor
        if number <= _FEW and not decimals:
            near = number + (2 if factor > 1 else -1)
        if near < _LEAST or (is_share and near >= _WHOLE):
            continue
        step = 10 ** (len(str(int(near))) - 2) if near >= 1000 and number % 10 == 0 else 1
        written = f"{near:,.{decimals}f}" if decimals else f"{round(near / step) * step:,d}"
        is_grouped = "," in digits or (number < 1000 <= near)
        yield fact.value.replace(digits, written if is_grouped else written.replace(",", ""), 1)


_FEW, _LEAST, _WHOLE = 6, 2, 100


def _ranked(values: Sequence[_Number], fact: Fact, seed: int) -> list[_Number]:
    return sorted(values, key=lambda one: rank(seed, "near", fact.question, one))
