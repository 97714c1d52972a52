"""Which columns of a database hold names of people, companies and other named things, and the texts of columns."""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.builders.sql.schema import DatabaseSchema, SchemaTable
from benchwright.builders.sql.wording import english

WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Column:
    """A column that holds texts."""

    table: str
    name: str
    sort: str
    """`person`, `given`, `family`, `organisation` or `other` where it names rows; `reference`, `kept` or `text`."""


def columns_of(schema: DatabaseSchema, kept: list[str]) -> Iterator[Column]:
    """The columns of a database; the tables whose names stay as they are are added to `kept`."""
    naming = {name: _sorts(table, schema) for name, table in schema.tables.items()}
    kept += sorted(
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
            yield Column(name, column.name, "reference" if column.name in references else sort)


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


def texts_of(connection: sqlite3.Connection, column: Column) -> Iterator[tuple[int, str]]:
    """The texts of a column with the numbers of their rows."""
    name = quoted(column.name)
    number = row_number(connection, column.table)
    sql = f"SELECT {number}, {name} FROM {quoted(column.table)} WHERE typeof({name}) = 'text'"
    yield from connection.execute(sql)


def row_number(connection: sqlite3.Connection, table: str) -> str:
    """What SQLite calls the number of a row where no column has that name."""
    names = {row[1].lower() for row in connection.execute(f"PRAGMA table_info({quoted(table)})")}
    return next(name for name in ("rowid", "_rowid_", "oid") if name not in names)


def folded(name: str) -> str:
    """A name as it is compared: its words in small letters."""
    return " ".join(WORD.findall(name.casefold()))
