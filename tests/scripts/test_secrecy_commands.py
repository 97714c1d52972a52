"""Passwords, tokens, the names of users and home folders: the commands that ask a model or the Hub, and what breaks them."""

import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from built import Built, wikipedia_release
from canaries import HF, WRONG, Outcome
from command_server import CommandServer
from databases import USER, DatabaseServer, DatabaseServers
from hub_cases import make_release
from sqlalchemy import URL, create_engine
from sqlalchemy.exc import SQLAlchemyError

from benchwright.benchmarks.grounding.database import open_database
from benchwright.scripts.servers.hub.server import Hub
from benchwright.scripts.servers.openai.command import start_process

SCHEMA = (
    "CREATE TABLE company (company_id INTEGER PRIMARY KEY, name VARCHAR(60), city VARCHAR(60))",
    "INSERT INTO company VALUES (1, 'Halden', 'Oslo'), (2, 'Bright', 'Perth'), (3, 'Corvane', 'Oslo')",
)


def test_a_model(tmp_path: Path, command_server: CommandServer) -> None:
    """Asked, estimated, and with a key that it refuses, which servers like to repeat."""
    make_release(tmp_path / "releases")
    with start_process() as url:
        model = ("--base-url", url, "--cache", "cache.sqlite")
        asked = Outcome(command_server, tmp_path, "score-system", "lights", "openai:stand-in", *model)
        estimated = Outcome(
            command_server,
            tmp_path,
            "score-system",
            "lights",
            "bm25",
            "--name",
            "e",
            *model,
            "--model",
            "system=stand-in",
            "--estimate",
        )
    with start_process(key="sk-another") as url:
        address = ("--base-url", url, "--cache", "cache.sqlite")
        unknown = Outcome(
            command_server, tmp_path, "score-system", "lights", "openai:stand-in", "--name", "u", *address
        )
    down = Outcome(command_server, tmp_path, "score-system", "lights", "openai:other", "--name", "d", *model)
    assert asked.code == 0, asked.said
    assert estimated.code == 0, estimated.said
    assert down.code == 1, down.said
    assert unknown.code == 1 and b"error: " in unknown.stderr, unknown.said
    for outcome in (asked, estimated, down, unknown):
        assert outcome.found() == []


def test_a_cutoff(built: Built, tmp_path: Path, command_server: CommandServer) -> None:
    folder = wikipedia_release(built).folder
    with start_process() as url:
        drawn = Outcome(
            command_server, tmp_path, "plot-cutoff", str(folder), "--base-url", url, "--model", "system=stand-in", "--limit", "4",
            "--cache", "cache.sqlite",
        )  # fmt: skip
    assert drawn.code == 0, drawn.said
    assert drawn.found() == []


def test_the_hub(tmp_path: Path, command_server: CommandServer) -> None:
    """Built and pushed, compared, scored and verified from there; and with a token that it does not know."""
    release = make_release(tmp_path / "releases", "2.0.0", taller=3)
    with Hub(tmp_path / "served", {"alice": HF}) as hub:
        online = {"HF_ENDPOINT": hub.url, "HF_HUB_OFFLINE": "0"}
        done = [
            Outcome(
                command_server, tmp_path, "build-benchmark", "grammar", "--name", "library", "--set", f"database=sqlite:///{_small(tmp_path)}",
                "--push", "--repo-id", "alice/library", **online,
            ),
            Outcome(command_server, tmp_path, "publish-benchmark", str(release.folder), "--repo-id", "alice/lights", **online),
            Outcome(command_server, tmp_path, "publish-benchmark", str(release.folder), "--diff", "alice/lights", **online),
            Outcome(command_server, tmp_path, "score-system", "alice/lights", "keyword", **online),
            Outcome(command_server, tmp_path, "verify-benchmark", "alice/lights", **online),
        ]  # fmt: skip
        wrong = {**online, "HF_TOKEN": f"hf_{WRONG}-{WRONG}-{WRONG}"}
        refused = [
            Outcome(
                command_server, tmp_path, "publish-benchmark", str(release.folder), "--repo-id", "alice/new", **wrong
            ),
            Outcome(command_server, tmp_path, "verify-benchmark", "alice/none", **wrong),
            Outcome(command_server, tmp_path, "score-system", "alice/none", "keyword", **wrong),
        ]
    shutil.rmtree(tmp_path / "served")
    for outcome in done:
        assert outcome.code == 0, outcome.said
        assert outcome.found() == []
    for outcome in refused:
        assert outcome.code == 1, outcome.said
        assert outcome.stderr.splitlines()[-1].startswith(b"error: "), outcome.stderr
        assert outcome.found() == []


