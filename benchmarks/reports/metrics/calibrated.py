"""Calibrated scores: what people would say of all answers of a run, from their labels on a recorded random sample.

Labels calibrate where they say of which sample they are (`trace` {"sample": NAME}), where the run holds that sample,
where its seed still draws it from the run's answers, and where all labels lie in it. Other labels rate the metrics, and
that they calibrate nothing is said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.judgments import Judgment
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import number_of
from benchwright.benchmarks.reports.metrics.baseline import beyond_scale
from benchwright.benchmarks.reports.metrics.human_sample import (
    AnswerKey,
    HumanSample,
    check_sample,
    drawn_of_same,
    read_samples,
)
from benchwright.benchmarks.reports.metrics.human_verdicts import HumanVerdicts
from benchwright.benchmarks.reports.metrics.judge_agreement import names_of
from benchwright.benchmarks.reports.metrics.scale import Asked, scale_of
from benchwright.benchmarks.statistics.calibration import Calibration, LabelledSample, calibrate

NO_SAMPLE = (
    "the labels do not say that they are of a recorded random sample of this run's answers: they rate the metrics, and "
    "calibrate nothing"
)
_STANDS_FOR = {"correct": ("semantic_match",)}
"""Metrics whose judge is asked the same as people are by another name."""


@dataclass(frozen=True, slots=True)
class CalibratedMetric:
    """What people would say by one metric, from the scores of the run by the same or by another."""

    metric: str
    """What people said."""
    by: str
    """Whose scores of all answers are used."""
    annotators: Mapping[str, int]
    """Who labelled → answers of the sample."""
    divided: int
    """Answers of which they said different things, whose mean counts."""
    figures: Calibration


@dataclass(frozen=True, slots=True)
class CalibratedScores:
    """What the labels on a run's sample make of its scores."""

    reason: str | None
    """Why there is nothing to calibrate with."""
    sample: str | None = None
    """Its name, as the file in the run's folder `samples`."""
    seed: int | None = None
    samples: int = 0
    """Different samples that were drawn from these answers, the smaller ones of one seed not counted."""
    unmarked: int = 0
    """Labels that do not say that they are of a sample, and calibrate nothing."""
    metrics: tuple[CalibratedMetric, ...] = ()
    lacking: Mapping[str, str] = field(default_factory=dict)
    """Metric that people labelled by → why the run has nothing to calibrate."""


def calibrated_scores(run: RunData, asked: Asked, human: HumanVerdicts) -> CalibratedScores:
    """The calibrated scores of a run in the condition shown.

    Of each metric that people labelled by, from the run's scores by the same; of the truth also from the metrics that
    are named and have its scale, and of `correct` from `semantic_match`.

    Raises:
        BenchwrightError: a sample of the run cannot be read.
    """
    marked = [each for each in human.judgments if isinstance(each.trace.get("sample"), str)]
    if not marked:
        return CalibratedScores(NO_SAMPLE)
    samples = read_samples(run.folder)
    try:
        name = _sample_of(marked, samples)
        there = check_sample(run, name, samples[name])
        _refuse_others(marked, name, samples[name])
    except BenchwrightError as error:
        return CalibratedScores(str(error))
    metrics, lacking = [], {}
    for metric in dict.fromkeys(each.metric for each in marked):
        labels = [each for each in marked if each.metric == metric]
        judges = _judges_of(run, asked, metric)
        if not judges:
            lacking[metric] = (
                f"{run.folder.name} has no score by {metric} itself, nor by a metric with its scale that is named"
            )
        metrics += [_calibrated(run, metric, by, samples[name], there, labels) for by in judges]
    return CalibratedScores(
        None,
        name,
        samples[name].seed,
        len(drawn_of_same(samples, samples[name])),
        len(human.judgments) - len(marked),
        tuple(metrics),
        lacking,
    )


def _sample_of(marked: Sequence[Judgment], samples: Mapping[str, HumanSample]) -> str:
    """The sample that labels are of: of several of one seed the largest, which the others begin.

    Raises:
        BenchwrightError: the run does not hold it, or they are of several.
    """
    named = sorted({str(each.trace["sample"]) for each in marked})
    if unknown := [name for name in named if name not in samples]:
        raise BenchwrightError(
            f"the labels are of {', '.join(unknown)}, which the run does not hold: is it another run?"
        )
    kinds = {(samples[name].seed, samples[name].drawn_from) for name in named}
    if len(kinds) > 1:
        raise BenchwrightError(
            f"the labels are of {' and '.join(named)}, which were not drawn as one: hand in those of one sample"
        )
    return max(named, key=lambda name: len(samples[name].answers))


def _refuse_others(marked: Sequence[Judgment], name: str, sample: HumanSample) -> None:
    """Raises where labels are not by people, or of answers that were not drawn."""
    kinds = {each.judge.kind for each in marked} - {"human"}
    if kinds:
        listed = ", ".join(names_of({str(each.judge): None for each in marked if each.judge.kind != "human"}).values())
        raise BenchwrightError(
            f"labels of people calibrate, and some are by {listed}: their judge's kind must be human"
        )
    drawn = {each.key for each in sample.answers}
    outside = {(each.id, each.repeat) for each in marked} - drawn
    if outside:
        raise BenchwrightError(
            f"{number_of(len(outside), 'answer')} with labels of {name} {'was' if len(outside) == 1 else 'were'} not "
            f"drawn for it, such as {min(outside)[0]!r}: hand in labels of the sample alone"
        )


def _judges_of(run: RunData, asked: Asked, metric: str) -> list[str]:
    """The metrics of the run that say what people said by a metric."""
    other = (*(asked.metrics if metric == asked.truth else ()), *_STANDS_FOR.get(metric, ()))
    wanted = scale_of(metric).range
    found = []
    for name in dict.fromkeys((metric, *other)):
        column = run.metrics.index(name) if name in run.metrics else None
        if column is None or not run.is_scored[run.condition.where(run.shown), column].any():
            continue
        if scale_of(name).range == wanted and beyond_scale(run, name) is None:
            found.append(name)
    return found


def _calibrated(
    run: RunData, metric: str, by: str, sample: HumanSample, there: Sequence[AnswerKey], labels: Sequence[Judgment]
) -> CalibratedMetric:
    said: dict[AnswerKey, list[float]] = {}
    for each in labels:
        if each.score is not None:
            said.setdefault((each.id, each.repeat), []).append(each.score)
    places = {key: place for place, key in enumerate(there)}
    rows = np.zeros(len(there), dtype=np.int64)
    for row in np.flatnonzero(run.condition.where(run.shown)).tolist():
        place = places.get((run.questions.ids[int(run.question[row])], int(run.repeat[row])))
        if place is not None:
            rows[place] = row
    column = run.metrics.index(by)
    keys = [each.key for each in sample.answers]
    names = names_of(dict.fromkeys(str(each.judge) for each in labels))
    counted = {name: sum(names[str(each.judge)] == name for each in labels) for name in names.values()}
    figures = calibrate(
        LabelledSample(
            scores=run.values[rows, column],
            is_scored=run.is_scored[rows, column],
            groups=run.clusters[rows],
            drawn=np.array([places[key] for key in keys], dtype=np.int64),
            labels=np.array([float(np.mean(said[key])) if key in said else 0.0 for key in keys]),
            is_labelled=np.array([key in said for key in keys]),
            limits=scale_of(metric).range,
        )
    )
    divided = sum(len(set(values)) > 1 for values in said.values())
    return CalibratedMetric(metric, by, counted, divided, figures)
