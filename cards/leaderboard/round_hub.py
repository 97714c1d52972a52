"""Rounds as a Hub knows them: what main holds of one, what was pushed to pull requests and when, what time it is there.

Nothing that a pull request says is believed: who pushed when is told by the Hub's own events, and what was pushed is
read at exactly the revision that an event names, in bounded pieces.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.layout import ROUNDS
from benchwright.benchmarks.leaderboards.rounds.counting import Pushed
from benchwright.benchmarks.leaderboards.rounds.files import (
    MOST_BYTES,
    Announcement,
    Outcome,
    Round,
    read_announcement,
    read_commitment,
    read_outcome,
    read_round,
)
from benchwright.benchmarks.leaderboards.rounds.places import (
    ANNOUNCEMENT,
    OUTCOME,
    ROUND,
    commitment_path,
    folder_of,
    take_apart,
)
from benchwright.benchmarks.leaderboards.rounds.times import State, parse_time, state_at
from benchwright.benchmarks.naming import check_name
from benchwright.benchmarks.releases.hub_answers import HubError
from benchwright.cards.leaderboard.hub import DATASET, BoardRepository, Tree

_MARGIN = timedelta(minutes=1)
"""By which the clock of the Hub's events may lag behind that of its answers."""
_MOST_PUSHES = 500
"""Commits of one pull request that are looked at: the last ones."""


@dataclass(frozen=True)
class RoundFiles:
    """What main holds of a round."""

    name: str
    announcement: Announcement | None
    terms: Round | None
    terms_bytes: bytes
    """`round.json` letter for letter: what teams commit to."""
    outcome: Outcome | None

    def state(self, now: datetime) -> State:
        """What may be done at a time of the Hub."""
        if self.outcome is not None:
            return "scored"
        if self.terms is None:
            return "announced"
        return state_at(now, self.closes, self.revealed_until)

    @property
    def closes(self) -> datetime:
        """The first moment in which no commitment is taken."""
        return parse_time(self.opened.closes, "closes")

    @property
    def revealed_until(self) -> datetime:
        """The first moment in which no predictions are taken."""
        return parse_time(self.opened.revealed_until, "revealed_until")

    @property
    def opened(self) -> Round:
        """The terms.

        Raises:
            BenchwrightError: it was not opened yet.
        """
        if self.terms is None:
            raise BenchwrightError(f"{self.name} is announced, and not open yet")
        return self.terms


def round_names(tree: Tree) -> list[str]:
    """The rounds of a leaderboard."""
    found = (take_apart(path) for path in tree if path.startswith(f"{ROUNDS}/"))
    return sorted({each.round for each in found if each is not None and each.file == ANNOUNCEMENT})


def read_round_files(repository: BoardRepository, head: str, tree: Tree, name: str) -> RoundFiles:
    """What a revision of main holds of a round.

    Raises:
        BenchwrightError: there is no such round, or a file is not as it must be.
    """
    check_name(name, "round")
    data: dict[str, bytes] = {}
    for file in (ANNOUNCEMENT, ROUND, OUTCOME):
        if (path := f"{folder_of(name)}/{file}") in tree:
            data[file] = repository.reader.read(head, path, MOST_BYTES)
    if ANNOUNCEMENT not in data:
        there = ", ".join(round_names(tree)) or "none"
        raise BenchwrightError(f"{repository.repo_id} has no round {name}: there are {there}")
    found = RoundFiles(
        name,
        read_announcement(data[ANNOUNCEMENT]),
        read_round(data[ROUND]) if ROUND in data else None,
        data.get(ROUND, b""),
        read_outcome(data[OUTCOME]) if OUTCOME in data else None,
    )
    if found.terms is not None and found.terms.name != name:
        raise BenchwrightError(f"{folder_of(name)}/{ROUND} is about {found.terms.name}: it was changed")
    return found


def hub_time(repository: BoardRepository) -> datetime:
    """What time it is on the Hub, to the second.

    Raises:
        BenchwrightError: it does not say.
    """
    from huggingface_hub.utils import build_hf_headers, get_session

    response = get_session().get(
        f"{repository.endpoint}/api/datasets/{repository.repo_id}",
        headers=build_hf_headers(token=repository.token, library_name="benchwright"),
        timeout=60,
    )
    try:
        return parsedate_to_datetime(str(response.headers.get("Date"))).astimezone(UTC)
    except (TypeError, ValueError):
        raise BenchwrightError(
            f"{repository.endpoint} does not say what time it is: times of a round are its"
        ) from None


@dataclass(frozen=True)
class RoundPull:
    """A pull request, and what its author pushed to it, the oldest first."""

    number: int
    team: str
    is_open: bool
    pushes: tuple[tuple[str, datetime], ...]
    """Revision, and when it came to the Hub."""


def round_pulls(repository: BoardRepository, files: RoundFiles, author: str | None = None) -> Iterator[RoundPull]:
    """The pull requests that were opened since a round was, the oldest first; all, or somebody's.

    Closed ones count too: else who may close one could silence a team.
    """
    api, since = repository.api, parse_time(files.opened.opened, "opened")
    asked = {"author": author} if author is not None else {}
    found = api.get_repo_discussions(repository.repo_id, repo_type=DATASET, discussion_type="pull_request", **asked)
    for number in sorted(each.num for each in found if each.created_at.astimezone(UTC) >= since - _MARGIN):
        details = api.get_discussion_details(repository.repo_id, number, repo_type=DATASET)
        own = [each for each in details.events if each.type == "commit" and each.author == details.author]
        pushes = tuple((str(each.oid), each.created_at.astimezone(UTC)) for each in own[-_MOST_PUSHES:])
        yield RoundPull(number, details.author, details.status in ("open", "draft"), pushes)


def pushed(repository: BoardRepository, name: str, pulls: list[RoundPull]) -> list[Pushed]:
    """The commitments to a round in pull requests, as they were at each push."""
    found = []
    for pull in pulls:
        for revision, time in pull.pushes:
            commitment = _commitment(repository, name, pull.team, revision)
            found.append(Pushed(pull.team, pull.number, revision, time, commitment))
    return found


def _commitment(repository: BoardRepository, name: str, team: str, revision: str) -> str | None:
    data = read_at(repository, revision, commitment_path(name, team), MOST_BYTES)
    if data is None:
        return None
    try:
        found = read_commitment(data)
    except BenchwrightError:
        return None
    return found.commitment if (found.round, found.team) == (name, team) else None


def read_at(repository: BoardRepository, revision: str, path: str, most: int) -> bytes | None:
    """A file of a revision; None where it is not there, or has more bytes."""
    try:
        return repository.reader.read(revision, path, most)
    except HubError as error:
        if error.status not in (200, 404) or error.code == "RepoNotFound":
            raise
        return None
