"""The ranking of a leaderboard's state, with the scores of held-out questions, which lie on this machine alone."""

import hashlib
import json
from dataclasses import replace
from importlib.metadata import version as installed
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.details import SystemDetails, details_of, details_text, read_details
from benchwright.benchmarks.leaderboards.entries import Entry
from benchwright.benchmarks.leaderboards.layout import FORMATS, HELDOUT, PREDICTIONS, Place
from benchwright.benchmarks.leaderboards.limits import predictions_file
from benchwright.benchmarks.leaderboards.part_scores import write_board_scores
from benchwright.benchmarks.leaderboards.ranking import make_standings
from benchwright.benchmarks.leaderboards.standings import Standings
from benchwright.benchmarks.leaderboards.stored import AcceptedSubmission, verdict_text
from benchwright.benchmarks.leaderboards.verdict import Verdict
from benchwright.benchmarks.leaderboards.verify import Verified, rescore_submission
from benchwright.benchmarks.releases.release import TEST, Release
from benchwright.benchmarks.runs.score import primary_metric
from benchwright.cards.leaderboard.hub import link
from benchwright.cards.leaderboard.releases import BoardReleases
from benchwright.cards.leaderboard.round_ranked import round_entry, round_parts, rounds_in, with_rounds
from benchwright.cards.leaderboard.workspace import Workspace


def put(space: Workspace, releases: BoardReleases, place: Place, folder: Path, verified: Verified) -> None:
    """Puts a submission that was verified into the next state: its files, its verdict, its scores, its details."""
    names = {path.name for path in folder.iterdir()}
    for path in [path for path in space.tree if path.startswith(f"{place.folder}/")]:
        if path.removeprefix(f"{place.folder}/") not in names:
            space.delete(path)
    for name in sorted(names):
        space.place(f"{place.folder}/{name}", folder / name)
    put_found(space, releases, place, folder, verified)


def put_found(space: Workspace, releases: BoardReleases, place: Place, folder: Path, verified: Verified) -> None:
    """Puts what was found in a submission into the next state."""
    board = space.board()
    space.write(place.verdict, verdict_text(verified.verdict).encode())
    if verified.scores is not None:
        scores = verified.scores.with_name("board-scores.parquet")
        write_board_scores(verified.scores, scores)
        space.place(place.scores, scores)
        predictions = predictions_file(folder, PREDICTIONS)
        part = releases.parts(board, place.benchmark, place.version)[TEST]
        metric = board.benchmarks[place.benchmark].metric or primary_metric(part.release) or "correct"
        if predictions is not None:
            details = details_of(space.root / place.scores, predictions, part, metric)
            space.write(place.details, details_text(details).encode())
    private = releases.private(board, place.benchmark, place.version)
    if verified.heldout_scores is not None and private is not None:
        kept = _heldout_place(space, verified.verdict, private)
        kept.parent.mkdir(parents=True, exist_ok=True)
        coming = kept.with_suffix(f".{verified.heldout_scores.stat().st_ino}")
        write_board_scores(verified.heldout_scores, coming)
        coming.replace(kept)


def rank(space: Workspace, releases: BoardReleases, work: Path) -> tuple[Standings, dict[Place, SystemDetails]]:
    """The ranking of what is in the workspace, and what is known of single systems.

    Raises:
        BenchwrightError: a release or the private half of one cannot be had, or a file cannot be read.
    """
    state = space.state()
    rounds = rounds_in(space.root)
    of_rounds = round_parts(rounds)
    entries, parts = [], dict(of_rounds)
    for submission in state.submissions:
        key = submission.place.benchmark, submission.place.version
        if key in of_rounds:
            entries.append(round_entry(submission))
        elif key[0] in state.board.benchmarks:
            parts[key] = releases.parts(state.board, *key)
            entries.append(_entry(space, releases, submission, work))
    places = [each.place for each in state.submissions]
    details = {place: found for place in places if (found := read_details(space.root / place.details))}
    standings = make_standings(space.repository.repo_id, state.board, entries, parts)
    return with_rounds(standings, rounds), details


def _entry(space: Workspace, releases: BoardReleases, submission: AcceptedSubmission, work: Path) -> Entry:
    verdict, scores = submission.verdict, {}
    if submission.scores is not None:
        scores[TEST] = submission.scores
    held = next((part for part in verdict.parts if part.split == HELDOUT), None)
    if held is not None:
        board, place = space.board(), submission.place
        private = releases.private(board, place.benchmark, place.version)
        if private is not None:
            verdict, scores[HELDOUT] = _heldout_scores(space, releases, submission, private, work)
        elif held.figures:
            raise BenchwrightError(
                f"the answers to held-out questions of {place.benchmark} {place.version} were scored with its private "
                "half, and that is not here: name it with --private"
            )
    return Entry(submission.system, verdict, scores)


def _heldout_scores(
    space: Workspace, releases: BoardReleases, submission: AcceptedSubmission, private: Release, work: Path
) -> tuple[Verdict, Path]:
    """The scores of held-out questions, computed again where they are not here, and the verdict with them."""
    kept = _heldout_place(space, submission.verdict, private)
    held = next(part for part in submission.verdict.parts if part.split == HELDOUT)
    if kept.is_file() and held.figures:
        return submission.verdict, kept
    found = verify_again(space, releases, submission, work)
    put_found(space, releases, submission.place, submission.folder, found)
    return found.verdict, _heldout_place(space, found.verdict, private)


def verify_again(space: Workspace, releases: BoardReleases, submission: AcceptedSubmission, work: Path) -> Verified:
    """A submission of the leaderboard is scored again from its predictions.

    Raises:
        BenchwrightError: it is not what it was accepted as.
    """
    found = score_again(space, releases, submission, work)
    if not found.verdict.accepted:
        why = "; ".join(found.verdict.reasons)
        raise BenchwrightError(
            f"{submission.place} is not what it was accepted as ({why:.300}): look at it, or delete its verdict"
        )
    return found


def score_again(space: Workspace, releases: BoardReleases, submission: AcceptedSubmission, work: Path) -> Verified:
    """As `verify_again`; the verdict of what is not what it was accepted as says so."""
    board, place, before = space.board(), submission.place, submission.verdict
    space.fetch(path for path in space.tree if path.startswith(f"{place.folder}/"))
    folder = work / f"again-{hashlib.sha256(str(place).encode()).hexdigest()[:16]}"
    files = folder / "files"
    files.mkdir(parents=True, exist_ok=True)
    for path in submission.folder.iterdir():
        link(path, files / path.name)
    found = rescore_submission(files, before, releases.basis(board, place), work=folder / "work")
    return replace(found, verdict=replace(found.verdict, flags=before.flags))


def _heldout_place(space: Workspace, verdict: Verdict, private: Release) -> Path:
    """Where the scores of a submission's answers to held-out questions lie on this machine."""
    answers = [verdict.sha256.get(f"{HELDOUT}{ending}") for ending in FORMATS]
    said = [answers, private.manifest.content_hash, verdict.scored_by or installed("benchwright"), str(verdict.round)]
    name = hashlib.sha256(json.dumps(said).encode()).hexdigest()
    return space.repository.home / "heldout" / f"{name}.parquet"
