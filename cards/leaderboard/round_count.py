"""What teams handed in to a round, from its pull requests: which commitment counts, and whether it was opened in time
with exactly what was committed to. Everything in it is hostile: it is read in bounded pieces, and refused by reason."""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.limits import MOST_BYTES as MOST_OF_FILE
from benchwright.benchmarks.leaderboards.refusal import plain
from benchwright.benchmarks.leaderboards.rounds.counting import Counted, count, too_late
from benchwright.benchmarks.leaderboards.rounds.files import MOST_BYTES, read_opening
from benchwright.benchmarks.leaderboards.rounds.places import HANDED_IN, OPENING, submission_folder
from benchwright.benchmarks.leaderboards.rounds.sealing import Opening, sha256_of
from benchwright.benchmarks.releases.hub_answers import HubError
from benchwright.cards.leaderboard.hub import BoardRepository
from benchwright.cards.leaderboard.round_hub import RoundFiles, RoundPull, pushed, read_at, round_pulls


@dataclass(frozen=True)
class HandedIn:
    """What a team handed in to a round."""

    counted: Counted
    opening: Opening | None
    """What opens its commitment; None: it did not send it, or not what it committed to."""
    folder: Path | None
    """The files, as they were committed to."""
    reason: str = ""
    """Why they are not there."""


@dataclass(frozen=True)
class Teams:
    """All teams of a round."""

    handed_in: tuple[HandedIn, ...]
    """In the order in which their commitments came to the Hub."""
    late: tuple[str, ...]
    """Whose every commitment came too late."""
    refused: tuple[str, ...] = field(default=())
    """Organisers, who know the secret."""


def counted_of(repository: BoardRepository, files: RoundFiles, team: str) -> Counted | None:
    """The commitment of one team that counts so far."""
    pulls = list(round_pulls(repository, files, team))
    return count(pushed(repository, files.name, pulls), files.closes).get(team)


def read_teams(repository: BoardRepository, files: RoundFiles, organisers: Collection[str], work: Path) -> Teams:
    """What all teams handed in.

    Args:
        repository: the leaderboard's.
        files: the round's, of main.
        organisers: whose commitments do not count.
        work: an empty folder, to which the files go.
    """
    pulls = list(round_pulls(repository, files))
    every = pushed(repository, files.name, pulls)
    own = sorted({each.team for each in every if each.commitment is not None and each.team in organisers})
    others = [each for each in every if each.team not in organisers]
    counted = count(others, files.closes)
    found = []
    for number, each in enumerate(sorted(counted.values(), key=lambda one: (one.time, one.number))):
        of_team = [pull for pull in pulls if pull.team == each.team]
        found.append(_opened(repository, files, each, of_team, work / str(number)))
    return Teams(tuple(found), tuple(too_late(others, counted)), tuple(own))


def _opened(
    repository: BoardRepository, files: RoundFiles, counted: Counted, pulls: list[RoundPull], folder: Path
) -> HandedIn:
    """The last opening of a team's commitment in time, with its files."""
    reason = f"no predictions came between {files.opened.closes} and {files.opened.revealed_until}, by the Hub's clock"
    sent = [(time, revision) for pull in pulls for revision, time in pull.pushes if time >= files.closes]
    for time, revision in sorted(sent, reverse=True):
        data = read_at(repository, revision, f"{submission_folder(files.name, counted.team)}/{OPENING}", MOST_BYTES)
        if data is None:
            continue
        if time >= files.revealed_until:
            reason = f"the predictions came at {time:%Y-%m-%d %H:%M:%S} UTC, and until then it was too late"
            continue
        try:
            opening = read_opening(data)
            _check(opening, files, counted)
            _fetch(repository, revision, files.name, opening, folder)
        except BenchwrightError as error:
            if isinstance(error, HubError) and error.status not in (200, 404):  # not the team's fault: start again
                raise
            return HandedIn(counted, None, None, plain(str(error), 300))
        return HandedIn(counted, opening, folder)
    return HandedIn(counted, None, None, reason)


def _check(opening: Opening, files: RoundFiles, counted: Counted) -> None:
    """Raises BenchwrightError where an opening is of another commitment than the one that counts."""
    if opening.team != counted.team:
        raise BenchwrightError(f"{OPENING} is of another team: a commitment binds the user who opened the pull request")
    if opening.round != files.name or opening.round_sha256 != sha256_of(files.terms_bytes):
        raise BenchwrightError(f"{OPENING} is of other terms than those of {files.name}")
    if opening.commitment != counted.commitment:
        raise BenchwrightError("the predictions or the salt are not those that were committed to before closing")


def _fetch(repository: BoardRepository, revision: str, name: str, opening: Opening, folder: Path) -> None:
    """Downloads the files of a submission.

    Raises:
        BenchwrightError: one is missing, too large, or not what was committed to.
    """
    base = submission_folder(name, opening.team)
    tree = repository.tree(revision)
    wanted = []
    for file in HANDED_IN:
        found = tree.get(f"{base}/{file}")
        if found is None or not found.is_file:
            raise BenchwrightError(f"{file} is missing")
        if found.size > MOST_OF_FILE[file]:
            raise BenchwrightError(f"{file} has {found.size:,} bytes, and may have {MOST_OF_FILE[file]:,}")
        wanted.append(found)
    folder.mkdir(parents=True)
    for path, kept in repository.keep(revision, wanted).items():
        target = folder / path.rpartition("/")[2]
        digest = hashlib.sha256()
        with kept.open("rb") as source, target.open("wb") as copy:
            while piece := source.read(1 << 20):
                digest.update(piece)
                copy.write(piece)
        if digest.hexdigest() != opening.files[target.name]:
            raise BenchwrightError(f"{target.name} is not the one that was committed to before closing")
