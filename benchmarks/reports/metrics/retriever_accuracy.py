"""How often the first 1, 3 or 5 contexts state all that a question needs: the accuracy of the retriever.

Table 1 of the paper on RAG metrics in the telecom domain. It is read from how far up the last of what is needed stands,
so that any run has it: by evidence, else, where the release has none, by the first gold document. Then k is of
documents, each counting once, however many contexts are of it.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.reports.columns import Bools, Floats, RunData
from benchwright.benchmarks.reports.format import SHARE
from benchwright.benchmarks.reports.metrics.figures import largest_cut_off
from benchwright.benchmarks.reports.noise.spread import spread_of
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.statistics.intervals import Sample

CUTS = (1, 3, 5)
BY_EVIDENCE, BY_DOCUMENT = "evidence_mrr", "mrr"
_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class AccuracyAt:
    """The accuracy of a retriever at a cut-off."""

    k: int
    value: float | None
    """The share of answers of which the first k contexts state all that is needed; by `mrr` of which a gold document is
    among the first k documents."""
    low: float | None
    """Of its 95 % interval."""
    high: float | None


@dataclass(frozen=True, slots=True)
class RetrieverAccuracy:
    """The accuracy of a run's retriever."""

    by: str
    """The metric that it is read from: of evidence, or of documents, where the first gold one counts."""
    questions: int
    """Answers that show what was retrieved, of the headline's questions in the condition shown."""
    at: tuple[AccuracyAt, ...]


def ranking_metric(names: Collection[str]) -> str | None:
    """What of a run's metrics says how far up stands what is needed."""
    return largest_cut_off(names, BY_EVIDENCE) or (BY_DOCUMENT if BY_DOCUMENT in names else None)


def cuts_of(metric: str) -> tuple[int, ...]:
    """The cut-offs that a metric knows of."""
    cut = metric.partition("@")[2]
    return tuple(k for k in CUTS if not cut or k <= int(cut))


def within(values: Floats, k: int) -> Bools:
    """Whether all that is needed stands among the first k."""
    return values >= 1 / k - _ROUNDING


@per_run
def retriever_accuracy(run: RunData) -> RetrieverAccuracy | None:
    """The accuracy at each cut-off; None where no metric tells it, or no answer shows what was retrieved."""
    names = [name for name in run.metrics if _scored(run, name).any()]
    metric = ranking_metric(names)
    if metric is None:
        return None
    rows = np.flatnonzero(_scored(run, metric))
    values, clusters = run.values[rows, run.metrics.index(metric)], run.clusters[rows]
    found = []
    for k in cuts_of(metric):
        spread = spread_of(Sample(within(values, k).astype(float), clusters), SHARE)
        found.append(AccuracyAt(k, spread.value, spread.low, spread.high))
    return RetrieverAccuracy(metric, len(rows), tuple(found))


def _scored(run: RunData, metric: str) -> Bools:
    """The attempts of the headline that have a value of a metric, in the condition shown."""
    wanted = run.questions.headline[run.question] & run.condition.where(run.shown)
    return wanted & run.is_scored[:, run.metrics.index(metric)]
