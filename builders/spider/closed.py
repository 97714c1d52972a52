"""Closed-domain databases: the names of people, companies and other named things are replaced by fictitious ones, the
same everywhere, so that nobody can know the answers by heart (GRAMMAR, section 5.1: Spider-Closed).

A name is replaced where it names a row, where other rows refer to it, and where other texts hold it as whole words,
also before a possessive or as a part of another name. Where nobody can say what a text means by it, the name is taken
out of the database, and its row is neither asked about nor told of: its name names a row of another table too, or it is
a word of everyday language that other texts hold. A text that would give a real name away all the same, such as an
address on the web, is taken out. A surname alone is seen after a title and before a possessive only.
"""

import logging
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.builders.spider.closed_columns import Column, closed_words, columns_of, folded, texts_of
from benchwright.builders.spider.closed_texts import rewrite
from benchwright.builders.spider.fictitious import COMMON, TWO_TABLES, Closed, Namer, Words
from benchwright.builders.sql.schema import DatabaseSchema

_MOST_TOLD = 10

log = logging.getLogger("benchwright")


def close_names(path: Path, schema: DatabaseSchema, seed: int) -> Closed:
    """Replaces the names in a copy of a database, in place. What is left out is told, with the reason.

    Args:
        path: the copy, a SQLite file.
        schema: its schema.
        seed: of the fictitious names.
    """
    closed = Closed()
    columns = list(columns_of(schema, closed.kept))
    connection = sqlite3.connect(path)
    try:
        words = Words.read(connection, columns)
        names = _names(connection, columns)
        left = _left_out(names, words)
        Namer(seed, words, closed).name_all({name: sorts for name, sorts in names.items() if name not in left})
        for reason in left.values():
            closed.left_out[reason] += 1
        closed.in_running_text = _in_running_text(connection, schema, columns, closed)
        public = {name for name, tables in names.items() if "kept" in tables.values()}
        rewrite(connection, columns, closed, left, public)
        connection.commit()
        connection.execute("VACUUM")
    finally:
        connection.close()
    _tell(closed, left)
    return closed


def _names(connection: sqlite3.Connection, columns: list[Column]) -> dict[str, dict[str, str]]:
    """Every name, folded → the tables whose rows it names, with the sort of the thing."""
    found: dict[str, dict[str, str]] = {}
    for column in columns:
        if column.sort in ("text", "reference"):
            continue
        for _, text in texts_of(connection, column):
            if key := folded(text):
                found.setdefault(key, {})[column.table] = column.sort
    return {name: tables for name, tables in found.items() if set(tables.values()) != {"kept"}}


def _left_out(names: Mapping[str, Mapping[str, str]], words: Words) -> dict[str, str]:
    """The names that cannot be replaced everywhere alike, and why."""
    common = set(closed_words()["common"])
    found = {}
    for name, tables in names.items():
        if len(tables) > 1 and not set(tables.values()) <= {"given", "family", "person"}:
            found[name] = TWO_TABLES
        elif " " not in name and name in words.in_texts and (name in common or name in words.small):
            found[name] = COMMON
    return found


def _in_running_text(
    connection: sqlite3.Connection, schema: DatabaseSchema, columns: list[Column], closed: Closed
) -> dict[str, str]:
    """What is replaced in texts that name nothing."""
    alone = {column: set[str]() for column in columns if column.sort in ("given", "family")}
    for column, found in alone.items():
        found.update(folded(text) for _, text in texts_of(connection, column))
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


def _tell(closed: Closed, left: Mapping[str, str]) -> None:
    if closed.kept:
        log.warning("names that everybody shares stay as they are: those of %s", ", ".join(closed.kept))
    for reason in closed.left_out:
        named = [name for name, why in left.items() if why == reason]
        more = f" and {len(named) - _MOST_TOLD} more" if len(named) > _MOST_TOLD else ""
        log.warning("names that are taken out, for %s: %s%s", reason, ", ".join(named[:_MOST_TOLD]), more)
    if closed.taken_out:
        log.warning("%d texts are taken out, since they would give a real name away", closed.taken_out)
