"""The reader's vocabulary, `vocabulary.toml`, as lookups."""

import functools
from typing import Literal

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.text.words import content_words, root, words

Kind = Literal["date", "year", "money", "number", "place", "name", "phrase"]
"""What a value is; a phrase is any other stretch of a sentence."""


@functools.lru_cache(maxsize=20_000)
def roots(text: str) -> frozenset[str]:
    """The roots of a text's content words."""
    return frozenset(root(word) for word in content_words(text))


@functools.cache
def filler() -> frozenset[str]:
    """Words that say nothing of what is asked."""
    return frozenset(read_toml(__package__, "vocabulary.toml")["filler"].split())


@functools.cache
def _synonyms() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in read_toml(__package__, "vocabulary.toml")["same"]:
        group = {root(word) for word in words(line)}
        for word in words(line.partition("=")[0]):
            found.setdefault(root(word), set()).update(group)
    return {word: frozenset(group) for word, group in found.items()}


def synonyms(word: str) -> frozenset[str]:
    """The roots that say the same as a question's word, its own among them."""
    return _synonyms().get(root(word), frozenset()) | {root(word)}


@functools.cache
def _kinds() -> dict[str, frozenset[Kind]]:
    kinds: dict[Kind, str] = read_toml(__package__, "vocabulary.toml")["kinds"]
    found: dict[str, set[Kind]] = {}
    for kind, line in kinds.items():
        for word in line.split():
            found.setdefault(word, set()).add(kind)
    return {word: frozenset(of_word) for word, of_word in found.items()}


def kinds_of(word: str) -> frozenset[Kind]:
    """The kinds of values that a question's word asks for."""
    return _kinds().get(word, frozenset())
