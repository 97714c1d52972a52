"""The world as a release's database tells it: the rows that it was written from, but for what it does not hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database
from benchwright.builders.aurp.schema import PAPER, STANDARD, Column, Schema, Table
from benchwright.builders.aurp.world import (
    BOARD,
    Client,
    ClientContact,
    Company,
    Department,
    Employee,
    Office,
    Project,
    Supplier,
    WorkPackage,
    World,
)

T = TypeVar("T")

_ROWS: Mapping[str, type[Any]] = {
    "company": Company,
    "office": Office,
    "department": Department,
    "employee": Employee,
    "client_contact": ClientContact,
    "client": Client,
    "supplier": Supplier,
    "project": Project,
    "work_package": WorkPackage,
}
_NUMBERS = frozenset({"key", "year", "money", "count", "quantity"})
_AT_ONCE = 20_000
"""Rows that one query asks for."""

Stored = dict[str, Any]


def read_world(database: Database) -> World:
    """The world of a database: its seeds are not known, nor what was superseded; what its schema lacks is empty.

    Raises:
        BenchwrightError: the tables are not Aurp's, or a value is none that its column can hold.
    """
    problems = []
    for schema in (STANDARD, PAPER):
        try:
            rows = {table.name: list(_rows(database, table)) for table in schema.tables}
        except BenchwrightError as error:
            problems.append(error)
            continue
        _check(schema, rows)
        return _world(schema, rows if schema is STANDARD else _with_keys(rows))
    raise problems[0]


def _rows(database: Database, table: Table) -> Iterator[Stored]:
    names = [column.name for column in table.columns]
    asked = f"SELECT {', '.join(names)} FROM {table.name} ORDER BY {names[0]}"
    for start in range(0, 1 << 40, _AT_ONCE):
        found = database.all(f"{asked} LIMIT {_AT_ONCE} OFFSET {start}")
        yield from (dict(zip(names, row, strict=True)) for row in found)
        if len(found) < _AT_ONCE:
            return


def _check(schema: Schema, rows: Mapping[str, Sequence[Stored]]) -> None:
    """Raises BenchwrightError for a value that is none of its column's."""
    keys = {name: {row[schema.table(name).columns[0].name] for row in found} for name, found in rows.items()}
    for table in schema.tables:
        if table.columns[0].kind == "key" and keys[table.name] != set(range(1, len(rows[table.name]) + 1)):
            raise BenchwrightError(f"the database is not Aurp's: the keys of {table.name} do not count from 1")
        for row in rows[table.name]:
            for column in table.columns:
                if not _fits(column, row[column.name], keys):
                    first = row[table.columns[0].name]
                    raise BenchwrightError(
                        f"the database is not Aurp's: {table.name} {first!r} holds {str(row[column.name])[:80]!r} "
                        f"as its {column.name}"
                    )


def _fits(column: Column, value: object, keys: Mapping[str, set[Any]]) -> bool:
    if value is None:
        return column.kind not in ("key", "name")
    if column.references:
        return value in keys[column.references]
    return isinstance(value, int) if column.kind in _NUMBERS else isinstance(value, str)


def _with_keys(rows: Mapping[str, Sequence[Stored]]) -> dict[str, list[Stored]]:
    """The papers' tables, whose keys are names, as those that they show."""
    number = {name: {row["Name"]: place for place, row in enumerate(found, 1)} for name, found in rows.items()}
    departments = {name: n for n, name in enumerate(dict.fromkeys(row["Department"] for row in rows["Employee"]), 1)}
    found: dict[str, list[Stored]] = {"department": [{"id": n, "name": name} for name, n in departments.items()]}
    for table in PAPER.tables:
        found[table.source] = []
        for place, row in enumerate(rows[table.name], 1):
            shown: Stored = {"id": place}
            for column in table.columns:
                value = row[column.name]
                if column.source == "department_id":
                    value = departments[value]
                elif column.source == "supervisor_id":
                    value = None if value == BOARD else number["Employee"].get(value)
                elif column.references:
                    value = number[column.references].get(value)
                shown[column.source] = value
            found[table.source].append(shown)
    return found


def _world(schema: Schema, rows: Mapping[str, Sequence[Stored]]) -> World:
    made = {table: tuple(_row(kind, row) for row in rows.get(table, ())) for table, kind in _ROWS.items()}
    return World(schema=schema, seed=0, names_seed=0, superseded=(), public_names=None, **made)


def _row(kind: type[T], row: Stored) -> T:
    blank: Stored = {field.name: None for field in fields(kind)}  # type: ignore[arg-type]
    return kind(**{**blank, **row})
