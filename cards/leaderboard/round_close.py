"""Closing a round: what was handed in is scored, the fixed baselines too, and secret, answers and scores are published.

Nothing is published before every team had its time, by the Hub's clock. The edition is taken from this machine, or
built again from the secret that the private repository keeps, so that a lost machine ends no round. The private half
goes to the Hub first, then one commit to the leaderboard says all; both are safe to repeat.
"""

import logging
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version as installed
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.leaderboards.part_scores import write_board_scores
from benchwright.benchmarks.leaderboards.rounds.files import (
    MOST_BYTES,
    Announcement,
    Outcome,
    Round,
    TeamCommitment,
    TeamOutcome,
    to_bytes,
)
from benchwright.benchmarks.leaderboards.rounds.kept_secret import RoundSecret
from benchwright.benchmarks.leaderboards.rounds.places import (
    OPENING,
    OUTCOME,
    commitment_path,
    folder_of,
    submission_folder,
)
from benchwright.benchmarks.leaderboards.rounds.proof import round_problems
from benchwright.benchmarks.leaderboards.rounds.scoring import METRIC
from benchwright.benchmarks.leaderboards.rounds.sealing import sha256_of
from benchwright.benchmarks.leaderboards.rounds.times import say_time
from benchwright.benchmarks.leaderboards.stored import verdict_text
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.releases.holdout import private_name
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.statistics.differences import Difference
from benchwright.benchmarks.statistics.paired import PairedComparison
from benchwright.cards.blocks.markdown_text import code, unlinked
from benchwright.cards.hub.errors import explained
from benchwright.cards.hub.publish import publish as publish_release
from benchwright.cards.leaderboard.commit import Published, again, publish
from benchwright.cards.leaderboard.hub import DATASET, BoardRepository
from benchwright.cards.leaderboard.publish import Keeping
from benchwright.cards.leaderboard.releases import BoardReleases
from benchwright.cards.leaderboard.round_count import Teams, read_teams
from benchwright.cards.leaderboard.round_hub import RoundFiles, hub_time, read_at, read_round_files, round_pulls
from benchwright.cards.leaderboard.round_memory import InRound, memorisation_gaps
from benchwright.cards.leaderboard.round_open import Build, build_edition, edition_repository, target_of, write_ranking
from benchwright.cards.leaderboard.round_score import ScoredEntry, score_all
from benchwright.cards.leaderboard.round_secret import find_secret
from benchwright.cards.leaderboard.workspace import Workspace, newest

log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class Closed:
    """A round that was scored."""

    outcome: Outcome
    published: Published | None
    """What was committed; None: it was scored already."""
    answers_url: str


def close_round(
    repository: BoardRepository,
    name: str,
    keeping: Keeping,
    build: Build,
    progress: Progress = silent,
) -> Closed:
    """Scores a round and reveals it.

    Args:
        repository: the leaderboard's.
        name: of the round.
        keeping: how the leaderboard is kept: the folder of releases, where the edition is, or is built again.
        build: builds the edition, where it is not here.
        progress: is told how far it is.

    Raises:
        UsageError: it is not over yet.
        BenchwrightError: its secret is lost, what is here is not what was committed to, or the Hub fails.
    """
    with explained(repository.repo_id, repository.endpoint):
        head = repository.head()
        files = read_round_files(repository, head, repository.tree(head), name)
        answers = f"{repository.endpoint}/datasets/{edition_repository(repository, private_name(name))}"
        if files.outcome is not None:  # an earlier start may have been cut off before it showed and told it
            again(lambda: _show(repository, keeping), repository)
            _tell(repository, files, files.outcome)
            return Closed(files.outcome, None, answers)
        _check_over(repository, files)
        releases = keeping.releases
        secret = find_secret(repository, name, releases)
        if secret is None:
            raise BenchwrightError(
                f"the secret of {name} is neither in {releases} nor in {repository.repo_id}-secrets: use a token that "
                "may read that repository"
            )
        announcement = files.announcement
        assert announcement is not None
        public, private = build_edition(announcement, secret, releases, build, progress)
        with tempfile.TemporaryDirectory(prefix="benchwright-round-") as work:
            teams = read_teams(repository, files, _organisers(repository), Path(work) / "teams")
            scored, refused = score_all(files, teams, (public, private), Path(work), progress)
            outcome = _outcome(files, secret, private, teams, scored, refused)
            gaps = _memorisation(repository, keeping, announcement.builder, private, scored)
            outcome = replace(outcome, memorisation=gaps)
            _check_committed(files.opened, announcement, outcome, private)
            target = target_of(repository, edition_repository(repository, private.manifest.name), reveals=True)
            publish_release(private, replace(target, public=_is_public(repository, files.opened)), None)
            published = again(lambda: _publish(repository, keeping, files, outcome, teams, scored), repository)
        _tell(repository, files, outcome)
        return Closed(outcome, published, answers)


def _check_over(repository: BoardRepository, files: RoundFiles) -> None:
    """Raises UsageError before every team had its time."""
    now = hub_time(repository)
    state = files.state(now)
    if state == "announced":
        raise UsageError(f"{files.name} is announced, and not open yet: go on with --open-round")
    if state != "closed":
        raise UsageError(
            f"{files.name} is {state}: commitments are taken until {files.opened.closes}, predictions until "
            f"{files.opened.revealed_until}, and on the Hub it is {say_time(now)}; close it after that"
        )


def _organisers(repository: BoardRepository) -> tuple[str, ...]:
    with newest(repository) as space:
        return tuple(dict.fromkeys((*space.state().board.organisers, repository.user)))


