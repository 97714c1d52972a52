"""A database that is only read: opened by its URL, reflected, queried as a stream. Every driver's error is one line."""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, NullPool, StaticPool, create_engine, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sqlite_file import connect_read_only, forbid_writing, quoted

DatabaseRow = Sequence[Any]
_COPIED_BYTES = 1_000_000_000
_OTHER_COLON = re.compile(r":(?!bound_)")


class Database:
    """An open database. Use as a context manager."""

    def __init__(self, engine: Engine, url: URL) -> None:
        self.engine = engine
        self.dialect: str = engine.dialect.name
        """The name of the SQL dialect, as sqlglot and SQLAlchemy both know it."""
        self._url = url

    @property
    def path(self) -> Path | None:
        """The file of a SQLite database."""
        return Path(self._url.database) if self.dialect == "sqlite" and self._url.database else None

    @property
    def source(self) -> str:
        """The URL without credentials, host or path to the file: fit to be published."""
        name = Path(self._url.database or "").name
        return f"{self._url.get_backend_name()}:///{name}"

    def rows(
        self, sql: str, parameters: Mapping[str, Any] | None = None, size: int = 10_000
    ) -> Iterator[Sequence[DatabaseRow]]:
        """The result of a SELECT as a stream of lists of rows. Values are bound, as `:bound_…`.

        Raises:
            BenchwrightError: the database refuses the query.
        """
        with self._errors(sql), self.engine.connect() as connection:
            streamed = connection.execution_options(stream_results=True, max_row_buffer=size)
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

    def __enter__(self) -> "Database":
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
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise BenchwrightError(f"no driver for this database is installed ({error}): install it with pip") from None
    except ArgumentError:
        raise BenchwrightError(f"{_hide(url)} is not a database URL: write it as sqlite:///FILE") from None
    return Database(engine, parsed)


def _open_sqlite(url: URL) -> Database:
    if not url.database or url.database == ":memory:":
        raise BenchwrightError("the URL names no database file: write it as sqlite:///FILE")
    path = Path(url.database).expanduser()
    connect_read_only(path).close()
    engine = create_engine("sqlite://", creator=lambda: connect_read_only(path), poolclass=NullPool)
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


def open_for_checking(url: str) -> Database:
    """Opens a database to execute SQL in that somebody else wrote: nothing but SELECT is possible, for a limited time.

    A SQLite database is copied into memory and every column indexed, so that thousands of lookups take no time.

    Raises:
        BenchwrightError: as `open_database`.
    """
    database = open_database(url)
    if database.path is None or database.path.stat().st_size > _COPIED_BYTES:
        return database
    memory = sqlite3.connect(":memory:", check_same_thread=False)
    try:
        original = connect_read_only(database.path)
        try:
            original.backup(memory)
        finally:
            original.close()
        tables = memory.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        for number, (table,) in enumerate(tables.fetchall()):
            for place, (_, column, *_) in enumerate(memory.execute(f"PRAGMA table_info({quoted(table)})").fetchall()):
                memory.execute(f"CREATE INDEX checking_{number}_{place} ON {quoted(table)} ({quoted(column)})")
    except sqlite3.Error as error:
        raise BenchwrightError(f"the database {database.source} cannot be read: {error}") from None
    engine = create_engine("sqlite://", creator=lambda: memory, poolclass=StaticPool)
    engine.connect().close()
    forbid_writing(memory)
    return Database(engine, database._url)


def explain(error: SQLAlchemyError, source: str, sql: str) -> str:
    """What a driver said, in one line with what to do."""
    said = str(getattr(error, "orig", None) or error).splitlines()[0]
    low = said.lower()
    if "locked" in low or "busy" in low:
        return f"the database {source} is locked by another program: close it there, or use a copy"
    if "not a database" in low or "malformed" in low or "encrypted" in low:
        return f"the database {source} is damaged or is no SQLite database ({said}): restore it from a copy"
    if "no such table" in low or "no such column" in low:
        return f"the database {source} refuses a query ({said}): {' '.join(sql.split())}"
    return f"the database {source} answers with an error ({said}) to: {' '.join(sql.split())[:300]}"


def _hide(url: str) -> str:
    """A URL fit for an error message: without what could be a password."""
    before, mark, after = url.rpartition("@")
    return f"…@{after}" if mark and before else repr(url)
