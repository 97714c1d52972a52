"""Rounds in the ranking: those of a workspace, the table of each that was scored, and what its readers are told."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchwright.benchmarks.leaderboards.entries import Entry, Parts, part_questions
from benchwright.benchmarks.leaderboards.layout import ROUNDS
from benchwright.benchmarks.leaderboards.rounds.files import Outcome, read_announcement, read_outcome, read_round
from benchwright.benchmarks.leaderboards.rounds.places import ANNOUNCEMENT, OUTCOME, ROUND
from benchwright.benchmarks.leaderboards.standings import ShownRound, ShownTeam, Standings
from benchwright.benchmarks.leaderboards.stored import AcceptedSubmission
from benchwright.benchmarks.releases.fetch import fetch_release
from benchwright.benchmarks.releases.release import TEST, Release
from benchwright.benchmarks.types import FRESH
from benchwright.cards.leaderboard.round_hub import RoundFiles

BASELINE_TEAM = "benchwright"
"""Whose the fixed baselines are."""
Key = tuple[str, str]


def rounds_in(root: Path) -> list[RoundFiles]:
    """The rounds of a leaderboard in a folder.

    Raises:
        BenchwrightError: a file of one is not as it must be.
    """
    found = []
    for folder in sorted(path.parent for path in (root / ROUNDS).glob(f"*/{ANNOUNCEMENT}")):
        terms, outcome = folder / ROUND, folder / OUTCOME
        terms_bytes = terms.read_bytes() if terms.is_file() else b""
        found.append(
            RoundFiles(
                folder.name,
                read_announcement((folder / ANNOUNCEMENT).read_bytes()),
                read_round(terms_bytes) if terms_bytes else None,
                terms_bytes,
                read_outcome(outcome.read_bytes()) if outcome.is_file() else None,
            )
        )
    return found


def round_parts(rounds: Sequence[RoundFiles]) -> dict[Key, Parts]:
    """Edition and version of each round that was scored → what is ranked of it: the questions with fresh names.

    Raises:
        BenchwrightError: the answers of one cannot be had from the Hub.
    """
    found: dict[Key, Parts] = {}
    for each in rounds:
        if each.outcome is not None:
            edition = each.opened.edition
            private = fetch_release(f"{each.outcome.repository}@{each.outcome.version}")
            questions = part_questions(private, TEST, FRESH if _has_fresh(private) else None)
            found[edition.name, edition.version] = {FRESH: questions}
    return found


def _has_fresh(release: Release) -> bool:
    batches = release.batches("questions", TEST, ["subset"])
    return any(FRESH in batch.column("subset").to_pylist() for batch in batches)


def round_entry(submission: AcceptedSubmission) -> Entry:
    """A submission to a round, for its ranking."""
    scores = {} if submission.scores is None else {FRESH: submission.scores}
    return Entry(submission.system, submission.verdict, scores)


def with_rounds(standings: Standings, rounds: Sequence[RoundFiles]) -> Standings:
    """The ranking with its rounds, the newest first; those that are announced alone are left out."""
    opened = [each for each in rounds if each.terms is not None]
    newest = sorted(opened, key=lambda each: (each.opened.opened, each.name), reverse=True)
    return replace(standings, rounds=tuple(map(_shown, newest)))


def _shown(files: RoundFiles) -> ShownRound:
    terms, outcome = files.opened, files.outcome
    return ShownRound(
        name=files.name,
        edition=terms.edition.repository,
        benchmark=terms.edition.name,
        version=terms.edition.version,
        questions=terms.edition.questions,
        groups=terms.edition.groups,
        opened=terms.opened,
        closes=terms.closes,
        revealed_until=terms.revealed_until,
        commitment=terms.commitment,
        answers=None if outcome is None else f"{outcome.repository} {outcome.version}",
        teams=() if outcome is None else tuple(_teams(outcome)),
        late=() if outcome is None else outcome.late,
    )


def _teams(outcome: Outcome) -> Iterator[ShownTeam]:
    """The teams, then the organisers' baselines: these remember nothing, so that their gaps are the documents'."""
    for each in outcome.teams:
        yield ShownTeam(each.team, each.state, each.system, each.reason, *_gain(outcome, each.system))
    own = {each.system for each in outcome.teams}
    for system in outcome.gains:
        if system not in own:
            yield ShownTeam(BASELINE_TEAM, "scored", system, "", *_gain(outcome, system))


def _gain(outcome: Outcome, system: str | None) -> tuple[float | None, float | None, float | None]:
    gain = outcome.memorisation.get(system or "", {})
    return gain.get("value"), gain.get("low"), gain.get("high")
