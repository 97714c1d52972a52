"""How often a system abstained on questions without an answer, by why there is none."""

from collections.abc import Mapping

import numpy as np

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.benchmarks.reports.answers.outcomes import attempt_outcomes
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.reports.share import DrawnShare, drawn_share
from benchwright.benchmarks.schemas import DEFAULT_CONFIG
from benchwright.benchmarks.types import NO_ANSWER, NO_ANSWER_SORTS

_UNANSWERABLE = "unanswerable"


@per_run
def abstained_by_sort(run: RunData) -> Mapping[str, DrawnShare]:
    """Of each of NO_ANSWER_SORTS that the run has, the share of answers that abstained; empty where nothing says why
    questions have no answer."""
    sorts = _sorts(run)
    outcomes = attempt_outcomes(run)
    found: dict[str, DrawnShare] = {}
    for number, sort in enumerate(NO_ANSWER_SORTS):
        rows = (sorts[outcomes.question] == number) & outcomes.is_answered
        if rows.any():
            found[sort] = drawn_share(outcomes.abstained[rows], run.questions.clusters[outcomes.question[rows]])
    return found


def _sorts(run: RunData) -> np.ndarray:
    """Of each question the place of its sort; -1 where it has none."""
    found = np.full(len(run.questions.ids), -1)
    if not run.questions.answerability.where(_UNANSWERABLE).any():
        return found
    for split in run.release.manifest.splits.get(DEFAULT_CONFIG, {}):
        for batch in run.release.batches(DEFAULT_CONFIG, split, ["id", "answerability", "metadata"]):
            rows = batch.filter(pc.equal(batch.column("answerability").cast("string"), _UNANSWERABLE))
            for name, text in zip(rows.column("id").to_pylist(), rows.column("metadata").to_pylist(), strict=True):
                sort, place = read_metadata(text).get(NO_ANSWER), run.questions.index.get(name)
                if place is not None and sort in NO_ANSWER_SORTS:
                    found[place] = NO_ANSWER_SORTS.index(sort)
    return found
