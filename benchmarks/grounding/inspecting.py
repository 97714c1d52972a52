"""What a database says of its own tables. DuckDB is asked by its own functions: its driver asks it for PostgreSQL's."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from sqlalchemy import inspect
from sqlalchemy import types as sqltypes

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
    inspector: Any = inspect(database.engine)
    return inspector


class _DuckDB:
    """The tables of the schema that DuckDB is in."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get_table_names(self) -> list[str]:
        return [name for (name,) in self._ask("DISTINCT table_name", "duckdb_tables()")]

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
        self, columns: str, function: str, table: str | None = None, constraint: str | None = None
    ) -> Sequence[Any]:
        here = "schema_name = current_schema() AND database_name = current_database()"
        sql = f"SELECT {columns} FROM {function} WHERE {here}"
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
