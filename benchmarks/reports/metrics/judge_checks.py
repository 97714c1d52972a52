"""Checks of a model that judges: whether it is steady, and whether length, position or its own answers sway it.

Each is made where the run lets it be observed, and else says why not. None of them shows that a judge is right: that is
its agreement with people.

Steadiness   the same answer judged again (`--repeat-judge`)
LengthEffect longer and shorter answers of the same truth
OwnAnswers   wrong answers of the judge's own model, or of one of its family, and of another system's
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from benchwright.benchmarks.judgments import judge_name
from benchwright.benchmarks.predictions import Key
from benchwright.benchmarks.reports.columns import Bools, Floats, Ints, RunData
from benchwright.benchmarks.reports.metrics.judge_agreement import AskedAgain, judge_agreement
from benchwright.benchmarks.reports.metrics.scale import scale_of
from benchwright.benchmarks.reports.noise.sources import looks
from benchwright.benchmarks.runs.run import PREDICTIONS
from benchwright.benchmarks.runs.store import stored_predictions
from benchwright.benchmarks.statistics.agreement import cluster_totals, freedom_of
from benchwright.benchmarks.statistics.components import Level, design_of, nested_parts, projected_errors
from benchwright.benchmarks.statistics.differences import independent_mean_difference
from benchwright.benchmarks.statistics.intervals import Sample
from benchwright.benchmarks.statistics.reliability import Proportion, proportion

Relation = Literal["same", "family", "other", "unknown"]
"""Of the judge's model and a system's, by their recorded names."""
ASKED_ONCE = "the judge judged each answer once: judge again with --repeat-judge 3"
ONE_AT_A_TIME = "answers of a run are judged one at a time: rank pairs, with gpt_ranking on a release that has them"
ONE_LENGTH = "answers of the same truth have the same length, or the same score"
LEAST_GROUPS = 10
"""With answers that are longer or shorter than others of the same truth; see `simulate_lengths`."""
MOST_OF_ONE = 0.5
"""Of what tells of a slope, that may lie in one group."""
FEW_GROUPS = f"fewer than {LEAST_GROUPS} semantic groups have answers of several lengths, or one has most of them"
NO_MODEL = "the run does not say which model the system uses"
ONE_SYSTEM = "the answers are of one system: name another, judged by the same judge, with --baseline RUN"
OTHER_JUDGE = "the baseline is not judged by the same judge"
FEW_WRONG = "one of the two systems has wrong answers in fewer than 2 semantic groups"
_HOUSES = {"chatgpt": "gpt", "o": "gpt", "mixtral": "mistral", "ministral": "mistral", "codestral": "mistral"}
"""Names of models that a house sells beside those of its main family."""


@dataclass(frozen=True, slots=True)
class Steadiness:
    """What a judge says when it judges the same answers again."""

    again: AskedAgain
    error: float | None
    """The standard error that the judge alone gives the mean, at one look at each answer; None where the parts of the
    variance cannot be told apart."""
    share: float | None
    """Of the mean's variance, over semantic groups, wordings, repeats and the judge."""


@dataclass(frozen=True, slots=True)
class LengthEffect:
    """How scores go with the length of answers that are alike in truth."""

    slope: float
    """What the score is higher by, in the metric's units, where an answer has twice as many words."""
    low: float
    """Of its interval of 95 %, by semantic group."""
    high: float
    answers: int
    groups: int


@dataclass(frozen=True, slots=True)
class OwnAnswers:
    """Wrong answers that a judge calls right: of one system, and of another."""

    relation: Relation
    """Of the judge's model and that of the run's system."""
    baseline_relation: Relation | None = None
    """And that of the baseline's; None without one."""
    called_right: Proportion | None = None
    """Of the run's wrong answers."""
    baseline_called_right: Proportion | None = None
    difference: float | None = None
    """The run's less the baseline's; None where it is not observed."""
    low: float | None = None
    """Of its interval of 95 %, by semantic group."""
    high: float | None = None

    @property
    def tells(self) -> bool:
        """Whether the two systems differ in how near they are to the judge."""
        near = ("same", "family")
        return self.difference is not None and (self.relation in near) != (self.baseline_relation in near)


@dataclass(frozen=True, slots=True)
class JudgeChecks:
    """What is observed of the judge of one metric."""

    judge: str
    steadiness: Steadiness | None
    length: LengthEffect | None
    own: OwnAnswers
    not_observed: Mapping[str, str] = field(default_factory=dict)
    """Check → why: steadiness, position, length, self-preference."""


