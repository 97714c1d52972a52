"""From run to run: how much of what differs between wordings differs between two answers to the same wording, too.

Two wordings of a group disagree where one is answered rightly and the other is not. So may two answers to the same
wording. What the former do more often than the latter is due to the wording: for chances p and q of a right answer,
p (1 - q) + q (1 - p) = p (1 - p) + q (1 - q) + (p - q)². Each of the three is estimated without bias.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from benchwright.benchmarks.reports.answers.outcomes import NOT_JUDGED, OUTCOMES, attempt_outcomes
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.grammar_figures import tag_group
from benchwright.benchmarks.reports.groups import TAGS, has_wordings
from benchwright.benchmarks.reports.identity import system_identity
from benchwright.benchmarks.reports.noise.spread import Spread, spread_of
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.statistics.consistency import disagreement_of_two_members, pair_agreement
from benchwright.benchmarks.statistics.intervals import Sample

ASKED_ONCE = (
    "each question was asked once: what differs between wordings includes what differs from run to run "
    "(--repeat 3 tells them apart)"
)


@dataclass(frozen=True, slots=True)
class RunToRun:
    """How far answers to the same question agree, over the headline's questions."""

    repeats: int
    """Times that a question was asked at the most."""
    reason: str | None
    """Why run-to-run noise is not told apart."""
    questions: int = 0
    """Of which two answers or more were judged."""
    unsteady: int = 0
    """Of them those that were answered rightly and wrongly."""
    agreement: Spread | None = None
    """The chance that two answers to the same question are both right or both not."""
    wordings_disagree: Spread | None = None
    """The chance that answers to two wordings of a group are not; of groups with two wordings judged twice each."""
    from_run_to_run: Spread | None = None
    """The same of two answers to the same wording, in these groups."""
    from_wording: Spread | None = None
    """What is left: may be below 0 where there is little of it."""
    tags: Mapping[str, int] = field(default_factory=dict)
    """Tag → groups, where a wording counts as answered rightly that was in more than half of its answers."""


@per_run
def run_to_run(run: RunData) -> RunToRun:
    """The figures of the condition shown."""
    outcomes = attempt_outcomes(run)
    kept = run.questions.headline[outcomes.question] & outcomes.is_scored
    times = len(np.unique(outcomes.repeat)) if len(outcomes.repeat) else 1
    if not kept.any():
        return RunToRun(times, f"not available because {NOT_JUDGED}")
    size = len(run.questions.ids)
    right = outcomes.outcome[kept] == OUTCOMES.index("correct")
    asked = np.bincount(outcomes.question[kept], minlength=size)
    correct = np.bincount(outcomes.question[kept], weights=right, minlength=size).astype(int)
    several = np.flatnonzero(asked > 1)
    if not len(several):
        return RunToRun(times, ASKED_ONCE if times == 1 else "no question has two answers that were judged")
    counts = {place: (int(correct[place]), int(asked[place])) for place in several.tolist()}
    clusters: np.ndarray[tuple[int], np.dtype[np.int64]] = run.questions.clusters
    agreed = np.array([pair_agreement(*each) for each in counts.values()], dtype=float)
    groups: dict[int, list[tuple[int, int]]] = {}
    for place, each in counts.items():
        groups.setdefault(int(clusters[place]), []).append(each)
    tags = [tag_group([2 * count > total for count, total in each]) for each in groups.values() if len(each) > 1]
    return RunToRun(
        repeats=times,
        reason=None,
        questions=len(several),
        unsteady=sum(0 < count < total for count, total in counts.values()),
        agreement=spread_of(Sample(agreed, clusters[several])),
        **_parts(list(groups.values())),
        tags={name: tags.count(name) for name in TAGS} if tags else {},
    )


def _parts(groups: Sequence[Sequence[tuple[int, int]]]) -> dict[str, Spread]:
    """How often wordings disagree, and what of it is from run to run and from the wording; none of single wordings."""
    both: list[float] = []
    within: list[float] = []
    for wordings in groups:
        unlike = disagreement_of_two_members([count / total for count, total in wordings])
        if unlike is not None:
            both.append(unlike)
            within.append(1 - sum(pair_agreement(*each) or 0.0 for each in wordings) / len(wordings))
    if not both:
        return {}
    places, differences = np.arange(len(both)), np.array(both) - np.array(within)
    return {
        "wordings_disagree": spread_of(Sample(np.array(both), places)),
        "from_run_to_run": spread_of(Sample(np.array(within), places)),
        "from_wording": spread_of(Sample(differences, places), (-1.0, 1.0)),
    }


def times_asked(run: RunData) -> str:
    """How often questions were asked, in words: where some were asked less often than others, up to how often."""
    times = run_to_run(run).repeats
    asked = np.bincount(attempt_outcomes(run).question)
    evenly = len(np.unique(asked[asked > 0])) == 1
    return f"Each question was asked {times:,} times" if evenly else f"Questions were asked up to {times:,} times"


def of_repeats(run: RunData) -> str:
    """What figures are of where questions were asked repeatedly; empty where each was asked once."""
    if run_to_run(run).repeats == 1:
        return ""
    return f"{times_asked(run)}: means are of all answers, groups and wordings of the first ones"


def includes_run_to_run(run: RunData) -> bool:
    """Whether differences between wordings are shown, and may be those of two answers to the same wording."""
    return has_wordings(run) and run_to_run(run).reason == ASKED_ONCE and not system_identity(run).built_in_reader
