"""Taking part in a round: before closing a salted hash of a run's answers, after it the answers and the salt.

Until then the salt and exactly what was committed to lie beside the run, in `RUN/rounds/ROUND/`: keep that folder.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.leaderboards.rounds.files import TeamCommitment, read_opening, to_bytes
from benchwright.benchmarks.leaderboards.rounds.places import (
    HANDED_IN,
    OPENING,
    commitment_path,
    is_user,
    submission_folder,
)
from benchwright.benchmarks.leaderboards.rounds.sealing import Opening, new_salt, sha256_of
from benchwright.benchmarks.leaderboards.rounds.times import State
from benchwright.benchmarks.releases.fetch import fetch_release
from benchwright.benchmarks.releases.manifest import MANIFEST, read_manifest
from benchwright.benchmarks.releases.release import Release
from benchwright.cards.hub.errors import explained
from benchwright.cards.leaderboard.hub import DATASET, BoardRepository
from benchwright.cards.leaderboard.round_count import counted_of
from benchwright.cards.leaderboard.round_hub import RoundFiles, hub_time, read_at, read_round_files, round_pulls

_FOLDER = "rounds"
Pack = Callable[[Path], None]
"""Writes the files of a submission to an empty folder."""


@dataclass(frozen=True)
class TookPart:
    """What a start did."""

    state: State
    url: str
    """Of the pull request."""
    what: str
    """In words."""
    is_new: bool


def edition_of(repository: BoardRepository, name: str, root: Path) -> Release:
    """The edition of a round that is open or was: the local release with its content, else the one on the Hub.

    Raises:
        BenchwrightError: there is no such round, it is not open yet, or the Hub has another release there.
    """
    with explained(repository.repo_id, repository.endpoint, "--leaderboard"):
        head = repository.head()
        edition = read_round_files(repository, head, repository.tree(head), name).opened.edition
    local = root / edition.name / edition.version
    if (local / MANIFEST).is_file() and read_manifest(local).content_hash == edition.content_hash:
        return Release.load(local)
    found = fetch_release(f"{edition.repository}@{edition.version}")
    if found.manifest.content_hash != edition.content_hash:
        raise BenchwrightError(f"{edition.repository} holds another release than the one that {name} was opened with")
    return found


def take_part(repository: BoardRepository, name: str, run: Path, pack: Pack) -> TookPart:
    """Commits to a run's answers, or sends them, as the round's state wants it.

    Args:
        repository: the leaderboard's.
        name: of the round.
        run: the folder of a run on the edition's questions.
        pack: writes what is handed in; called before the round is closed.

    Raises:
        UsageError: the round takes nothing now, or nothing was committed to in time.
        BenchwrightError: what was committed to is not beside the run any more, or the Hub fails.
    """
    with explained(repository.repo_id, repository.endpoint, "--leaderboard"):
        head = repository.head()
        files = read_round_files(repository, head, repository.tree(head), name)
        state = files.state(hub_time(repository))
        team = repository.user
        if not is_user(team):
            raise BenchwrightError(f"{team!r:.100} can be no team: its name has other signs than a user's of the Hub")
        if state == "open":
            return _commit(repository, files, team, run, pack)
        if state == "revealing":
            return _reveal(repository, files, team, run)
        if state == "announced":
            raise UsageError(f"{name} is announced, and not open yet: start this again once it is")
        ended = "was scored" if state == "scored" else f"took predictions until {files.opened.revealed_until}"
        raise UsageError(f"{name} {ended}: nothing is taken any more")


def _commit(repository: BoardRepository, files: RoundFiles, team: str, run: Path, pack: Pack) -> TookPart:
    """The commitment, in the team's own open pull request, or in a new one."""
    kept = _keep(files, team, run, pack)
    opening = read_opening((kept / OPENING).read_bytes())
    path = commitment_path(files.name, team)
    data = to_bytes(TeamCommitment(files.name, team, opening.commitment))
    pull = _own_pull(repository, files, team, path)
    there = None if pull is None else read_at(repository, f"refs/pr/{pull}", path, 10_000)
    until = (
        f"send the predictions with the same command between {files.opened.closes} and {files.opened.revealed_until}"
    )
    if pull is not None and there == data:
        return TookPart("open", _url(repository, pull), f"committed already; {until}", False)
    url = _push(repository, pull, {path: data}, f"A commitment to {files.name}")
    changed = "the commitment was replaced" if pull is not None else "committed"
    return TookPart("open", url, f"{changed}; {until}", True)


