"""A gold answer, read once: its elements, their wordings, and what only some answers need of them."""

import functools
from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.benchmarks.lazy import CachedProperty
from benchwright.benchmarks.metrics.answers.values import (
    Form,
    Index,
    Item,
    Values,
    Words,
    index_forms,
    kind_of,
    prepare_values,
    swapped,
    word_lists,
)
from benchwright.benchmarks.text.dates import Date, Day
from benchwright.benchmarks.text.folding import value_words
from benchwright.benchmarks.text.numbers import Number


@dataclass(frozen=True, slots=True)
class Element:
    """One required element of a gold answer."""

    key: str
    item: Item
    wordings: tuple[Words, ...]
    """Of a text: its words, and the looser wordings in which only some of them stand."""
    dates: tuple[Day, ...]
    numbers: tuple[Number, ...]
    country: str | None


@dataclass(frozen=True, eq=False)
class Gold:
    """A gold answer, read. What only some answers need is made when it is first looked at."""

    elements: tuple[Element, ...]
    keys: frozenset[str]
    items: frozenset[Item]
    """Its elements with their other accepted forms."""

    @CachedProperty
    def values(self) -> Values:
        """The index of its wordings alone."""
        return prepare_values(self.items)

    @CachedProperty
    def words(self) -> frozenset[str]:
        """All words of all its wordings."""
        wordings = (wording for value, others in self.items for wording in (value, *others))
        return frozenset(word for wording in wordings for word in value_words(wording))

    @CachedProperty
    def countries(self) -> bool:
        """Some element is a country."""
        return any(element.country for element in self.elements)

    @CachedProperty
    def beginnings(self) -> tuple[str, ...]:
        """Three letters of each word of its texts: without any in an answer, no wording is near."""
        joining = word_lists("names")["joining"]
        worded = [word for element in self.elements for wording in element.wordings for word in wording]
        return tuple(dict.fromkeys(word[:3] for word in worded if word not in joining))

    @CachedProperty
    def near(self) -> Index:
        """Looser wordings, for answers in which nothing else is found."""
        ordinary = word_lists("names")["ordinary"]
        return index_forms(
            Form(words, frozenset({element.key}))
            for element in self.elements
            for words in element.wordings[1:]
            if len(words) > 1 or not ordinary.issuperset(words)
        )


def _loose(value: str) -> Iterator[Words]:
    words = value_words(value)
    yield words
    yield from swapped(words, "near")
    yield from swapped(words, "abbreviations")


def _element(value: str, aliases: tuple[str, ...]) -> Element:
    key, read = kind_of(value)
    reads = [read, *(kind_of(alias)[1] for alias in aliases)]
    wordings = tuple(dict.fromkeys(_loose(value))) if read is None else ()
    return Element(
        key=key,
        item=(value, aliases),
        wordings=wordings,
        dates=tuple(each.readings[0] for each in reads if isinstance(each, Date)),
        numbers=tuple(each for each in reads if isinstance(each, Number)),
        country=read if isinstance(read, str) else None,
    )


@functools.lru_cache(maxsize=200_000)
def read_gold(answers: tuple[str, ...], aliases: tuple[tuple[str, ...], ...] = ()) -> Gold:
    """A gold answer, read once: `aliases` is parallel to `answers` or empty."""
    padded = (*aliases, *((),) * (len(answers) - len(aliases)))
    elements = tuple(_element(value, tuple(others)) for value, others in zip(answers, padded, strict=False))
    return Gold(
        elements=elements,
        keys=frozenset(element.key for element in elements),
        items=frozenset(element.item for element in elements),
    )
