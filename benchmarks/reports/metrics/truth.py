"""How far the scores of a run can be believed: each metric against the truth, or against what people said by it.

The truth is a metric of the run, `correct` if nothing else is named, or a person's verdict by it. What is scored is
rated; `runs/score_named.py` scores before. Of a metric of which lower is better, thresholds and verdicts are turned
round.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.judgments import COMPUTED
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.blocks import Range
from benchwright.benchmarks.reports.columns import Bools, Floats, Ints, RunData, in_condition, load_run
from benchwright.benchmarks.reports.format import reasons
from benchwright.benchmarks.reports.metrics.baseline import BaselineFigures, beyond_scale, compare_with_baseline
from benchwright.benchmarks.reports.metrics.calibrated import CalibratedScores, calibrated_scores
from benchwright.benchmarks.reports.metrics.concordance import concordance_of
from benchwright.benchmarks.reports.metrics.figures import NO_REASON, judges_of, tally
from benchwright.benchmarks.reports.metrics.human_verdicts import HumanVerdicts, SaidOfAnswers, read_verdicts
from benchwright.benchmarks.reports.metrics.injection_figures import InjectionRatings, read_injections
from benchwright.benchmarks.reports.metrics.judge_agreement import JudgePair, MetricAgreement, pair_of
from benchwright.benchmarks.reports.metrics.judge_checks import JudgeChecks, check_judges, truth_of
from benchwright.benchmarks.reports.metrics.people import BesidePeople, beside_people
from benchwright.benchmarks.reports.metrics.retrieval_split import RetrievalSplit, answer_metrics, retrieval_split
from benchwright.benchmarks.reports.metrics.scale import (
    Asked,
    Scale,
    refuse_thresholds,
    scale_of,
    threshold_of,
)
from benchwright.benchmarks.reports.metrics.step_verdicts import StepVerdicts, step_verdicts
from benchwright.benchmarks.statistics.association import Correlation, PairAccuracy, pair_accuracy, pearson, spearman
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Target
from benchwright.benchmarks.statistics.reliability import Concordance, Verdicts, verdicts_of

_JOINT = 5
"""Metrics that are looked at two by two."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What metrics are held against."""

    metric: str
    source: str
    """`run`, or the name of the file of verdicts."""
    judges: Mapping[str, int]
    """Who said it → answers."""
    threshold: float
    """Above it an answer is right."""
    answers: int
    """To the headline's questions, in the condition shown, of which it is known."""
    right: int
    groups: int
    divided: int = 0
    """Answers besides of which the judges who were put together say both: their mean stands at the threshold."""


@dataclass(frozen=True, slots=True)
class RatedMetric:
    """One metric against the truth, over the answers of which both are known."""

    answers: int
    unscored: Mapping[str, int]
    """Why answers whose truth is known have no score → how many."""
    judges: Mapping[str, int]
    range: Range
    higher_is_better: bool
    verdicts: Verdicts | None
    """Taken for a verdict. None of no answer."""
    concordance: Concordance
    pairs: PairAccuracy | None
    """Of two answers, one right and one wrong, how often the right one has the better score."""
    pairs_in_groups: PairAccuracy | None
    """The same, of two answers to wordings of one question."""
    pearson: Correlation | None
    """With the truth as it stands, also where that is a grade."""
    spearman: Correlation | None
    right_mean: float | None
    wrong_mean: float | None
    said: JudgePair | None = None
    """The metric beside what the file's judges said by the same metric."""


@dataclass(frozen=True, slots=True)
class Joint:
    """Two metrics looked at together."""

    metrics: tuple[str, str]
    concordance: Concordance


