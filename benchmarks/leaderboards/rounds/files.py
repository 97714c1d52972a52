"""The files of a round, which `places.py` names: what they hold, and how they are read and written."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, TypeVar

from pydantic import TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.rounds.places import ANNOUNCEMENT, HANDED_IN, OPENING, OUTCOME, ROUND
from benchwright.benchmarks.leaderboards.rounds.sealing import Opening, is_digest
from benchwright.benchmarks.leaderboards.rounds.times import parse_time
from benchwright.benchmarks.naming import check_name, check_version
from benchwright.benchmarks.records import Strict, as_json
from benchwright.benchmarks.validation import in_one_line

FORMAT = 1
MOST_BYTES = 200_000
"""Of a file of these."""
_REPOSITORY = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}", re.ASCII)
T = TypeVar("T")


@dataclass(frozen=True)
class Announcement(Strict):
    """What the organisers commit to before the secret is drawn."""

    round: str
    builder: str
    settings: Mapping[str, str]
    """Of the edition, but for what the secret decides."""
    baselines: tuple[str, ...]
    """The organisers' runs: names of built-in systems, scored as they are when the round is closed."""
    benchwright: str
    """The version that builds the edition and asks the baselines."""
    code_sha256: str
    format: int = FORMAT


@dataclass(frozen=True)
class Edition(Strict):
    """The public half of what was built."""

    repository: str
    """On the Hub."""
    name: str
    version: str
    content_hash: str
    questions: int
    groups: int


@dataclass(frozen=True)
class Round(Strict):
    """The terms of a round."""

    name: str
    edition: Edition
    commitment: str
    """The organisers'; see `sealing.py`."""
    code_sha256: str
    benchwright: str
    announcement_sha256: str
    opened: str
    closes: str
    """The first moment in which no commitment is taken."""
    revealed_until: str
    """The first moment in which no predictions are taken."""
    public_edition: str | None = None
    """The release that everybody has, of which half of the groups keep their names."""
    format: int = FORMAT


@dataclass(frozen=True)
class TeamCommitment(Strict):
    """`commitments/TEAM.json`."""

    round: str
    team: str
    commitment: str
    format: int = FORMAT


@dataclass(frozen=True)
class TeamOutcome:
    """What came of a team's submission."""

    team: str
    state: Literal["scored", "not revealed", "refused"]
    commitment: str
    number: int
    """Of the pull request."""
    revision: str
    """The commit with the commitment that counts."""
    time: str
    """The Hub's."""
    others: int = 0
    """Commitments of the same team that do not count."""
    system: str | None = None
    reason: str = ""


@dataclass(frozen=True)
class Outcome:
    """What was revealed."""

    round: str
    round_sha256: str
    secret: str
    nonce: str
    repository: str
    """Of the private half, which is public now."""
    version: str
    private_content_hash: str
    benchwright: str
    """The version that scored."""
    teams: tuple[TeamOutcome, ...] = ()
    late: tuple[str, ...] = ()
    """Teams whose every commitment came after the round was closed."""
    organisers: tuple[str, ...] = ()
    """Organisers who committed to something: it does not count, for they know the secret."""
    gains: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """System → by how much more of the answerable questions it gets right where names are those of the public edition,
    with its interval of 95 % over semantic groups and both shares."""
    memorisation: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """System → its memorisation gap: by how much more it gets right of the public edition than of the same questions
    asked again here, with its interval of 95 % over semantic groups and both shares. Of systems that the same submitter
    has on the leaderboard with the public edition."""
    format: int = FORMAT


def to_bytes(value: Any) -> bytes:
    """A file of a round."""
    return (json.dumps(as_json(value), ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def read_announcement(data: bytes) -> Announcement:
    """`announcement.json`. Raises BenchwrightError where it is none."""
    return _check_made_by(_read(data, Announcement, ANNOUNCEMENT), ANNOUNCEMENT)


def read_round(data: bytes) -> Round:
    """`round.json`.

    Raises:
        BenchwrightError: it is none, or says what no round can be.
    """
    found = _read(data, Round, ROUND)
    edition = found.edition
    try:
        check_name(found.name, "round")
        check_name(edition.name)
        check_version(edition.version)
        times = [parse_time(getattr(found, each), each) for each in ("opened", "closes", "revealed_until")]
    except BenchwrightError as error:
        raise BenchwrightError(f"{ROUND}: {error}") from None
    if not times[0] < times[1] < times[2]:
        raise BenchwrightError(f"{ROUND}: it must be opened before it closes, and close before the last revealing")
    if not _REPOSITORY.fullmatch(edition.repository):
        raise BenchwrightError(f"{ROUND}: edition.repository is no NAMESPACE/NAME")
    for name in ("commitment", "announcement_sha256"):
        if not is_digest(getattr(found, name)):
            raise BenchwrightError(f"{ROUND}: {name} is no SHA-256")
    return _check_made_by(found, ROUND)


def read_commitment(data: bytes) -> TeamCommitment:
    """A team's commitment.

    Raises:
        BenchwrightError: it is none.
    """
    found = _read(data, TeamCommitment, "the commitment")
    if not is_digest(found.commitment):
        raise BenchwrightError("the commitment is no SHA-256")
    return found


def read_opening(data: bytes) -> Opening:
    """`opening.json`.

    Raises:
        BenchwrightError: it is none.
    """
    found = _read(data, Opening, OPENING)
    if not (is_digest(found.salt) and is_digest(found.round_sha256) and all(map(is_digest, found.files.values()))):
        raise BenchwrightError(f"{OPENING}: salt, round_sha256 and files must be 64 hexadecimal digits each")
    if sorted(found.files) != sorted(HANDED_IN):
        raise BenchwrightError(f"{OPENING}: files must be {', '.join(HANDED_IN)}")
    return found


def read_outcome(data: bytes) -> Outcome:
    """`outcome.json`.

    Raises:
        BenchwrightError: it is none.
    """
    found = _read(data, Outcome, OUTCOME)
    if not (is_digest(found.secret) and is_digest(found.nonce)):
        raise BenchwrightError(f"{OUTCOME}: secret and nonce must be 64 hexadecimal digits each")
    return found


def _read(data: bytes, sort: type[T], name: str) -> T:
    """A file as a dataclass; of what strangers wrote nothing is believed."""
    if len(data) > MOST_BYTES:
        raise BenchwrightError(f"{name} has {len(data):,} bytes, and may have {MOST_BYTES:,}")
    try:
        found: T = _adapter(sort).validate_json(data)
    except ValidationError as error:
        raise BenchwrightError(f"{name}: {in_one_line(error)}") from None
    if getattr(found, "format", FORMAT) != FORMAT:
        raise BenchwrightError(f"{name} has another format: a newer benchwright made it; install that")
    return found


def _check_made_by(found: T, name: str) -> T:
    if not is_digest(getattr(found, "code_sha256", None)):
        raise BenchwrightError(f"{name}: code_sha256 is no SHA-256")
    return found


@cache
def _adapter(sort: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(sort)