def _small(folder: Path) -> Path:
    path = folder / "small.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(";".join(SCHEMA))
    connection.close()
    return path


@pytest.mark.parametrize("dialect", ["postgresql", "mariadb"])
def test_a_server_that_closes_in_mid_query(
    servers: DatabaseServers, tmp_path: Path, dialect: str, command_server: CommandServer
) -> None:
    """A table is locked, and whoever waits for it is ended, for as long as a release is built from it."""
    server = servers.get(dialect)
    url = server.new(*SCHEMA)
    ended = threading.Event()
    variable = f"{url.drivername}://{USER}:${{CANARY_PASSWORD}}@127.0.0.1:{server.port}/{url.database}"
    with _locked(url) as own:
        killer = threading.Thread(target=_kill, args=(server, str(url.database), own, ended))
        killer.start()
        failed = Outcome(
            command_server, tmp_path, "build-benchmark", "grammar", "--name", "x", "--set", f"database={variable}"
        )
        ended.set()
        killer.join()
    assert failed.code == 1, failed.said
    assert failed.stderr.splitlines()[-1].startswith(b"error: "), failed.stderr
    assert b"Traceback" not in failed.said
    assert failed.found() == []


@pytest.mark.parametrize("dialect", ["postgresql", "mariadb"])
def test_a_connection_that_is_lost_while_it_is_given_back(
    servers: DatabaseServers, dialect: str, caplog: pytest.LogCaptureFixture
) -> None:
    """SQLAlchemy's pool then logs a traceback, in which a driver may name who asked: ours has nothing to add."""
    server = servers.get(dialect)
    with open_database(server.new(*SCHEMA).render_as_string(hide_password=False)) as database:
        connection = database.engine.raw_connection()
        cursor = connection.cursor()
        cursor.execute("SELECT pg_backend_pid()" if dialect == "postgresql" else "SELECT connection_id()")
        _end(server, next(iter(cursor.fetchall()))[0])
        connection.close()
    assert caplog.records == []


@contextmanager
def _locked(url: URL) -> Iterator[int]:
    """A session that has the table for itself; its number."""
    lock, number = {
        "postgresql": ("LOCK TABLE company IN ACCESS EXCLUSIVE MODE", "SELECT pg_backend_pid()"),
        "mysql": ("LOCK TABLES company WRITE", "SELECT connection_id()"),
        "mariadb": ("LOCK TABLES company WRITE", "SELECT connection_id()"),
    }[url.get_backend_name()]
    engine = create_engine(url)
    with engine.connect() as connection:
        connection.exec_driver_sql(lock)
        yield connection.exec_driver_sql(number).scalar_one()
    engine.dispose()


def _kill(server: DatabaseServer, database: str, own: int, ended: threading.Event) -> None:
    others = f"= '{database}' AND {{}} <> {own}"
    while not ended.is_set():
        if server.dialect == "postgresql":
            of_others = others.format("pid")
            server.execute(
                "postgres", f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname {of_others}"
            )
        else:
            of_others = others.format("id")
            rows = server.execute("mysql", f"SELECT id FROM information_schema.processlist WHERE db {of_others}")
            for (number,) in rows:
                _end(server, number)
        time.sleep(0.01)


def _end(server: DatabaseServer, number: int) -> None:
    with suppress(SQLAlchemyError):  # it ended by itself
        if server.dialect == "postgresql":
            server.execute("postgres", f"SELECT pg_terminate_backend({number})")
        else:
            server.execute("mysql", f"KILL {number}")
