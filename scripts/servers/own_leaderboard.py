"""A leaderboard to look at: baselines on benchmarks built here, submitted by two users to a test Hub of this machine.

What it does are the commands that anybody types, and each is shown. Those that ended well are noted in the folder, so
that a start that was cut off goes on.
"""

import argparse
import os
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from benchwright.scripts.servers.by_hand import say, stopped_by_signals, why_it_cannot_start
from benchwright.scripts.servers.hub.server import USERS, Hub

SCRIPTS = Path(__file__).resolve().parents[1]
BOARD = "alice/leaderboard"
MAINTAINER, OTHER = "alice", "bob"
AURP, DESK, LIBRARY, SPIDER, TELEQUAD = "aurp", "desk", "library", "spider", "telequad"
BUILDS = {
    AURP: ("aurp", "--set", "size=paper"),
    DESK: ("tabular", "--name", DESK, "--set", f"source={SCRIPTS / 'desk' / 'questions.csv'}", "--set", "separator=|"),
    LIBRARY: ("grammar", "--name", LIBRARY, "--set", f"database={SCRIPTS / 'library'}", "--set", "groups=80"),
    SPIDER: ("spider", "--set", "groups=80"),
    TELEQUAD: ("telequad", "--set", "groups=80"),
}
"""Benchmark → what builds it. One of a wiki needs a wiki, and pairs try metrics: neither is among them."""
PUBLIC = ("--public", "--no-baselines", "--quiet")
MAY_BE_PUBLIC = {DESK: ("--allow-source-data",)}
"""Benchmark that holds rows of a source → that they are ours."""
CONTROLS = ("closed-book", "gold-documents", "oracle")
"""Baselines that show what a benchmark is like; its maintainer hands them in."""
SYSTEMS = {
    "bm25": "BM25 over passages",
    "closed-book": "none",
    "dense": "hashed words compared by cosine",
    "entity-names": "documents whose titles the question names",
    "gold-documents": "the documents that state the answer",
    "keyword": "documents that share most words with the question",
    "naive-rag": "hashed words of recursive chunks, compared by cosine",
    "oracle": "the evidence itself",
}
"""Baseline that works without a model → what it retrieves with."""


class Run(Protocol):
    """Runs a command of the package in a folder, with variables of the environment."""

    def __call__(self, *command: str, folder: Path, env: dict[str, str]) -> "subprocess.CompletedProcess[str]": ...


