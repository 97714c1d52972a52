"""What one of the compared runs lacks that others have: questions, with the reasons, metrics and conditions."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.comparisons.compared import IN_PART, Compared


@dataclass(frozen=True, slots=True)
class RunGaps:
    """What one run lacks."""

    run: str
    unscored: Mapping[str, Mapping[str, int]]
    """Metric → why questions of the headline that another run has a score of have none here, or not of each repeat →
    how many."""
    metrics: tuple[str, ...]
    """That other runs have, and this one has not."""
    conditions: tuple[str, ...]
    """That other runs were asked in, and this one was not."""
    repeats: int
    """Answers to a question, at the most."""
    unknown_scores: int
    """Scores of questions that the release does not have."""
    common_without: int
    """Questions that all have a score of by the leading metric, were this run not compared."""
    shrinks: bool
    """With it they are fewer than half."""


def gaps_of(compared: Compared) -> tuple[RunGaps, ...]:
    """What each run lacks, in the order given."""
    headline = compared.questions.headline
    leading = compared.scored[compared.metrics[0]].is_scored
    number = leading.sum(axis=1)
    common = int((headline & (number == len(compared.runs))).sum())
    metrics = list(dict.fromkeys(name for run in compared.runs for name in run.metrics))
    conditions = list(dict.fromkeys(name for run in compared.runs for name in run.conditions))
    wanted = {name: headline & scored.is_scored.any(axis=1) for name, scored in compared.scored.items()}
    found = []
    for place, run in enumerate(compared.runs):
        reasons = {name: scored.why_unscored(place, wanted[name]) for name, scored in compared.scored.items()}
        for name, tally in reasons.items():
            if partly := compared.in_part(name, place):
                tally[IN_PART] = partly
        without = int(np.sum(headline & (number - leading[:, place] == len(compared.runs) - 1)))
        found.append(
            RunGaps(
                run=run.name,
                unscored={name: tally for name, tally in reasons.items() if tally},
                metrics=tuple(name for name in metrics if name not in run.metrics),
                conditions=tuple(name for name in conditions if name not in run.conditions),
                repeats=run.repeats,
                unknown_scores=run.unknown_scores,
                common_without=without,
                shrinks=2 * common < without,
            )
        )
    return tuple(found)
