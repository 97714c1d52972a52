"""Closed-domain databases: the names of people, companies and other named things are replaced by fictitious ones, the
same everywhere, so that nobody can know the answers by heart (GRAMMAR, section 5.1: Spider-Closed).

A name is replaced where it names a row, where other rows refer to it, and where other texts hold it as whole words,
also before a possessive or as a part of another name. Where nobody can say what a text means by it, the name is taken
out of the database, and its row is neither asked about nor told of: its name names a row of another table too, or it is
a word of everyday language that other texts hold. A text that would give a real name away all the same, such as an
address on the web, is taken out. A surname alone is seen after a title and before a possessive only.
"""

import logging
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.hashing import rank
from benchwright.builders.sql.schema import DatabaseSchema, SchemaTable
from benchwright.builders.sql.wording import english

TWO_TABLES = "it names rows of two tables"
COMMON = "it is a word of everyday language, and other texts hold it"
GIVEN_AWAY = "texts that would give a real name away"
_WORD = re.compile(r"\w+")
_LEAST_PART = 5
"""Letters of a name that is looked for within words."""
_LONGEST_RUN = 8
_MOST_TOLD = 10

log = logging.getLogger("benchwright")


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
class _Column:
    """A column that holds texts."""

    table: str
    name: str
    sort: str
    """`person`, `given`, `family`, `organisation` or `other` where it names rows; `reference`, `kept` or `text`."""


def close_names(path: Path, schema: DatabaseSchema, seed: int) -> Closed:
    """Replaces the names in a copy of a database, in place. What is left out is told, with the reason.

    Args:
        path: the copy, a SQLite file.
        schema: its schema.
        seed: of the fictitious names.
    """
    closed = Closed()
    columns = list(_columns(schema, closed))
    connection = sqlite3.connect(path)
    try:
        words = _Words.read(connection, columns)
        names = _names(connection, columns)
        left = _left_out(names, words)
        _Namer(seed, words, closed).name_all({name: sorts for name, sorts in names.items() if name not in left})
        for reason in left.values():
            closed.left_out[reason] += 1
        closed.in_running_text = _in_running_text(connection, schema, columns, closed)
        public = {name for name, tables in names.items() if "kept" in tables.values()}
        _rewrite(connection, columns, closed, left, public)
        connection.commit()
        connection.execute("VACUUM")
    finally:
        connection.close()
    _tell(closed, left)
    return closed


def _columns(schema: DatabaseSchema, closed: Closed) -> Iterator[_Column]:
    naming = {name: _sorts(table, schema) for name, table in schema.tables.items()}
    closed.kept += sorted(
        name for name, table in schema.tables.items()
        if table.kind != "junction" and set(naming[name].values()) == {"kept"}
    )  # fmt: skip
    for name, table in schema.tables.items():
        references = {
            own for key in table.foreign_keys for own, other in key.pairs
            if naming.get(key.table, {}).get(other, "kept") != "kept"
        }  # fmt: skip
        for column in table.columns.values():
            sort = naming[name].get(column.name, "text")
            yield _Column(name, column.name, "reference" if column.name in references else sort)


def _sorts(table: SchemaTable, schema: DatabaseSchema) -> dict[str, str]:
    """What each column that names rows of a table holds."""
    names = [
        one for one in dict.fromkeys((*table.naming, *table.called_by))
        if table.columns[one].kind == "text" and not any(one in key.columns for key in table.foreign_keys)
    ]  # fmt: skip
    noun = schema.vocabulary.noun(table.name)
    last = noun.lower().rpartition(" ")[2]
    facts = closed_words()
    if last in facts["kept"]:
        return dict.fromkeys(names, "kept")
    found: dict[str, str] = {}
    for one in names:
        said = english.words(one).lower()
        if said.endswith(("first name", "firstname", "forename", "given name")):
            found[one] = "given"
        elif said.endswith(("last name", "lastname", "surname", "family name")):
            found[one] = "family"
        elif said.split()[-1:] in (["id"], ["code"], ["number"]):
            continue
        elif english.is_person(noun) and "company" not in said:
            found[one] = "person"
        else:
            found[one] = "organisation" if last in facts["organisations"] or "company" in said else "other"
    for column in table.columns.values():
        if column.kind == "text" and column.name not in found and not column.why_not and _names_people(column.name):
            found[column.name] = "person"
    return found


