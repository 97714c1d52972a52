"""Agreement of judges: where several judged the same answers of a run by one metric, how far they say the same.

A run takes one judge for each metric (`benchmarks.judgments.chosen_judges`); what others said is used here only.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from pathlib import Path
from statistics import variance

import numpy as np

from benchwright.benchmarks.judgments import judge_name, stored_judgments
from benchwright.benchmarks.reports.columns import Floats, Ints, RunData
from benchwright.benchmarks.reports.metrics.scale import scale_of
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.runs.run import JUDGMENTS
from benchwright.benchmarks.statistics.agreement import (
    Kappa,
    cohen_kappa,
    confusion_matrix,
    fleiss_kappa,
    grade_weights,
)
from benchwright.benchmarks.statistics.association import Correlation, pearson, spearman
from benchwright.benchmarks.statistics.reliability import Proportion, proportion

ONE_JUDGE = "not available because no two judges judged the same answers by one metric"
GRADES = 10
"""Different values up to which what judges say is taken for grades, of which there are kappas and tables."""
_JUDGES = 8
"""Judges that are compared with each other: those with the most verdicts."""


@dataclass(frozen=True, slots=True)
class JudgePair:
    """Two judges of the same answers."""

    first: str
    second: str
    answers: int
    same: Proportion
    """Answers of which both said the same."""
    kappa: Kappa | None
    """Cohen's: of two verdicts, or of grades with quadratic weights. None of more values than grades have, or where
    both said one thing throughout."""
    pearson: Correlation | None
    spearman: Correlation | None
    first_mean: float
    second_mean: float
    grades: tuple[float, ...] = ()
    """What was said, from the lowest; empty of more values than grades have."""
    confusion: tuple[tuple[int, ...], ...] = ()
    """Of each grade of the first, how often the second gave each."""


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """One judge who judged the same answers several times."""

    judge: str
    answers: int
    """Without those that it was not asked about, such as those that abstain."""
    times: int
    """At the most."""
    same: Proportion
    """Answers of which it said the same every time."""
    kappa: Kappa | None
    """Fleiss', of the times as judges."""
    same_verdict: Proportion
    """Answers on which it was on one side of half-way up the scale every time: called right, or not."""
    deviation: float
    """The standard deviation of what it says of one answer: the root of the mean variance within answers."""
    means: tuple[float, ...]
    """Of each time, over the answers that it judged every time: how far the mean of another start differs."""


@dataclass(frozen=True, slots=True)
class MetricAgreement:
    """The judges of one metric."""

    judges: Mapping[str, int]
    """Who judged → answers with a verdict."""
    used: tuple[str, ...]
    """Whose verdicts the run's figures are of."""
    answers: int
    """With verdicts of two judges or more."""
    fleiss: Kappa | None
    """Of all judges, every grade a category of its own."""
    pairs: tuple[JudgePair, ...] = ()
    again: tuple[AskedAgain, ...] = ()
    left_out: tuple[str, ...] = ()
    """Judges who are not compared, for there are many."""


@dataclass(frozen=True, slots=True)
class AgreementFigures:
    """How far judges agree, by metric."""

    reason: str | None
    metrics: Mapping[str, MetricAgreement] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Said:
    """What one judge said, each time that it was asked: question, repeat → the value."""

    times: dict[int, dict[tuple[int, int], float]] = field(default_factory=dict)
    unasked: set[tuple[int, int]] = field(default_factory=set)
    """Answers that needed no call of the model, such as those that abstain: the same every time."""

    @property
    def first(self) -> dict[tuple[int, int], float]:
        """Of each answer the first verdict."""
        found: dict[tuple[int, int], float] = {}
        for time in sorted(self.times):
            for key, value in self.times[time].items():
                found.setdefault(key, value)
        return found


def _verdicts(run: RunData, path: Path) -> dict[str, dict[str, _Said]]:
    """Metric → judge → what was said of answers in the condition shown."""
    found: dict[str, dict[str, _Said]] = {}
    for judgment in stored_judgments(path):
        if judgment.candidate is not None or judgment.condition != run.shown:
            continue
        question, value = run.questions.index.get(judgment.id), judgment.score
        if question is None or value is None or not math.isfinite(value):
            continue
        said = found.setdefault(judgment.metric, {}).setdefault(str(judgment.judge), _Said())
        said.times.setdefault(judgment.judge_repeat, {}).setdefault((question, judgment.repeat), value)
        if judgment.trace.get("steps") == []:
            said.unasked.add((question, judgment.repeat))
    return found


def names_of(judges: Iterable[str]) -> dict[str, str]:
    """Judges in words, in full where two would be called the same, such as one model with two prompts."""
    names = {judge: judge_name(judge) for judge in judges}
    counts = Counter(names.values())
    return {judge: name if counts[name] == 1 else judge for judge, name in names.items()}


