"""Runs the package's commands in processes of their own that start at once: forks of one that has its modules loaded.

A command that starts as users start it spends one to two seconds of processor time on imports, and the tests start
hundreds. Here a process is like any other in its arguments, working folder, environment, standard streams, limits,
exit code and signals. What only a new interpreter has (a hash seed of its own, what is imported at first, `PYTHON…`
variables but for PYTHONPATH) is tested with `subprocess`.

The client (`CommandServer`) passes a job and its standard streams over a Unix socket; the server forks the
command, and sends its process id, then its return code and the most memory that it took.
"""

import atexit
import contextlib
import functools
import gc
import importlib
import importlib.metadata
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, NoReturn, Self

from filelock import FileLock

HEAVY = (
    "anyio",
    "bm25s",
    "dill",
    "filelock",
    "fsspec",
    "httpcore2",
    "jinja2",
    "matplotlib.backends.backend_svg",
    "matplotlib.pyplot",
    "multiprocess",
    "openai",
    "pycountry",
    "rapidfuzz.fuzz",
    "rich.progress",
    "rich.table",
    "scipy.optimize",
    "scipy.special",
    "snowballstemmer",
    "xxhash",
    "yaml",
)
"""What the package, or a library of it, imports only where it is used."""
READ_AT_IMPORT = ("datasets", "huggingface_hub")
"""Modules that read their settings from the environment when they are imported: each command imports them itself."""


@dataclass(frozen=True)
class Job:
    """A process to start.

    Attributes:
        arguments: A console command of the package and its arguments, or `-m MODULE …`, or `-c CODE …`.
        folder: Working folder.
        environment: All of its environment.
        limits: Resource limits: name after `RLIMIT_` → value, soft and hard.
    """

    arguments: list[str]
    folder: str
    environment: dict[str, str]
    limits: dict[str, int]


