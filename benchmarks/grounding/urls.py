"""A database's URL: the environment variables that it names, the driver that it needs, and what of it is private."""

import os
import re
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.secrecy import keep_arguments, keep_secret

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_DRIVERS = {
    "postgresql": ("PostgreSQL", "psycopg", "psycopg[binary]", "postgresql"),
    "mysql": ("MySQL", "pymysql", "pymysql", "mysql"),
    "mariadb": ("MariaDB", "pymysql", "pymysql", "mysql"),
    "duckdb": ("DuckDB", "duckdb_engine", "duckdb-engine", "duckdb"),
}
"""SQLAlchemy's name of a dialect → what people call it, the driver of bare URLs, its package, and our extra."""
_NOT_SECRET = frozenset(
    ("host", "port", "dbname", "connect_timeout", "sslmode", "charset", "service", "application_name")
)


def read_url(text: str) -> URL:
    """The URL that a text means, with the values of the environment variables that it names as `${NAME}`.

    A variable may stand for the whole URL, or for its user, password, host, database or a value of its query; there its
    value is taken as it is, with nothing escaped. Passwords are known from then on, and shown nowhere.

    Raises:
        UsageError: a variable is not set.
        BenchwrightError: the text is no URL of a database.
    """
    if whole := _VARIABLE.fullmatch(text.strip()):
        text = _value_of(whole)
    try:
        parsed = make_url(text.replace("postgres://", "postgresql://", 1) if text.startswith("postgres://") else text)
    except (ArgumentError, ValueError):
        raise BenchwrightError(f"{_without_secrets(text)} is not a database URL: write it as sqlite:///FILE") from None
    url = _with_variables(parsed)
    for secret in (str(url.password or ""), *(part for part in _queried(url))):
        keep_secret(secret, "[password]")
    known = _DRIVERS.get(url.drivername)
    return url.set(drivername=f"{url.drivername}+{known[1]}") if known and known[1] != "duckdb_engine" else url


def without_search_path(url: URL) -> tuple[URL, str | None]:
    """A URL of PostgreSQL without its `search_path=sales,public`, and these schemas as SQL, spelt as they are there."""
    path = url.query.get("search_path")
    if url.get_backend_name() != "postgresql" or path is None:
        return url, None
    names = [name.strip() for part in ([path] if isinstance(path, str) else path) for name in part.split(",")]
    spelt = [name if name.startswith('"') else '"' + name.replace('"', '""') + '"' for name in names if name]
    return url.difference_update_query(["search_path"]), ", ".join(spelt)


def is_url(text: str) -> bool:
    """Whether a text is a URL or one variable that stands for one, rather than the path of a file."""
    return "://" in text or _VARIABLE.fullmatch(text.strip()) is not None


def without_driver(url: str, error: Exception) -> BenchwrightError:
    """What to say where a database's driver cannot be imported."""
    name = url.partition(":")[0].partition("+")[0]
    name = "postgresql" if name == "postgres" else name
    if name not in _DRIVERS:
        return BenchwrightError(f"no driver for this database is installed ({error}): install it with pip")
    called, _, package, extra = _DRIVERS[name]
    return BenchwrightError(
        f'no driver for {called} is installed ({error}): run pip install "{package}", which is what the extra '
        f"benchwright[{extra}] brings"
    )


def published(url: URL) -> str:
    """A URL without user, password, host, port, query and the path to a file: fit to be published."""
    return f"{url.get_backend_name()}:///{Path(url.database or '').name}"


def without_user(said: str, url: URL) -> str:
    """A driver's message without the name of the user, which servers like to repeat."""
    users = {str(name) for name in (url.username, url.query.get("user")) if name}
    for name in users:
        said = re.sub(rf"(?<![\w]){re.escape(name)}(?![\w])", "[user]", said)
    return said


def _with_variables(url: URL) -> URL:
    fields: dict[str, str | None] = {
        "username": url.username,
        "password": str(url.password or "") or None,
        "host": url.host,
        "database": url.database,
    }
    filled = {name: _fill(value) for name, value in fields.items() if value and _VARIABLE.search(value)}
    query = {
        key: _fill(value) if isinstance(value, str) else tuple(_fill(item) for item in value)
        for key, value in url.query.items()
    }
    return url.set(query=query, **filled) if filled or query != dict(url.query) else url  # type: ignore[arg-type]


def _fill(text: str) -> str:
    return _VARIABLE.sub(_value_of, text)


def _value_of(match: re.Match[str]) -> str:
    value = os.environ.get(match.group(1))
    if not value:
        raise UsageError(f"the database URL names the environment variable {match.group(1)}, which is not set")
    keep_arguments([value])
    return value


def _queried(url: URL) -> list[str]:
    """The values in the query that may be secret: all but those that are known not to be."""
    found: list[str] = []
    for key, value in url.query.items():
        if key.lower() not in _NOT_SECRET and re.search("pass|pwd|secret|token|key", key.lower()):
            found += [value] if isinstance(value, str) else value
    return found


def _without_secrets(text: str) -> str:
    """A URL that could not be read, fit for an error message: without what could be a password."""
    before, mark, after = text.rpartition("@")
    return f"…@{after.partition('?')[0]}" if mark and before else repr(text.partition("?")[0])
