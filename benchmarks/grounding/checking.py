"""Executing SQL that somebody else wrote: it reads for a limited time, a limited number of rows and bytes, or ends
with one line."""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Timer
from time import monotonic
from typing import Any

from sqlalchemy import Connection, Engine, StaticPool, create_engine
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database, DatabaseRow, open_database
from benchwright.benchmarks.grounding.dialects import GUARDED
from benchwright.benchmarks.grounding.inspecting import inspect_database
from benchwright.benchmarks.grounding.one_select import require_one_select
from benchwright.benchmarks.grounding.sessions import abandon
from benchwright.benchmarks.grounding.sqlite_file import connect_read_only, quoted
from benchwright.benchmarks.grounding.sqlite_guard import (
    LONGEST_VALUE,
    MOST_COLUMNS,
    SqliteGuard,
    distrust,
    guard_checking,
)

SECONDS = 20.0
"""How long one query may take."""
MOST_ROWS = 100_000
"""How many rows one query may return."""
MOST_BYTES = 50_000_000
"""How many bytes the values that one query returns may have."""
MOST_ROW_BYTES = 10_000_000
"""How many bytes PostgreSQL may send in one row, which the driver reads as a whole."""
_MOST_TIMEOUTS = 3
"""After so many queries that took too long or too much memory, no other is run."""
ALL_SECONDS, SECONDS_EACH = 3_600.0, 0.1
"""How long all queries in a SQLite database may take together: so long, and so long for each."""
_COPIED_BYTES = 1_000_000_000
_CACHE_KB = 200_000
_INDEX_SECONDS = 60.0
_MEMORY = "1GB"
_ROW_TOO_LARGE = f"a row has more than {MOST_ROW_BYTES:,} bytes"


class CheckingDatabase(Database):
    """A database in which SQL of somebody else is executed. Use as a context manager, from one thread."""

    def __init__(self, engine: Engine, url: URL, guard: SqliteGuard | None) -> None:
        super().__init__(engine, url)
        self._guard = guard
        self._timeouts = 0
        self._queries, self._spent = 0, 0.0
        self._tables: frozenset[str] | None = None

    def rows(
        self, sql: str, parameters: Mapping[str, Any] | None = None, size: int = 10_000
    ) -> Iterator[Sequence[DatabaseRow]]:
        """As `all`, in one part."""
        yield self.all(sql, parameters)

    def all(self, sql: str, parameters: Mapping[str, Any] | None = None) -> list[DatabaseRow]:
        """All rows of one SELECT.

        Raises:
            BenchwrightError: it is anything else, takes too long, returns too much, or the database refuses it.
            ValueError: values are to be bound, which SQL of somebody else has none of.
        """
        if parameters:
            raise ValueError("SQL that is checked holds its values itself")
        shown = " ".join(sql.split())[:300]
        if self._timeouts >= _MOST_TIMEOUTS:
            raise BenchwrightError(
                f"a query is not run, since {_MOST_TIMEOUTS} others took too long or too much memory: {shown}"
            )
        self._queries += 1
        if self._guard is not None and self._spent > ALL_SECONDS + SECONDS_EACH * self._queries:
            raise BenchwrightError(f"a query is not run, since all before it took {self._spent:,.0f} seconds: {shown}")
        if self._guard is None:
            require_one_select(sql, self.dialect, self._known_tables())
        ends = monotonic() + SECONDS
        try:
            return self._fetch(sql, shown, ends)
        except SQLAlchemyError as error:
            if monotonic() >= ends:
                raise self._too_long(shown) from None
            if _ROW_TOO_LARGE in str(error.__cause__):
                raise BenchwrightError(f"a query is refused, {_ROW_TOO_LARGE}: {shown}") from None
            raise self.failure(error, sql) from None
        except MemoryError:
            self._timeouts += 1
            raise BenchwrightError(f"a query was interrupted: it needs more memory than it may have: {shown}") from None
        except (UnicodeError, OverflowError) as error:
            said = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise BenchwrightError(f"the database {self.source} answers with an error ({said}) to: {shown}") from None
        finally:
            self._spent += monotonic() - ends + SECONDS

    @contextmanager
    def schema_open(self) -> Iterator[None]:
        """For as long as it is entered, the schema may be asked for, within the same limits."""
        guard = self._guard
        if guard is None:
            yield
            return
        guard.pragmas = True
        guard.start(SECONDS)
        try:
            yield
        finally:
            guard.pragmas = False
            guard.start(None)

    def _too_long(self, shown: str) -> BenchwrightError:
        self._timeouts += 1
        return BenchwrightError(f"a query was interrupted: it takes longer than {SECONDS:g} seconds: {shown}")

    def _fetch(self, sql: str, shown: str, ends: float) -> list[DatabaseRow]:
        options = {"stream_results": True, "max_row_buffer": 10, "no_parameters": True}
        rows: list[DatabaseRow] = []
        size = 0
        with self.engine.connect() as connection, _Clock(self, connection), _unread(connection):
            sent = _small_rows(sql) if self.dialect == "postgresql" else sql
            result = connection.execution_options(**options).exec_driver_sql(sent)
            if not result.returns_rows:
                raise BenchwrightError(f"a query is refused, it must be one SELECT: {shown}")
            if len(result.keys()) > MOST_COLUMNS:
                raise BenchwrightError(f"a query returns more than {MOST_COLUMNS} columns: {shown}")
            while (row := result.fetchone()) is not None:
                rows.append(row)
                size += sum(map(_size, row))
                if len(rows) > MOST_ROWS:
                    raise BenchwrightError(f"a query returns more than {MOST_ROWS:,} rows: {shown}")
                if monotonic() > ends:  # a server's clock starts again with each part of the rows
                    raise self._too_long(shown)
                if size > MOST_BYTES:
                    raise BenchwrightError(f"a query returns more than {MOST_BYTES:,} bytes: {shown}")
        return rows

    def _known_tables(self) -> frozenset[str]:
        if self._tables is None:
            try:
                inspector = inspect_database(self)
                names = {name.lower() for name in (*inspector.get_table_names(), *inspector.get_view_names())}
                schema = (self.engine.dialect.default_schema_name or "").lower()
            except SQLAlchemyError as error:
                raise self.failure(error, "its schema") from None
            self._tables = frozenset(names | {f"{schema}.{name}" for name in names if schema})
        return self._tables


