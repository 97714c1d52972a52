"""The secret of a round, kept twice before it decides anything: in a file, and in a private repository on the Hub."""

from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.rounds.files import MOST_BYTES, to_bytes
from benchwright.benchmarks.leaderboards.rounds.kept_secret import (
    RoundSecret,
    draw,
    keep_secret_file,
    read_secret,
    read_secret_file,
    secret_path,
)
from benchwright.benchmarks.releases.hub_reader import HubReader
from benchwright.cards.hub.errors import status_of
from benchwright.cards.leaderboard.hub import DATASET, BoardRepository
from benchwright.cards.leaderboard.round_hub import read_at


def secrets_repository(repository: BoardRepository) -> BoardRepository:
    """Where the secrets of a leaderboard's rounds are kept on the Hub."""
    return BoardRepository(f"{repository.repo_id}-secrets", repository.endpoint, repository.token)


def find_secret(repository: BoardRepository, name: str, releases: Path) -> RoundSecret | None:
    """The secret of a round, from where it is left; None where it is in neither place.

    Raises:
        BenchwrightError: two are kept, or the Hub's is not private.
    """
    path, elsewhere = secret_path(releases, name), secrets_repository(repository)
    here = read_secret_file(path)
    data = read_at(elsewhere, "main", f"{name}.json", MOST_BYTES) if _is_there(elsewhere) else None
    there = None if data is None else read_secret(data, f"{name}.json of {elsewhere.repo_id}")
    for each in (here, there):
        if each is not None and (each.leaderboard, each.round) != (repository.repo_id, name):
            where = path if each is here else elsewhere.repo_id
            raise BenchwrightError(f"{where} holds the secret of {each.round} of {each.leaderboard}: move it away")
    if here is not None and there is not None and here != there:
        raise BenchwrightError(f"{path} and {elsewhere.repo_id} hold different secrets of {name}: move the file away")
    return here or there


def keep_secret(repository: BoardRepository, name: str, announcement_sha256: str, releases: Path) -> RoundSecret:
    """The secret of a round, drawn where there is none yet, and kept in both places when this returns.

    Raises:
        BenchwrightError: one of the two cannot keep it, or it was drawn for another announcement.
    """
    elsewhere = secrets_repository(repository)
    elsewhere.api.create_repo(elsewhere.repo_id, repo_type=DATASET, private=True, exist_ok=True)
    _check_private(elsewhere)
    secret = find_secret(repository, name, releases) or draw(repository.repo_id, name, announcement_sha256)
    if secret.announcement_sha256 != announcement_sha256:
        raise BenchwrightError(f"the secret of {name} was drawn for another announcement: announce another round")
    keep_secret_file(secret_path(releases, name), secret)
    _keep_on_hub(elsewhere, name, secret)
    return secret


def _keep_on_hub(elsewhere: BoardRepository, name: str, secret: RoundSecret) -> None:
    from huggingface_hub import CommitOperationAdd

    head, path, data = elsewhere.head(), f"{name}.json", to_bytes(secret)
    if read_at(elsewhere, head, path, MOST_BYTES) != data:
        elsewhere.api.create_commit(
            elsewhere.repo_id,
            [CommitOperationAdd(path, data)],
            commit_message=f"The secret of {name}",
            repo_type=DATASET,
            parent_commit=head,
        )
    kept = HubReader(elsewhere.repo_id, elsewhere.endpoint, elsewhere.token).read("main", path, MOST_BYTES)
    if kept != data:
        raise BenchwrightError(f"{elsewhere.repo_id} keeps another secret of {name}: look who else opens it")
    _check_private(elsewhere)


def _is_there(elsewhere: BoardRepository) -> bool:
    try:
        _check_private(elsewhere)
    except BenchwrightError:
        raise
    except Exception as error:
        if status_of(error) != 404:
            raise
        return False
    return True


def _check_private(elsewhere: BoardRepository) -> None:
    if not elsewhere.api.repo_info(elsewhere.repo_id, repo_type=DATASET).private:
        raise BenchwrightError(
            f"{elsewhere.repo_id} is public, and would keep the secrets of rounds: make it private, and open another "
            "round than any whose secret it holds"
        )
