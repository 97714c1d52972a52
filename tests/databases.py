"""Databases on servers for tests: a real PostgreSQL and a real MariaDB in temporary folders, and DuckDB's files."""

import contextlib
import functools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine
from sqlalchemy.engine import URL
from sqlalchemy.exc import OperationalError
from support import lacking

from benchwright.scripts.servers.mediawiki.wiki import free_port

USER, PASSWORD = "canary-user", "canary-pass:/?#@%41 +&="
"""Of an administrator: what holds against him holds against all. The password has all that a URL must escape."""
_PATIENCE = 60.0
_MEMORY = {"postgresql": 1_500_000_000, "mariadb": 3_000_000_000}
"""Bytes of address space of each process of a server: what a query asks for beyond them is an error of its own."""
_NUMBERS = count(1)
_DRIVERS = {"postgresql": "postgresql+psycopg", "mariadb": "mariadb+pymysql"}
_PACKAGES = {"postgresql": "postgresql", "mariadb": "mariadb-server-core mariadb-client-core"}
_SYSTEM = {"postgresql": "postgres", "mariadb": "mysql"}
"""The database that each server begins with."""


@dataclass(frozen=True)
class DatabaseServer:
    """A server that only this session uses."""

    dialect: str
    folder: Path
    port: int
    process: subprocess.Popen[Any]

    def url(self, database: str, **parts: Any) -> URL:
        """The URL of one of its databases, by TCP with a password."""
        whole: dict[str, Any] = {"username": USER, "password": PASSWORD, "host": "127.0.0.1", "port": self.port}
        return URL.create(_DRIVERS[self.dialect], **{**whole, "database": database, **parts})

    def execute(self, database: str, *statements: str) -> list[Any]:
        """Runs statements as an administrator; the rows of the last."""
        return execute(self.url(database), *statements)

    def new(self, *statements: str) -> URL:
        """The URL of a new database, made by these statements."""
        name = f"canarybase{os.getpid()}_{next(_NUMBERS)}"
        self.execute(_SYSTEM[self.dialect], f"CREATE DATABASE {name}")
        url = self.url(name)
        execute(url, *statements)
        return url

    def alive(self) -> bool:
        """Whether the server itself still runs."""
        return self.process.poll() is None


@dataclass
class DatabaseServers:
    """The servers of a session: each is started by the first test that asks for it."""

    _running: dict[str, DatabaseServer] = field(default_factory=dict)
    _stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def get(self, dialect: str) -> DatabaseServer:
        """The server of a dialect, `postgresql` or `mariadb`. Without its package or driver the test is skipped."""
        if dialect not in self._running:
            start = {"postgresql": postgresql, "mariadb": mariadb}[dialect]
            self._running[dialect] = self._stack.enter_context(start())
        return self._running[dialect]

    def close(self) -> None:
        """Stops them."""
        self._stack.close()


def execute(url: URL, *statements: str) -> list[Any]:
    """Runs statements, each on its own, with no transaction around them; the rows of the last."""
    return results(url, *statements)[-1]


def results(url: URL, *statements: str) -> list[list[Any]]:
    """The same, with the rows of each."""
    options = {} if url.get_backend_name() == "duckdb" else {"isolation_level": "AUTOCOMMIT"}
    engine = create_engine(url, **options)
    found: list[list[Any]] = []
    try:
        with engine.connect() as connection:
            for statement in statements:
                done = connection.execution_options(no_parameters=True).exec_driver_sql(statement)
                found.append([tuple(row) for row in done] if done.returns_rows else [])
            connection.commit()
    finally:
        engine.dispose()
    return found


@contextmanager
def postgresql() -> Iterator[DatabaseServer]:
    """A PostgreSQL of its own."""
    need_driver("psycopg", "postgresql")
    programs = _folder_of("initdb", "postgresql")
    with _folder("postgresql") as folder:
        passwords = folder / "password"
        passwords.write_text(PASSWORD, encoding="utf-8")
        _run(
            [
                f"{programs}/initdb", "--pgdata=data", f"--username={USER}", "--pwfile=password", "--no-sync",
                "--auth=scram-sha-256", "--encoding=UTF8", "--no-locale",
            ],
            folder,
        )  # fmt: skip
        passwords.unlink()
        port = free_port()
        command = [
            f"{programs}/postgres", "-D", "data", "-k", str(folder), "-p", str(port), "-h", "127.0.0.1",
            "-c", "fsync=off", "-c", "max_connections=40", "-c", "max_prepared_transactions=4",
            "-c", "shared_buffers=32MB",
        ]  # fmt: skip
        # SIGINT ends it without waiting for those who are connected
        with _serving("postgresql", command, folder, port, signal.SIGINT) as server:
            yield server


