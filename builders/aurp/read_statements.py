"""Reads what documents say of rows: which values they state, of whom, and of which column a sentence speaks.

A place is *explained* where a row that the document names holds its value in a column that the sentence speaks of.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from benchwright.builders.aurp.asserted import taken_back, unasserted
from benchwright.builders.aurp.documents import Cell
from benchwright.builders.aurp.read_pages import DATE, FORMER, REVISED, Entity, Held, Page, Place, Range

_POINTS = re.compile(r"\bthis (?:package|office|department|client|supplier|employee|contact)\b", re.IGNORECASE)
"""It speaks of a thing that a heading or a sentence before has named, and not the title."""


@dataclass(frozen=True)
class Said:
    """Something that a document says and must not say."""

    cell: Cell
    place: Range
    sentence: str
    former: tuple[Cell, ...] = ()
    """The cells that held this before, as the document says: it may say so where another document revises one."""


def contradictions(page: Page) -> Iterator[Said]:
    """The values that a document gives to a cell that holds another, but for those that it calls former ones."""
    return (said for said in denials(page) if not said.former)


def denials(page: Page) -> Iterator[Said]:
    """The same with those that it calls former ones."""
    for window in page.sentences:
        inside = page.within(window)
        true = [(place, held) for place in inside for held in _explaining(page, place, window)]
        explained = {place.start for place, _ in true}
        for place in inside:
            if not place.readings or place.start in explained or _is_noted(page, place):
                continue
            if any(held.entity in place.entities for one, held in true if one is not place):
                continue  # it is whom or what the sentence says something true of
            former = tuple(held.cell for held in _replaced(page, place, window))
            for entity in _about(page, place, window):
                hit = next((held for held in page.rows.of[entity] if _denied(page, held, place, window)), None)
                if hit:
                    yield Said(hit.cell, (place.start, place.end), page.text[slice(*window)].strip(), former)
                    break


def given_away(page: Page, gaps: Mapping[Entity, Collection[Cell]]) -> Iterator[Said]:
    """The known gaps of which a document states the value, where no other cell explains it."""
    for window in page.sentences:
        for place in page.within(window):
            about: Collection[Entity] | None = None
            for reading in place.readings:
                for held in page.rows.by_value.get(reading, ()):
                    if held.cell not in gaps.get(held.entity, ()):
                        continue
                    about = _about(page, place, window) if about is None else about
                    if held.entity not in about or not page.speaks(held.column, window):
                        continue
                    others = (*_explaining(page, place, window), *_replaced(page, place, window))
                    # A sentence that names nobody else is about whom the title names, unless it points elsewhere.
                    if held.entity in page.titled and not _POINTS.search(page.text[slice(*window)]):
                        named = {entity for one in page.within(window) if one is not place for entity in one.entities}
                        named |= page.titled  # "this package" is a part of it, in a table of its own
                        table = held.entity[0]
                        others = tuple(each for each in others if each.entity[0] != table or each.entity in named)
                    if all(other.cell in gaps.get(other.entity, ()) for other in others):
                        yield Said(held.cell, (place.start, place.end), page.text[slice(*window)].strip())


def states(page: Page, cell: Cell, start: int, end: int) -> bool:
    """Whether a stretch of a document is a value that it states of a cell, plainly, and that holds now."""
    window = page.sentence(start)
    if unasserted(page.text, window, (start, end)) is not None or taken_back(page.text) is not None:
        return False
    return any(
        held.cell == cell
        for place in page.within((start, end))
        if (place.start, place.end) == (start, end)
        for held in _explaining(page, place, window)
    )


def explained(page: Page) -> Iterator[tuple[Place, Held]]:
    """Every place that seems to state a cell, with the cell."""
    for window in page.sentences:
        for place in page.within(window):
            yield from ((place, held) for held in _explaining(page, place, window))


def own_words(page: Page) -> Iterator[Place]:
    """Every text that some cell holds of whom or what its paragraph names, whatever the sentence speaks of."""
    for window in page.sentences:
        near = page.near(window)
        for place in page.within(window):
            texts = (reading for reading in place.readings if reading[0][0] == "text")
            if any(held.entity in near for reading in texts for held in page.rows.by_value.get(reading, ())):
                yield place


def stated_cells(page: Page) -> Iterator[tuple[Cell, bool]]:
    """The cells that a document seems to state, and whether it does so plainly: of nothing else and of nobody else."""
    for window in page.sentences:
        inside = page.within(window)
        for place in inside:
            found = list(_explaining(page, place, window))
            if not found:
                continue
            others = {entity for one in inside if one is not place for entity in one.entities}
            is_only = len(found) == 1 and not any(_replaced(page, place, window))
            for held in found:
                is_named = held.entity in others or (not others and held.entity in page.titled)
                yield held.cell, is_only and is_named


def _about(page: Page, place: Place, window: Range) -> Collection[Entity]:
    """Whom or what a sentence with a value may be about: named in it or in the title, else named last.

    A sentence that names nobody but whom the document is about says nothing of who was named before.
    """
    named = dict.fromkeys(entity for one in page.within(window) if one is not place for entity in one.entities)
    others = {**named, **dict.fromkeys(sorted(page.titled, key=str))}
    if not named and page.titled.isdisjoint(place.entities):
        others |= dict.fromkeys(page.last_named(window[0]))
    return [entity for entity in others if entity not in place.entities]


def _explaining(page: Page, place: Place, window: Range) -> Iterator[Held]:
    """The cells that hold the value of a place, of rows that the document names, where the sentence speaks of them."""
    near = page.near(window)
    for reading in place.readings:
        for held in page.rows.by_value.get(reading, ()):
            close = page.named if held.is_given else near
            if held.entity in close and (page.speaks(held.column, window) or page.is_placed(held, place)):
                yield held


def _replaced(page: Page, place: Place, window: Range) -> Iterator[Held]:
    """The cells that held the value of a place before, as the document says: in a note, or beside what holds now."""
    sorts = {sort for sort, _ in place.readings}
    former = FORMER.search(page.text, *window)
    for entity in page.named:
        for held in page.rows.of[entity]:
            if held.column not in REVISED or page.rows.sources[entity[0]] != "project" or held.sort not in sorts:
                continue
            now = (held.sort, held.value)
            if held.column in page.superseded or (
                former and any(now in one.readings for one in page.places if one is not place)
            ):
                yield held


def _is_noted(page: Page, place: Place) -> bool:
    """Whether it is the day of the document that supersedes this one."""
    dated = any(sort == DATE for sort, _ in place.readings)
    return dated and any(low <= place.start < high for low, high in page.notes)


def _denied(page: Page, held: Held, place: Place, window: Range) -> bool:
    return any(sort == held.sort and value != held.value for sort, value in place.readings) and page.speaks(
        held.column, window, place
    )