def _names_people(column: str) -> bool:
    """Whether a column that names no row holds names of people: `contact_name`, `director`."""
    said = english.words(column).lower().split()
    about = " ".join(said[:-1]) if said[-1:] == ["name"] else " ".join(said)
    is_firm = bool({"company", "firm", "ship", *closed_words()["organisations"]} & set(said))
    return bool(about) and not is_firm and english.is_person(about)


@cache
def closed_words() -> Mapping[str, Any]:
    """`closed.toml`, its texts as lists of words."""
    return {
        key: value.split() if isinstance(value, str) else value
        for key, value in read_toml(__package__, "closed.toml").items()
    }


@dataclass(frozen=True)
class _Words:
    """What texts of a database are made of."""

    all: set[str]
    """Folded."""
    small: set[str]
    """Those that begin with a small letter somewhere."""
    in_texts: set[str]
    """Runs of words, folded, of columns that name nothing."""

    @classmethod
    def read(cls, connection: sqlite3.Connection, columns: list[_Column]) -> "_Words":
        every, small, runs = set[str](), set[str](), set[str]()
        for column in columns:
            for _, text in _texts(connection, column):
                every.update(word.casefold() for word in _WORD.findall(text))
                plain = " ".join(chunk for chunk in text.split() if not _is_address(chunk))
                found = _WORD.findall(plain)
                small.update(word for word in found if word[:1].islower())
                if column.sort in ("text", "kept"):
                    runs.update(word.casefold() for word in found)
        return cls(every, small, runs)


def _is_address(chunk: str) -> bool:
    """Whether something without spaces is an address or a file rather than a word."""
    return any(mark in chunk[:-1] for mark in "@./_")


def _texts(connection: sqlite3.Connection, column: _Column) -> Iterator[tuple[int, str]]:
    """The texts of a column with the numbers of their rows."""
    name = quoted(column.name)
    sql = (
        f"SELECT {_row_id(connection, column.table)}, {name} FROM {quoted(column.table)} WHERE typeof({name}) = 'text'"
    )
    yield from connection.execute(sql)


def _row_id(connection: sqlite3.Connection, table: str) -> str:
    """What SQLite calls the number of a row where no column has that name."""
    names = {row[1].lower() for row in connection.execute(f"PRAGMA table_info({quoted(table)})")}
    return next(name for name in ("rowid", "_rowid_", "oid") if name not in names)


def folded(name: str) -> str:
    """A name as it is compared: its words in small letters."""
    return " ".join(_WORD.findall(name.casefold()))


def _names(connection: sqlite3.Connection, columns: list[_Column]) -> dict[str, dict[str, str]]:
    """Every name, folded → the tables whose rows it names, with the sort of the thing."""
    found: dict[str, dict[str, str]] = {}
    for column in columns:
        if column.sort in ("text", "reference"):
            continue
        for _, text in _texts(connection, column):
            if key := folded(text):
                found.setdefault(key, {})[column.table] = column.sort
    return {name: tables for name, tables in found.items() if set(tables.values()) != {"kept"}}


def _left_out(names: Mapping[str, Mapping[str, str]], words: _Words) -> dict[str, str]:
    """The names that cannot be replaced everywhere alike, and why."""
    common = set(closed_words()["common"])
    found = {}
    for name, tables in names.items():
        if len(tables) > 1 and not set(tables.values()) <= {"given", "family", "person"}:
            found[name] = TWO_TABLES
        elif " " not in name and name in words.in_texts and (name in common or name in words.small):
            found[name] = COMMON
    return found


@dataclass
class _Namer:
    """Makes fictitious names; none is a word of the database."""

    seed: int
    words: _Words
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
                if run in self.closed.names and len(run) >= _LEAST_PART:
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


def _rewrite(
    connection: sqlite3.Connection,
    columns: list[_Column],
    closed: Closed,
    left: Mapping[str, str],
    public: Set[str],
) -> None:
    """Replaces every name in every text; those that are public are left out, and give nothing away."""
    known = frozenset((*closed.names, *left)) - public
    longest = min(_LONGEST_RUN, max((len(name.split()) for name in known), default=1))
    parts = frozenset(part for name in known if len(part := name.replace(" ", "")) >= _LEAST_PART)
    people = {column.name for column in columns if column.sort in ("person", "family")}
    surnames = _surnames(connection, [column for column in columns if column.name in people], closed)
    titles = "|".join(closed_words()["titles"])
    alone = re.compile(rf"(?:(?<=\b)(?:{titles})\.? )(\w+)|\b(\w+)(?=['’]s\b)")
    for column in columns:
        is_name = column.sort not in ("text", "kept")
        changed: list[tuple[str | None, int]] = []
        for row, text in _texts(connection, column):
            key = folded(text)
            if is_name:
                if key in closed.names or key in left:
                    changed.append((closed.names.get(key), row))
                continue
            if column.sort == "kept":
                continue
            made = _replaced(text, closed.in_running_text, longest)
            made = alone.sub(lambda match: _surname(match, surnames), made)
            if _gives_away(made, left.keys() - public, parts, longest):
                closed.taken_out += 1
                changed.append((None, row))
            elif made != text:
                closed.in_texts += 1
                changed.append((made, row))
        name, row_id = quoted(column.name), _row_id(connection, column.table)
        connection.executemany(f"UPDATE {quoted(column.table)} SET {name} = ? WHERE {row_id} = ?", changed)