def check_judges(
    run: RunData, names: Sequence[str], is_right: Bools, counted: Bools, baseline: tuple[RunData, Bools, Bools] | None
) -> dict[str, JudgeChecks]:
    """The checks of the judge of each metric that one model judged.

    Args:
        run: whose answers are judged.
        names: the metrics.
        is_right: of each attempt, by the truth.
        counted: the attempts whose truth is known, in the condition shown.
        baseline: another run, with the same of its attempts.
    """
    found: dict[str, JudgeChecks] = {}
    words: Floats | None = None
    for name in names:
        judge = _judge_of(run, name, counted)
        if judge is None:
            continue
        words = _words(run) if words is None else words
        lacking: dict[str, str] = {"position": ONE_AT_A_TIME}
        steadiness = _steadiness(run, name, judge, counted)
        if steadiness is None:
            lacking["steadiness"] = ASKED_ONCE
        length = _length(run, name, words, is_right, counted)
        if isinstance(length, str):
            lacking["length"] = length
        own, why = _own(run, name, judge, is_right, counted, baseline)
        if why is not None:
            lacking["self-preference"] = why
        found[name] = JudgeChecks(
            judge_name(judge), steadiness, None if isinstance(length, str) else length, own, lacking
        )
    return found


def truth_of(run: RunData, metric: str, threshold: float) -> tuple[Bools, Bools]:
    """Of each attempt of a run whether it is right, and whether that is known and counts, by the run's own scores."""
    counted = run.condition.where(run.shown) & run.questions.headline[run.question]
    if metric not in run.metrics:
        return np.zeros_like(counted), np.zeros_like(counted)
    column, scale = run.metrics.index(metric), scale_of(metric)
    is_right = np.asarray(scale.turned(run.values[:, column]) > scale.turned(threshold), dtype=bool)
    return is_right, counted & run.is_scored[:, column]


def _judge_of(run: RunData, name: str, counted: Bools) -> str | None:
    """The model that judged the counted answers by a metric; None where none or several did."""
    column = run.metrics.index(name)
    codes = np.unique(run.judges.codes[counted & run.is_scored[:, column], column])
    judges = [run.judges.names[code] for code in codes.tolist() if code >= 0]
    return judges[0] if len(judges) == 1 and judges[0].startswith("model:") else None


def _steadiness(run: RunData, name: str, judge: str, counted: Bools) -> Steadiness | None:
    agreed = judge_agreement(run).metrics.get(name)
    names = (judge, judge_name(judge))
    again = next((each for each in agreed.again if each.judge in names), None) if agreed is not None else None
    if again is None:
        return None
    rows = np.flatnonzero(counted & run.is_scored[:, run.metrics.index(name)])
    looked, values = looks(run, name, rows)
    units: dict[Level, Ints] = {"groups": run.clusters[looked], "wordings": run.question[looked], "repeats": looked}
    parts = nested_parts(values, units) or ()
    alone = [part for part in parts if part.levels == ("judge",)]
    design = design_of(units)
    whole = projected_errors(parts, design, design)[0]
    if not alone or not whole:
        return Steadiness(again, None, None)
    error = projected_errors(alone, design, design)[0]
    return Steadiness(again, error, (error / whole) ** 2)


def _words(run: RunData) -> Floats:
    """The words of each attempt's answer; not a number where there is none."""
    places: dict[Key, int] = {
        (run.questions.ids[question], run.condition.at(place) or "", repeat): place
        for place, (question, repeat) in enumerate(zip(run.question.tolist(), run.repeat.tolist(), strict=True))
    }
    found = np.full(len(places), np.nan)
    for prediction in stored_predictions(run.folder / PREDICTIONS):
        place = places.get(prediction.key)
        if place is not None and prediction.answer:
            found[place] = max(1, len(prediction.answer.split()))
    return found


def _length(run: RunData, name: str, words: Floats, is_right: Bools, counted: Bools) -> LengthEffect | str:
    column = run.metrics.index(name)
    rows = np.flatnonzero(counted & run.is_scored[:, column] & np.isfinite(words))
    scores = scale_of(name).turned(run.values[rows, column])
    return length_effect(scores, words[rows], is_right[rows], run.clusters[rows])


