"""What a database says of its tables and views, with some of their rows, before anything is made of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import types as sqltypes
from sqlalchemy.exc import SQLAlchemyError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database, DeniedError
from benchwright.benchmarks.grounding.inspecting import Inspecting, inspect_database
from benchwright.benchmarks.grounding.sqlite_file import quoted

_ROWS = 500
"""Rows of each table that are looked at."""
SEEN = 400
"""Characters of a text that are looked at: one may have a hundred million."""
_AT_ONCE = 100
"""Columns that are read by one query: a table may have more than a query may return."""
_UNSEEN = (sqltypes.LargeBinary, sqltypes.JSON, sqltypes.ARRAY)
"""Types whose values nobody asks for."""


@dataclass(frozen=True)
class RawTable:
    """A table or a view."""

    name: str
    columns: Sequence[Mapping[str, Any]]
    """With `name` and `type`, in order."""
    primary_key: tuple[str, ...] = ()
    foreign_keys: Sequence[Mapping[str, Any]] = ()
    is_view: bool = False
    is_seen: bool = True
    """Whether its rows are looked at, which may take a view long."""
    is_empty: bool = False
    values: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Column → its values that are known, of the first rows; texts are cut after `SEEN` characters. A column that
    cannot be read is not there."""


@dataclass(frozen=True)
class RawDatabase:
    """All that may be read."""

    tables: Mapping[str, RawTable]
    denied: tuple[str, ...]
    """The tables and views that the user of the URL may not read."""
    broken: Mapping[str, str]
    """View → why it cannot be read."""


def read_raw(database: Database, views: Collection[str]) -> RawDatabase:
    """Asks a database for its tables and views.

    Args:
        database: an open database.
        views: those whose rows are looked at; where there is no table, those of all are.

    Raises:
        BenchwrightError: the database cannot be read, or holds nothing that may be read.
    """
    try:
        inspector = inspect_database(database)
        names = sorted(inspector.get_table_names())
        viewed = sorted(set(inspector.get_view_names()) - set(names))
    except SQLAlchemyError as error:
        raise database.failure(error, "its schema") from None
    if not names and not viewed:
        raise BenchwrightError(_nothing_there(database, inspector))
    wanted = {name.lower() for name in (views if names else viewed)}
    tables: dict[str, RawTable] = {}
    denied: list[str] = []
    broken: dict[str, str] = {}
    for name in (*names, *viewed):
        is_view = name not in names
        try:
            tables[name] = _read(database, inspector, name, is_view, not is_view or name.lower() in wanted)
        except DeniedError:
            denied.append(name)
        except BenchwrightError as error:
            if not is_view:
                raise
            broken[name] = str(error)
    if not tables and denied:
        raise BenchwrightError(
            f"the user of the URL of {database.source} may read none of its tables and views ({_some(denied)}): grant "
            "it SELECT"
        )
    if not tables:
        raise BenchwrightError(f"no view of {database.source} can be read: {next(iter(broken.values()))}")
    return RawDatabase(tables, tuple(denied), broken)


def _read(database: Database, inspector: Inspecting, name: str, is_view: bool, is_seen: bool) -> RawTable:
    """A table with its first rows.

    Raises:
        DeniedError: the user of the URL may not read it.
        BenchwrightError: it cannot be read.
    """
    try:
        columns = inspector.get_columns(name)
        primary = () if is_view else tuple(inspector.get_pk_constraint(name)["constrained_columns"] or ())
        foreign = () if is_view else inspector.get_foreign_keys(name)
    except SQLAlchemyError as error:
        raise database.failure(error, f"the columns of {name}") from None
    if not is_seen:
        return RawTable(name, columns, primary, foreign, is_view, is_seen)
    is_empty = not database.all(f"SELECT 1 FROM {quoted(name)} LIMIT 1")
    values = {} if is_empty else _values(database, name, columns)
    return RawTable(name, columns, primary, foreign, is_view, is_seen, is_empty, values)


def _values(database: Database, table: str, columns: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    seen = [item for item in columns if not isinstance(item["type"], _UNSEEN)]
    for start in range(0, len(seen), _AT_ONCE):
        part = seen[start : start + _AT_ONCE]
        try:
            found |= _values_of(database, table, part)
        except DeniedError:
            raise
        except BenchwrightError as error:
            alone = _values_alone(database, table, part)
            if not alone:
                raise error from None
            found |= alone
    return found


def _values_alone(database: Database, table: str, columns: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The same, each column on its own, without those that cannot be read: a value may be too large."""
    found: dict[str, list[Any]] = {}
    for item in columns:
        try:
            found |= _values_of(database, table, [item])
        except BenchwrightError:
            continue
    return found


def _values_of(database: Database, table: str, columns: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    selected = ", ".join(_beginning(item, database.dialect) for item in columns)
    rows = database.all(f"SELECT {selected} FROM {quoted(table)} LIMIT {_ROWS}")
    return {item["name"]: [row[place] for row in rows if row[place] is not None] for place, item in enumerate(columns)}


def _beginning(column: Mapping[str, Any], dialect: str) -> str:
    """SQL of a column's value, of a text its beginning."""
    name, kind = quoted(column["name"]), column["type"]
    if dialect == "sqlite":  # where a column of any type may hold texts
        return f"CASE WHEN typeof({name}) IN ('text', 'blob') THEN substr({name}, 1, {SEEN}) ELSE {name} END"
    if isinstance(kind, sqltypes.String) and not isinstance(kind, sqltypes.Enum):
        return f"SUBSTRING({name}, 1, {SEEN})"
    return name


def _nothing_there(database: Database, inspector: Inspecting) -> str:
    """What to say where there is neither table nor view: on PostgreSQL and DuckDB, in which schemas there are some."""
    said = f"the database {database.source} has no table"
    schemas = inspector.schemas_with_tables()
    if not schemas:
        return said
    first = next(iter(schemas))
    listed = ", ".join(f"{name} ({count})" for name, count in schemas.items())
    return (
        f"{said} in the schemas that it looks into, and some in {listed}: add ?search_path={first} to the URL"
        if database.dialect == "postgresql"
        else f"{said} in its default schema, and some in {listed}, which are not read"
    )


def _some(names: Collection[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:10]) + (f" and {len(listed) - 10} more" if len(listed) > 10 else "")
