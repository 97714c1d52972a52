"""What a query may do in SQLite: read, with functions that are known, for a limited time, values of a limited size.

SQLite asks the guard for every single thing that a statement would do, before it does it
(https://sqlite.org/c3ref/set_authorizer.html), and every few thousand steps whether to go on
(https://sqlite.org/security.html says why a strange database needs both).
"""

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from time import monotonic

from benchwright.benchmarks.grounding.sqlite_functions import hold_functions

LONGEST_VALUE = 1_000_000
"""How many bytes a value may have that a query of somebody else makes or reads."""
MOST_COLUMNS = 100
"""How many columns a query of somebody else may return, sort or group by."""
_MEMORY = 750_000_000
"""Bytes that SQLite may hold in this process, from the first database on that is checked: a planner asks no clock."""
_STEPS = 2_000
_FUNCTIONS = frozenset((
    "->", "->>", "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "avg", "ceil", "ceiling",
    "char", "coalesce", "concat", "concat_ws", "cos", "cosh", "count", "cume_dist", "current_date",
    "current_time", "current_timestamp", "date", "datetime", "degrees", "dense_rank", "exp", "first_value",
    "floor", "format", "glob", "group_concat", "hex", "ifnull", "iif", "instr", "json", "json_array",
    "json_array_length", "json_extract", "json_group_array", "json_group_object", "json_object", "json_quote",
    "json_type", "json_valid", "julianday", "lag", "last_value", "lead", "length", "like", "likelihood", "likely",
    "ln", "log", "log10", "log2", "lower", "ltrim", "max", "min", "mod", "nth_value", "ntile", "nullif",
    "octet_length", "percent_rank", "pi", "pow", "power", "printf", "quote", "radians", "rank", "replace",
    "round", "row_number", "rtrim", "sign", "sin", "sinh", "sqrt", "strftime", "string_agg", "substr",
    "substring", "sum", "tan", "tanh", "time", "timediff", "total", "trim", "trunc", "typeof", "unhex", "unicode",
    "unixepoch", "unlikely", "upper",
))  # fmt: skip
_PRAGMAS = frozenset(
    [
        "table_info",
        "table_xinfo",
        "table_list",
        "foreign_key_list",
        "index_list",
        "index_info",
        "index_xinfo",
        "read_uncommitted",
    ]
)
_OWN_TABLES = frozenset(("sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema"))


@dataclass
class SqliteGuard:
    """What one connection may do. Make it with `guard_reading` or `guard_checking`."""

    tables: Collection[str] | None = None
    """The tables and views that may be read, in lower case; None for all."""
    pragmas: bool = False
    """Whether the schema may be asked for."""
    ends: float | None = None

    def start(self, seconds: float | None) -> None:
        """Starts the clock of the next query; None for no limit."""
        self.ends = None if seconds is None else monotonic() + seconds

    def allow(self, action: int, one: str | None, two: str | None, base: str | None, _: str | None) -> int:
        """SQLite's question whether a statement may be."""
        if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE):
            allowed = True
        elif action == sqlite3.SQLITE_READ:
            # without a database it is a subquery or a WITH, counted by its rows
            allowed = self.tables is None or base is None or (one or "").lower() in self.tables
        elif action == sqlite3.SQLITE_FUNCTION:
            allowed = (two or "").lower() in _FUNCTIONS
        elif action == sqlite3.SQLITE_PRAGMA:
            allowed = self.pragmas and (one or "").lower() in _PRAGMAS
            allowed = allowed and (one != "read_uncommitted" or two is None)
        else:
            allowed = False
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY

    def expired(self) -> bool:
        """SQLite's question whether to stop."""
        return self.ends is not None and monotonic() > self.ends


def distrust(connection: sqlite3.Connection) -> None:
    """Lets no view, index or generated column call what is not harmless, and looks at pages before using them."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")


def guard_reading(connection: sqlite3.Connection) -> None:
    """From now on nothing but SELECT and questions about the schema can be run. For one's own queries: for any time."""
    guard = SqliteGuard(pragmas=True)
    connection.set_authorizer(guard.allow)


def guard_checking(connection: sqlite3.Connection) -> SqliteGuard:
    """From now on nothing but SELECT of tables and views can be run, within the limits that stand above.

    Raises:
        sqlite3.Error: the schema cannot be read.
    """
    kept = connection.execute("SELECT name FROM sqlite_master WHERE type = 'view' OR (type = 'table' AND rootpage > 0)")
    guard = SqliteGuard(tables=_OWN_TABLES.union(str(name).lower() for (name,) in kept.fetchall()))
    for limit, most in (
        (sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE),
        (sqlite3.SQLITE_LIMIT_SQL_LENGTH, LONGEST_VALUE),
        (sqlite3.SQLITE_LIMIT_COLUMN, MOST_COLUMNS),
        (sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
        (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
        (sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0),
    ):
        connection.setlimit(limit, most)
    connection.execute(f"PRAGMA hard_heap_limit = {_MEMORY}")
    hold_functions(connection, LONGEST_VALUE)
    connection.set_authorizer(guard.allow)
    connection.set_progress_handler(guard.expired, _STEPS)
    return guard