def _is_public(repository: BoardRepository, terms: Round) -> bool:
    """Whether the edition is public, so that its answers are to be."""
    return not repository.api.repo_info(terms.edition.repository, repo_type=DATASET).private


def _outcome(
    files: RoundFiles,
    secret: RoundSecret,
    private: Release,
    teams: Teams,
    scored: Sequence[ScoredEntry],
    refused: Mapping[str, str],
) -> Outcome:
    systems = {each.verdict.submitter: each.place.system for each in scored}
    found = []
    for each in teams.handed_in:
        counted = each.counted
        reason = each.reason or refused.get(counted.team, "")
        state = "not revealed" if each.folder is None and each.reason.startswith("no predictions") else "refused"
        found.append(
            TeamOutcome(
                counted.team,
                "scored" if counted.team in systems else state,
                counted.commitment,
                counted.number,
                counted.revision,
                say_time(counted.time),
                counted.others,
                systems.get(counted.team),
                reason,
            )
        )
    return Outcome(
        round=files.name,
        round_sha256=sha256_of(files.terms_bytes),
        secret=secret.secret,
        nonce=secret.nonce,
        repository=f"{files.opened.edition.repository.partition('/')[0]}/{private.manifest.name}",
        version=private.manifest.version,
        private_content_hash=private.manifest.content_hash,
        benchwright=installed("benchwright"),
        teams=tuple(found),
        late=teams.late,
        organisers=teams.refused,
        gains={each.place.system: _figures(each.scored.gain) for each in scored if each.scored.gain is not None},
    )


def _memorisation(
    repository: BoardRepository, keeping: Keeping, benchmark: str, private: Release, scored: Sequence[ScoredEntry]
) -> Mapping[str, Mapping[str, float]]:
    """System → its memorisation gap, of those that are on the leaderboard with the public edition, too."""
    systems = [
        InRound(each.place.system, each.verdict.submitter, each.verdict.is_organisers, each.scored.scores)
        for each in scored
    ]
    with newest(repository) as space:
        releases = BoardReleases(repository, keeping.private, keeping.releases)
        try:
            found = memorisation_gaps(space.state(), releases, benchmark, private, systems, METRIC)
        except BenchwrightError as error:  # a round is closed all the same
            log.warning("no memorisation gap can be told: %s", error)
            return {}
    return {system: _figures(gap) for system, gap in found.items()}


def _figures(found: Difference | PairedComparison) -> dict[str, float]:
    return {name: round(getattr(found, name), 6) for name in ("value", "low", "high", "p", "first", "second")}


def _check_committed(terms: Round, announcement: Announcement, outcome: Outcome, private: Release) -> None:
    """Raises where what would be revealed is not what the organisers are committed to."""
    problem = next(round_problems(terms, announcement, outcome, private), None)
    if problem is not None:
        raise BenchwrightError(f"{terms.name} cannot be closed with what is here: {problem}")


def _publish(
    repository: BoardRepository,
    keeping: Keeping,
    files: RoundFiles,
    outcome: Outcome,
    teams: Teams,
    scored: Sequence[ScoredEntry],
) -> Published:
    """One commit with all of it."""
    with newest(repository) as space:
        name = files.name
        for each in teams.handed_in:
            team = each.counted.team
            commitment = TeamCommitment(name, team, each.counted.commitment)
            space.write(commitment_path(name, team), to_bytes(commitment))
            if each.opening is not None:
                space.write(f"{submission_folder(name, team)}/{OPENING}", to_bytes(each.opening))
        for one in scored:
            _put(space, one)
        space.write(f"{folder_of(name)}/{OUTCOME}", to_bytes(outcome))
        write_ranking(space, keeping)
        return publish(space, f"{name} was scored, and is revealed")


def _show(repository: BoardRepository, keeping: Keeping) -> Published:
    """The ranking as it is, on the page too."""
    with newest(repository) as space:
        write_ranking(space, keeping)
        return publish(space, "The ranking anew")


def _put(space: Workspace, one: ScoredEntry) -> None:
    for path in sorted(one.folder.iterdir()):
        space.place(f"{one.place.folder}/{path.name}", path)
    space.write(one.place.verdict, verdict_text(one.verdict).encode())
    scores = one.scored.scores.with_name("board-scores.parquet")
    write_board_scores(one.scored.scores, scores)
    space.place(one.place.scores, scores)


def _tell(repository: BoardRepository, files: RoundFiles, outcome: Outcome) -> None:
    """Says in each pull request of a team what came of it, and closes it; once."""
    known = {each.team: each for each in outcome.teams}
    for pull in round_pulls(repository, files):
        path = commitment_path(files.name, pull.team)
        if pull.is_open and read_at(repository, f"refs/pr/{pull.number}", path, MOST_BYTES) is not None:
            said = _comment(repository.repo_id, outcome, pull.team, known.get(pull.team))
            repository.api.change_discussion_status(
                repository.repo_id, pull.number, "closed", comment=said, repo_type=DATASET
            )


def _comment(leaderboard: str, outcome: Outcome, name: str, team: TeamOutcome | None) -> str:
    if name in outcome.organisers:
        said = "**Not scored**: organisers know the secret, and only the runs that were announced before count"
    elif team is None:
        said = "**Not scored**: no commitment came before the round was closed, by the Hub's clock"
    elif team.state == "scored":
        said = f"**Scored**: {code(str(team.system))} is ranked in {code(outcome.round)}"
    else:
        said = f"**Not scored**: {unlinked(team.reason)}"
    if team is not None:
        said += f". The commitment of revision `{team.revision}` counted, which came to the Hub at {team.time}"
    return (
        f"{said}. Secret and answers are public now: "
        f"`verify-benchmark {outcome.repository} --round {leaderboard}:{outcome.round}`."
    )
