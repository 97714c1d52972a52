"""Metrics over the questions of a run or of a part of it: values, intervals, denominators, reasons."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.judgments import COMPUTED, judge_name
from benchwright.benchmarks.metrics import find_metric
from benchwright.benchmarks.reports.blocks import Range
from benchwright.benchmarks.reports.columns import Bools, Codes, Ints, RunData
from benchwright.benchmarks.reports.format import SHARE
from benchwright.benchmarks.reports.noise.spread import CrossedFigure, crossed_figure, spread_of
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Sample, Target

_RETRIEVAL = ("evidence_recall", "recall", "hit")
_LEADING = 3
_LEADERS = ("correct", "truthfulness", "relevance")
"""Metrics that come first where a run has them, whatever the benchmark's primary one is."""

NO_REASON = "no reason given"
"""What stands for the reason of an attempt that is unscored without one."""


@dataclass(frozen=True, slots=True)
class MetricFigure:
    """One metric over many attempts."""

    value: float | None
    """The mean of what is scored; None where nothing is."""
    low: float | None
    """Of the 95 % interval whose target is `target`; None where nothing tells a spread."""
    high: float | None
    scored: int
    total: int
    reasons: Mapping[str, int]
    """Why attempts are unscored → how many, the most frequent first."""
    judges: Mapping[str, int]
    """Who judged, where it was not computed → how many."""
    higher_is_better: bool
    range: Range
    """The lowest and the highest value that there can be."""
    groups: int
    """Semantic groups that have scored answers: what is drawn."""
    method: str | None
    """How `low` and `high` were computed."""
    note: str | None
    """Why there is no interval, or why it is wide."""
    new_templates_and_entities: CrossedFigure
    """The interval of the same value with another target."""
    target: Target = THIS_BENCHMARK
    """What `low` and `high` speak of: this benchmark's questions, of which semantic groups are a draw."""


Metrics = Mapping[str, MetricFigure]
"""By name: the primary metric first, then `correct`, truthfulness and relevance, then by name, cut-offs as numbers."""


@per_run
def headline_metrics(run: RunData) -> Metrics:
    """The metrics over the headline's questions, in the condition shown."""
    return metrics_of(run, run.shown, run.questions.headline)


def metrics_of(run: RunData, condition: str, wanted: Bools) -> Metrics:
    """The metrics of the run over the questions that are wanted, in a condition."""
    places = np.flatnonzero(run.condition.where(condition) & wanted[run.question])
    primary = run.settings.scoring.primary
    names = sorted(run.metrics, key=lambda name: (name != primary, *metric_order(name)))
    return {name: _figure(run, name, places[run.is_listed[places, run.metrics.index(name)]]) for name in names}


def _figure(run: RunData, name: str, listed: Ints) -> MetricFigure:
    """One metric over attempts of which it has something to say."""
    column = run.metrics.index(name)
    is_scored = run.is_scored[listed, column]
    scored = listed[is_scored]
    values, (higher, scale) = run.values[scored, column], metric_sense(name)
    spread = spread_of(Sample(values, run.clusters[scored]), scale)
    return MetricFigure(
        value=spread.value,
        low=spread.low,
        high=spread.high,
        scored=len(scored),
        total=len(listed),
        reasons=tally(run.reasons.names, run.reasons.codes[listed[~is_scored], column], NO_REASON),
        judges=tally(run.judges.names, run.judges.codes[listed, column], None),
        higher_is_better=higher,
        range=scale,
        groups=spread.groups,
        method=spread.method,
        note=spread.note,
        new_templates_and_entities=crossed_figure(run, values, run.question[scored], scale),
    )


def metric_order(name: str) -> tuple[int, str, int]:
    """What metrics are sorted by: what says how good an answer is first, then names, cut-offs as numbers."""
    base, _, cut = name.partition("@")
    return _LEADERS.index(name) if name in _LEADERS else len(_LEADERS), base, int(cut) if cut.isdecimal() else 0


def tally(names: tuple[str, ...], codes: Codes, none: str | None) -> dict[str, int]:
    """How often each name stands there, the most frequent first; what has no name counts as `none`."""
    values, counts = np.unique(codes, return_counts=True)
    named = [(names[code] if code >= 0 else none, int(count)) for code, count in zip(values, counts, strict=True)]
    return {
        name: count for name, count in sorted(named, key=lambda pair: (-pair[1], pair[0] or "")) if name is not None
    }


def judges_of(run: RunData, name: str, wanted: Bools) -> dict[str, int]:
    """Who gave attempts that are wanted their scores by a metric → how many."""
    codes = run.judges.codes[np.flatnonzero(wanted), run.metrics.index(name)]
    return {
        COMPUTED if judge == COMPUTED else judge_name(judge): number
        for judge, number in tally(run.judges.names, codes, COMPUTED).items()
    }


def metric_sense(name: str) -> tuple[bool, Range]:
    """Whether higher is better, and the range. A judgment of no known metric is a share that is better when higher."""
    try:
        metric = find_metric(name)
    except BenchwrightError:
        return True, SHARE
    return metric.higher_is_better, (float(metric.range[0]), float(metric.range[1]))


def scale_shown(limits: Range) -> str:
    """The range of a metric that is none of shares, as it stands after its name."""
    return "" if limits == SHARE else f" ({limits[0]:g} to {limits[1]:g})"


def by_rule(name: str, figure: MetricFigure) -> str:
    """What stands after the name of a metric that is for a model to judge, where rules scored; else an empty text."""
    try:
        metric = find_metric(name)
    except BenchwrightError:
        return ""
    judged = sum(figure.judges.values())
    if metric.judged is None or metric.rule is None or judged >= figure.scored:
        return ""
    return " (some by rule)" if judged else " (by rule)"


def with_values(metrics: Metrics) -> Metrics:
    """The metrics that a table shows: a row without any value says less than a line below it."""
    return {name: entry for name, entry in metrics.items() if entry.scored} or metrics


def leading_metrics(metrics: Metrics) -> list[str]:
    """The metrics that the page and tables of slices show: the first, and one or two of retrieval; what is unscored
    throughout only where all is."""
    there = [name for name, entry in metrics.items() if entry.scored] or list(metrics)[:1]
    if not there:
        return []
    chosen = there[:1]
    for base in _RETRIEVAL:
        cuts = [name for name in there if name.startswith(f"{base}@")]
        if cuts and len(chosen) < _LEADING:
            chosen.append(cuts[-1])
    return chosen


def evidence_metric(names: Iterable[str]) -> str | None:
    """The evidence recall with the largest cut-off among the metrics."""
    return largest_cut_off(names, "evidence_recall")


def largest_cut_off(names: Iterable[str], base: str) -> str | None:
    """The metric `base@k` with the largest k."""
    cuts = [int(cut) for name in names for start, _, cut in [name.partition("@")] if start == base and cut.isdecimal()]
    return f"{base}@{max(cuts)}" if cuts else None
