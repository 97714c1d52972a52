"""A submission that ends, holds up or fills the process that looks at it is refused; the start of the maintainers goes on."""

import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from submission_cases import PLACE, PULL, Submitted

from benchwright.benchmarks.leaderboards.apart import Bounds, verify_apart
from benchwright.benchmarks.leaderboards.verify import Basis


def _look(small: Submitted, work: Path, **bounds: int) -> tuple[str, ...]:
    found = verify_apart(small.folder, PLACE, PULL, Basis(small.release), work=work, bounds=Bounds(**bounds))
    assert not found.verdict.accepted and found.scores is None
    return found.verdict.reasons


def test_the_process_says_what_would_be_said_here(small: Submitted, tmp_path: Path) -> None:
    here = small.verify(tmp_path / "here")
    apart = verify_apart(small.folder, PLACE, PULL, Basis(small.release), work=tmp_path / "apart")
    assert apart.verdict == here.verdict and apart.verdict.accepted
    assert apart.scores is not None and here.scores is not None
    assert apart.scores.read_bytes() == here.scores.read_bytes()


def test_what_takes_too_long_or_unfolds_to_too_much_is_refused(small: Submitted, tmp_path: Path) -> None:
    assert _look(small, tmp_path / "time", seconds=0) == ("looking at it takes more than 0 s",)
    assert _look(small, tmp_path / "file", file=100) == ("it unfolds to too much",)


def test_a_process_that_dies_is_one_refusal(small: Submitted, tmp_path: Path) -> None:
    others = _children()  # servers of other tests

    def kill() -> None:
        while not (found := _children() - others):
            time.sleep(0.01)
        for each in found:
            os.kill(each, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    reasons = _look(small, tmp_path / "dead")
    thread.join()
    assert reasons == ("the process that looked at it ended by signal 9: its files break what reads them",)


def test_the_process_ends_with_a_start_that_is_killed(tmp_path: Path) -> None:
    """It is held up by reading what never comes."""
    never = tmp_path / "never"
    os.mkfifo(never)
    code = (
        "from benchwright.benchmarks.leaderboards import apart\n"
        "class Held:\n"
        f"    def __reduce__(self): return exec, (\"open('{never}').read()\",)\n"
        "apart._answer(('verify', (Held(),), {}), apart.BOUNDS)"
    )
    start = subprocess.Popen([sys.executable, "-c", code])
    while (end := _open(never)) is None and start.poll() is None:
        time.sleep(0.01)
    assert end is not None
    start.kill()
    start.wait()
    poll = select.poll()
    poll.register(end, select.POLLERR)
    assert poll.poll(30_000) == [(end, select.POLLERR)], "nobody reads it any more"
    os.close(end)


def _open(pipe: Path) -> int | None:
    """The end of a pipe to write to; None while nobody reads it."""
    try:
        return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return None


def _children() -> set[int]:
    """The processes that this one has started."""
    return {int(each) for task in Path("/proc/self/task").iterdir() for each in (task / "children").read_text().split()}
