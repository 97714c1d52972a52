"""A database that is only read: opened by its URL, reflected, queried as a stream. Every driver's error is one line."""

import logging
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Engine, NullPool, create_engine, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sessions import (
    OWN_SECONDS,
    abandon,
    connecting,
    explain_connecting,
    hold_to_reading,
)
from benchwright.benchmarks.grounding.sqlite_file import connect_read_only
from benchwright.benchmarks.grounding.sqlite_guard import guard_reading
from benchwright.benchmarks.grounding.urls import (
    published,
    read_url,
    without_driver,
    without_search_path,
    without_user,
)
from benchwright.benchmarks.secrecy import private

DatabaseRow = Sequence[Any]
_OTHER_COLON = re.compile(r":(?!bound_)")


class DeniedError(BenchwrightError):
    """The user of the URL may not read a table."""


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
        return published(self.url)

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
            try:
                yield from result.partitions(size)
            except GeneratorExit:
                abandon(connection)
                raise

    def values(self, sql: str, size: int = 10_000) -> Iterator[Sequence[Any]]:
        """The first column of a result as a stream of lists: a row a value would take twice the time.

        Raises:
            BenchwrightError: the database refuses the query.
        """
        with self._errors(sql), self.engine.connect() as connection:
            streamed = connection.execution_options(stream_results=True, max_row_buffer=size, no_parameters=True)
            yield from streamed.exec_driver_sql(sql).scalars().partitions(size)

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
            raise self.failure(error, sql) from None

    def failure(self, error: SQLAlchemyError, sql: str) -> BenchwrightError:
        """The error to raise of what a driver said: a DeniedError where something there may not be read."""
        kind = DeniedError if _is_denied(getattr(error, "orig", None)) else BenchwrightError
        return kind(self.explain(error, sql))

    def explain(self, error: SQLAlchemyError, sql: str) -> str:
        """What a driver said, in one line with what to do, without who asked and the password."""
        return private(without_user(_explain(error, self.source, sql), self.url))


def open_database(url: str, seconds: float = OWN_SECONDS, **session: Any) -> Database:
    """Opens a database read-only.

    Args:
        url: its URL, in which `${NAME}` stands for an environment variable.
        seconds: how long one query may take, on a server.
        session: further limits of `hold_to_reading`.

    Raises:
        BenchwrightError: the URL cannot be meant, there is no such database, or it cannot be read.
    """
    parsed, search_path = without_search_path(read_url(url))
    if parsed.get_backend_name() == "sqlite":
        return _open_sqlite(parsed)
    try:
        engine = create_engine(parsed, connect_args=dict(connecting(parsed)), pool_logging_name="benchwright")
    except (NoSuchModuleError, ImportError) as error:
        raise without_driver(parsed.drivername, error) from None
    except (ArgumentError, TypeError) as error:
        raise BenchwrightError(f"{published(parsed)} cannot be opened: {private(str(error))}") from None
    if isinstance(
        engine.pool.logger, logging.Logger
    ):  # a lost connection is our one line, without a traceback beside it
        engine.pool.logger.setLevel(logging.CRITICAL)
    explain_connecting(engine)
    hold_to_reading(engine, seconds, search_path, **session)
    return Database(engine, parsed)


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


_DENIED = frozenset(("42501", 1044, 1142, 1143))
"""What PostgreSQL's SQLSTATE, and MySQL's and MariaDB's number, is where a privilege is lacking."""


def _is_denied(original: BaseException | None) -> bool:
    """Whether a driver's error is a privilege that is lacking."""
    number = original.args[0] if original is not None and original.args else None
    return getattr(original, "sqlstate", None) in _DENIED or (isinstance(number, int) and number in _DENIED)


_FAULTS = (
    (
        ("password authentication failed", "no password supplied", "using password:"),
        "does not let the user of its URL in ({said}): check the user and the password",
    ),
    (
        (
            "connection refused", "can't connect to", "failed to resolve", "timeout expired", "timed out",
            "no route to host", "network is unreachable", "connection failed: connection to server", "lost connection",
            "server closed the connection", "gone away", "connection is lost", "terminating connection",
        ),
        "cannot be reached ({said}): check that its server runs, and the host and the port of its URL",
    ),
    (
        ("permission denied", "command denied", "access denied for user"),
        "may not be read by the user of its URL ({said}): grant it SELECT",
    ),
    (
        ("statement timeout", "max_statement_time", "maximum statement execution time"),
        "ends a query that takes too long ({said}): {shown}",
    ),
)  # fmt: skip
"""Parts of what drivers say → what it means."""
_NOT_THERE = re.compile(r"database \"?[^\"]*\"? does not exist|unknown database", re.IGNORECASE)


def _explain(error: SQLAlchemyError, source: str, sql: str) -> str:
    """What a driver said, in one line with what to do."""
    said = _said(getattr(error, "orig", None) or error)
    low = said.lower()
    shown = " ".join(sql.split())[:300]
    if _NOT_THERE.search(said):
        return f"there is no database {source} on its server ({said}): check the name at the end of its URL"
    for parts, meaning in _FAULTS:
        if any(part in low for part in parts):
            return f"the database {source} {meaning.format(said=said, shown=shown)}"
    if "locked" in low or "busy" in low:
        return f"the database {source} is locked by another program: close it there, or use a copy"
    if "not a database" in low or "malformed" in low or "encrypted" in low:
        return f"the database {source} is damaged or is no SQLite database ({said}): restore it from a copy"
    if "no such table" in low or "no such column" in low:
        return f"the database {source} refuses a query ({said}): {' '.join(sql.split())}"
    if "not authorized" in low or "authorization denied" in low or "prohibited" in low or "unsafe use" in low:
        return f"the database {source} answers with an error ({said}: nothing but reading is allowed) to: {shown}"
    return f"the database {source} answers with an error ({said}) to: {shown}"


def _said(error: BaseException) -> str:
    """The first line of a driver's message; of a number and a message, as MySQL's have, the latter."""
    texts = [part for part in error.args if isinstance(part, str)]
    said = texts[0] if len(error.args) == 2 and len(texts) == 1 else str(error)
    return next((line.strip() for line in said.splitlines() if line.strip()), type(error).__name__)
