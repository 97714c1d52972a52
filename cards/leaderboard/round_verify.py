"""Anybody's proof of a scored round: what organisers revealed and teams sent is what they were committed to."""

from dataclasses import dataclass

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.leaderboards.layout import Place
from benchwright.benchmarks.leaderboards.rounds.files import MOST_BYTES, TeamOutcome, read_commitment, read_opening
from benchwright.benchmarks.leaderboards.rounds.places import (
    COMMITMENTS,
    OPENING,
    commitment_path,
    folder_of,
    submission_folder,
)
from benchwright.benchmarks.leaderboards.rounds.proof import prove_round
from benchwright.benchmarks.leaderboards.rounds.sealing import sha256_of
from benchwright.benchmarks.releases.fetch import fetch_release
from benchwright.benchmarks.releases.proofs.base import Verification
from benchwright.benchmarks.releases.release import Release
from benchwright.cards.hub.errors import explained
from benchwright.cards.leaderboard.hub import BoardRepository, Tree
from benchwright.cards.leaderboard.round_hub import RoundFiles, read_at, read_round_files

OF_TEAMS = "submissions of a round that are what their teams committed to"


@dataclass(frozen=True)
class ScoredRound:
    """A round that was scored, at a commit of its leaderboard's main."""

    repository: BoardRepository
    head: str
    tree: Tree
    files: RoundFiles

    @classmethod
    def open(cls, reference: str) -> "ScoredRound":
        """The round of `NAMESPACE/LEADERBOARD:ROUND`.

        Raises:
            UsageError: it is no such reference, or the round was not scored yet.
            BenchwrightError: there is no such round.
        """
        repo_id, colon, name = reference.partition(":")
        if not colon:
            raise UsageError(f"--round {reference}: give NAMESPACE/LEADERBOARD:ROUND")
        repository = BoardRepository(repo_id)
        with explained(repo_id, repository.endpoint):
            head = repository.head()
            tree = repository.tree(head)
            files = read_round_files(repository, head, tree, name)
        if files.outcome is None:
            raise UsageError(f"{name} was not scored yet: its answers are secret until then")
        return cls(repository, head, tree, files)

    def public_half(self) -> Release:
        """The edition as it was published when the round opened."""
        edition = self.files.opened.edition
        return fetch_release(f"{edition.repository}@{edition.version}")

    def prove(self, private: Release, found: Verification) -> None:
        """Notes in `found` what is proved of the round, and what is wrong with it.

        Args:
            private: the half with the answers, which was revealed.
            found: where it is noted.
        """
        files = self.files
        assert files.announcement is not None
        assert files.outcome is not None
        prove_round(files.opened, files.announcement, files.outcome, private, found)
        if sha256_of(files.terms_bytes) != files.outcome.round_sha256:
            found.problem("round", "round.json was changed after the round was opened")
        known = {each.team for each in files.outcome.teams}
        prefix = f"{folder_of(files.name)}/{COMMITMENTS}/"
        for path in sorted(path for path in self.tree if path.startswith(prefix)):
            if path.removeprefix(prefix).removesuffix(".json") not in known:
                found.problem("round", f"{path} is there, and the outcome does not name the team")
        with explained(self.repository.repo_id, self.repository.endpoint):
            for team in files.outcome.teams:
                problem = _team_problem(self.repository, self.head, self.tree, files, team)
                if problem is not None:
                    found.problem("round", f"{team.team}: {problem}")
                elif team.state == "scored":
                    found.proved[OF_TEAMS] += 1


def _team_problem(
    repository: BoardRepository, head: str, tree: Tree, files: RoundFiles, team: TeamOutcome
) -> str | None:
    """What is wrong with what is said of a team."""
    name = files.name
    try:
        there = read_commitment(read_at(repository, head, commitment_path(name, team.team), MOST_BYTES) or b"")
        if there.commitment != team.commitment:
            return "its commitment is not the one that the outcome names"
        if team.state != "scored":
            return None
        path = f"{submission_folder(name, team.team)}/{OPENING}"
        opening = read_opening(read_at(repository, head, path, MOST_BYTES) or b"")
    except BenchwrightError as error:
        return str(error)
    said = (opening.round, opening.team, opening.round_sha256, opening.commitment)
    if said != (name, team.team, sha256_of(files.terms_bytes), team.commitment):
        return "what opens its commitment is not what it committed to"
    edition = files.opened.edition
    folder = Place(edition.name, edition.version, team.system or "").folder
    wanted = {file: tree.get(f"{folder}/{file}") for file in opening.files}
    kept = repository.keep(head, [each for each in wanted.values() if each is not None])
    for file, sha256 in opening.files.items():
        found = wanted[file]
        if found is None or file_sha256(kept[found.path]) != sha256:
            return f"{file} is not the one that it committed to"
    return None