@dataclass(frozen=True, slots=True)
class MetricRatings:
    """What `score-metric` says of a run. As JSON it is `score-metric.json`."""

    benchmark: str
    version: str
    content_hash: str
    run: str
    system: str
    condition: str
    target: Target
    """What intervals are of: this benchmark, whose semantic groups are drawn."""
    truth: Truth
    metrics: Mapping[str, RatedMetric]
    joint: tuple[Joint, ...]
    agreement: Mapping[str, MetricAgreement]
    """Of the judges in the file, where several judged by one metric."""
    left_out: Mapping[str, int]
    """Why verdicts of the file are not compared → how many."""
    retrieval_split: RetrievalSplit
    baseline: BaselineFigures | None = None
    judge_checks: Mapping[str, JudgeChecks] = field(default_factory=dict)
    """Of the metrics that one model judged."""
    injections: InjectionRatings | None = None
    """What `--injections` found of the run's judge; None where it was not tried."""
    people: tuple[BesidePeople, ...] = ()
    """Each metric beside the file's verdicts, where there is one."""
    steps: tuple[StepVerdicts, ...] = ()
    """How often people found the steps of the run's judges right."""
    calibrated: CalibratedScores | None = None
    """What people would say of all answers; None without a file of verdicts."""
    without_scores: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Metric that was named and gave no answer a score → why not → how many."""


def read_scored(release: Release, folder: Path, condition: str | None = None) -> RunData:
    """A run with its scores, in a condition.

    Raises:
        UsageError: it was not asked in that condition.
        BenchwrightError: it has no scores, or is of another release.
    """
    run, manifest = load_run(release, folder), release.manifest
    if run.settings.content_hash != manifest.content_hash:
        mine = run.settings
        raise BenchwrightError(
            f"{folder} is a run on {mine.benchmark} {mine.version} (content {mine.content_hash[:12]}…), not on "
            f"{manifest.name} {manifest.version} (content {manifest.content_hash[:12]}…): name its own with --release"
        )
    return in_condition(run, condition)


def rate_metrics(run: RunData, asked: Asked, baseline: RunData | None = None) -> MetricRatings:
    """Holds the metrics of a run against the truth.

    Raises:
        UsageError: a metric that is named is not scored, a threshold is none, or several judges are mixed unasked.
        BenchwrightError: the truth is not known, verdicts are not of this run, or the baseline is of another release.
    """
    human = None
    if asked.human is not None:
        human = read_verdicts(asked.human, run, judge=asked.judge, mixed=asked.mix_judges)
    elif asked.judge is not None:
        raise UsageError("--judge names one of a file's judges: add --human FILE")
    names = _names(run, asked, human)
    refuse_thresholds(asked, [*names, *asked.metrics, asked.truth])
    _refuse_other_scales(run, [*names, asked.truth])
    _refuse_mixed(run, [*names, *([] if human and asked.truth in human.metrics else [asked.truth])], asked.mix_judges)
    truth, said = _truth(run, asked, human)
    counted = run.condition.where(run.shown) & run.questions.headline[run.question] & said.is_known
    scale = scale_of(asked.truth)
    is_right = scale.turned(said.values) > scale.turned(truth.threshold)
    metrics = {
        name: _rate(run, name, asked, said, is_right, counted, human.metrics.get(name) if human else None)
        for name in names
    }
    other = None
    if baseline is not None and truth.source == "run":
        shown = in_condition(baseline, run.shown)
        other = shown, *truth_of(shown, asked.truth, truth.threshold)
    manifest = run.release.manifest
    return MetricRatings(
        benchmark=manifest.name,
        version=manifest.version,
        content_hash=manifest.content_hash,
        run=run.folder.name,
        system=run.settings.system.name,
        condition=run.shown,
        target=THIS_BENCHMARK,
        truth=truth,
        metrics=metrics,
        joint=tuple(_joint(run, names, asked, is_right, counted)),
        agreement={name: each.agreement for name, each in human.metrics.items() if each.agreement} if human else {},
        left_out=human.left_out if human else {},
        retrieval_split=retrieval_split(run),
        baseline=compare_with_baseline(run, baseline, names) if baseline is not None else None,
        judge_checks=check_judges(run, names, is_right, counted, other),
        injections=read_injections(run.folder),
        people=tuple(beside_people(run, asked, names, human)) if human else (),
        steps=step_verdicts(human.of_steps, run) if human else (),
        calibrated=calibrated_scores(run, asked, human) if human else None,
        without_scores={name: _why(run, name) for name in dict.fromkeys(asked.metrics) if name not in names},
    )


def _names(run: RunData, asked: Asked, human: HumanVerdicts | None) -> list[str]:
    """What is rated: of what is named all that gave any answer a score. The truth itself is only where a file says it
    too."""
    there = {name for place, name in enumerate(run.metrics) if _values(run, place)[1].any()}
    judged = set(human.metrics) if human else set()
    names = list(dict.fromkeys(asked.metrics)) or [
        name for name in answer_metrics(run) if name != asked.truth or name in judged
    ]
    scored = [name for name in names if name in there]
    for name in names:
        if name not in there and (name not in run.metrics or not scored):
            listed = ", ".join(sorted(there)) or "nothing"
            why = f" ({reasons(_why(run, name))})" if name in run.metrics else ""
            raise UsageError(
                f"{name} is not scored in {run.folder.name}, condition {run.shown}{why}, where there is {listed}: only "
                "what is scored is rated"
            )
        if name == asked.truth and name not in judged:
            raise UsageError(f"{name} is the truth here: rate other metrics, or name another with --truth")
    if not names:
        raise BenchwrightError(f"{run.folder.name} has no score but {asked.truth} to rate: score it with more metrics")
    return scored


def _why(run: RunData, name: str) -> Mapping[str, int]:
    """Why answers have no score by a metric → how many."""
    rows = run.rows(name, run.shown)
    return tally(run.reasons.names, run.reasons.codes[rows, run.metrics.index(name)], NO_REASON)


def _truth(run: RunData, asked: Asked, human: HumanVerdicts | None) -> tuple[Truth, SaidOfAnswers]:
    name = asked.truth
    counted = run.condition.where(run.shown) & run.questions.headline[run.question]
    if human is not None and name in human.metrics:
        said, source = human.metrics[name], asked.human.name if asked.human else ""
    elif name in run.metrics:
        values, is_known = _values(run, run.metrics.index(name))
        judges = judges_of(run, name, counted & is_known)
        said, source = SaidOfAnswers(values, is_known, judges, np.zeros_like(is_known)), "run"
    else:
        known = f"; the verdicts are of {', '.join(human.metrics)}" if human else ""
        raise UsageError(f"{name}, the truth, is not scored in {run.folder.name}{known}: name another with --truth")
    threshold = threshold_of(name, asked)
    divided = counted & said.is_known & ~said.undivided(threshold)
    said = replace(said, is_known=said.undivided(threshold))
    counted = counted & said.is_known
    if not counted.any():
        raise BenchwrightError(
            f"{name}, the truth, is known of no answer of {run.folder.name}: hand in verdicts with --human FILE, or "
            "name another with --truth"
        )
    scale = scale_of(name)
    right = counted & (scale.turned(said.values) > scale.turned(threshold))
    groups = len(np.unique(run.clusters[counted]))
    numbers = int(counted.sum()), int(right.sum()), groups, int(divided.sum())
    return Truth(name, source, said.judges, threshold, *numbers), said


def _rate(
    run: RunData,
    name: str,
    asked: Asked,
    truth: SaidOfAnswers,
    is_right: Bools,
    counted: Bools,
    said: SaidOfAnswers | None,
) -> RatedMetric:
    column, scale = run.metrics.index(name), scale_of(name)
    scores, is_scored = _values(run, column)
    both = counted & is_scored
    lacking = np.flatnonzero(counted & ~is_scored)
    better, right, clusters = scale.turned(scores)[both], is_right[both], run.clusters[both]
    truths = scale_of(asked.truth).turned(truth.values)[both]
    return RatedMetric(
        answers=int(both.sum()),
        unscored=tally(run.reasons.names, run.reasons.codes[lacking, column], NO_REASON),
        judges=judges_of(run, name, both),
        range=scale.range,
        higher_is_better=scale.higher,
        verdicts=_verdicts(better, right, clusters, scale, threshold_of(name, asked)),
        concordance=concordance_of(run, (name,), asked, is_right, counted),
        pairs=pair_accuracy(better, right.astype(float), clusters),
        pairs_in_groups=pair_accuracy(better, right.astype(float), clusters, within=clusters),
        pearson=pearson(better, truths, clusters),
        spearman=spearman(better, truths, clusters),
        right_mean=float(scores[both][right].mean()) if right.any() else None,
        wrong_mean=float(scores[both][~right].mean()) if not right.all() else None,
        said=_said(run, name, scores, is_scored, said),
    )


def _verdicts(better: Floats, right: Bools, clusters: Ints, scale: Scale, threshold: float) -> Verdicts | None:
    found = verdicts_of(better, right, clusters, float(scale.turned(threshold)))
    return None if found is None else replace(found, threshold=threshold)


def _said(run: RunData, name: str, scores: Floats, is_scored: Bools, said: SaidOfAnswers | None) -> JudgePair | None:
    """The run's scores beside what a file's judges said by the same metric, of any question."""
    if said is None:
        return None
    both = is_scored & said.is_known & run.condition.where(run.shown)
    if not both.any():
        return None
    mine = ", ".join(judges_of(run, name, both))
    return pair_of(f"{name} ({mine})", ", ".join(said.judges), scores[both], said.values[both], run.clusters[both])


def _joint(run: RunData, names: Sequence[str], asked: Asked, is_right: Bools, counted: Bools) -> list[Joint]:
    """Two metrics at once, of the first few that are no truth themselves."""
    pairs = combinations([name for name in names if name != asked.truth][:_JOINT], 2)
    tried = ((pair, concordance_of(run, pair, asked, is_right, counted)) for pair in pairs)
    return [Joint(pair, found) for pair, found in tried if found.answers]


def _values(run: RunData, column: int) -> tuple[Floats, Bools]:
    """What a metric gave each attempt, and whether it did in the condition shown."""
    return run.values[:, column], run.is_scored[:, column] & run.condition.where(run.shown)


def _refuse_other_scales(run: RunData, names: Sequence[str]) -> None:
    """Raises where the scores of a metric, judged elsewhere, are not on its scale."""
    for name in names:
        if (found := beyond_scale(run, name)) is not None:
            raise UsageError(
                f"{name} in {run.folder.name} goes {found}: name other metrics, or have it judged on its own scale"
            )


def _refuse_mixed(run: RunData, names: Sequence[str], mixed: bool) -> None:
    """Raises where several judges gave the scores of one metric; what rules decided beside a judge is its own way."""
    for name in names:
        if mixed or name not in run.metrics:
            continue
        said = judges_of(run, name, _values(run, run.metrics.index(name))[1])
        people = {judge: number for judge, number in said.items() if judge != COMPUTED}
        if len(people) > 1:
            listed = ", ".join(f"{judge} ({number:,})" for judge, number in people.items())
            raise UsageError(
                f"several judges gave {name} in {run.folder.name}: {listed}; score again with one of them, or rate "
                "them together with --mix-judges"
            )