def _reveal(repository: BoardRepository, files: RoundFiles, team: str, run: Path) -> TookPart:
    """The predictions and the salt."""
    counted = counted_of(repository, files, team)
    if counted is None:
        raise UsageError(f"{files.name} closed at {files.opened.closes}, and you committed to nothing before that")
    kept = next((each for each in _kept(run, files.name) if _commitment_of(each) == counted.commitment), None)
    if kept is None:
        raise BenchwrightError(
            f"{run / _FOLDER / files.name} does not hold what you committed to in pull request {counted.number}: give "
            "the run that you committed to, with its folder"
        )
    _check_kept(kept)
    base = submission_folder(files.name, team)
    pull = _own_pull(repository, files, team, commitment_path(files.name, team))
    there = None if pull is None else read_at(repository, f"refs/pr/{pull}", f"{base}/{OPENING}", 100_000)
    if pull is not None and there == (kept / OPENING).read_bytes():
        return TookPart("revealing", _url(repository, pull), "the predictions were sent already", False)
    content: dict[str, Any] = {f"{base}/{file}": str(kept / file) for file in (*HANDED_IN, OPENING)}
    url = _push(repository, pull, content, f"The predictions for {files.name}")
    return TookPart(
        "revealing", url, f"the predictions are there; they are scored after {files.opened.revealed_until}", True
    )


def _keep(files: RoundFiles, team: str, run: Path, pack: Pack) -> Path:
    """What a run commits to, in a folder beside it with its salt: the one that is there, where nothing changed."""
    home = run / _FOLDER / files.name
    home.mkdir(parents=True, exist_ok=True)
    terms = sha256_of(files.terms_bytes)
    with tempfile.TemporaryDirectory(dir=home, prefix=".coming-") as coming:
        folder = Path(coming) / "files"
        folder.mkdir()
        pack(folder)
        hashes = {file: file_sha256(folder / file) for file in HANDED_IN}
        for there in _kept(run, files.name):
            opening = read_opening((there / OPENING).read_bytes())
            if (opening.team, opening.round_sha256, dict(opening.files)) == (team, terms, hashes):
                _check_kept(there)
                return there
        opening = Opening(files.name, team, terms, hashes, new_salt())
        for each in [each for each in folder.iterdir() if each.name not in HANDED_IN]:
            each.unlink()
        handle = os.open(folder / OPENING, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(to_bytes(opening))
            file.flush()
            os.fsync(file.fileno())
        target = home / opening.commitment[:16]
        shutil.move(folder, target)
    return target


def _kept(run: Path, name: str) -> Iterator[Path]:
    home = run / _FOLDER / name
    for folder in sorted(home.iterdir()) if home.is_dir() else ():
        if not folder.name.startswith(".") and (folder / OPENING).is_file():
            yield folder


def _commitment_of(folder: Path) -> str:
    return read_opening((folder / OPENING).read_bytes()).commitment


def _check_kept(folder: Path) -> None:
    """Raises BenchwrightError where a file is not the one that was committed to."""
    opening = read_opening((folder / OPENING).read_bytes())
    for file, sha256 in opening.files.items():
        if not (folder / file).is_file() or file_sha256(folder / file) != sha256:
            raise BenchwrightError(f"{folder / file} is not what you committed to: put it back as it was")


def _own_pull(repository: BoardRepository, files: RoundFiles, team: str, path: str) -> int | None:
    """The team's newest open pull request that holds such a file."""
    found = [pull.number for pull in round_pulls(repository, files, team) if pull.is_open]
    return next((each for each in reversed(found) if read_at(repository, f"refs/pr/{each}", path, 100_000)), None)


def _push(repository: BoardRepository, pull: int | None, content: dict[str, Any], title: str) -> str:
    from huggingface_hub import CommitOperationAdd

    done = repository.api.create_commit(
        repository.repo_id,
        [CommitOperationAdd(path, data) for path, data in content.items()],
        commit_message=title,
        repo_type=DATASET,
        **({"create_pr": True} if pull is None else {"revision": f"refs/pr/{pull}"}),
    )
    return str(done.pr_url) if pull is None else _url(repository, pull)


def _url(repository: BoardRepository, number: int) -> str:
    return f"{repository.endpoint}/datasets/{repository.repo_id}/discussions/{number}"
