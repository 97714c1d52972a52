"""What tests share: the command line as users call it, a place for datasets' cache, small databases, and shared data."""

import contextlib
import gc
import importlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess

import holdouts
import pytest
from built import Built, Said, session_folder
from command_server import CommandServer
from databases import DatabaseServers
from support import COMPANY, ROOT, SHARED, Run, Start, make_sqlite

from benchwright.benchmarks.releases.release import Release


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--full`: the whole of the tables of which a run of every day takes a part."""
    parser.addoption("--full", action="store_true", help="run the tests marked `full` too: all kills, faults and sizes")


def pytest_configure() -> None:
    """Sets the process up.

    Ctrl-C reaches the processes that tests start, also where these tests themselves were started in a background. Garbage
    is looked for less often, and not while files are loaded and tests collected: what that makes stays. Servers are of this
    machine: the one authority that clients know is nobody's, since to load all of a system's takes each client 20 ms.
    """
    os.environ["SSL_CERT_FILE"] = str(ROOT / "tests" / "cases" / "authority.pem")
    gc.disable()
    gc.set_threshold(50_000, 20, 50)
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Workers of pytest-xdist load the test files beforehand, each beginning with another.

    Rewriting the assertions of all files takes longer than all else of collecting. What one worker has rewritten the
    others find in `__pycache__`: where they take files in the same order at the same time, each rewrites every file.
    """
    worker = re.fullmatch(r"gw(\d+)", os.environ.get("PYTEST_XDIST_WORKER", ""))
    if worker is None or sys.dont_write_bytecode:
        return
    named = [session.config.invocation_params.dir / argument.split("::")[0] for argument in session.config.args]
    files = sorted({file for path in named for file in ([path] if path.is_file() else path.rglob("test_*.py"))})
    first = len(files) * int(worker[1]) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for file in files[first:] + files[:first]:
        if not (file.parent / "__init__.py").exists():
            sys.path.insert(0, str(file.parent))
            with contextlib.suppress(Exception, pytest.skip.Exception):  # collecting says it
                importlib.import_module(file.stem)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is left for `--full` is skipped, and so counted."""
    if not config.getoption("--full"):
        for item in items:
            if item.get_closest_marker("full"):
                item.add_marker(pytest.mark.skip(reason="one of the full tables: --full"))


def pytest_collection_finish() -> None:
    """Garbage is looked for from here on, among what comes after."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The caches of the Hub and of datasets are a test's own, and nothing is fetched."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture(scope="session")
def command_server(built: Built) -> Iterator[CommandServer]:
    """Starts processes of the package's commands without waiting for their imports."""
    with CommandServer(built.root) as server:
        yield server


@pytest.fixture
def run(command_server: CommandServer, tmp_path: Path) -> Run:
    """Runs a command of the package in a process of its own, in the test's folder; see `CommandServer.start`."""
    return partial(command_server.run, folder=tmp_path)


@pytest.fixture
def start(command_server: CommandServer, tmp_path: Path) -> Start:
    """The same, without waiting for its end: for tests that stop or kill it."""
    return partial(command_server.start, folder=tmp_path)


@pytest.fixture
def run_program(tmp_path: Path) -> Run:
    """Runs a command as users start it, by its installed program in an interpreter of its own: slower by seconds."""

    def call(command: str, *arguments: object, env: Mapping[str, str] | None = None) -> CompletedProcess[str]:
        program = Path(sys.executable).with_name(command)
        return subprocess.run(
            [str(program), *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return call


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """What is made once for all tests of the session, and changed by none."""
    return Built(session_folder(tmp_path_factory.getbasetemp(), os.environ.get("PYTEST_XDIST_WORKER", "")))


@pytest.fixture(scope="session")
def standard_aurp(built: Built, command_server: CommandServer) -> Said:
    """Aurp as `build-benchmark aurp` makes it, and what the command says."""
    return built.by_command("standard-aurp", command_server.run, "build-benchmark", "aurp")


@pytest.fixture(scope="session")
def halves(built: Built) -> tuple[Release, Release]:
    """The public and the private half of a small Aurp; see `holdouts`."""
    return holdouts.load_halves(built.folder("halves", holdouts.build_halves))


@pytest.fixture
def shared() -> Path:
    """The folder of real data beside the repository."""
    if not SHARED.is_dir():
        pytest.skip("the folder ../shared/data with real data is not there")
    return SHARED


@pytest.fixture
def company(tmp_path: Path) -> Path:
    """A small database with a foreign key, an associative table and a self-reference."""
    return make_sqlite(tmp_path / "company.sqlite", COMPANY)


@pytest.fixture(scope="session")
def servers() -> Iterator[DatabaseServers]:
    """A PostgreSQL and a MariaDB, started by the first test that asks for one."""
    started = DatabaseServers()
    yield started
    started.close()
