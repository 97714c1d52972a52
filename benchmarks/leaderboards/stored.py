"""A leaderboard from a folder that holds what its repository holds: what was accepted, and what was found."""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.board import Board, read_board
from benchwright.benchmarks.leaderboards.layout import BOARD, SUBMISSIONS, SYSTEM, VERDICTS, Place
from benchwright.benchmarks.leaderboards.system_file import SystemFile, read_system_file
from benchwright.benchmarks.leaderboards.verdict import Verdict
from benchwright.benchmarks.records import as_json
from benchwright.benchmarks.validation import in_one_line


@dataclass(frozen=True)
class AcceptedSubmission:
    """One that was accepted."""

    place: Place
    folder: Path
    """What its submitter handed in. Predictions are there only where they were wanted."""
    system: SystemFile
    verdict: Verdict
    scores: Path | None
    """The scores that maintainers computed again; None: none of them may be public."""


@dataclass(frozen=True)
class State:
    """All that a leaderboard is made of."""

    root: Path
    board: Board
    submissions: tuple[AcceptedSubmission, ...]
    """In the order of their places."""


def read_state(root: Path) -> State:
    """The leaderboard in a folder.

    Only what has a verdict counts: see `unjudged`.

    Raises:
        BenchwrightError: a file of the maintainers is missing or cannot be read.
    """
    if not (root / BOARD).is_file():
        raise BenchwrightError(f"{root} holds no leaderboard: it has no {BOARD}")
    board = read_board((root / BOARD).read_bytes())
    submissions = tuple(_read_submission(root, place) for place in places(root))
    return State(root, board, submissions)


def unjudged(root: Path) -> list[Place]:
    """The places with files and without a verdict: they came to the repository in another way, and are not ranked."""
    judged = set(_found(root / VERDICTS, ".json"))
    return [place for place in _found(root / SUBMISSIONS, "") if place not in judged]


def places(root: Path) -> list[Place]:
    """The places that have a verdict and files; of one whose files were deleted the verdict counts for nothing."""
    return [place for place in _found(root / VERDICTS, ".json") if (root / place.folder / SYSTEM).is_file()]


_PLACE = re.compile(r"[a-z0-9][a-z0-9._-]*/\d+\.\d+\.\d+/[a-z0-9][a-z0-9._-]*")


def _found(folder: Path, ending: str) -> list[Place]:
    names = (path.relative_to(folder).as_posix() for path in folder.glob(f"*/*/*{ending}"))
    return sorted(Place(*name.removesuffix(ending).split("/")) for name in names if _PLACE.fullmatch(name))


def _read_submission(root: Path, place: Place) -> AcceptedSubmission:
    folder, scores = root / place.folder, root / place.scores
    verdict = read_verdict((root / place.verdict).read_bytes(), place.verdict)
    if Place(verdict.benchmark, verdict.version, verdict.system) != place:
        raise BenchwrightError(f"{place.verdict} is about another submission: restore it from an earlier commit")
    system = read_system_file((folder / SYSTEM).read_bytes(), f"{place.folder}/{SYSTEM}")
    return AcceptedSubmission(place, folder, system, verdict, scores if scores.is_file() else None)


def read_verdict(data: bytes, name: str) -> Verdict:
    """A verdict as it is kept.

    Raises:
        BenchwrightError: it is none, or a newer program wrote it.
    """
    try:
        values: Any = json.loads(data)
    except (ValueError, RecursionError):
        raise BenchwrightError(f"{name} is no JSON: restore it from an earlier commit") from None
    made = values.get("format") if isinstance(values, dict) else None
    if isinstance(made, int) and made > Verdict.format:
        raise BenchwrightError(f"{name} has the format {made}, which a newer benchwright made: install that")
    try:
        return _adapter().validate_python(values)
    except ValidationError as error:
        raise BenchwrightError(f"{name}: {in_one_line(error)}") from None


def verdict_text(verdict: Verdict) -> str:
    """A verdict as it is kept: `read_verdict` reads it back."""
    return json.dumps(as_json(verdict), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


@cache
def _adapter() -> TypeAdapter[Verdict]:
    return TypeAdapter(Verdict)
