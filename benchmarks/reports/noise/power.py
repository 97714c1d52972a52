"""What differences between systems a run can show."""

from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.statistics.power import groups_to_detect, minimum_detectable_difference

SMALLER = (0.1, 0.05, 0.02, 0.01)
"""Differences of which a report says how many groups they need, where those it has are too few."""


@dataclass(frozen=True, slots=True)
class GroupsNeeded:
    """How many groups find a difference four times in five, at worst."""

    difference: float
    groups: int


@dataclass(frozen=True, slots=True)
class DetectableDifference:
    """The smallest difference between two systems that this many groups find four times in five, at worst."""

    value: float | None
    groups: int
    reason: str | None = None
    needed: tuple[GroupsNeeded, ...] = ()
    """For differences that these groups are too few for, the larger first."""


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
    smallest = minimum_detectable_difference(groups)
    needed = tuple(GroupsNeeded(each, groups_to_detect(each)) for each in SMALLER if each < smallest)
    return DetectableDifference(smallest, groups, needed=needed)
