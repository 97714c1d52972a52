"""One form for the variants of a word: British and American spelling, inflection, and numerals in letters or Roman."""

import functools
import re
from collections.abc import Sequence
from typing import Any

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.text.dates import FOREIGN_MONTHS, MONTHS, ORDINALS
from benchwright.benchmarks.text.numbers import SMALL, TENS

_ROMAN = re.compile(r"(?=[ivxl])(x[lc]|l?x{0,3})(ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_TENS = frozenset(TENS)
_ORDINAL_ENDINGS = frozenset(("st", "nd", "rd", "th"))


@functools.cache
def _tables() -> dict[str, Any]:
    return read_toml(__package__, "variants.toml")


@functools.cache
def _numerals() -> dict[str, str]:
    small = {word: str(value) for value, word in enumerate(SMALL)}
    tens = {word: str(20 + 10 * place) for place, word in enumerate(TENS)}
    ordinals = {word: str(place) for place, word in enumerate(ORDINALS, start=1) if "-" not in word}
    high = {word[:-1] + "ieth": str(20 + 10 * place) for place, word in enumerate(TENS)}
    months = {name: MONTHS[number - 1].lower() for name, number in FOREIGN_MONTHS.items() if len(name) > 5}
    return {**small, **tens, **ordinals, **high, **months, **_tables()["numerals"]}


@functools.cache
def _stemmer() -> Any:
    import snowballstemmer  # half of all answers need no stem

    return snowballstemmer.stemmer("english")


def american(word: str) -> str:
    """A word in small letters in American spelling."""
    tables = _tables()
    if word in tables["spellings"]:
        return tables["spellings"][word]
    if len(word) < 6:
        return word
    for british, american in tables["beginnings"].items():
        if word.startswith(british):
            word = american + word[len(british) :]
    for length in range(7, 2, -1):
        ending = word[-length:]
        if ending in tables["endings"]:
            return word[:-length] + tables["endings"][ending]
    return word


def roman_value(word: str) -> int | None:
    """The value of a Roman numeral below 100 in small letters, or None."""
    if not word or _ROMAN.fullmatch(word) is None:
        return None
    values = [_ROMAN_VALUES[letter] for letter in word]
    return sum(-each if each < after else each for each, after in zip(values, [*values[1:], 0], strict=True))


@functools.lru_cache(maxsize=100_000)
def variant(word: str) -> str:
    """What all variants of a word, in small letters, share: "colours" and "color", "fourteenth", "xiv" and "14".

    A Roman numeral of one letter is left as it is: only its place tells whether it is one.
    """
    if word[:1].isdigit():
        return word.replace(",", "")
    numeral = _numerals().get(word)
    if numeral is not None:
        return numeral
    if len(word) > 1 and (value := roman_value(word)) is not None:
        return str(value)
    word = word.removesuffix("'s")
    return _stemmer().stemWord(american(_tables()["irregular"].get(word, word)))


def variants(words: Sequence[str]) -> list[tuple[str, int, int]]:
    """The variants of a text's words, each with where it begins and ends among them.

    "Thirty-five" is one, the "th" of "14th" none, and "I", "V" or "X" is a numeral after a word that is counted so. A
    decade or a century has a sign for each figure that is left open: "1950s" is `195_`, "15th century" is `14__`.
    """
    found: list[tuple[str, int, int]] = []
    before, follows_figure = "", False
    for place, word in enumerate(words):
        form = variant(word)
        if follows_figure:
            if word in _ORDINAL_ENDINGS:
                before = word
                continue
            joined = _period(found[-1][0], word) or (_sum(found[-1][0], form) if before in _TENS else "")
            if joined:
                found[-1] = (joined, found[-1][1], place + 1)
                before, follows_figure = word, False
                continue
        if word in _ROMAN_VALUES and before in _counted():
            form = str(_ROMAN_VALUES[word])
        found.append((form, place, place + 1))
        before, follows_figure = word, form.isdigit()
    return found


def _sum(tens: str, ones: str) -> str:
    """The number that "thirty" and "five" are, or nothing."""
    return str(int(tens) + int(ones)) if len(ones) == 1 and ones in "123456789" else ""


def _period(figure: str, word: str) -> str:
    """The decade or century that a figure and the word after it are, or nothing."""
    if word == "s" and len(figure) in (3, 4) and figure.endswith("0"):
        return figure[:-1] + "_"
    return f"{int(figure) - 1}__" if word in ("century", "centuries") and 1 < int(figure) < 22 else ""


def falls_in(figure: str, period: str) -> bool:
    """Whether a year, or a period as `variants` writes it, lies in a period: "1400s" is also the century."""
    known = period.rstrip("_")
    return len(figure) == len(period) and figure.startswith(known) and figure[:1].isdigit()


@functools.cache
def _counted() -> frozenset[str]:
    return frozenset(_tables()["counted"]["words"].split())
