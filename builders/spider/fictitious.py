"""Fictitious names: coined of syllables, so that none is a word of the database."""

import sqlite3
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchwright.benchmarks.hashing import rank
from benchwright.builders.spider.closed_columns import WORD, Column, closed_words, texts_of

TWO_TABLES = "it names rows of two tables"
COMMON = "it is a word of everyday language, and other texts hold it"
LEAST_PART = 5
"""Letters of a name that is looked for within words."""


@dataclass
class Closed:
    """What became of the names."""

    replaced: Counter[str] = field(default_factory=Counter)
    """Sort of thing → names."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Why a name was taken out → names."""
    kept: list[str] = field(default_factory=list)
    """Tables whose names stay as they are."""
    in_texts: int = 0
    """Other texts in which names were replaced."""
    taken_out: int = 0
    """Texts that would have given a name away."""
    names: dict[str, str] = field(default_factory=dict)
    """Real name, folded, → fictitious one."""
    in_running_text: dict[str, str] = field(default_factory=dict)
    """The same of what is replaced in texts that name nothing: of people known by two columns, both together."""

    @property
    def checks(self) -> dict[str, Any]:
        """The counts, for the manifest."""
        return {
            "names_replaced": dict(sorted(self.replaced.items())),
            "names_taken_out": {reason: self.left_out[reason] for reason in (TWO_TABLES, COMMON)},
            "texts_with_names_replaced": self.in_texts,
            "texts_taken_out": self.taken_out,
        }


@dataclass(frozen=True)
class Words:
    """What texts of a database are made of."""

    all: set[str]
    """Folded."""
    small: set[str]
    """Those that begin with a small letter somewhere."""
    in_texts: set[str]
    """Runs of words, folded, of columns that name nothing."""

    @classmethod
    def read(cls, connection: sqlite3.Connection, columns: list[Column]) -> "Words":
        every, small, runs = set[str](), set[str](), set[str]()
        for column in columns:
            for _, text in texts_of(connection, column):
                every.update(word.casefold() for word in WORD.findall(text))
                plain = " ".join(chunk for chunk in text.split() if not is_address(chunk))
                found = WORD.findall(plain)
                small.update(word for word in found if word[:1].islower())
                if column.sort in ("text", "kept"):
                    runs.update(word.casefold() for word in found)
        return cls(every, small, runs)


def is_address(chunk: str) -> bool:
    """Whether something without spaces is an address or a file rather than a word."""
    return any(mark in chunk[:-1] for mark in "@./_")


@dataclass
class Namer:
    """Makes fictitious names; none is a word of the database."""

    seed: int
    words: Words
    closed: Closed
    _used: set[str] = field(default_factory=set)
    _given: dict[str, str] = field(default_factory=dict)
    _family: dict[str, str] = field(default_factory=dict)

    def name_all(self, names: Mapping[str, Mapping[str, str]]) -> None:
        """Names them all, short ones first: a longer one that holds them keeps their part."""
        for name in sorted(names, key=lambda one: (len(one.split()), one)):
            sort = next(iter(names[name].values()))
            made = self._name(name, sort)
            self.closed.names[name] = made
            self.closed.replaced["people" if sort in ("given", "family", "person") else f"{sort}s"] += 1

    def _name(self, name: str, sort: str) -> str:
        parts = name.split()
        if sort == "given":
            return self._of(self._given, name)
        if sort == "family":
            return self._of(self._family, name)
        if sort == "person":
            given = self._of(self._given, parts[0])
            return f"{given} {self._of(self._family, ' '.join(parts[1:]))}" if parts[1:] else given
        inner = self._inner(parts)
        word = self._coin(name)
        if inner:
            return f"{self.closed.names[inner]} {word}"
        if sort != "organisation":
            return word
        sorts = {one.casefold(): one for one in closed_words()["sorts"]}
        kept = [sorts[part] for part in parts if part in sorts]
        endings = closed_words()["endings"]
        return f"{word} {kept[-1] if kept else endings[rank('ending', self.seed, name)[0] % len(endings)]}"

    def _inner(self, parts: list[str]) -> str:
        """The longest other name within a name."""
        for size in range(len(parts) - 1, 0, -1):
            for start in range(len(parts) - size + 1):
                run = " ".join(parts[start : start + size])
                if run in self.closed.names and len(run) >= LEAST_PART:
                    return run
        return ""

    def _of(self, kind: dict[str, str], part: str) -> str:
        if part not in kind:
            kind[part] = self._coin(f"{'given' if kind is self._given else 'family'} {part}")
        return kind[part]

    def _coin(self, name: str) -> str:
        """A word that is nowhere in the database."""
        facts = closed_words()
        for number in range(10_000):
            drawn = rank("name", self.seed, name, number)
            kinds = ("starts", "vowels", "middles", *(("vowels", "middles") if not drawn[7] % 4 else ()), "ends")
            word = "".join(facts[kind][drawn[i] % len(facts[kind])] for i, kind in enumerate(kinds))
            if word not in self.words.all and word not in self._used:
                self._used.add(word)
                return word.capitalize()
        raise AssertionError("the syllables of closed.toml give too few words")