@per_run
def judge_agreement(run: RunData) -> AgreementFigures:
    """Agreement of the judges in a run's `judgments.jsonl`, in the condition shown."""
    path = run.folder / JUDGMENTS
    if not path.is_file():
        return AgreementFigures(ONE_JUDGE)
    metrics = {}
    for name, judges in _verdicts(run, path).items():
        names = names_of(judges)
        used = tuple(names[judge] for judge in run.settings.scoring.judges.get(name, ()) if judge in names)
        firsts = {names[judge]: said.first for judge, said in judges.items()}
        agreed = agreement_of(firsts, run.questions.clusters, used)
        tried = (_asked_again(name, names[judge], said, run) for judge, said in judges.items())
        again = tuple(each for each in tried if each is not None)
        if agreed.pairs or again:
            metrics[name] = MetricAgreement(
                agreed.judges, agreed.used, agreed.answers, agreed.fleiss, agreed.pairs, again, agreed.left_out
            )
    return AgreementFigures(None if metrics else ONE_JUDGE, metrics)


def agreement_of(
    judges: Mapping[str, Mapping[tuple[int, int], float]], clusters: Ints, used: tuple[str, ...] = ()
) -> MetricAgreement:
    """How far judges agree, given judge → (question, repeat) → value, and the cluster of each question."""
    ranked = sorted(judges, key=lambda judge: (-len(judges[judge]), judge))
    chosen, left_out = ranked[:_JUDGES], ranked[_JUDGES:]
    shared: dict[tuple[int, int], list[float]] = {}
    for judge in chosen:
        for key, value in judges[judge].items():
            shared.setdefault(key, []).append(value)
    several = {key: values for key, values in shared.items() if len(values) > 1}
    pairs = (_pair(one, judges[one], other, judges[other], clusters) for one, other in combinations(chosen, 2))
    return MetricAgreement(
        judges={judge: len(judges[judge]) for judge in ranked},
        used=used,
        answers=len(several),
        fleiss=_fleiss(several, clusters),
        pairs=tuple(pair for pair in pairs if pair is not None),
        left_out=tuple(left_out),
    )


def _fleiss(several: Mapping[tuple[int, int], Sequence[float]], clusters: Ints) -> Kappa | None:
    grades = sorted({value for values in several.values() for value in values})
    if not 1 < len(grades) <= GRADES:
        return None
    counts = np.array([[values.count(grade) for grade in grades] for values in map(list, several.values())])
    return fleiss_kappa(counts, clusters[np.array([question for question, _ in several])])


def _asked_again(metric: str, judge: str, said: _Said, run: RunData) -> AskedAgain | None:
    """The agreement of a judge with itself; None where it judged every answer once."""
    shared: dict[tuple[int, int], list[float]] = {}
    for time in sorted(said.times):
        for key, value in said.times[time].items():
            shared.setdefault(key, []).append(value)
    several = {key: values for key, values in shared.items() if len(values) > 1 and key not in said.unasked}
    if not several:
        return None
    clusters = run.questions.clusters[np.array([question for question, _ in several])]
    scale = scale_of(metric)
    middle = float(scale.turned(scale.at(0.5)))
    sides = [{bool(each > middle) for each in scale.turned(np.array(values))} for values in several.values()]
    whole = np.array([values for values in several.values() if len(values) == len(said.times)])
    return AskedAgain(
        judge=judge,
        answers=len(several),
        times=max(map(len, several.values())),
        same=proportion(np.array([len(set(values)) == 1 for values in several.values()]), clusters),
        kappa=_fleiss(several, run.questions.clusters),
        same_verdict=proportion(np.array([len(each) == 1 for each in sides]), clusters),
        deviation=math.sqrt(sum(variance(values) for values in several.values()) / len(several)),
        means=tuple(map(float, whole.mean(axis=0))) if len(whole) else (),
    )


def _pair(
    first: str,
    one: Mapping[tuple[int, int], float],
    second: str,
    other: Mapping[tuple[int, int], float],
    clusters: Ints,
) -> JudgePair | None:
    keys = sorted(one.keys() & other.keys())
    if not keys:
        return None
    a, b = (np.array([values[key] for key in keys], dtype=float) for values in (one, other))
    return pair_of(first, second, a, b, clusters[np.array([question for question, _ in keys])])


def pair_of(first: str, second: str, a: Floats, b: Floats, clusters: Ints) -> JudgePair:
    """Two judges, or a metric and a judge, who gave the same answers these values."""
    grades = np.union1d(a, b)
    are_grades = len(grades) <= GRADES
    kappa, table = None, ()
    if are_grades:
        one, other = (np.searchsorted(grades, values) for values in (a, b))
        kappa = cohen_kappa(one, other, clusters, weights=grade_weights(grades) if len(grades) > 2 else None)
        table = tuple(tuple(row) for row in confusion_matrix(one, other, len(grades)).tolist())
    return JudgePair(
        first=first,
        second=second,
        answers=len(a),
        same=proportion(np.abs(a - b) < 1e-9, clusters),
        kappa=kappa,
        pearson=pearson(a, b, clusters),
        spearman=spearman(a, b, clusters),
        first_mean=float(a.mean()),
        second_mean=float(b.mean()),
        grades=tuple(islice(map(float, grades), GRADES)) if are_grades else (),
        confusion=table,
    )
