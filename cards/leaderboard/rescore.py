"""All submissions of a leaderboard scored again from their predictions: what a new version of a metric takes.

What was found is kept on this machine until all of it is published, so that a start that was cut off goes on.
"""

import hashlib
import json
import logging
import shutil
from dataclasses import dataclass
from importlib.metadata import version as installed
from pathlib import Path

from benchwright.benchmarks.leaderboards.layout import Place
from benchwright.benchmarks.leaderboards.stored import AcceptedSubmission, read_verdict, verdict_text
from benchwright.benchmarks.leaderboards.verify import Verified
from benchwright.benchmarks.progress import Progress, silent
from benchwright.cards.leaderboard.hub import BoardRepository
from benchwright.cards.leaderboard.ranked import put_found, score_again
from benchwright.cards.leaderboard.releases import BoardReleases
from benchwright.cards.leaderboard.workspace import Workspace

_VERDICT, _SCORES, _HELDOUT = "verdict.json", "scores.parquet", "heldout.parquet"

log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class Rescored:
    """What came of one submission."""

    place: Place
    problem: str | None = None
    """Why it cannot be scored again: what was found before stays."""


def rescore_all(
    space: Workspace, releases: BoardReleases, work: Path, progress: Progress = silent
) -> tuple[Rescored, ...]:
    """Puts new verdicts, scores and details of all submissions into the next state.

    What they were accepted for is not questioned: a report says what an older metric gave. One whose files are others
    than those that were accepted, or cannot be scored any more, keeps what was found before, and is named.

    Raises:
        BenchwrightError: a release cannot be had, or the Hub fails.
    """
    state, found = space.state(), []
    wanted = [each for each in state.submissions if each.place.benchmark in state.board.benchmarks]
    for number, submission in enumerate(wanted, start=1):
        verified = _kept_or_scored(space, releases, submission, work)
        if verified.verdict.accepted:
            put_found(space, releases, submission.place, submission.folder, verified)
            found.append(Rescored(submission.place))
        else:
            why = "; ".join(verified.verdict.reasons)
            log.warning("%s is not scored again and stays as it was: %s", submission.place, why)
            found.append(Rescored(submission.place, why))
        progress("submissions scored again", number, len(wanted))
    return tuple(found)


def forget_rescored(repository: BoardRepository) -> None:
    """Forgets what was kept for a start that goes on: the next scores all anew."""
    shutil.rmtree(_home(repository), ignore_errors=True)


def _home(repository: BoardRepository) -> Path:
    return repository.home / "scored-again"


def _kept_or_scored(space: Workspace, releases: BoardReleases, submission: AcceptedSubmission, work: Path) -> Verified:
    """What a start that was cut off found, else what is found now."""
    board, place = space.board(), submission.place
    private = releases.private(board, place.benchmark, place.version)
    said = [
        str(place),
        sorted(submission.verdict.sha256.items()),
        releases.release(board, place.benchmark, place.version).manifest.content_hash,
        None if private is None else private.manifest.content_hash,
        board.benchmarks[place.benchmark].metric,
        installed("benchwright"),
    ]
    folder = _home(space.repository) / hashlib.sha256(json.dumps(said).encode()).hexdigest()
    verdict = folder / _VERDICT
    if not verdict.is_file():
        found = score_again(space, releases, submission, work)
        folder.mkdir(parents=True, exist_ok=True)
        for scores, name in ((found.scores, _SCORES), (found.heldout_scores, _HELDOUT)):
            if scores is not None:
                shutil.copyfile(scores, folder / name)
        part = folder / f".{_VERDICT}"
        part.write_text(verdict_text(found.verdict), encoding="utf-8")
        part.replace(verdict)  # last: what has a verdict is there wholly
    else:  # its predictions are needed for its details
        space.fetch(path for path in space.tree if path.startswith(f"{place.folder}/"))
    there = [path if path.is_file() else None for path in (folder / _SCORES, folder / _HELDOUT)]
    return Verified(read_verdict(verdict.read_bytes(), str(verdict)), *there)
