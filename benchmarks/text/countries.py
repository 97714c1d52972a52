"""Countries and nationalities in any wording, and places that imply a country.

Names and codes come from pycountry (ISO 3166); nationalities and well-known places from countries.toml.
"""

import functools
from typing import Literal, NamedTuple

import pycountry
from rapidfuzz import fuzz, process

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.text.folding import value_words

Sort = Literal["name", "people", "place"]


_LONG = 9
"""Letters from which a name is long enough that a slip is seen through."""
_ALIKE = 94
"""Of 100: how alike the letters must be."""


class Wording(NamedTuple):
    """The words of a country's name, its people or a place in it."""

    words: tuple[str, ...]
    sort: Sort


@functools.cache
def wordings() -> dict[str, tuple[Wording, ...]]:
    """Every wording of every country, by ISO 3166-1 alpha-2 code."""
    found: dict[str, list[Wording]] = {}
    for country in pycountry.countries:
        names = [getattr(country, name, None) for name in ("name", "common_name", "official_name")]
        for name in names:
            if name:
                found.setdefault(country.alpha_2, []).append(Wording(value_words(name.split(",")[0]), "name"))
                found[country.alpha_2].append(Wording(value_words(name), "name"))
    sorts: dict[str, Sort] = {"names": "name", "people": "people", "places": "place"}
    for table, sort in sorts.items():
        for code, values in read_toml(__package__, "countries.toml")[table].items():
            found.setdefault(code, []).extend(Wording(value_words(value), sort) for value in values)
    return {code: tuple(dict.fromkeys(forms)) for code, forms in found.items()}


@functools.cache
def _codes() -> dict[tuple[str, ...], str]:
    """The country of every name and nationality; where two share one, the later table entry wins."""
    return {form.words: code for code, forms in wordings().items() for form in forms if form.sort != "place"} | {
        ("korea",): "KR",
        ("congo",): "CG",
        ("dominican",): "DO",
    }


@functools.lru_cache(maxsize=100_000)
def parse_country(value: str) -> str | None:
    """The alpha-2 code of a country's name or nationality; a slip of one letter in a long name is seen through."""
    words = value_words(value)
    code = _codes().get(words)
    joined = " ".join(words)
    if code is None and len(joined) >= _LONG and joined.isascii():
        match = process.extractOne(joined, _names_like(joined[0], len(joined)), scorer=fuzz.ratio, score_cutoff=_ALIKE)
        code = None if match is None else _codes()[tuple(match[0].split(" "))]
    return code


@functools.cache
def _names_like(first: str, length: int) -> list[str]:
    """The long names and nationalities that can be alike to a text of so many letters with that first one."""
    names = (" ".join(words) for words in _codes() if words[0][0] == first)
    share = 1 - _ALIKE / 100
    return [each for each in names if len(each) >= _LONG and abs(len(each) - length) <= share * (len(each) + length)]


@functools.cache
def place_codes() -> dict[tuple[str, ...], str]:
    """The country of every well-known place."""
    return {form.words: code for code, forms in wordings().items() for form in forms if form.sort == "place"}


@functools.cache
def states() -> dict[str, tuple[str, ...]]:
    """The words of the states and provinces of the United States, Canada and Australia, by lower-case postal code."""
    return {code: words for code, (words, _) in _states().items()}


def state_countries() -> dict[str, str]:
    """The country of every state, by its lower-case postal code."""
    return {code: country for code, (_, country) in _states().items()}


@functools.cache
def _states() -> dict[str, tuple[tuple[str, ...], str]]:
    found = {}
    for country in ("AU", "CA", "US"):
        for state in pycountry.subdivisions.get(country_code=country) or ():
            found[state.code.split("-")[1].lower()] = (value_words(state.name), country)
    return found


@functools.cache
def _state_codes() -> dict[tuple[str, ...], str]:
    return {words: code for code, (words, _) in _states().items()} | {(code,): code for code in _states()}


def is_state(words: tuple[str, ...]) -> bool:
    """Whether it is a state or province of the United States, Canada or Australia, or its code."""
    return words in _state_codes()


def is_wider_place(words: tuple[str, ...]) -> bool:
    """Whether it is a country or a state: what follows the comma in "Sydney, Australia" and "San Francisco, CA"."""
    return words in _codes() or is_state(words)


def may_be_same(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Whether two states or countries are one, or one lies in the other; of what is neither, yes."""
    if not (is_wider_place(first) and is_wider_place(second)):
        return True
    states_of = [_state_codes().get(words) for words in (first, second)]
    if None not in states_of:
        return states_of[0] == states_of[1]
    countries = [
        _states()[state][1] if state is not None else _codes()[words]
        for words, state in zip((first, second), states_of, strict=True)
    ]
    return countries[0] == countries[1]
