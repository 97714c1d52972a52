"""What an answer says, word by word: whether it is nearly the gold answer, and which of its words are values."""

import re
from collections.abc import Set

from benchwright.benchmarks.text.remembering import remembers
from benchwright.benchmarks.text.words import STOP_WORDS

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_VALUE = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")


def plain(text: str) -> str:
    """Small letters and figures in words, with single spaces: what survives a chunker and a writer of Markdown."""
    return " ".join(_WORD.findall(text.casefold()))


def says_something(word: str) -> bool:
    """Whether a word is more than one of those that every text has."""
    return word not in STOP_WORDS and (len(word) > 1 or word.isdigit())


@remembers(characters=2_000_000)
def named_in(answer: str) -> frozenset[str]:
    """The figures and capitalised words of an answer but for its first, in small letters."""
    found = list(_VALUE.finditer(answer))
    return frozenset(
        match[0].casefold()
        for place, match in enumerate(found)
        if match[0][:1].isdigit() or (match[0][:1].isupper() and (place or len(found) == 1))
    )


def is_near_gold(answer: str, gold: str) -> bool:
    """Whether an answer is a gold answer that was cut or garbled: no other value, but a broken one."""
    from rapidfuzz import fuzz

    said, wanted = plain(answer), plain(gold)
    if not said or not wanted or wanted in said:
        return False
    if len(wanted) >= 4 and (
        wanted.startswith(said.split()[-1]) and len(said.split()[-1]) >= 3 and not said.split()[-1].isdigit()
    ):
        return True
    tail = " ".join(said.split()[-len(wanted.split()) :])
    if wanted.replace(" ", "").isdigit():
        return sorted(tail.replace(" ", "")) == sorted(wanted.replace(" ", "")) or (
            len(tail) >= 3 and wanted.startswith(tail) and len(tail) < len(wanted)
        )
    return (
        any(character.isalpha() for character in wanted)
        and fuzz.ratio(tail, wanted) >= 75
        and not _swaps_a_word(tail, wanted)
    )


def _swaps_a_word(said: str, wanted: str) -> bool:
    """Whether a text differs from another by words that stand as they are in neither: "151 minutes", "128 minutes"."""
    ours, theirs = said.split(), wanted.split()
    if len(ours) != len(theirs):
        return False
    from rapidfuzz import fuzz

    differing = [(one, other) for one, other in zip(ours, theirs, strict=True) if one != other]
    return all(
        fuzz.ratio(one, other) < 60 or (one.isdigit() and sorted(one) != sorted(other)) for one, other in differing
    )


def is_rounded(answer: str, gold: str, there: Set[str]) -> bool:
    """Whether an answer has a gold number rounded to fewer digits, one that stands in none of the words `there`."""
    wanted = _NUMBER.fullmatch(gold.strip())
    if wanted is None:
        return False
    value = float(wanted[0].replace(",", ""))
    digits = len(wanted[0].replace(",", "").replace(".", "").lstrip("0"))
    rounded = {float(f"{value:.{number - 1}e}") for number in range(1, digits)} - {value}
    return any(
        float(said.replace(",", "")) in rounded and not set(plain(said).split()) <= there
        for said in _NUMBER.findall(answer)
    )