def in_a_process(*command: str, folder: Path, env: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """Runs a command as a shell does. Nothing of who starts this is used, so that nothing of it can go anywhere."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "OPENAI_"))}
    return subprocess.run(
        [sys.executable, "-P", "-m", "benchwright", *command],
        cwd=folder,
        env={**kept, "OMP_NUM_THREADS": "1", **env},
        capture_output=True,
        text=True,
        check=False,
    )


@dataclass
class Typist:
    """Types commands as the users of a Hub, in one folder."""

    folder: Path
    url: str
    stopped: threading.Event
    run: Run
    started: float = field(default_factory=time.monotonic)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def type(self, user: str, *command: str) -> None:
        """Runs a command as a user, unless it ended well before.

        Raises:
            Failed: it did not end well, or we are to stop.
        """
        shown = shlex.join(command)
        if f"{user}: {shown}" in self._done():
            return
        if self.stopped.is_set():
            raise Failed("stopped: the same command goes on")
        done = self.run(*command, folder=self.folder, env=self._own(user))
        if done.returncode:
            said = done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"]
            raise Failed(f"{user}: {shown}: {said[-1].removeprefix('error: ')}")
        with self._lock:
            with self._notes.open("a", encoding="utf-8") as file:
                file.write(f"{user}: {shown}\n")
            say(f"{time.monotonic() - self.started:3.0f} s  {user} $ {shown}")

    def type_all(self, chains: Sequence[Sequence[tuple[str, ...]]]) -> None:
        """Runs chains of commands, several chains at once; each command begins with its user."""
        with ThreadPoolExecutor(max(1, min(8, os.cpu_count() or 1))) as pool:
            futures = [pool.submit(self._chain, chain) for chain in chains]
            try:
                for future in as_completed(futures):
                    future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _chain(self, chain: Sequence[tuple[str, ...]]) -> None:
        for command in chain:
            self.type(*command)

    @property
    def _notes(self) -> Path:
        return self.folder / "done.txt"

    def _done(self) -> list[str]:
        return self._notes.read_text(encoding="utf-8").splitlines() if self._notes.exists() else []

    def _own(self, user: str) -> dict[str, str]:
        """What a user sets; what is kept between commands lies in the folder."""
        cache = str(self.folder / "cache" / user)
        return {"HF_ENDPOINT": self.url, "HF_TOKEN": USERS[user], "HF_HOME": cache, "XDG_CACHE_HOME": cache}


class Failed(Exception):
    """A command did not end well."""


def main(arguments: list[str] | None = None) -> int:
    """Runs until Ctrl-C, or with --stop until all is there: 0, or 1 where something failed."""
    parser = argparse.ArgumentParser(prog="scripts/own-leaderboard", description=__doc__)
    parser.add_argument("--port", type=int, default=8090, help="where the Hub listens; 8090 if not given")
    parser.add_argument(
        "--folder", type=Path, default=Path("own-leaderboard"), help="where everything lies; own-leaderboard"
    )
    parser.add_argument("--benchmark", action="append", choices=BUILDS, help="this benchmark only; repeatable")
    parser.add_argument("--system", action="append", choices=SYSTEMS, help="this baseline only; repeatable")
    parser.add_argument("--stop", action="store_true", help="stop the Hub once the leaderboard is there")
    options = parser.parse_args(arguments)
    folder = options.folder.resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        hub = Hub(folder / "hub", port=options.port)
    except (OSError, OverflowError) as error:
        sys.stderr.write(f"error: {why_it_cannot_start(error, options.port)}\n")
        return 1
    stopped = stopped_by_signals()
    with hub:
        try:
            typist = Typist(folder, hub.url, stopped, in_a_process)
            make(typist, options.benchmark or list(BUILDS), options.system or list(SYSTEMS))
        except Failed as error:
            sys.stderr.write(f"error: {error}\n")
            return 1
        say(_farewell(hub.url, folder, is_kept=not options.stop))
        if not options.stop:
            stopped.wait()
    return 0


def make(typist: Typist, benchmarks: Sequence[str], systems: Sequence[str]) -> None:
    """Everything, from the builds to the ranking.

    Raises:
        Failed: a command did not end well.
    """
    names = [f"{MAINTAINER}/{name}" for name in benchmarks]
    typist.type_all(
        [
            (
                (MAINTAINER, "build-benchmark", *BUILDS[name], "--quiet"),
                (MAINTAINER, "publish-benchmark", name, *PUBLIC, *MAY_BE_PUBLIC.get(name, ())),
            )
            for name in benchmarks
        ]
    )
    ranked = [word for name in names for word in ("--benchmark", name)]
    title = ("--title", "Baselines that need no model")
    typist.type(MAINTAINER, "publish-leaderboard", BOARD, "--create", *ranked, *title, "--public", "--quiet")
    typist.type_all([_submission(benchmark, system) for system in systems for benchmark in benchmarks])
    typist.type(MAINTAINER, "publish-leaderboard", BOARD, "--accept", "all", "--quiet")


def _submission(benchmark: str, system: str) -> list[tuple[str, ...]]:
    """A baseline is asked, and handed in."""
    user = MAINTAINER if system in CONTROLS else OTHER
    told = ("--name", system, "--author", "Benchwright", "--openness", "open-source", "--licence", "Apache-2.0")
    retrieves = ("--retriever", SYSTEMS[system], "--builders-took-part")
    return [
        (user, "score-system", benchmark, system, "--quiet"),
        (user, "submit-system", f"{benchmark}/{system}", "--leaderboard", BOARD, *told, *retrieves, "--quiet"),
    ]


def _farewell(url: str, folder: Path, *, is_kept: bool) -> str:
    after = "Ctrl-C stops the Hub; the same command starts it again." if is_kept else "The Hub has stopped."
    return (
        f"\nThe leaderboard, in a browser:\n\n    {url}/spaces/{BOARD}\n\n"
        f"Its repository, with what was submitted: {url}/datasets/{BOARD}\nTo go on as one of its users, here:\n\n"
        f"  export HF_ENDPOINT={url}\n  export HF_TOKEN={USERS[OTHER]}\n\nEverything lies in {folder}. {after}"
    )


if __name__ == "__main__":
    sys.exit(main())