def _surname(match: re.Match[str], surnames: Mapping[str, str]) -> str:
    """A surname after a title or before a possessive, replaced."""
    found = match[1] or match[2]
    return match[0].replace(found, surnames.get(found.casefold(), found))


def _replaced(text: str, names: Mapping[str, str], longest: int) -> str:
    """A text with the names in it replaced, the longest first."""
    words = list(_WORD.finditer(text))
    parts, at, first = [], 0, 0
    while first < len(words):
        for last in range(min(len(words), first + longest) - 1, first - 1, -1):
            run = " ".join(word[0].casefold() for word in words[first : last + 1])
            if run in names and not words[first][0][:1].islower():
                shown = text[words[first].start() : words[last].end()]
                parts += [
                    text[at : words[first].start()],
                    names[run].upper() if shown.isupper() and len(shown) > 3 else names[run],
                ]
                at, first = words[last].end(), last
                break
        first += 1
    return "".join([*parts, text[at:]])


def _gives_away(text: str, left: Set[str], parts: frozenset[str], longest: int) -> bool:
    """Whether a text still holds a real name: one that was taken out as whole words, or any within an address."""
    words = _WORD.findall(text)
    for first in range(len(words)):
        for last in range(first, min(len(words), first + longest)):
            if " ".join(words[first : last + 1]).casefold() in left and not words[first][:1].islower():
                return True
    for chunk in text.casefold().split():
        if not _is_address(chunk):
            continue
        plain = re.sub(r"[\W_]+", "", chunk)[:80]
        if any(plain[i:j] in parts for i in range(len(plain)) for j in range(i + _LEAST_PART, len(plain) + 1)):
            return True
    return False


def _in_running_text(
    connection: sqlite3.Connection, schema: DatabaseSchema, columns: list[_Column], closed: Closed
) -> dict[str, str]:
    """What is replaced in texts that name nothing."""
    alone = {column: set[str]() for column in columns if column.sort in ("given", "family")}
    for column, found in alone.items():
        found.update(folded(text) for _, text in _texts(connection, column))
    parts = set[str]().union(*alone.values())
    names = {name: made for name, made in closed.names.items() if name not in parts}
    for table in schema.tables:
        given, family = (
            [column.name for column in alone if column.table == table and column.sort == sort]
            for sort in ("given", "family")
        )
        if given and family:
            sql = f"SELECT {quoted(given[0])}, {quoted(family[0])} FROM {quoted(table)}"
            for first, last in connection.execute(sql):
                both = [closed.names.get(folded(str(part)), "") for part in (first, last)]
                if all(both):
                    names[folded(f"{first} {last}")] = " ".join(both)
    return names


def _surnames(connection: sqlite3.Connection, columns: list[_Column], closed: Closed) -> dict[str, str]:
    """Real surname, folded → fictitious one."""
    found = {}
    for column in columns:
        for _, text in _texts(connection, column):
            key = folded(text)
            made = closed.names.get(key, "")
            if column.sort == "family" and made:
                found[key] = made
            elif column.sort == "person" and " " in made:
                found[key.rpartition(" ")[2]] = made.partition(" ")[2]
    return found


def _tell(closed: Closed, left: Mapping[str, str]) -> None:
    if closed.kept:
        log.warning("names that everybody shares stay as they are: those of %s", ", ".join(closed.kept))
    for reason in closed.left_out:
        named = [name for name, why in left.items() if why == reason]
        more = f" and {len(named) - _MOST_TOLD} more" if len(named) > _MOST_TOLD else ""
        log.warning("names that are taken out, for %s: %s%s", reason, ", ".join(named[:_MOST_TOLD]), more)
    if closed.taken_out:
        log.warning("%d texts are taken out, since they would give a real name away", closed.taken_out)
