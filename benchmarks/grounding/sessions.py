"""The sessions of servers and of DuckDB: they only read, write names and texts as standard SQL does, and end."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import URL

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.urls import published
from benchwright.benchmarks.secrecy import private

OWN_SECONDS = 3600.0
"""How long one query of a build may take on a server."""
_LOCK_SECONDS = 60
_CONNECT_SECONDS = 20
_MEMORY = "8GB"
_ALIVE = {"connect_timeout": _CONNECT_SECONDS, "keepalives_idle": 60, "keepalives_interval": 10, "keepalives_count": 6}
"""By which PostgreSQL's driver notices that a server, or the network to it, is gone."""
_STANDARD = "ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT,STRICT_TRANS_TABLES"
"""MySQL and MariaDB: names in double quotes, no escapes in texts, and || between texts, as in the SQL that a release
holds."""
_POSTGRESQL = (
    "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
    "SET standard_conforming_strings = on",
    f"SET lock_timeout = {_LOCK_SECONDS * 1000}",
    "SET statement_timeout = {milliseconds}",
)
_MARIADB = (
    "SET SESSION TRANSACTION READ ONLY",
    f"SET SESSION sql_mode = '{_STANDARD}'",
    f"SET SESSION lock_wait_timeout = {_LOCK_SECONDS}",
)
_DUCKDB = (
    "SET temp_directory = ''",
    "SET enable_external_access = false",
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET memory_limit = '{memory}'",
    "SET lock_configuration = true",
)
_BEGINNINGS = {"postgresql": _POSTGRESQL, "mysql": _MARIADB, "mariadb": _MARIADB, "duckdb": _DUCKDB}


def connecting(url: URL) -> Mapping[str, Any]:
    """What a driver is told when it connects: to give up after some seconds, and to open DuckDB's file for reading.

    Raises:
        BenchwrightError: the URL names no file of DuckDB.
    """
    name = url.get_backend_name()
    if name == "duckdb":
        if not url.database or url.database == ":memory:":
            raise BenchwrightError("the URL names no database file: write it as duckdb:///FILE")
        return {"read_only": True}
    if name in ("mysql", "mariadb"):
        seconds = int(str(url.query.get("connect_timeout", _CONNECT_SECONDS)))
        return {"connect_timeout": seconds, "read_timeout": seconds}
    if name == "postgresql":
        return {key: value for key, value in _ALIVE.items() if key not in url.query}
    return {}


def hold_to_reading(engine: Engine, seconds: float, search_path: str | None = None, *, memory: str = _MEMORY) -> None:
    """Makes every session one that only reads, and in which a query ends after so many seconds.

    Args:
        engine: of a server or of DuckDB; those of other dialects stay as they are.
        seconds: how long one query may take.
        search_path: the schemas that PostgreSQL looks into, as SQL.
        memory: how much DuckDB may use, which runs in this process and writes no temporary file.
    """
    statements = _BEGINNINGS.get(engine.dialect.name, ())

    def begin(connection: Any, _: object) -> None:
        cursor = connection.cursor()
        if engine.dialect.name == "duckdb" and _is_held(cursor):
            cursor.close()
            return
        for statement in (*statements, *_clock(engine.dialect.name, cursor, seconds)):
            cursor.execute(statement.format(milliseconds=max(1, int(seconds * 1000)), memory=memory))
        if search_path is not None and engine.dialect.name == "postgresql":
            cursor.execute("SELECT set_config('search_path', %s, false)", (search_path,))
        if engine.dialect.driver == "psycopg":
            _read_all_dates(connection.adapters)
        if hasattr(connection, "_read_timeout"):  # PyMySQL's, which was that of connecting until now
            connection._read_timeout = seconds + _LOCK_SECONDS
        cursor.close()
        connection.commit()

    if statements:
        # Before SQLAlchemy looks at the session for the first time, since how it quotes names depends on it
        event.listen(engine, "connect", begin, insert=True)


def _read_all_dates(adapters: Any) -> None:
    """Has psycopg give as a text what Python has no date for: PostgreSQL's `infinity`, and days before Christ."""
    from psycopg import DataError
    from psycopg.types import datetime as known

    def reading(loader: Any) -> Any:
        class Reading(loader):
            def load(self, data: Any) -> Any:
                try:
                    return super().load(data)
                except DataError:
                    return bytes(data).decode()

        return Reading

    for name, loader in (
        ("date", known.DateLoader),
        ("timestamp", known.TimestampLoader),
        ("timestamptz", known.TimestamptzLoader),
    ):
        adapters.register_loader(name, reading(loader))


def explain_connecting(engine: Engine) -> None:
    """Makes an error of whatever a driver raises that does not understand its URL."""

    def connect(dialect: Any, _: object, arguments: Any, named: Any) -> Any:
        try:
            return dialect.connect(*arguments, **named)
        except (TypeError, ValueError, RuntimeError, OSError) as error:
            if isinstance(error, dialect.loaded_dbapi.Error):
                raise
            said = private(" ".join(str(error).split()))[:300]
            raise BenchwrightError(f"{published(engine.url)} cannot be opened: {said}") from None

    event.listen(engine, "do_connect", connect)


def abandon(connection: Connection) -> None:
    """Gives up a connection of which not all rows were read. MySQL's driver would first read all others."""
    driver = connection.connection.dbapi_connection
    result = getattr(driver, "_result", None)  # PyMySQL's own; it has no other way to be told
    if connection.dialect.driver == "pymysql" and result is not None:
        result.unbuffered_active = False
        connection.invalidate()


def _is_held(cursor: Any) -> bool:
    """Whether another session of this process began DuckDB's file: its settings are those of all."""
    cursor.execute("SELECT current_setting('lock_configuration')")
    return str(cursor.fetchone()[0]).lower() == "true"


def _clock(dialect: str, cursor: Any, seconds: float) -> Sequence[str]:
    """MySQL and MariaDB call their clocks differently, and either may stand behind either name of the dialect."""
    if dialect not in ("mysql", "mariadb"):
        return ()
    cursor.execute("SELECT VERSION()")
    if "mariadb" in str(cursor.fetchone()[0]).lower():
        return (f"SET SESSION max_statement_time = {seconds}",)
    return ("SET SESSION max_execution_time = {milliseconds}",)
