"""Submissions verified in a process of their own, which is all that a hostile file can end, fill or hold up.

The decoders of Parquet and JSON are large programs in C++ and Rust: what makes one of them end its process or take all
memory would end a whole start of the maintainers, and every next one at the same pull request. Here it becomes the
reason of one refusal. The process has bounds on memory, files and time, none of this process's tokens in its
environment, answers in JSON alone, and ends with the process that started it, however that ends.
"""

import ctypes
import errno
import json
import os
import pickle
import re
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import IO, Any

from pydantic import TypeAdapter

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.layout import Place
from benchwright.benchmarks.leaderboards.receive import Taken
from benchwright.benchmarks.leaderboards.refusal import RefusedError, reason_of
from benchwright.benchmarks.leaderboards.rounds.scoring import ScoredTeam, score_team
from benchwright.benchmarks.leaderboards.verdict import Verdict
from benchwright.benchmarks.leaderboards.verify import Basis, PullRequest, Verified, empty_verdict, verify_submission
from benchwright.benchmarks.records import as_json
from benchwright.benchmarks.releases.release import Release

_SECRET = re.compile(r"(?i).*(token|key|secret|password|credential|auth).*")
_MB = 1 << 20
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Bounds:
    """What looking at one submission may take."""

    seconds: int = 1_800
    memory: int = 12_000 * _MB
    """Bytes of addresses; about twice what is really taken."""
    file: int = 5_000 * _MB
    """Bytes of any file that is written."""


BOUNDS = Bounds()


def verify_apart(
    folder: Path,
    place: Place,
    pull: PullRequest,
    basis: Basis,
    *,
    work: Path,
    taken: Sequence[Taken] = (),
    bounds: Bounds = BOUNDS,
) -> Verified:
    """See `verify_submission`, which this calls in a process of its own; refuses what that process ends at.

    Raises:
        BenchwrightError: as `verify_submission`.
    """
    work.mkdir(parents=True, exist_ok=True)
    work = work.resolve()
    try:
        answer = _answer(("verify", (folder, place, pull, basis), {"work": work, "taken": taken}), bounds)
    except RefusedError as error:
        return Verified(replace(empty_verdict(place, pull, basis.release), accepted=False, reasons=error.reasons))
    scores = {name: work / f"{name}.parquet" for name in answer["files"]}
    return Verified(_adapter().validate_python(answer["verdict"]), scores.get("scores"), scores.get("heldout-scores"))


def score_team_apart(
    folder: Path, public: Release, private: Release, rooms: Path, *, bounds: Bounds = BOUNDS
) -> ScoredTeam:
    """See `score_team`, which this calls in a process of its own; refuses what that process ends at.

    Raises:
        RefusedError: as `score_team`. BenchwrightError: this machine cannot go on.
    """
    answer = _answer(("team", (folder.resolve(), public, private, rooms.resolve()), {}), bounds)
    found: ScoredTeam = TypeAdapter(ScoredTeam).validate_python(answer["team"])
    return found


Call = tuple[str, tuple[Any, ...], dict[str, Any]]
"""`verify` or `team`, and what it is called with."""


def _answer(given: Call, bounds: Bounds) -> dict[str, Any]:
    """Starts the process, and reads what it says.

    Raises:
        RefusedError: it refuses what it looked at, or ended at it. BenchwrightError: what it says of this machine.
    """
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, *map(str, (bounds.memory, bounds.file, bounds.seconds, os.getpid()))],
            stdin=subprocess.PIPE,
            stdout=said,
            stderr=complaints,
            env=_environment(),
            start_new_session=True,
        )
        try:
            with suppress(BrokenPipeError):
                process.communicate(pickle.dumps(given), timeout=bounds.seconds)
        except subprocess.TimeoutExpired:
            raise RefusedError(f"looking at it takes more than {bounds.seconds:,} s") from None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return _read(said, process.returncode, bounds)


def _read(said: IO[bytes], code: int, bounds: Bounds) -> dict[str, Any]:
    """What the process said before it ended."""
    said.seek(0)
    try:
        answer: dict[str, Any] = json.loads(said.read())
    except ValueError:
        if code == -signal.SIGXCPU:
            raise RefusedError(f"looking at it takes more than {bounds.seconds:,} s") from None
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        raise RefusedError(f"the process that looked at it ended {how}: its files break what reads them") from None
    if "refused" in answer:
        raise RefusedError(answer["refused"])
    if "error" in answer:
        raise BenchwrightError(answer["error"])
    return answer


@cache
def _adapter() -> TypeAdapter[Verdict]:
    return TypeAdapter(Verdict)


def _environment() -> Mapping[str, str]:
    """This process's environment without what could be a secret."""
    return {name: value for name, value in os.environ.items() if not _SECRET.fullmatch(name)}


def _end_with(parent: int) -> None:
    """Lets this process end when the one that started it does, be it killed. What Linux alone does."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _main(memory: int, file: int, seconds: int, parent: int) -> None:
    """What the process does."""
    _end_with(parent)
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, file),
        (resource.RLIMIT_CPU, 2 * seconds),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    sys.stdout.write(json.dumps(_said(pickle.loads(sys.stdin.buffer.read()))))


def _said(given: Call) -> dict[str, Any]:
    """What the process answers."""
    kind, arguments, options = given
    try:
        if kind == "team":
            return _of_team(*arguments)
        found = verify_submission(*arguments, **options)
    except BenchwrightError as error:
        return {"error": str(error)}
    except OSError as error:
        is_large = error.errno == errno.EFBIG
        return {"refused": "it unfolds to too much"} if is_large else {"error": f"submissions cannot be read: {error}"}
    there = {"scores": found.scores, "heldout-scores": found.heldout_scores}
    return {"verdict": as_json(found.verdict), "files": [name for name, path in there.items() if path]}


def _of_team(folder: Path, public: Release, private: Release, rooms: Path) -> dict[str, Any]:
    """A team's scores, or why what it handed in has none."""
    try:
        scored = score_team(folder, public, private, rooms)
    except BenchwrightError as error:
        return {"refused": reason_of(error, (folder, rooms))}
    except Exception as error:  # whatever a stranger's file makes of our code or of a library: it stops no other
        if isinstance(error, OSError) and error.errno is not None:  # Arrow's own have none
            raise
        return {"refused": f"it cannot be read ({type(error).__name__})"}
    return {"team": TypeAdapter(ScoredTeam).dump_python(scored, mode="json")}


if __name__ == "__main__":
    _main(*map(int, sys.argv[1:]))
