"""The accuracy of retrievers at 1, 3 and 5 contexts beside each other, and two-tailed tests of their differences."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.comparisons.compared import Compared, Floats32
from benchwright.benchmarks.comparisons.figures import CONFIDENCE
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.columns import Bools, Ints, RunData, read_questions
from benchwright.benchmarks.reports.format import SHARE, reasons
from benchwright.benchmarks.reports.metrics.figures import NO_REASON, tally
from benchwright.benchmarks.reports.metrics.retriever_accuracy import (
    AccuracyAt,
    RetrieverAccuracy,
    cuts_of,
    ranking_metric,
    retriever_accuracy,
    within,
)
from benchwright.benchmarks.reports.noise.spread import spread_of
from benchwright.benchmarks.statistics.intervals import Sample
from benchwright.benchmarks.statistics.paired import compare_pair

NO_RANK = "no metric is scored that says how far up stands what is needed, such as evidence_mrr@5 or mrr"
REPEATED = "its questions were asked repeatedly, and a test is of one rank of each"
OTHER_KIND = "its accuracy is read from another metric than that of others"
ONE_RETRIEVER = "there is no other retriever to test it against"
NO_COMMON = "no question shows the retrieval of all runs that could be tested"


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
    ranks = [_Ranks(name, values[:, place], cuts_of(metric)) for place, name in enumerate(compared.names)]
    return _compare(metric, ranks, clusters, reference)


@dataclass(frozen=True)
class _Ranks:
    """Of each of some questions the inverse of the place where all that is needed is there, in one run."""

    run: str
    values: Floats32
    cuts: tuple[int, ...]


def _compare(by: str, ranks: Sequence[_Ranks], clusters: Ints, reference: int) -> ComparedRetrievers:
    others = [each for place, each in enumerate(ranks) if place != reference]
    held = ranks[reference]
    pairs = [(each, k) for each in others for k in each.cuts if k in held.cuts]
    confidence = 1 - (1 - CONFIDENCE) / max(1, len(pairs))
    differences = (_difference(each, held, k, clusters, confidence) for each, k in pairs)
    return ComparedRetrievers(
        by=by,
        questions=len(clusters),
        runs=tuple(
            RunAccuracy(each.run, tuple(_accuracy(k, each.values, clusters) for k in each.cuts)) for each in ranks
        ),
        differences=tuple(found for found in differences if found is not None),
    )


def _accuracy(k: int, values: Floats32, clusters: Ints) -> AccuracyAt:
    spread = spread_of(Sample(within(values.astype(float), k).astype(float), clusters), SHARE)
    return AccuracyAt(k, spread.value, spread.low, spread.high)


def _difference(run: _Ranks, held: _Ranks, k: int, clusters: Ints, confidence: float) -> AccuracyDifference | None:
    own, other = (within(each.values.astype(float), k).astype(float) for each in (run, held))
    found = compare_pair(own, other, clusters, confidence=confidence)
    if found is None:
        return None
    return AccuracyDifference(
        run=run.run,
        reference=held.run,
        k=k,
        value=found.value,
        low=found.low,
        high=found.high,
        p_t=found.p_t,
        p=found.p,
        separated=found.separated,
        confidence=confidence,
    )


@dataclass(frozen=True, slots=True)
class RetrieverOfRun:
    """The retriever of one run, over all its answers that show what was retrieved."""

    run: str
    accuracy: RetrieverAccuracy | None
    reason: str | None
    """Why there is no accuracy."""
    untested: str | None = None
    """Why an accuracy is not tested."""


@dataclass(frozen=True)
class RankedQuestions:
    """Of each question the inverse of the place where all that is needed is there: some bytes of each."""

    ids: pa.StringArray
    values: Floats32


@dataclass(frozen=True, slots=True)
class RetrieversOfRuns:
    """Table 1 of the paper on RAG metrics in the telecom domain."""

    runs: tuple[RetrieverOfRun, ...]
    compared: ComparedRetrievers | None
    """Over the questions of which all runs that are tested show the retrieval; null where fewer than two are."""


def retriever_of(run: RunData, name: str) -> tuple[RetrieverOfRun, RankedQuestions | None]:
    """The accuracy of a run's retriever in the condition shown, and what it can be tested by.

    Args:
        run: with its scores.
        name: what it is called.
    """
    found = retriever_accuracy(run)
    wanted = run.condition.where(run.shown) & run.questions.headline[run.question]
    if found is None:
        metric, reason = ranking_metric(run.metrics), NO_RANK
        if metric is not None:
            codes = run.reasons.codes[np.flatnonzero(wanted), run.metrics.index(metric)]
            reason = reasons(tally(run.reasons.names, codes, NO_REASON)) or NO_RANK
        return RetrieverOfRun(name, None, reason), None
    if run.repeat.max(initial=0):
        return RetrieverOfRun(name, found, None, REPEATED), None
    column = run.metrics.index(found.by)
    rows = np.flatnonzero(wanted & run.is_scored[:, column])
    ids = pa.array([run.questions.ids[place] for place in run.question[rows].tolist()], pa.string())
    return RetrieverOfRun(name, found, None), RankedQuestions(ids, run.values[rows, column].astype(np.float32))


def retrievers_of(
    release: Release, found: Sequence[tuple[RetrieverOfRun, RankedQuestions | None]], baseline: int
) -> RetrieversOfRuns:
    """The retrievers of runs, and tests of those whose accuracies are of the same kind.

    Args:
        release: of the runs.
        found: of each run what `retriever_of` gives.
        baseline: the place of the run that others are held against; where it cannot be tested, the first that can.
    """
    kinds = [None if ranked is None or each.accuracy is None else _kind(each.accuracy.by) for each, ranked in found]
    there = [place for place, kind in enumerate(kinds) if kind is not None]
    if not there:
        return RetrieversOfRuns(tuple(each for each, _ in found), None)
    reference = baseline if baseline in there else there[0]
    tested = [place for place in there if kinds[place] == kinds[reference]]
    said = {
        place: f"{OTHER_KIND}: {kinds[place]}, and not {kinds[reference]}" for place in there if place not in tested
    }
    ranked = [each for place in tested if (each := found[place][1]) is not None]
    common = ranked[0].ids
    for each in ranked[1:]:
        common = common.filter(pc.is_in(common, value_set=each.ids))
    compared = None
    if len(tested) > 1 and len(common):
        cuts = [cuts_of(accuracy.by) for place in tested if (accuracy := found[place][0].accuracy) is not None]
        questions = read_questions(release, common.to_pylist())
        order = pa.array(questions.ids, pa.string())
        ranks = [
            _Ranks(found[place][0].run, each.values[pc.index_in(order, value_set=each.ids).to_numpy()], its)
            for place, each, its in zip(tested, ranked, cuts, strict=True)
        ]
        compared = _compare(kinds[reference] or "", ranks, questions.clusters, tested.index(reference))
    else:
        said |= dict.fromkeys(tested, ONE_RETRIEVER if len(tested) == 1 else NO_COMMON)
    return RetrieversOfRuns(
        tuple(replace(each, untested=said.get(place, each.untested)) for place, (each, _) in enumerate(found)), compared
    )


def _kind(metric: str) -> str:
    """What an accuracy is read from, whatever the number of contexts."""
    return metric.partition("@")[0]
