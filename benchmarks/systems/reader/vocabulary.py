"""The reader's vocabulary, `synonyms.toml`, as lookups."""

import functools
import tomllib
from importlib import resources
from typing import Any, Literal, cast

from benchwright.benchmarks.text.words import root, stem, words

Kind = Literal["date", "year", "money", "number", "time", "name", "place", "role", "degree", "phrase", "sort"]
"""What a value is; `sort` is what stands after "is a"."""


@functools.cache
def _table() -> dict[str, Any]:
    file = resources.files("benchwright.benchmarks.systems.reader").joinpath("synonyms.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


@functools.cache
def listed(name: str) -> frozenset[str]:
    """The words of one list."""
    return frozenset(_table()["words"][name].split())


@functools.cache
def _synonyms() -> dict[str, frozenset[str]]:
    """Word of a question, and its root → the roots that say the same in a text."""
    found: dict[str, set[str]] = {}
    for line in _table()["same"]:
        asked, _, _ = line.partition("=")
        group = {root(word) for word in words(line)}
        for word in words(asked):
            found.setdefault(stem(word), set()).update(group)
    for word in list(found):
        found.setdefault(root(word), found[word])
    return {word: frozenset(group) for word, group in found.items()}


@functools.lru_cache(maxsize=10_000)
def synonyms(word: str) -> frozenset[str]:
    """The roots that say the same as a question's word, its own among them; of a word not listed those of its root."""
    table = _synonyms()
    return table.get(stem(word)) or table.get(root(word)) or frozenset((root(word),))


@functools.cache
def kind_words() -> dict[str, dict[Kind, float]]:
    """Word of a question → the kinds of value that it asks for, and how surely."""
    found: dict[str, dict[Kind, float]] = {}
    for kind, lines in _table()["kinds"].items():
        for line in lines:
            told, _, weight = line.rpartition("=")
            for word in told.split():
                found.setdefault(word, {})[cast(Kind, kind)] = float(weight)
    return found


@functools.cache
def classes(section: str) -> dict[str, str]:
    """Word → its class, of one section of classes: `units`, `measures`, `names` or `asks`."""
    return {word: name for name, line in _table()[section].items() for word in line.split()}
