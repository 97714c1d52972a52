"""What a comparison is computed from: runs on one release, their scores beside each other, question by question.

Compared      the runs, the questions that any of them has, and of each metric a Scored
Scored        one metric: a matrix of what each run has of each question, and why something is unscored
ComparedRun   one of the runs: its name here, its folder and what it is of
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.comparisons.judged import JudgedApart
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.columns import Bools, Ints, Questions
from benchwright.benchmarks.reports.metrics.figures import NO_REASON, tally
from benchwright.benchmarks.runs.run import Run

Floats32 = npt.NDArray[np.float32]
Counts = npt.NDArray[np.uint16]

CORRECT = "correct"
NOT_ASKED = "not in the run"
"""The reason of a question that a run has no row of."""
IN_PART = "some repeats have no score"
"""The reason of a question that a run has a score of, but not of each repeat."""


@dataclass(frozen=True)
class ComparedRun:
    """One of the runs that are compared."""

    name: str
    """What it is called in this comparison: the system's name, with the folder's where two are called the same."""
    folder: Path
    settings: Run
    metrics: tuple[str, ...]
    """All that were scored, also those that other runs lack."""
    conditions: tuple[str, ...]
    """All that it was asked in."""
    repeats: int
    """Answers to a question, at the most: the last number of a repeat, from 0, and one."""
    unknown_scores: int
    """Scores that were left out: their question is not in the release."""


@dataclass(frozen=True)
class Unscored:
    """The questions of one run that one metric has no value of."""

    questions: Ints
    """Places."""
    reasons: Ints
    """Of each the code of its reason, -1 without one."""


@dataclass(frozen=True)
class Tries:
    """How often one metric's questions were answered, of shape (questions, runs)."""

    scored: Counts
    """Repeats that have a value."""
    listed: Counts
    """Repeats that the run's file names, scored or not."""

    def of_runs(self, columns: list[int]) -> "Tries":
        """The same of some of the runs, in that order."""
        return Tries(self.scored[:, columns], self.listed[:, columns])

    def share(self, run: int, repeats: int, beside: int | None = None) -> Floats32:
        """Of each question what share of the repeats that it should have has a value, from 0 to 1.

        It should have those that its file names, and as many as another run has values of, where it was asked as often
        at all.

        Args:
            run: its place.
            repeats: how often it was asked a question, at the most.
            beside: the place of the other run; None: whichever has most values of a question.
        """
        others = self.scored.max(axis=1) if beside is None else self.scored[:, beside]
        wanted = np.maximum(self.listed[:, run], np.minimum(others, repeats))
        return (self.scored[:, run] / np.maximum(wanted, 1)).astype(np.float32)


@dataclass(frozen=True)
class Scored:
    """One metric of all runs."""

    name: str
    values: Floats32
    """Of shape (questions, runs): the mean over a question's repeats. 0 where `is_scored` is false; never NaN."""
    is_scored: Bools
    """Whether there is a value, of the same shape."""
    unscored: tuple[Unscored, ...]
    """Of each run what its file says to be unscored; a question that the file does not name is not among them."""
    reasons: tuple[str, ...]
    """What the codes of reasons mean."""
    judges: tuple[tuple[str, ...], ...]
    """Of each run who judged; COMPUTED where nobody did."""
    judged_apart: JudgedApart | None
    """A question that not the same judges judged in two of the runs, each of which has several; None where there is
    none, or where not both of the two are among the runs."""
    abstained: Floats32 | None
    """Of `correct`, what share of a question's scored repeats is 0 because the system abstained, of the same shape."""
    tries: Tries | None
    """None where no run has repeats."""
    higher_is_better: bool
    range: tuple[float, float]

    def of_runs(self, places: Sequence[int]) -> "Scored":
        """The same of some of the runs, in that order."""
        columns = list(places)
        if columns == list(range(len(self.judges))):
            return self  # no copy of some 0.2 GB where there are many runs
        return replace(
            self,
            values=self.values[:, columns],
            is_scored=self.is_scored[:, columns],
            unscored=tuple(self.unscored[place] for place in columns),
            judges=tuple(self.judges[place] for place in columns),
            judged_apart=_of_places(self.judged_apart, columns),
            abstained=None if self.abstained is None else self.abstained[:, columns],
            tries=None if self.tries is None else self.tries.of_runs(columns),
        )

    def why_unscored(self, run: int, wanted: Bools) -> dict[str, int]:
        """Why a run has no value of wanted questions: reasons with their numbers, the most frequent first."""
        lacking = wanted & ~self.is_scored[:, run]
        there = self.unscored[run]
        of_wanted = lacking[there.questions]
        found = tally(self.reasons, there.reasons[of_wanted], NO_REASON)
        absent = int(lacking.sum()) - int(of_wanted.sum())
        return {**found, **({NOT_ASKED: absent} if absent else {})}


@dataclass(frozen=True)
class Compared:
    """Runs on one release, in the order given, with the questions that any of them has, in the release's order."""

    release: Release
    runs: tuple[ComparedRun, ...]
    condition: str
    """The condition that everything is of."""
    questions: Questions
    scored: Mapping[str, Scored]
    """By name: the benchmark's primary metric first, where there is one."""
    left_out: tuple[str, ...]
    """Metrics that all runs have and that were not read, for there are many runs and none was named."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of what is compared, the leading one first."""
        return tuple(self.scored)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The runs' names."""
        return tuple(run.name for run in self.runs)

    @cached_property
    def asked(self) -> Bools:
        """Of shape (questions, runs): whether a run's file names a question, scored or not."""
        found = np.zeros((len(self.questions.ids), len(self.runs)), dtype=bool)
        for scored in self.scored.values():
            found |= scored.is_scored
            for run, unscored in enumerate(scored.unscored):
                found[unscored.questions, run] = True
        return found

    def common(self, metric: str) -> Bools:
        """The headline's questions that every run has a score of."""
        return self.questions.headline & self.scored[metric].is_scored.all(axis=1)

    def in_part(self, metric: str, run: int) -> int:
        """How many of the headline's questions a run has a score of, but not of each repeat."""
        scored = self.scored[metric]
        if scored.tries is None:
            return 0
        there = self.questions.headline & scored.is_scored[:, run]
        return int((there & (scored.tries.share(run, self.runs[run].repeats) < 1)).sum())

    def with_scores(self, metric: str) -> tuple[int, ...]:
        """The places of the runs that have a score of any of the headline's questions."""
        there = self.scored[metric].is_scored[self.questions.headline].any(axis=0)
        return tuple(int(place) for place in np.flatnonzero(there))

    def of_runs(self, places: Sequence[int], metric: str) -> "Compared":
        """Some of the runs by one metric, in that order; all questions stay."""
        runs = tuple(self.runs[place] for place in places)
        return replace(self, runs=runs, scored={metric: self.scored[metric].of_runs(places)})


def _of_places(apart: JudgedApart | None, places: Sequence[int]) -> JudgedApart | None:
    """The same among some of the runs, in that order."""
    if apart is None or not set(apart.runs) <= set(places):
        return None
    first, second = (places.index(run) for run in apart.runs)
    return replace(apart, runs=(first, second))
