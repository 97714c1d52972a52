"""What a team's predictions are worth: scored with the private half, questions with fresh names apart from the others.

Only questions of the subset `fresh` rank: a system that knows the public edition by heart gains nothing there. Those
of the subset `kept` are the public edition's with other answers, and tell what it knows by heart (`memorisation.py`).
Where an edition has no subsets, all of its questions rank.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.claims import Claims
from benchwright.benchmarks.leaderboards.refusal import RefusedError
from benchwright.benchmarks.leaderboards.score_again import SubmissionToScore, score_heldout
from benchwright.benchmarks.leaderboards.verdict import Costs, Figure, Part
from benchwright.benchmarks.releases.release import HELDOUT, Release
from benchwright.benchmarks.reports.answers.outcomes import attempt_outcomes
from benchwright.benchmarks.reports.columns import Bools, RunData, load_run
from benchwright.benchmarks.reports.metrics.figures import MetricFigure, metric_sense, metrics_of
from benchwright.benchmarks.runs.run import read_run
from benchwright.benchmarks.runs.score_table import NO_PREDICTION
from benchwright.benchmarks.statistics.differences import Difference, independent_mean_difference
from benchwright.benchmarks.statistics.intervals import Sample
from benchwright.benchmarks.types import FRESH, KEPT

METRIC = "correct"


@dataclass(frozen=True)
class ScoredTeam:
    """A submission to a round."""

    parts: tuple[Part, ...]
    scores: Path
    """Of all questions; to be published, since the answers are."""
    costs: Costs
    has_contexts: bool
    answers: Mapping[str, str]
    """Question → what it answered, cut."""
    gain: Difference | None
    """What the system gets right more often where names are those of the public edition, in shares of the answerable
    questions; None: there are too few groups, or no such names."""
    has_built_in_reader: bool = False
    """As its run says."""


def score_team(folder: Path, public: Release, private: Release, rooms: Path) -> ScoredTeam:
    """Scores the answers to an edition's questions.

    Args:
        folder: what was handed in.
        public: the edition that was published.
        private: its private half.
        rooms: an empty folder.

    Raises:
        RefusedError: the submission is not as it must be.
        BenchwrightError: a file cannot be read.
    """
    run = read_run(folder)
    manifest = public.manifest
    if run is None or (run.benchmark, run.version, run.content_hash) != (
        manifest.name,
        manifest.version,
        manifest.content_hash,
    ):
        raise RefusedError(f"it is no run on {manifest.name} {manifest.version}: ask the questions of that edition")
    if run.questions.split != HELDOUT:
        raise RefusedError(f"it answers the split {run.questions.split}, not {HELDOUT}")
    held = score_heldout(SubmissionToScore(folder, Claims(run, {}, ""), (METRIC,), rooms), public, private)
    if held is None or held.scores is None:
        raise BenchwrightError(f"{manifest.name} has no held-out questions: it is no edition of a round")
    data = load_run(private, held.scores.parent)
    subsets = np.array([*data.questions.subset.names, ""])[data.questions.subset.codes]
    names = [name for name in (FRESH, KEPT) if (subsets == name).any()]
    masks = {name: subsets == name for name in names} or {FRESH: np.ones(len(subsets), dtype=bool)}
    return ScoredTeam(
        tuple(_part(data, name, mask) for name, mask in masks.items()),
        held.scores,
        held.costs,
        held.has_contexts,
        held.answers,
        _gain(data, masks),
        run.system.builtin,
    )


def _part(data: RunData, name: str, wanted: Bools) -> Part:
    outcomes = attempt_outcomes(data)
    first = outcomes.first[wanted[outcomes.question[outcomes.first]]]
    questions = int(wanted.sum())
    answered = int(outcomes.is_answered[first].sum())
    missing = int(_missing(data, wanted))
    found = metrics_of(data, data.shown, data.questions.headline & wanted)
    figures = {metric: _figure(figure) for metric, figure in found.items() if figure.total}
    abstained = int(outcomes.abstained[first].sum())
    return Part(name, questions, answered, abstained, questions - answered - missing, missing, figures)


def _missing(data: RunData, wanted: Bools) -> int:
    """Questions for which nothing was handed in."""
    column = data.metrics.index(METRIC) if METRIC in data.metrics else 0
    reasons = np.array([*data.reasons.names, ""])[data.reasons.codes[:, column]]
    is_missing = (reasons == NO_PREDICTION) & wanted[data.question] & data.condition.where(data.shown)
    return len(np.unique(data.question[is_missing]))


def _figure(figure: MetricFigure) -> Figure:
    return Figure(figure.value, figure.low, figure.high, figure.scored, figure.total, "verified")


def _gain(data: RunData, masks: dict[str, Bools]) -> Difference | None:
    """What is gained where names are public, over semantic groups."""
    if KEPT not in masks or METRIC not in data.metrics:
        return None
    column, shown = data.metrics.index(METRIC), data.condition.where(data.shown)
    sides = []
    for name in (KEPT, FRESH):
        wanted = (data.questions.headline & masks[name])[data.question] & shown & data.is_scored[:, column]
        sides.append(Sample(data.values[wanted, column], data.clusters[wanted]))
    return independent_mean_difference(sides[0], sides[1], limits=metric_sense(METRIC)[1])
