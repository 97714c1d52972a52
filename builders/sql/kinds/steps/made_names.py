"""Names that nothing in a database has, made of parts of those that are there."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from rapidfuzz import fuzz, process
from sqlalchemy.types import NullType, String

from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.inspecting import inspect_database
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.hashing import rank

_READ = 5_000
"""Names that are looked at: of more, the first."""
_TRIED = 60
_ALIKE = 88
"""Likeness of two names, from 0 to 100, from which on one may be the other, misspelt."""
_VOWEL = re.compile(r"[aeiouyäöüáéíóúàèìòùâêîôûåø]", re.IGNORECASE)

Name = Sequence[Any]
"""The parts of a name, in the order of its columns."""


@lru_cache(maxsize=256)
def made_names(database: Database, table: str, columns: tuple[str, ...], count: int) -> tuple[Name, ...]:
    """Up to so many names like those of a table, which stand nowhere in the database and are like none that is there.

    Args:
        database: where names are read, and looked for in every column of texts.
        table: whose names are imitated.
        columns: that make a name together.
        count: how many are wanted.
    """
    listed = ", ".join(map(quoted, columns))
    known = " AND ".join(f"{quoted(column)} IS NOT NULL" for column in columns)
    sql = f"SELECT DISTINCT {listed} FROM {quoted(table)} WHERE {known} ORDER BY {listed}"
    read = [tuple(row) for row in next(iter(database.rows(sql, None, _READ)), ())]
    real = [name for name in read if all(str(part).strip() for part in name)]
    if len(real) < 2:
        return ()
    spelt = [_spelt(name) for name in real]
    found: dict[str, Name] = {}
    for number in range(_TRIED):
        name = _combined(real, number, table)
        text = _spelt(name) if name else ""
        if name and len(text) > 2 and text not in found and not _is_like(text, spelt, name):
            found[text] = name
    there = set(_in_texts(database, {text: " ".join(map(str, name)) for text, name in found.items()}))
    return tuple(name for text, name in found.items() if text not in there)[:count]


def _spelt(name: Name) -> str:
    return " ".join(str(part).strip().lower() for part in name)


def _is_like(text: str, real: Sequence[str], name: Name) -> bool:
    """Whether a name is one that is there, or might be meant for one."""
    if text in real:
        return True
    if all(isinstance(part, int) for part in name):
        return False
    return process.extractOne(text, real, scorer=fuzz.ratio, score_cutoff=_ALIKE) is not None


def _combined(real: Sequence[Name], number: int, table: str) -> Name | None:
    """A name of parts of two that are there, by chance; None where they make none."""
    places = [int.from_bytes(rank(0, "made name", table, number, part)[:6], "big") for part in range(3)]
    one, other = real[places[0] % len(real)], real[places[1] % len(real)]
    if len(one) > 1:
        return (*one[:-1], other[-1])
    first, second = one[0], other[0]
    if isinstance(first, int) and not isinstance(first, bool):
        numbers = [name[0] for name in real if isinstance(name[0], int)]
        return (max(numbers) + 1 + places[2] % (len(numbers) + 10),)
    if not isinstance(first, str) or not isinstance(second, str):
        return None
    return (_of_digits(first, places[2]) if sum(map(str.isdigit, first)) > len(first) // 2 else _blend(first, second),)


def _of_digits(code: str, place: int) -> str:
    """A code with other digits."""
    made = list(code)
    for position, sign in enumerate(code):
        if sign.isdigit():
            place, digit = divmod(place, 10)
            made[position] = str(digit)
    return "".join(made)


def _blend(one: str, other: str) -> str:
    """The beginning of a name and the end of another: whole words where both have several, else halves of words."""
    words, others = one.split(), other.split()
    if len(words) > 1 and len(others) > 1:
        return " ".join([*words[:-1], others[-1]])
    first, last = words[0], others[-1]
    ends = [match.end() for match in _VOWEL.finditer(first) if 2 <= match.end() < len(first)]
    starts = [match.end() for match in _VOWEL.finditer(last) if 0 < match.end() < len(last) - 1]
    if not ends or not starts:
        return ""
    return " ".join([first[: ends[0]] + last[starts[0] :].lower(), *words[1:]])


def _in_texts(database: Database, texts: Mapping[str, str]) -> Iterator[str]:
    """Those of some texts, in small letters, that stand anywhere in a column of texts.

    Args:
        database: where they are looked for.
        texts: in small letters → as they are, for SQLite makes small letters of those of English alone.
    """
    if not texts:
        return
    for table, column in _text_columns(database):
        name = quoted(column)
        like = " OR ".join(
            f"{column} LIKE '%{_escaped(spelt)}%' ESCAPE '!'"
            for text, shown in texts.items()
            for column, spelt in ((f"LOWER({name})", text), (name, shown))
        )
        for (value,) in database.all(f"SELECT {name} FROM {quoted(table)} WHERE {like}"):
            yield from (text for text in texts if text in str(value).lower())


def _escaped(text: str) -> str:
    return re.sub(r"([!%_])", r"!\1", text).replace("'", "''")


@lru_cache(maxsize=16)
def _text_columns(database: Database) -> tuple[tuple[str, str], ...]:
    inspector = inspect_database(database)
    return tuple(
        (table, column["name"])
        for table in inspector.get_table_names()
        for column in inspector.get_columns(table)
        if isinstance(column["type"], String | NullType)
    )
