"""A database that is only read: opened by its URL, reflected, queried as a stream. Every driver's error is one line."""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Engine, NullPool, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sqlite_file import connect_read_only
from benchwright.benchmarks.grounding.sqlite_guard import guard_reading

_READING = {
    "postgresql": ("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",),
    "mysql": ("SET SESSION TRANSACTION READ ONLY",),
    "mariadb": ("SET SESSION TRANSACTION READ ONLY",),
    "duckdb": ("SET enable_external_access = false", "SET lock_configuration = true"),
}
DatabaseRow = Sequence[Any]
_OTHER_COLON = re.compile(r":(?!bound_)")


class Database:
    """An open database. Use as a context manager."""

    def __init__(self, engine: Engine, url: URL) -> None:
        self.engine = engine
        self.dialect: str = engine.dialect.name
        """The name of the SQL dialect, as sqlglot and SQLAlchemy both know it."""
        self.url = url

    @property
    def path(self) -> Path | None:
        """The file of a SQLite database."""
        return Path(self.url.database) if self.dialect == "sqlite" and self.url.database else None

    @property
    def source(self) -> str:
        """The URL without credentials, host or path to the file: fit to be published."""
        name = Path(self.url.database or "").name
        return f"{self.url.get_backend_name()}:///{name}"

    def rows(
        self, sql: str, parameters: Mapping[str, Any] | None = None, size: int = 10_000
    ) -> Iterator[Sequence[DatabaseRow]]:
        """The result of a SELECT as a stream of lists of rows. Values are bound, as `:bound_…`.

        Raises:
            BenchwrightError: the database refuses the query.
        """
        with self._errors(sql), self.engine.connect() as connection:
            streamed = connection.execution_options(
                stream_results=True, max_row_buffer=size, no_parameters=not parameters
            )
            if parameters is None:
                result = streamed.exec_driver_sql(sql)
            else:
                result = streamed.execute(text(_OTHER_COLON.sub(r"\:", sql)), parameters)
            yield from result.partitions(size)

    def all(self, sql: str, parameters: Mapping[str, Any] | None = None) -> list[DatabaseRow]:
        """All rows of a SELECT with a small result."""
        return [row for part in self.rows(sql, parameters) for row in part]

    def check(self, sql: str, parameters: Mapping[str, Any] | None = None) -> None:
        """Asks the database whether it understands a SELECT, without running it.

        Raises:
            BenchwrightError: it does not.
        """
        self.all(f"SELECT * FROM ({sql}) AS checked WHERE 1 = 0", parameters)

    def close(self) -> None:
        """Closes all connections."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _errors(self, sql: str) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            raise BenchwrightError(explain(error, self.source, sql)) from None


def open_database(url: str) -> Database:
    """Opens a database read-only.

    Raises:
        BenchwrightError: the URL cannot be meant, there is no such database, or it cannot be read.
    """
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite":
            return _open_sqlite(parsed)
        engine = create_engine(parsed)
        hold_to_reading(engine)
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise BenchwrightError(f"no driver for this database is installed ({error}): install it with pip") from None
    except ArgumentError:
        raise BenchwrightError(f"{_hide(url)} is not a database URL: write it as sqlite:///FILE") from None
    return Database(engine, parsed)


def hold_to_reading(engine: Engine) -> None:
    """Makes every session of a server one that only reads."""
    run_in_sessions(engine, _READING.get(engine.dialect.name, ()))


def run_in_sessions(engine: Engine, statements: Sequence[str]) -> None:
    """Runs statements at the beginning of every session."""

    def begin(connection: Any, _: object) -> None:
        cursor = connection.cursor()
        for statement in statements:
            cursor.execute(statement)
        cursor.close()
        connection.commit()

    if statements:
        event.listen(engine, "connect", begin)


def _open_sqlite(url: URL) -> Database:
    if not url.database or url.database == ":memory:":
        raise BenchwrightError("the URL names no database file: write it as sqlite:///FILE")
    path = Path(url.database).expanduser()

    def connect() -> sqlite3.Connection:
        connection = connect_read_only(path)
        guard_reading(connection)
        return connection

    connect_read_only(path).close()
    engine = create_engine("sqlite://", creator=connect, poolclass=NullPool)
    database = Database(engine, url.set(database=str(path)))
    try:
        tables = database.all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    except BenchwrightError:
        database.close()
        raise
    if not tables:
        database.close()
        raise BenchwrightError(f"the database {path} has no table")
    return database


def explain(error: SQLAlchemyError, source: str, sql: str) -> str:
    """What a driver said, in one line with what to do."""
    said = str(getattr(error, "orig", None) or error).splitlines()[0]
    low = said.lower()
    shown = " ".join(sql.split())[:300]
    if "locked" in low or "busy" in low:
        return f"the database {source} is locked by another program: close it there, or use a copy"
    if "not a database" in low or "malformed" in low or "encrypted" in low:
        return f"the database {source} is damaged or is no SQLite database ({said}): restore it from a copy"
    if "no such table" in low or "no such column" in low:
        return f"the database {source} refuses a query ({said}): {' '.join(sql.split())}"
    if "not authorized" in low or "authorization denied" in low or "prohibited" in low or "unsafe use" in low:
        return f"the database {source} answers with an error ({said}: nothing but reading is allowed) to: {shown}"
    return f"the database {source} answers with an error ({said}) to: {shown}"


def _hide(url: str) -> str:
    """A URL fit for an error message: without what could be a password."""
    before, mark, after = url.rpartition("@")
    return f"…@{after}" if mark and before else repr(url)
