"""The memorisation gaps of a round's systems: told from what the leaderboard holds of them on the public edition."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchwright.benchmarks.leaderboards.rounds.memorisation import ScoredEdition, memorisation_gap
from benchwright.benchmarks.leaderboards.stored import AcceptedSubmission, State
from benchwright.benchmarks.naming import version_key
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.statistics.paired import PairedComparison
from benchwright.cards.leaderboard.releases import BoardReleases


@dataclass(frozen=True)
class InRound:
    """A system as it was scored in a round."""

    system: str
    """Its place."""
    submitter: str
    is_organisers: bool
    scores: Path
    """Of the edition's private half."""


def memorisation_gaps(
    state: State, releases: BoardReleases, benchmark: str, private: Release, systems: Iterable[InRound], metric: str
) -> Mapping[str, PairedComparison]:
    """System → how much better it answers on the public edition what the round asks again.

    Only of systems that the same submitter has on the leaderboard, under the same name, on the newest version there is.

    Args:
        state: the leaderboard.
        releases: its benchmarks'.
        benchmark: the public edition's name.
        private: the private half of the round's edition.
        systems: what was scored in the round.
        metric: by which all were scored.

    Raises:
        BenchwrightError: the public edition cannot be had, or scores cannot be read.
    """
    found = {}
    for each in systems:
        there = max(
            (one for one in state.submissions if one.place.benchmark == benchmark and _is_same(one, each)),
            key=lambda one: version_key(one.place.version),
            default=None,
        )
        if there is None or there.scores is None:
            continue
        public = ScoredEdition(releases.release(state.board, benchmark, there.place.version), there.scores)
        gap = memorisation_gap(public, ScoredEdition(private, each.scores), metric)
        if gap is not None:
            found[each.system] = gap
    return found


def _is_same(there: AcceptedSubmission, scored: InRound) -> bool:
    if there.scores is None or there.place.system != scored.system:
        return False
    return there.verdict.submitter == scored.submitter or (there.verdict.is_organisers and scored.is_organisers)