@contextmanager
def mariadb() -> Iterator[DatabaseServer]:
    """A MariaDB of its own."""
    need_driver("pymysql", "mysql")
    for program in ("mariadb-install-db", "mariadbd", "my_print_defaults"):
        _folder_of(program, "mariadb")
    with _folder("mariadb") as folder:
        begin = folder / "begin.sql"
        begin.write_text(
            f"CREATE USER IF NOT EXISTS '{USER}'@'localhost' IDENTIFIED BY '{PASSWORD}';"
            f"\nGRANT ALL ON *.* TO '{USER}'@'localhost' WITH GRANT OPTION;\n",
            encoding="utf-8",
        )
        program = str(_program("mariadb-install-db"))
        _run(
            [
                program,
                "--no-defaults",
                f"--datadir={folder}/data",
                f"--tmpdir={folder}",
                "--skip-test-db",
                "--auth-root-authentication-method=normal",
            ],
            folder,
        )
        port = free_port()
        command = [
            str(_program("mariadbd")), "--no-defaults", f"--datadir={folder}/data", f"--socket={folder}/socket",
            f"--port={port}", "--bind-address=127.0.0.1", f"--pid-file={folder}/pid", f"--init-file={begin}",
            "--character-set-server=utf8mb4", "--innodb-flush-log-at-trx-commit=0", "--secure-file-priv=",
            f"--tmpdir={folder}",
        ]  # fmt: skip
        with _serving("mariadb", command, folder, port, signal.SIGTERM) as server:
            yield server


def need_driver(module: str, extra: str) -> None:
    """Skips a test without a driver, or fails where servers are required."""
    try:
        __import__(module)
    except ImportError:
        lacking(f"the driver {module} is not installed: pip install --editable '.[{extra}]'")


@functools.cache
def _program(name: str) -> Path | None:
    """A server's program: Debian keeps PostgreSQL's in a folder of their version."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return Path(found) if found else places[-1] if places else None


def _folder_of(name: str, dialect: str) -> Path:
    found = _program(name)
    if found is None:
        lacking(f"there is no {name}: run `apt-get install --no-install-recommends {_PACKAGES[dialect]}` as root")
    return found.parent


@contextmanager
def _folder(name: str) -> Iterator[Path]:
    """A folder in which the server's user may write. Neither server runs as root."""
    with tempfile.TemporaryDirectory(prefix=f"benchwright-{name}-", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        if os.getuid() == 0:
            shutil.chown(folder, "nobody")
        yield folder


def _as_nobody() -> Mapping[str, Any]:
    return {"user": "nobody", "group": "nogroup", "extra_groups": ()} if os.getuid() == 0 else {}


def _run(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, errors="replace", check=False, **_as_nobody()
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} fails: {(done.stdout + done.stderr)[-800:]}")


@contextmanager
def _serving(
    dialect: str, command: Sequence[str], folder: Path, port: int, stopping: signal.Signals
) -> Iterator[DatabaseServer]:
    """A server in bounded memory, which ends, with its folder, wherever these tests end."""
    program = Path(__file__).with_name("database_process.py")
    process = subprocess.Popen(
        [sys.executable, str(program), str(folder), str(_MEMORY[dialect]), str(int(stopping)), *command],
        stdin=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdin is not None
    server = DatabaseServer(dialect, folder, port, process)
    try:
        _wait(server)
        yield server
    finally:
        process.stdin.close()
        process.wait()


def _wait(server: DatabaseServer) -> None:
    ends = time.monotonic() + _PATIENCE
    while True:
        try:
            server.execute(_SYSTEM[server.dialect], "SELECT 1")
            return
        except OperationalError as error:
            if time.monotonic() > ends or not server.alive():
                said = (server.folder / "log").read_text(errors="replace")[-800:]
                raise RuntimeError(f"the server does not start: {error.orig}: {said}") from None
            time.sleep(0.05)
