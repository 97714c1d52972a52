"""How languages other than English say that an answer is not known."""

import functools
import re
from collections.abc import Iterable, Iterator, Sequence

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.text.folding import fold, words

_LETTERS = str.maketrans(
    dict.fromkeys("\u0649\u06cc", "\u064a")
    | dict.fromkeys("\u0629\u06c1\u06c2\u06c3\u06be\u06d5", "\u0647")
    | {"\u06a9": "\u0643", "\u0640": "", "\u200c": "", "\u200d": "", "\u200e": "", "\u200f": ""}
)
"""Letters of Arabic and Urdu that are written for each other, and marks that are not seen."""
_EDGES = r"[\s\"'(\[\-]*"
_ENDS = r"[\s.!?\"')\]\-\u3002\u0964\u06d4\u061f]*"
_LONGEST = 60
"""Characters of an answer that says nothing else."""


@functools.cache
def latin_triggers() -> frozenset[str]:
    """The words without which a text in Latin letters abstains in none of these languages."""
    return frozenset(word for each in _languages().values() for word in each.get("triggers", ()))


def may_abstain(lowered: str) -> bool:
    """Whether a cleaned, lowered text has letters of one of the other scripts."""
    return not lowered.isascii() and _scripts().search(lowered) is not None


def abstains(lowered: str, found: Sequence[str] | None = None) -> bool:
    """Whether a cleaned, lowered text says in one of these languages that something is not known.

    Args:
        lowered: the text.
        found: its words, where they are known.
    """
    there = words(lowered) if found is None else found
    if lowered.isascii() and latin_triggers().isdisjoint(there):
        return False
    text = _plain(lowered)
    return any(_phrases(language).search(text) for language in _languages_of(text, there))


def says_nothing(lowered: str) -> bool:
    """Whether a whole cleaned, lowered answer is "unknown" or the like."""
    if len(lowered) > _LONGEST:
        return False
    found = _plain(lowered)
    return _nothing().fullmatch(found) is not None


def _plain(lowered: str) -> str:
    return lowered if lowered.isascii() else lowered.translate(_LETTERS)


def _languages_of(text: str, found: Sequence[str]) -> Iterator[str]:
    """The languages that a text of these words may be in."""
    there = frozenset(found)
    for language, lists in _languages().items():
        if "script" not in lists:
            if not there.isdisjoint(lists["triggers"]):
                yield language
        elif not text.isascii() and _script(language).search(text):
            yield language


@functools.cache
def _languages() -> dict[str, dict[str, list[str]]]:
    return read_toml(__package__, "abstaining.toml")


def _joined(entries: Iterable[str]) -> str:
    return "|".join(f"(?:{_plain(fold(entry))})" for entry in entries)


@functools.cache
def _script(language: str) -> re.Pattern[str]:
    return re.compile(f"[{_languages()[language]['script']}]")


@functools.cache
def _scripts() -> re.Pattern[str]:
    return re.compile("[" + "".join(str(lists["script"]) for lists in _languages().values() if "script" in lists) + "]")


@functools.cache
def _phrases(language: str) -> re.Pattern[str]:
    body = _joined(_languages()[language]["phrases"])
    has_words = "script" not in _languages()[language] or language == "ru"
    return re.compile(rf"(?<!\w)(?:{body})(?!\w)" if has_words else body)


@functools.cache
def _nothing() -> re.Pattern[str]:
    body = "|".join(_joined(lists["nothing"]) for lists in _languages().values())
    return re.compile(f"{_EDGES}(?:{body}){_ENDS}")
