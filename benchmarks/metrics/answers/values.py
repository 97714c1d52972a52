"""A value's kind and wordings, and the index of a template's values that answers are searched with."""

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.text import countries
from benchwright.benchmarks.text.dates import Date, Day, parse_date
from benchwright.benchmarks.text.folding import clean, value_words
from benchwright.benchmarks.text.numbers import NUMBER_WORDS, Number, parse_number

Words = tuple[str, ...]
Item = tuple[str, tuple[str, ...]]
"""A value and its other accepted forms."""

_MOST_DERIVED = 6
"""Forms of a value from which further wordings are derived: lists of thirty redirects hold theirs already."""
_BEFORE_FIGURE = re.compile(
    r"^(?:on|in|since|by|from|around|about|approximately|approx\.|roughly|circa|c\.|ca\.|nearly|almost|over|~)"
    r"\s*(?=(?:the\s+)?[$€£¥\d]|[A-Z][a-z]+\s+\d)"
)
_FIGURE = re.compile(rf"\d|\b(?:{'|'.join(sorted(NUMBER_WORDS))}|hundred|thousand|[mb]illion|an?)\b", re.IGNORECASE)
"""Without one of these it is neither a date nor a number."""
_PARENTHESIS = re.compile(r"\s*\([^()]*\)\s*$")


@dataclass(frozen=True, slots=True)
class Form:
    """One wording of one or several values."""

    words: Words
    keys: frozenset[str]
    sort: str = "text"
    """text, or of a country: name, people, place."""
    capital: bool = False
    """Counts only with a capital letter, in an answer that has any."""
    exact: str = ""
    """Counts only where this stands letter for letter: "IT" is not "it"."""


Index = Mapping[str, tuple[tuple[int, Mapping[Words, Form]], ...]]
"""Forms by their first word, their length, the longest first, and their words."""


class Hit(NamedTuple):
    """Words `first` to before `last` are this form."""

    first: int
    last: int
    form: Form


