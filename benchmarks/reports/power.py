"""What differences between systems a run can show."""

from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.statistics.power import minimum_detectable_difference


@dataclass(frozen=True, slots=True)
class DetectableDifference:
    """The smallest difference between two systems that this many groups find four times in five, at worst."""

    value: float | None
    groups: int
    reason: str | None = None


@per_run
def detectable_difference(run: RunData) -> DetectableDifference:
    """Of two systems on the headline's groups: those of which something was scored, all where nothing was."""
    wanted = run.questions.headline.copy()
    scored = run.question[run.is_scored.any(axis=1) & run.condition.where(run.shown)]
    if wanted[scored].any():
        wanted[:] = False
        wanted[scored] = run.questions.headline[scored]
    groups = len(np.unique(run.questions.clusters[wanted]))
    if not groups:
        return DetectableDifference(None, 0, "the run has no question of the headline")
    return DetectableDifference(minimum_detectable_difference(groups), groups)
