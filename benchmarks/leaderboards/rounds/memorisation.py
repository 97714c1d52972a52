"""What a system knows of the public edition by heart: how much better it answers there what a round asks again.

The questions of a round's subset `kept` are those of the public edition, with the same ids, and have other answers in
other documents. A system that reads answers both alike; one that remembers the published answers, documents or gaps
answers the published ones better. What a baseline has, which remembers nothing, is the difficulty of the documents.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchwright.benchmarks.leaderboards.part_scores import read_part_scores
from benchwright.benchmarks.releases.release import TEST, Release
from benchwright.benchmarks.reports.metrics.figures import metric_sense
from benchwright.benchmarks.statistics.paired import PairedComparison, compare_pair
from benchwright.benchmarks.types import KEPT

_ANSWERABLE = "answerable"


@dataclass(frozen=True)
class ScoredEdition:
    """One edition with a system's scores on it."""

    release: Release
    """With its answers: the public edition, or the private half of a round's."""
    scores: Path
    split: str = TEST


def memorisation_gap(published: ScoredEdition, edition: ScoredEdition, metric: str) -> PairedComparison | None:
    """The mean on the public edition minus that on the round's, over what can be answered in both.

    A system's error counts as the worst value, as in a ranking. None where fewer than two semantic groups have a score
    on both sides.

    Args:
        published: the public edition with the system's scores.
        edition: the round's, with the same system's.
        metric: by which both were scored.

    Raises:
        BenchwrightError: scores cannot be read.
    """
    first, second = _asked(published, None), _asked(edition, KEPT)
    both = [name for name in second if name in first]
    values = []
    for side in (published, edition):
        found = read_part_scores(side.scores, pa.array(both, pa.string()), metric)
        if not found:
            return None
        values.append(found[0])
    fits = values[0].is_answered & values[1].is_answered & ~values[0].lacking & ~values[1].lacking
    groups = [second[name] for name in both]
    _, clusters = np.unique(np.array(groups, dtype=object).astype(str), return_inverse=True)
    return compare_pair(values[0].surely[fits], values[1].surely[fits], clusters[fits], limits=metric_sense(metric)[1])


def _asked(edition: ScoredEdition, subset: str | None) -> dict[str, str]:
    """The questions that can be answered → their groups; of a subset, where one is named."""
    columns = ("id", "group", "answerability", "subset")
    return {
        name: group or name
        for batch in edition.release.batches("questions", edition.split, list(columns))
        for name, group, able, own in zip(*(batch.column(each).to_pylist() for each in columns), strict=True)
        if able == _ANSWERABLE and (subset is None or own == subset)
    }
