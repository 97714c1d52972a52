"""The accuracy of retrievers at 1, 3 and 5 contexts beside each other, and two-tailed tests of their differences."""

from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.comparisons.compared import Compared
from benchwright.benchmarks.comparisons.figures import CONFIDENCE
from benchwright.benchmarks.reports.columns import Bools, Ints
from benchwright.benchmarks.reports.format import SHARE
from benchwright.benchmarks.reports.metrics.retriever_accuracy import AccuracyAt, cuts_of, ranking_metric, within
from benchwright.benchmarks.reports.noise.spread import spread_of
from benchwright.benchmarks.statistics.intervals import Sample
from benchwright.benchmarks.statistics.paired import compare_pair


@dataclass(frozen=True, slots=True)
class RunAccuracy:
    """The accuracy of one run's retriever."""

    run: str
    at: tuple[AccuracyAt, ...]


@dataclass(frozen=True, slots=True)
class AccuracyDifference:
    """The accuracy of one run minus that of another, over the same questions."""

    run: str
    reference: str
    k: int
    value: float
    low: float
    high: float
    p_t: float | None
    """Of the two-tailed paired t-test over semantic groups, of this difference alone; null where all differ alike."""
    p: float
    """By sign flips of whole semantic groups."""
    separated: bool
    confidence: float
    """Of the interval: 95 % of all that are shown together (Bonferroni)."""


@dataclass(frozen=True, slots=True)
class ComparedRetrievers:
    """The retrievers of all runs."""

    by: str
    """The metric that accuracies are read from."""
    questions: int
    """Of the headline those that all runs show the retrieval of."""
    runs: tuple[RunAccuracy, ...]
    differences: tuple[AccuracyDifference, ...]
    """Of each run from the baseline, or without one from the first."""


def compare_retrievers(compared: Compared, baseline: str | None) -> ComparedRetrievers | None:
    """The retrievers of runs; None where no metric that all have tells their accuracy, or a run was asked repeatedly.

    Of several ranks of a question only the mean of what they count is known here, which is none of a rank.
    """
    names = [name for name in compared.metrics if compared.common(name).any()]
    metric = ranking_metric(names)
    if metric is None or any(run.repeats > 1 for run in compared.runs):
        return None
    common: Bools = compared.common(metric)
    values, clusters = compared.scored[metric].values[common], compared.questions.clusters[common]
    reference = compared.names.index(baseline) if baseline in compared.names else 0
    cuts = cuts_of(metric)
    right = {k: within(values.astype(float), k).astype(float) for k in cuts}
    others = [place for place in range(len(compared.runs)) if place != reference]
    confidence = 1 - (1 - CONFIDENCE) / max(1, len(cuts) * len(others))
    return ComparedRetrievers(
        by=metric,
        questions=int(common.sum()),
        runs=tuple(
            RunAccuracy(name, tuple(_accuracy(k, right[k][:, place], clusters) for k in cuts))
            for place, name in enumerate(compared.names)
        ),
        differences=tuple(
            found
            for place in others
            for k in cuts
            if (found := _difference(compared, place, reference, k, right[k], clusters, confidence)) is not None
        ),
    )


def _accuracy(k: int, right: np.ndarray, clusters: Ints) -> AccuracyAt:
    spread = spread_of(Sample(right, clusters), SHARE)
    return AccuracyAt(k, spread.value, spread.low, spread.high)


def _difference(
    compared: Compared, place: int, reference: int, k: int, right: np.ndarray, clusters: Ints, confidence: float
) -> AccuracyDifference | None:
    found = compare_pair(right[:, place], right[:, reference], clusters, confidence=confidence)
    if found is None:
        return None
    return AccuracyDifference(
        run=compared.names[place],
        reference=compared.names[reference],
        k=k,
        value=found.value,
        low=found.low,
        high=found.high,
        p_t=found.p_t,
        p=found.p,
        separated=found.separated,
        confidence=confidence,
    )