@contextmanager
def _unread(connection: Connection) -> Iterator[None]:
    """Gives a connection up where an error leaves rows that are not read."""
    try:
        yield
    except BenchwrightError:
        abandon(connection)
        raise


class _Clock:
    """Ends what runs inside it after `SECONDS`: by SQLite's own question, or by a timer if a driver can interrupt."""

    def __init__(self, database: CheckingDatabase, connection: Any) -> None:
        self._guard = database._guard
        driver = connection.connection.dbapi_connection
        interrupt: Callable[[], object] | None = getattr(driver, "interrupt", None) if self._guard is None else None
        self._timer = Timer(SECONDS, interrupt) if interrupt else None

    def __enter__(self) -> None:
        if self._guard is not None:
            self._guard.start(SECONDS)
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()

    def __exit__(self, *_: object) -> None:
        if self._guard is not None:
            self._guard.start(None)
        if self._timer is not None:
            self._timer.cancel()


def _small_rows(sql: str) -> str:
    """A query that PostgreSQL itself ends at a row that is too large: a driver would read it into memory first."""
    size = "octet_length(CAST(checked AS text))"
    failing = f"CAST('{_ROW_TOO_LARGE}' || {size} AS boolean)"
    return f"SELECT * FROM ({sql}) AS checked WHERE CASE WHEN {size} > {MOST_ROW_BYTES} THEN {failing} ELSE TRUE END"


def _size(value: Any) -> int:
    return len(value) if isinstance(value, str | bytes | memoryview) else 8


def open_for_checking(url: str) -> CheckingDatabase:
    """Opens a database to execute SQL in that somebody else wrote: nothing but SELECT is possible, within limits.

    A SQLite database is copied and every column indexed, so that thousands of lookups take no time; one above 1 GB is
    read where it is. A small copy is in memory, a large one in a temporary file that SQLite itself removes.

    Raises:
        BenchwrightError: as `open_database`, or the engine is none that can be held to reading.
    """
    database = open_database(url, SECONDS, memory=_MEMORY)
    if database.path is None:
        if database.dialect not in GUARDED:
            database.close()
            raise BenchwrightError(
                f"SQL of a release is not run in {database.dialect}, which cannot be held to reading: "
                "use SQLite, PostgreSQL, MySQL, MariaDB or DuckDB"
            )
        return CheckingDatabase(database.engine, database.url, None)
    database.close()
    try:
        large = database.path.stat().st_size > _COPIED_BYTES
        connection = connect_read_only(database.path) if large else _indexed_copy(connect_read_only(database.path))
        engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
        engine.connect().close()
        guard = guard_checking(connection)
    except sqlite3.Error as error:
        raise BenchwrightError(f"the database {database.source} cannot be read: {error}") from None
    return CheckingDatabase(engine, database.url, guard)


def _indexed_copy(original: sqlite3.Connection) -> sqlite3.Connection:
    """A private copy with an index of every column, as far as a minute and four times the room suffice."""
    copy = sqlite3.connect(
        "", check_same_thread=False
    )  # SQLite's own temporary file: in memory until the cache is full
    copy.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
    try:
        original.backup(copy)
    finally:
        original.close()
    distrust(copy)
    (pages,) = copy.execute("PRAGMA page_count").fetchone()
    copy.execute(f"PRAGMA max_page_count = {4 * pages + 10_000}")
    copy.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    ends = monotonic() + _INDEX_SECONDS
    copy.set_progress_handler(lambda: monotonic() > ends, 1_000)
    for number, (table, columns) in enumerate(_stored(copy)):
        for place, column in enumerate(columns):
            if monotonic() > ends:
                return copy
            with suppress(sqlite3.OperationalError, sqlite3.DataError):  # too long, too large: looked up without it
                copy.execute(f"CREATE INDEX checking_{number}_{place} ON {quoted(table)} ({quoted(column)})")
    return copy


def _stored(connection: sqlite3.Connection) -> Sequence[tuple[str, Collection[str]]]:
    """The tables that hold rows of their own, which virtual ones do not, and their columns."""
    tables = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite_%'"
    )
    return [
        (table, [row[1] for row in connection.execute(f"PRAGMA table_info({quoted(table)})").fetchall()])
        for (table,) in tables.fetchall()
    ]
