"""What a text says that its plan does not allow: other names, figures and facts, known gaps, words to the reader."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from benchwright.benchmarks.types import Document
from benchwright.builders.aurp.cells import slot_of
from benchwright.builders.aurp.document_plan import Gap
from benchwright.builders.aurp.document_text import StatedCell
from benchwright.builders.aurp.find_facts import FactFinder, Range
from benchwright.builders.aurp.find_strangers import (
    hints,
    instructions,
    markup,
    odd_sign,
    other_language,
    relative_times,
    spelt_out,
    strange_figures,
    strange_names,
    withheld,
)
from benchwright.builders.aurp.find_talk import absences, records
from benchwright.builders.aurp.find_topics import other_topics
from benchwright.builders.aurp.prove_documents import CONTRADICTION, GAP, Checker, WronglyStated
from benchwright.builders.aurp.read_pages import Page
from benchwright.builders.aurp.read_statements import explained, own_words
from benchwright.builders.aurp.read_values import canonical, find, find_text
from benchwright.builders.aurp.styles import UNITS, WORDED
from benchwright.builders.sql.wording.english import inflector

NAME, FIGURE, TIME = "other name", "other figure", "relative time"
HINT, ADDED, ASIDE = "known gap hinted at", "other fact", "markup, another language or words to the reader"

Problem = tuple[str, str]
"""The sort of a problem, and what the model is told of it."""

_FIGURE = re.compile(r"\d+(?:[.,:/-]\d+)*")
_NUMBER_OF_HEADING = re.compile(r"^\W{0,4}\d{1,2}(?:[.)]|(?= [A-Z]))", re.MULTILINE)


def forbidden(finder: FactFinder, checker: Checker) -> Iterator[Problem]:
    """What is wrong with a text. Names and figures that belong to no fact are wrong whatever they are."""
    text, names = finder.text, finder.names
    values = [hit for hits in finder.hits.values() for hit in hits]
    seen: set[Problem] = set()
    gaps, rows = list[Range](), list[Range]()
    for gap in finder.plan.gaps:
        places = [place for place in _gap_places(gap, text) if not _overlaps(place, [*names, *values])]
        if gap.column.kind in ("text", "reference"):
            places += spelt_out(str(gap.value), text, [*names, *values])
        if places:
            gaps += places
            said = text[slice(*max(places, key=lambda place: place[1] - place[0]))]
            seen.add((GAP, f"it must not state the {gap.label} of {gap.subject}, not even in passing: {said!r}"))
    for place in checker.rows.terms(text):
        name = text[place.start : place.end]
        if place.entities and not _overlaps((place.start, place.end), [*names, *gaps]):
            rows.append((place.start, place.end))
            seen.add((NAME, f"it names {name}, which is in no fact of the order: leave the name out"))
    others = [*names, *values, *gaps, *rows, *_other_figures(finder)]
    for match in _FIGURE.finditer(text):
        if not _overlaps(match.span(), others):
            seen.add((FIGURE, f"it holds a figure that no fact of the order gives: {match[0]!r}, leave it out"))
    figures = [match.span() for match in _FIGURE.finditer(text)]
    seen.update(_strangers(finder, [*others, *figures]))
    added = [place for place in _other_facts(finder, checker) if not _overlaps(place, others)]
    for start, end in added:
        seen.add((ADDED, f"it states something that is no fact of the order: {text[start:end]!r}, leave it out"))
    seen.update(_other_topics(finder, [*gaps, *rows, *added]))
    seen.update(_talk(finder, [*gaps, *rows, *added]))
    for gap, sentence in hints(text, finder.plan):
        told = f"it must not hint at the {gap.label} of {gap.subject}, nor say that it is left out: {sentence!r}"
        seen.add((HINT, told))
    yield from sorted(seen)


def _strangers(finder: FactFinder, others: Sequence[Range]) -> Iterator[Problem]:
    """Words that belong to no fact: names, figures in words, times that follow from another one, and asides."""
    text, plan = finder.text, finder.plan
    known = {*plan.names, plan.document.title, *(str(one.fact.value) for one in plan.facts)}
    for start, end in strange_names(text, known, others):
        yield NAME, f"it names {text[start:end]!r}, which is in no fact of the order: leave the name out"
    for start, end in strange_figures(text, others):
        yield FIGURE, f"it gives a figure in words that no fact of the order gives: {text[start:end]!r}, leave it out"
    for start, end in relative_times(text, others):
        yield TIME, f"it tells a time that no fact of the order gives: {text[start:end]!r}, leave it out"
    if said := withheld(text, others):
        yield HINT, f"it says that something is left out, or hints at it: {said!r}, leave that out"
    if said := instructions(text, others):
        yield ASIDE, f"it speaks to whoever reads it: {said!r}, leave that out"
    if said := markup(text):
        yield ASIDE, f"it holds marks of another format: {said!r}, write plain text"
    if said := odd_sign(text, {*known, plan.document.body}):
        yield ASIDE, f"it has a sign that plain English does not need: {said!r}, leave it out"
    if said := other_language(text, others):
        yield ASIDE, f"this sentence is not in English: {said!r}"


def _other_facts(finder: FactFinder, checker: Checker) -> Iterator[Range]:
    """Where values of the world stand that the text states of whom or what it names."""
    page = Page(checker.rows, finder.plan.document.title, finder.text)
    for place in (*(place for place, _ in explained(page)), *own_words(page)):
        yield place.start, place.end


def _other_topics(finder: FactFinder, told: Sequence[Range]) -> Iterator[Problem]:
    """What the text speaks of and the order does not hold, but for sentences of which the model is told anyway."""
    for column, place in other_topics(finder):
        said, called = finder.text[slice(*place)], slot_of(column).replace("_", " ")
        if not _overlaps(finder.sentence(place[0]), told):
            yield ADDED, f"it speaks of the {called}, which the order does not hold: {said!r}, leave that out"


def _talk(finder: FactFinder, told: Sequence[Range]) -> Iterator[Problem]:
    """What talk around the facts tells of things, but for sentences of which the model is told anyway."""
    for start, end in records(finder):
        if not _overlaps(finder.sentence(start), told):
            yield ADDED, f"it tells something that no fact of the order tells: {finder.text[start:end]!r}, leave it out"
    for start, end in absences(finder):
        said = finder.text[start:end]
        yield CONTRADICTION, f"it says that there is nothing of what the order asks for: {said!r}, leave that out"


def wrongly_stated(checker: Checker, document: Document, stated: Sequence[StatedCell]) -> Iterator[Problem]:
    """The known gap that a document gives away, or the fact that it contradicts: as every release is proved."""
    try:
        checker.see(document, stated)
    except WronglyStated as wrong:
        yield (
            wrong.sort,
            f"this sentence says something that must not be said, put it in another way: {wrong.sentence!r}",
        )


def _gap_places(gap: Gap, text: str) -> Iterator[Range]:
    """Where the value of a gap stands, in any form: also a number in words, and a city without its country."""
    kind, unit = gap.column.kind, gap.column.unit
    if kind in ("text", "reference"):
        yield from (found[:2] for found in find_text(str(gap.value), text))
        city, comma, country = str(gap.value).partition(", ")
        if comma:
            alone = rf"\b{re.escape(city)}\b(?!, {re.escape(country)})"
            yield from (match.span() for match in re.finditer(alone, text))
        return
    yield from (found[:2] for found in find(kind, text, unit) if found[2] == canonical(kind, gap.value))
    if kind != "date":
        for words in _in_words(kind, int(gap.value), unit):
            yield from (found[:2] for found in find_text(words, text))


@cache
def _in_words(kind: str, number: int, unit: str | None) -> tuple[str, ...]:
    """A number as people spell it; small ones, which are everyday words, only with their unit or as `find` has them."""

    def spell(value: str, **options: Any) -> str:
        return str(inflector().number_to_words(value, **options))

    whole = str(number)
    if kind == "money":
        return f"{spell(f'{number / 1e6:.9g}')} million", spell(whole)
    if kind == "year":
        return (spell(whole, group=2).replace(",", ""),)
    spelt = tuple(dict.fromkeys((spell(whole), spell(whole, andword=""))))
    units = (f" {UNITS[unit]}", f"-{UNITS[unit][:-1]}") if unit else ()
    alone = spelt if number >= len(WORDED) else ()
    return (*(words + name for words in spelt for name in units), *alone)


def _other_figures(finder: FactFinder) -> Iterator[Range]:
    """Where figures stand that are no facts and may stand there: the days of reports, and the numbers of headings."""
    days = {finder.plan.document.metadata["date"], finder.plan.later}
    yield from (found[:2] for found in find("date", finder.text) if found[2] in days)
    yield from (match.span() for match in _NUMBER_OF_HEADING.finditer(finder.text))


def _overlaps(place: Range, others: Sequence[Range]) -> bool:
    return any(low < place[1] and place[0] < high for low, high in others)