def length_effect(scores: Floats, words: Floats, strata: Bools | Ints, clusters: Ints) -> LengthEffect | str:
    """The slope of scores on the logarithm of lengths within strata of the same truth; in words why there is none.

    One slope for all strata, each about its own means (analysis of covariance). The interval is Student's; its variance
    is what leaving out one cluster after the other says (the jackknife, as CR3 of Bell and McCaffrey 2002, Survey
    Methodology 28).

    Args:
        scores: higher is better.
        words: of each answer, from 1.
        strata: the truth of each answer.
        clusters: of each answer.
    """
    from scipy.special import stdtrit

    lengths, values = np.log2(words), scores.astype(float)
    for stratum in np.unique(strata):
        there = strata == stratum
        lengths[there] -= lengths[there].mean()
        values[there] -= values[there].mean()
    spread = float(lengths @ lengths)
    if spread < 1e-9 or not np.any(np.abs(values) > 1e-9):
        return ONE_LENGTH
    slope = float(lengths @ values) / spread
    weights = cluster_totals(np.square(lengths), clusters) / spread
    if int((weights > 1e-9).sum()) < LEAST_GROUPS or weights.max() > MOST_OF_ONE:
        return FEW_GROUPS
    sums = cluster_totals(lengths * (values - slope * lengths), clusters) / (1 - weights)
    error = math.sqrt((len(sums) - 1) / len(sums) * float(sums @ sums)) / spread
    half = float(stdtrit(freedom_of(sums), 0.975)) * error
    return LengthEffect(slope, slope - half, slope + half, len(values), len(sums))


def _own(
    run: RunData,
    name: str,
    judge: str,
    is_right: Bools,
    counted: Bools,
    baseline: tuple[RunData, Bools, Bools] | None,
) -> tuple[OwnAnswers, str | None]:
    """How the judge's model and the systems' are related, what it calls right of theirs, and why less is observed."""
    relation = relation_of(judge_name(judge), models_of(run))
    mine = _wrong(run, name, is_right, counted)
    own = OwnAnswers(relation, called_right=proportion(mine.values > 0, mine.clusters))
    if baseline is None:
        return own, NO_MODEL if relation == "unknown" else ONE_SYSTEM
    other, other_right, other_counted = baseline
    if name not in other.metrics or _judge_of(other, name, other_counted) != judge:
        return own, OTHER_JUDGE
    theirs = _wrong(other, name, other_right, other_counted)
    found = independent_mean_difference(mine, theirs, limits=(0.0, 1.0), resamples=1)
    own = OwnAnswers(
        relation,
        relation_of(judge_name(judge), models_of(other)),
        own.called_right,
        proportion(theirs.values > 0, theirs.clusters),
        *((None, None, None) if found is None else (found.value, found.low, found.high)),
    )
    if "unknown" in (own.relation, own.baseline_relation):
        return own, NO_MODEL
    return own, FEW_WRONG if found is None else None


def _wrong(run: RunData, name: str, is_right: Bools, counted: Bools) -> Sample:
    """Of the wrong answers whether the judge calls them right: above half-way up its scale."""
    column, scale = run.metrics.index(name), scale_of(name)
    rows = np.flatnonzero(counted & ~is_right & run.is_scored[:, column])
    is_called = scale.turned(run.values[rows, column]) > scale.turned(scale.at(0.5))
    return Sample(is_called.astype(float), run.clusters[rows])


def models_of(run: RunData) -> tuple[str, ...]:
    """The names of the models that a run's system says it answers with."""
    return tuple(dict.fromkeys(_named(run.settings.system.settings)))


def _named(settings: Mapping[str, Any]) -> Iterator[str]:
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _named(value)
        elif name == "model" and isinstance(value, str) and value:
            yield value


def relation_of(judge: str, models: Sequence[str]) -> Relation:
    """How near a judge is to the models of a system, by their names alone: the nearest of them."""
    if not models:
        return "unknown"
    if any(_plain(judge) == _plain(model) for model in models):
        return "same"
    return "family" if any(family_of(judge) == family_of(model) for model in models) else "other"


def family_of(model: str) -> str:
    """The family that a model's name begins with: `openai/gpt-4o-mini` is of gpt, `Qwen2.5-7B` of qwen."""
    found = re.match(r"[a-z]+", _plain(model))
    family = found.group() if found else _plain(model)
    return _HOUSES.get(family, family)


def _plain(model: str) -> str:
    """A name without its provider and the date of its version."""
    last = model.lower().rpartition("/")[2].partition(":")[0]
    return re.sub(r"-(?:20\d{2}-?\d{2}-?\d{2}|latest)$", "", last)
