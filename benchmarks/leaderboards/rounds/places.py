"""What lies in `rounds/ROUND/` of a leaderboard, each file JSON that never changes once it is there.

announcement.json       the organisers' runs, from before the secret was drawn
round.json              the terms: the edition, the organisers' commitment, the times
commitments/TEAM.json   a team's commitment, which it pushed before the round closed
submissions/TEAM/       what it opens its commitment with: opening.json, and the files of a submission
outcome.json            what was revealed, and what came of each team's submission
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.layout import HELDOUT, ROUNDS, RUN, SYSTEM
from benchwright.benchmarks.naming import check_name

ANNOUNCEMENT, ROUND, OUTCOME, OPENING = "announcement.json", "round.json", "outcome.json", "opening.json"
COMMITMENTS, OPENINGS = "commitments", "submissions"
HANDED_IN = (SYSTEM, RUN, f"{HELDOUT}.parquet")
"""What a team commits to."""
_USER = re.compile(r"[A-Za-z0-9][\w.-]{0,95}", re.ASCII)


@dataclass(frozen=True)
class RoundPath:
    """A path within `rounds/`, taken apart."""

    round: str
    file: str
    team: str | None = None
    sort: Literal["commitment", "submission"] | None = None


def folder_of(name: str) -> str:
    """The folder of a round in a leaderboard."""
    return f"{ROUNDS}/{name}"


def commitment_path(name: str, team: str) -> str:
    """Where a team's commitment lies."""
    return f"{ROUNDS}/{name}/{COMMITMENTS}/{team}.json"


def submission_folder(name: str, team: str) -> str:
    """Where a team's predictions lie."""
    return f"{ROUNDS}/{name}/{OPENINGS}/{team}"


def take_apart(path: str) -> RoundPath | None:
    """What a path within `rounds/` is; None: nothing that may be there."""
    parts = PurePosixPath(path).parts
    if "/".join(parts) != path or len(parts) < 3 or parts[0] != ROUNDS:
        return None
    try:
        check_name(parts[1], "round")
    except BenchwrightError:
        return None
    if len(parts) == 3 and parts[2] in (ANNOUNCEMENT, ROUND, OUTCOME):
        return RoundPath(parts[1], parts[2])
    if len(parts) == 4 and parts[2] == COMMITMENTS and parts[3].endswith(".json"):
        return _of_team(parts[1], parts[3], parts[3].removesuffix(".json"), "commitment")
    if len(parts) == 5 and parts[2] == OPENINGS and parts[4] in (OPENING, *HANDED_IN):
        return _of_team(parts[1], parts[4], parts[3], "submission")
    return None


def _of_team(name: str, file: str, team: str, sort: Literal["commitment", "submission"]) -> RoundPath | None:
    return RoundPath(name, file, team, sort) if is_user(team) else None


def is_of_round(paths: Iterable[str], team: str) -> bool:
    """Whether a pull request is one of a team to a round, and nothing else: looked at when the round is closed."""
    found = [take_apart(path) for path in paths]
    return bool(found) and all(each is not None and each.sort is not None and each.team == team for each in found)


def is_user(name: str) -> bool:
    """Whether a text may be the name of a user of the Hub."""
    return _USER.fullmatch(name) is not None and ".." not in name