def preload() -> None:
    """Imports what commands import, but for what reads the environment at its import."""
    import pkgutil
    import warnings

    filters = list(warnings.filters)  # mwclient shows every DeprecationWarning as soon as it is imported

    for name in READ_AT_IMPORT:
        sys.modules[name] = None  # type: ignore[assignment]  # an import of it fails
    names = list(HEAVY)
    for folder in ("benchmarks", "builders", "cards", "scripts.options"):
        package = importlib.import_module(f"benchwright.{folder}")
        names += [module.name for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    for name in names:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for name in READ_AT_IMPORT:
        del sys.modules[name]
    importlib.import_module("benchwright.builders.sql.wording.english").inflector()
    use()
    entry_points()
    warnings.filters[:] = filters  # type: ignore[index]


def use() -> None:
    """Builds, proves, scores and reports a small Aurp, and builds small ones of others, one with held-out questions: what the
    package then has parsed and compiled, every command has."""
    import tqdm
    from support import COMPANY, ROOT, make_sqlite

    from benchwright.benchmarks import registry
    from benchwright.benchmarks.catalogue import spec_names
    from benchwright.benchmarks.models.kept import claims
    from benchwright.benchmarks.releases.proofs.verify import verify_release
    from benchwright.benchmarks.runs.score_system import score_system
    from benchwright.builders.base import build_release
    from benchwright.cards.dataset import card
    from benchwright.cards.dataset.card import render_card
    from benchwright.cards.report.page import report_run

    tqdm.tqdm.monitor_interval = 0  # it would start a thread
    for builder in spec_names():
        templates = card._environment(card._own_section(builder))
        for file in (ROOT / "cards" / "templates" / "card").rglob("*.jinja"):
            templates.get_template(file.name)
    with tempfile.TemporaryDirectory() as folder:
        database = str(make_sqlite(Path(folder) / "company.sqlite", COMPANY))
        for name, given, holdout in (
            ("grammar", {"database": database}, None),
            ("spider", {"groups": "30"}, None),
            ("aurp", {"size": "10", "groups": "20"}, 0.3),
        ):
            build_release(name, given, render_card, output=Path(folder) / "others" / name, holdout=holdout)
        parameters = {"size": "paper"}
        release, _ = build_release("aurp", parameters, render_card, output=Path(folder) / "releases")
        problems = verify_release(release).problems
        assert not problems, problems
        report_run(release, score_system(release, "bm25", output=Path(folder) / "runs").folder)
    # what is installed, and where this is, each command finds out
    registry._states.clear()
    registry._entry_points.cache_clear()
    claims._place.cache_clear()
    for thread in threading.enumerate():  # a fork has no other
        assert thread is threading.current_thread() or (thread.join(60) is None and not thread.is_alive()), thread


@functools.cache
def entry_points() -> dict[str, EntryPoint]:
    """The console commands of what is installed here: name → what runs it."""
    return {point.name: point for point in importlib.metadata.entry_points(group="console_scripts")}


def serve(listener: socket.socket) -> Job | None:
    """Forks for each job that comes. Returns the job in the process that is to do it, None when stdin ends."""
    import select

    ended, woken = socket.socketpair()
    woken.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(woken.fileno(), warn_on_full_buffer=False)
    running: dict[int, socket.socket] = {}
    while True:
        ready, _, _ = select.select([listener, sys.stdin, ended], [], [])
        if ended in ready:
            ended.recv(1 << 10)
            _report(running)
        if sys.stdin in ready:
            return None
        if listener in ready:
            connection, _ = listener.accept()
            content, streams, _, _ = socket.recv_fds(connection, 1 << 16, 3)
            while not content.endswith(b"\n") and (more := connection.recv(1 << 16)):
                content += more
            child = os.fork()
            if not child:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for each in (listener, ended, woken, *running.values()):
                    each.close()
                return _start(connection, content, streams)
            for stream in streams:
                os.close(stream)
            running[child] = connection
            with contextlib.suppress(BrokenPipeError):
                connection.sendall(f"{child}\n".encode())


def _report(running: dict[int, socket.socket]) -> None:
    """Tells the clients of processes that have ended how they did; these run no longer."""
    while running:
        process, status, used = os.wait4(-1, os.WNOHANG)
        if not process:
            return
        with running.pop(process) as connection, contextlib.suppress(BrokenPipeError):
            connection.sendall(f"{os.waitstatus_to_exitcode(status)} {used.ru_maxrss}\n".encode())


def _start(connection: socket.socket, content: bytes, streams: Sequence[int]) -> Job:
    """Reads a job and takes its streams."""
    connection.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    return Job(**json.loads(content))


def do(job: Job) -> None:
    """What an interpreter does that starts with these arguments; ends in `SystemExit` or another exception."""
    import runpy

    os.environ.clear()
    os.environ.update(job.environment)
    time.tzset()
    os.chdir(job.folder)
    for name, value in job.limits.items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    first, *rest = job.arguments
    program = Path(sys.executable).with_name(first)
    places = [place for place in job.environment.get("PYTHONPATH", "").split(os.pathsep) if place]
    start = {"-c": "", "-m": str(Path.cwd())}.get(first, str(program.parent))
    sys.path[:1] = [start, *places]
    if first == "-c":
        sys.argv = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    elif first == "-m":
        sys.argv = ["-m", *rest[1:]]
        sys.modules.pop(rest[0], None)
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = [str(program), *rest]
        sys.exit(entry_points()[first].load()())


def outcome(job: Job) -> int:
    """Does a job, and gives its return code; what an interpreter writes of an exception is on stderr."""
    try:
        do(job)
    except SystemExit as error:
        if error.code is None or isinstance(error.code, int):
            return error.code or 0
        sys.stderr.write(f"{error.code}\n")
        return 1
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
        return -signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1
    return 0


def end(code: int) -> NoReturn:
    """Ends the process as an interpreter does, but for taking down every module, which takes a second here."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


class Received(threading.Thread):
    """What comes through a pipe, until all who write to it have ended."""

    def __init__(self, pipe: int) -> None:
        super().__init__(daemon=True)
        self._pipe, self._content = pipe, b""
        self.start()

    def run(self) -> None:
        """Reads to the end."""
        with os.fdopen(self._pipe, "rb", buffering=0) as pipe:
            while content := pipe.read(1 << 16):
                self._content += content

    @property
    def text(self) -> str:
        """What has come so far; of a letter that came in part, nothing."""
        return self._content.decode(errors="ignore")


class Started:
    """A process that was started."""

    def __init__(self, connection: socket.socket, stdout: Received, stderr: Received) -> None:
        self._replies, self._streams = connection.makefile("rb"), (stdout, stderr)
        self._connection = connection
        self.pid = int(self._replies.readline())
        self.returncode: int | None = None
        self.peak = 0
        """The most memory that it or a process of its took, in the system's unit, once it has ended: kilobytes on
        Linux. What the server of commands has loaded is in it."""

    def poll(self) -> int | None:
        """Its return code, or None while it runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Its return code, once it has ended.

        Raises:
            subprocess.TimeoutExpired: It still runs after so many seconds.
        """
        if self.returncode is None:
            import select

            ready, _, _ = select.select([self._connection], [], [], timeout)
            if not ready:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            self.returncode, self.peak = map(int, self._replies.readline().split())
            self._replies.close()
            self._connection.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Sends a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Ends it at once."""
        self.send_signal(signal.SIGKILL)

    def output(self) -> tuple[str, str]:
        """What it has written so far to stdout and stderr."""
        stdout, stderr = self._streams
        return stdout.text, stderr.text

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Waits, and gives what it has written to stdout and stderr."""
        self.wait(timeout)
        for stream in self._streams:
            stream.join()
        return self.output()


class CommandServer:
    """The process that forks, started when the first job comes; those that name the same folder share one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._address = ""
        self._held = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._address:
            os.close(self._held)

    def start(
        self,
        *arguments: object,
        folder: Path,
        env: Mapping[str, str] | None = None,
        limits: Mapping[str, int] | None = None,
        stdin: str = "",
    ) -> Started:
        """Starts a process; see `Job`. `env` is added to this process's own environment."""
        assert not [name for name in env or {} if name.startswith("PYTHON") and name != "PYTHONPATH"], "too late for it"
        whole = {**os.environ, **(env or {})}
        job = Job([str(item) for item in arguments], str(folder), whole, dict(limits or {}))
        connection = self._connect()
        content = json.dumps(asdict(job)).encode() + b"\n"
        pipes = os.pipe(), os.pipe()
        with tempfile.TemporaryFile() as given:
            given.write(stdin.encode())
            given.seek(0)
            sent = socket.send_fds(connection, [content], [given.fileno(), *(end for _, end in pipes)])
        if rest := content[sent:]:  # to send nothing to a job that has ended already would be a broken pipe
            connection.sendall(rest)
        for _, end in pipes:
            os.close(end)
        stdout, stderr = (Received(pipe) for pipe, _ in pipes)
        return Started(connection, stdout, stderr)

    def run(self, *arguments: object, timeout: float = 300, **options: Any) -> subprocess.CompletedProcess[str]:
        """Runs a process to its end, as `subprocess.run` does with captured output; options of `start`."""
        process = self.start(*arguments, **options)
        try:
            stdout, stderr = process.communicate(timeout)
        except BaseException:
            process.kill()
            raise
        return subprocess.CompletedProcess([str(item) for item in arguments], process.wait(), stdout, stderr)

    def _connect(self) -> socket.socket:
        """Connects to the process; the first of those that share it starts it.

        It reads from a pipe that all of them hold open, and so ends with the last.
        """
        if not self._address:
            place, pipe = self._folder / "commands", self._folder / "commands.pipe"
            with FileLock(self._folder / "commands.lock"):
                if place.exists():
                    self._held = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
                else:
                    os.mkfifo(pipe)
                    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
                    self._held = os.open(pipe, os.O_WRONLY)
                    place.write_text(_started(reading))
                    os.close(reading)
                self._address = place.read_text()
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.connect(self._address)
        return connection


def _started(reading: int) -> str:
    """Starts the process, which runs until a pipe ends, and gives its address once it serves."""
    address = Path(tempfile.mkdtemp(prefix="bw")) / "socket"  # the path of a socket must be short
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, __file__, str(address)]
    process = subprocess.Popen(command, stdin=reading, start_new_session=True, env=environment)
    while not address.exists():
        assert process.poll() is None, "the server of commands does not start"
        time.sleep(0.01)
    return str(address)


def main(arguments: Sequence[str]) -> None:
    """Serves at a socket's address, or does a job in a fork."""
    preload()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(arguments[0] + ".new")
    listener.listen()
    Path(arguments[0] + ".new").rename(arguments[0])
    gc.freeze()
    job = serve(listener)
    if job is not None:
        end(outcome(job))
    shutil.rmtree(Path(arguments[0]).parent)


if __name__ == "__main__":
    main(sys.argv[1:])
