"""What a database says of its own tables. DuckDB is asked by its own functions: its driver asks it for PostgreSQL's."""

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from sqlalchemy import inspect
from sqlalchemy import types as sqltypes
from sqlalchemy.exc import SAWarning

from benchwright.benchmarks.grounding.database import Database

_TYPES: Mapping[str, Any] = {
    "BOOLEAN": sqltypes.Boolean(),
    "DATE": sqltypes.Date(),
    "TIME": sqltypes.Time(),
    "VARCHAR": sqltypes.String(),
    "UUID": sqltypes.Uuid(),
    "BLOB": sqltypes.LargeBinary(),
    "JSON": sqltypes.JSON(),
    "DOUBLE": sqltypes.Float(),
    "FLOAT": sqltypes.Float(),
    **dict.fromkeys(["TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT", "UINTEGER"], sqltypes.Integer()),
    **dict.fromkeys(["BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT"], sqltypes.BigInteger()),
}


class Inspecting(Protocol):
    """What is asked, in the form that SQLAlchemy's inspector answers."""

    def get_table_names(self) -> list[str]:
        """The tables of the default schema."""
        ...

    def get_view_names(self) -> list[str]:
        """The views there."""
        ...

    def schemas_with_tables(self) -> Mapping[str, int]:
        """Other schemas that hold tables or views, and how many: the fullest first."""
        ...

    def get_columns(self, table_name: str) -> Sequence[Mapping[str, Any]]:
        """Their columns with `name` and `type`, in order."""
        ...

    def get_pk_constraint(self, table_name: str) -> Mapping[str, Any]:
        """The `constrained_columns` of the primary key."""
        ...

    def get_foreign_keys(self, table_name: str) -> Sequence[Mapping[str, Any]]:
        """`constrained_columns`, `referred_table` and `referred_columns` of each."""
        ...


def inspect_database(database: Database) -> Inspecting:
    """Who says what is in a database."""
    if database.dialect == "duckdb":
        return _DuckDB(database)
    if database.dialect == "postgresql":
        return _PostgreSQL(database)
    return _Plain(database)


class _Plain:
    """A database as SQLAlchemy sees it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._inspector: Any = inspect(database.engine)

    def get_table_names(self) -> list[str]:
        return self._inspector.get_table_names()

    def get_view_names(self) -> list[str]:
        return self._inspector.get_view_names()

    def get_columns(self, table_name: str) -> Sequence[Mapping[str, Any]]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SAWarning)  # of a type that it does not know, which is said in the schema
            return self._inspector.get_columns(table_name)

    def get_pk_constraint(self, table_name: str) -> Mapping[str, Any]:
        return self._inspector.get_pk_constraint(table_name)

    def get_foreign_keys(self, table_name: str) -> Sequence[Mapping[str, Any]]:
        return self._inspector.get_foreign_keys(table_name)

    def schemas_with_tables(self) -> Mapping[str, int]:
        return {}


class _PostgreSQL(_Plain):
    """The schemas of the search path. What a table inherits from or is a partition of is asked instead of it."""

    def get_table_names(self) -> list[str]:
        parts = self._ask("SELECT c.relname FROM pg_class c WHERE c.relispartition AND pg_table_is_visible(c.oid)")
        tables = [*super().get_table_names(), *self._inspector.get_foreign_table_names()]
        return [name for name in tables if (name,) not in parts]

    def get_view_names(self) -> list[str]:
        return [*super().get_view_names(), *self._inspector.get_materialized_view_names()]

    def schemas_with_tables(self) -> Mapping[str, int]:
        found = self._ask(
            "SELECT n.nspname, COUNT(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname !~ '^pg_' "
            "AND n.nspname <> 'information_schema' AND NOT pg_table_is_visible(c.oid) "
            "GROUP BY n.nspname ORDER BY COUNT(*) DESC, n.nspname"
        )
        return dict(found)

    def _ask(self, sql: str) -> list[tuple[Any, ...]]:
        with self._database.engine.connect() as connection:
            rows = connection.execution_options(no_parameters=True).exec_driver_sql(sql)
            return [tuple(row) for row in rows]


_HERE = "schema_name = current_schema() AND database_name = current_database()"
_ELSEWHERE = "schema_name <> current_schema() AND database_name = current_database()"


class _DuckDB:
    """The tables of the schema that DuckDB is in."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get_table_names(self) -> list[str]:
        return [name for (name,) in self._ask("DISTINCT table_name", "duckdb_tables()")]

    def get_view_names(self) -> list[str]:
        return [name for (name,) in self._ask("DISTINCT view_name", "duckdb_views()", more=" AND NOT internal")]

    def schemas_with_tables(self) -> Mapping[str, int]:
        counted: Counter[str] = Counter()
        for function in ("duckdb_tables()", "duckdb_views()"):
            counted.update(
                name for (name,) in self._ask("schema_name", function, more=" AND NOT internal", here=_ELSEWHERE)
            )
        return dict(counted.most_common())

    def get_columns(self, table_name: str) -> list[dict[str, Any]]:
        asked = "column_name, data_type, numeric_precision, numeric_scale, column_index"
        found = sorted(self._ask(asked, "duckdb_columns()", table_name), key=lambda row: row[4])
        return [{"name": row[0], "type": _type(*row[1:4])} for row in found]

    def get_pk_constraint(self, table_name: str) -> dict[str, Any]:
        found = self._ask("constraint_column_names", "duckdb_constraints()", table_name, "PRIMARY KEY")
        return {"constrained_columns": list(found[0][0]) if found else []}

    def get_foreign_keys(self, table_name: str) -> list[dict[str, Any]]:
        asked = "constraint_column_names, referenced_table, referenced_column_names"
        return [
            {"constrained_columns": list(own), "referred_table": table, "referred_columns": list(referred)}
            for own, table, referred in self._ask(asked, "duckdb_constraints()", table_name, "FOREIGN KEY")
        ]

    def _ask(
        self,
        columns: str,
        function: str,
        table: str | None = None,
        constraint: str | None = None,
        *,
        more: str = "",
        here: str = _HERE,
    ) -> Sequence[Any]:
        sql = f"SELECT {columns} FROM {function} WHERE {here}{more}"
        for column, value in (("table_name", table), ("constraint_type", constraint)):
            if value is not None:
                literal = value.replace("'", "''")
                sql += f" AND {column} = '{literal}'"
        with self._database.engine.connect() as connection:
            return connection.execution_options(no_parameters=True).exec_driver_sql(sql).all()


def _type(name: str, precision: int | None, scale: int | None) -> Any:
    if name.startswith("DECIMAL"):
        return sqltypes.Numeric(precision, scale)
    if name.startswith("TIMESTAMP"):
        return sqltypes.DateTime()
    if name.startswith("ENUM"):
        return sqltypes.String()
    return _TYPES.get(name, sqltypes.NullType())