@dataclass(frozen=True, slots=True)
class Values:
    """The values that an answer can be confused between: prepared once a template, for any number of answers."""

    items: frozenset[Item] = frozenset()
    index: Index = field(default_factory=dict)
    dates: Mapping[Day, str] = field(default_factory=dict)
    numbers: Mapping[float, str] = field(default_factory=dict)
    measures: Mapping[tuple[str, float], str] = field(default_factory=dict)
    """By dimension and value in its base: of values that are also written without their unit."""
    last_words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Which values end in a word: whether a surname alone tells them apart."""
    mostly_countries: bool = False

    def of_number(self, number: Number) -> str | None:
        """The value that a number may be, with its unit or without."""
        measured = self.measures.get((number.dimension, float(f"{number.value * number.factor:.9g}")))
        if measured is not None or any(dimension == number.dimension for dimension, _ in self.measures):
            return measured
        return self.numbers.get(number.value)


@functools.cache
def word_lists(table: str) -> dict[str, frozenset[str]]:
    """The lists of one table of words.toml."""
    return {name: frozenset(entries) for name, entries in read_toml(__package__, "words.toml")[table].items()}


@functools.cache
def _same(table: str) -> dict[Words, tuple[Words, ...]]:
    """What may stand for a stretch of words."""
    groups = [
        [tuple(wording.split()) for wording in group] for group in read_toml(__package__, "words.toml")["same"][table]
    ]
    found: dict[Words, tuple[Words, ...]] = {}
    for group in groups:
        for wording in group:
            found[wording] = (*found.get(wording, ()), *(other for other in group if other != wording))
    return found


@functools.lru_cache(maxsize=200_000)
def kind_of(value: str) -> tuple[str, Date | Number | str | None]:
    """The canonical key of a value, and what it was read as: a date, a number, a country's code or nothing.

    "About 370,000" is a number, "on 4 May 1990" and "6 April 1320 (1320-04-06)" are dates.
    """
    if _FIGURE.search(value) is not None:
        bare = _BEFORE_FIGURE.sub("", value)
        date = parse_date(bare) or (parse_date(_PARENTHESIS.sub("", bare)) if bare.endswith(")") else None)
        if date is not None:
            return "date:{:04}-{:02}-{:02}".format(*date.readings[0]), date
        number = parse_number(bare)
        if number is not None:
            return f"number:{number.value * number.factor:.12g} {number.dimension}", number
    country = countries.parse_country(value)
    if country is not None:
        return f"country:{country}", country
    return "text:" + " ".join(value_words(value)), None


def swapped(words: Words, table: str) -> Iterator[Words]:
    """Wordings with other words of the same meaning, by a table of words.toml: "HR" for "human resources"."""
    for first in range(len(words)):
        for last in range(first + 1, min(len(words), first + 5) + 1):
            for other in _same(table).get(words[first:last], ()):
                yield (*words[:first], *other, *words[last:])


def _stripped(words: Words, value: str) -> Iterator[tuple[Words, bool]]:
    """A value's words without legal suffix, titles, initials and sort; and whether a capital is then wanted."""
    names = word_lists("names")
    kept = list(words)
    while len(kept) > 1 and kept[-1] in names["legal"]:
        kept.pop()
        yield tuple(kept), True
    kept = list(words)
    while len(kept) > 1 and kept[0] in names["titles"]:
        kept.pop(0)
    while len(kept) > 2 and kept[-1] in names["name_endings"]:
        kept.pop()
    yield tuple(kept), False
    longer = [word for word in kept if len(word) > 1 or not word.isalpha()]
    if 2 <= len(longer) < len(kept):
        yield tuple(longer), False
    if len(words) > 1 and words[-1] in names["sorts"]:
        yield words[:-1], True
    if len(words) > 2 and words[0] in names["sorts"] and words[1] in ("of", "for"):
        yield words[2:], True
    without = _PARENTHESIS.sub("", value) if ")" in value else value
    if without != value and value_words(without):
        yield value_words(without), False


def _places(value: str) -> Iterator[tuple[Words, bool]]:
    """An address without the state or country, and with its state in the other spelling."""
    if "," not in value:
        return
    parts = [value_words(part) for part in clean(value).split(",")]
    if not 2 <= len(parts) <= 3 or not all(parts) or not all(countries.is_wider_place(part) for part in parts[1:]):
        return
    if parts[0] != parts[1] and countries.is_state(parts[0]) and countries.is_state(parts[1]):
        return  # a list of states
    yield parts[0], True
    yield parts[0] + parts[1], True
    codes = countries.states()
    by_name = {words: (code,) for code, words in codes.items()}
    for index, part in enumerate(parts[1:], start=1):
        other = codes.get(part[0]) if len(part) == 1 else None
        other = other or by_name.get(part)
        if other is not None:
            swapped = [*parts[:index], other, *parts[index + 1 :]]
            yield tuple(word for each in swapped for word in each), True
            yield parts[0] + other, True
        country = countries.parse_country(" ".join(part))
        for wording in countries.wordings().get(country or "", ()):
            if wording.sort == "name":
                yield (*(word for each in parts[:index] for word in each), *wording.words), True


def _derived(value: str, words: Words) -> Iterator[tuple[Words, bool]]:
    """Wordings that follow from a value, if no two values share one."""
    yield from _stripped(words, value)
    yield from _places(value)
    for other in swapped(words, "abbreviations"):
        yield other, len(other) == 1


def _own_forms(key: str, value: str, read: object) -> list[Form]:
    """What the value itself and, for a country, every name of it look like."""
    keys, words = frozenset({key}), value_words(value)
    if isinstance(read, str):
        named = [form for form in countries.wordings()[read] if form.sort != "place"]
        sort = next((form.sort for form in named if form.words == words), "name")
        forms = [Form(form.words, keys, form.sort, capital=True) for form in named if form.words]
        return [*forms, Form(words, keys, sort, capital=value[:1].isupper())]
    if not words:
        return []
    ordinary = len(words) == 1 and words[0] in word_lists("names")["ordinary"]
    return [Form(words, keys, exact=value.strip() if ordinary else "")]


def index_forms(forms: Iterable[Form]) -> Index:
    """An index; forms of the same words are one with the keys of all."""
    merged: dict[Words, Form] = {}
    for form in forms:
        before = merged.get(form.words)
        if before is None:
            merged[form.words] = form
        elif not form.keys <= before.keys:
            merged[form.words] = Form(form.words, before.keys | form.keys, before.sort, before.capital, before.exact)
    grouped: dict[str, dict[int, dict[Words, Form]]] = {}
    for words, form in merged.items():
        grouped.setdefault(words[0], {}).setdefault(len(words), {})[words] = form
    return {first: tuple(sorted(lengths.items(), reverse=True)) for first, lengths in grouped.items()}


def _unambiguous(derived: Mapping[Words, dict[str, bool]], taken: set[Words]) -> Iterator[Form]:
    for words, keys in derived.items():
        if words and words not in taken and len(keys) == 1:
            ordinary = len(words) == 1 and words[0] in word_lists("names")["ordinary"]
            exact = words[0].upper() if ordinary else ""
            yield Form(words, frozenset(keys), capital=any(keys.values()), exact=exact)


def prepare_values(items: Iterable[Item]) -> Values:
    """The index of values, each with its other accepted forms, which name the same thing.

    A wording that only follows from a value or its first forms (its name without "Ltd") is left out where two values
    would share it.
    """
    kept = frozenset((value, tuple(aliases)) for value, aliases in items)
    forms: list[Form] = []
    derived: dict[Words, dict[str, bool]] = {}
    dates: dict[Day, str] = {}
    numbers: dict[float, str] = {}
    measures: dict[tuple[str, float], str] = {}
    last_words: dict[str, frozenset[str]] = {}
    countries = 0
    for value, aliases in sorted(kept):
        key, read = kind_of(value)
        countries += isinstance(read, str)
        for place, wording in enumerate((value, *aliases)):
            as_read = read if wording == value else kind_of(wording)[1]
            if isinstance(as_read, Date):
                dates[as_read.readings[0]] = key
            elif isinstance(as_read, Number) and as_read.dimension and isinstance(read, Number) and not read.dimension:
                measures[as_read.dimension, float(f"{as_read.value * as_read.factor:.9g}")] = key
            elif isinstance(as_read, Number):
                numbers[as_read.value] = key
            else:
                forms.extend(_own_forms(key, wording, as_read))
                words = value_words(wording)
                if as_read is None and words:
                    last_words[words[-1]] = last_words.get(words[-1], frozenset()) | {key}
                    for other, capital in _derived(wording, words) if place < _MOST_DERIVED else ():
                        derived.setdefault(other, {})[key] = capital
    index = index_forms([*forms, *_unambiguous(derived, {form.words for form in forms})])
    return Values(kept, index, dates, numbers, measures, last_words, bool(kept) and 2 * countries > len(kept))


def _best(index: Index, words: Sequence[str], position: int) -> Form | None:
    for length, table in index.get(words[position], ()):
        form = table.get(tuple(words[position : position + length]))
        if form is not None:
            return form
    return None


def scan(words: Sequence[str], *indexes: Index) -> list[Hit]:
    """The forms among an answer's words, the longest first at each place; of two equally long, the later index's."""
    hits: list[Hit] = []
    free = 0
    for position, word in enumerate(words):
        if position < free:
            continue
        best: Form | None = None
        for index in indexes:
            if word in index:
                form = _best(index, words, position)
                if form is not None and (best is None or len(form.words) >= len(best.words)):
                    best = form
        if best is not None:
            free = position + len(best.words)
            hits.append(Hit(position, free, best))
    return hits
