"""Where the noise of a run's figures comes from, and what asking more would make of it."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from benchwright.benchmarks.judgments import stored_judgments
from benchwright.benchmarks.reports.blocks import Range
from benchwright.benchmarks.reports.columns import Floats, Ints, RunData
from benchwright.benchmarks.reports.groups import asked_groups
from benchwright.benchmarks.reports.metrics.figures import metric_sense
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.runs.run import JUDGMENTS
from benchwright.benchmarks.statistics.components import (
    Design,
    Level,
    Part,
    design_of,
    nested_parts,
    projected_errors,
)
from benchwright.benchmarks.statistics.shares import contributing, score_interval

ONE_GROUP = "all that was scored is of one group: what another would say is not known"
_REASONS: Mapping[Level, str] = {
    "wordings": "no group was asked in two wordings",
    "repeats": "no question was answered twice (--repeat 2, or `repeat` 0 and 1 in a file of predictions)",
    "judge": "no answer was judged twice by the judge (--repeat-judge 2, or `judge_repeat` 1 in a file of judgments)",
}


@dataclass(frozen=True, slots=True)
class NoisePart:
    """A part of the variance of one score."""

    of: tuple[str, ...]
    """groups, wordings, repeats, judge: several where the run cannot tell them apart."""
    variance: float
    """Unbiased: may be below 0 where there is little of it."""
    share: float
    """Of all parts, those below 0 counted as 0."""
    told_by: int
    """Groups asked in two wordings, questions answered twice, answers judged twice; of the groups themselves, all."""


@dataclass(frozen=True, slots=True)
class NoiseOption:
    """What could be asked, and half the width that a 95 % interval of the mean would have."""

    name: str
    answers: int
    """How many would be asked for."""
    least: float
    """In the metric's units. Below `most` where the run does not tell what the option would divide."""
    most: float


@dataclass(frozen=True, slots=True)
class MetricNoise:
    """Where the noise of one metric's mean comes from, over the headline's questions in the condition shown."""

    reason: str | None
    answers: int = 0
    groups: int = 0
    parts: tuple[NoisePart, ...] = ()
    """The outermost first."""
    not_told: Mapping[str, str] = field(default_factory=dict)
    """Which part stands together with the one around it → why."""
    options: tuple[NoiseOption, ...] = ()
    """The first is what was asked; the target is this benchmark: what is drawn are its groups."""


@per_run
def noise_figures(run: RunData) -> Mapping[str, MetricNoise]:
    """Of every metric that has a score; empty where nothing has."""
    wanted = run.condition.where(run.shown) & run.questions.headline[run.question]
    found: dict[str, MetricNoise] = {}
    for column, name in enumerate(run.metrics):
        rows = np.flatnonzero(wanted & run.is_scored[:, column])
        if len(rows):
            found[name] = _noise(run, name, rows)
    return found


def _noise(run: RunData, metric: str, rows: Ints) -> MetricNoise:
    column = run.metrics.index(metric)
    looked, values = looks(run, metric, rows)
    units: dict[Level, Ints] = {"groups": run.clusters[looked], "wordings": run.question[looked], "repeats": looked}
    groups = len(np.unique(units["groups"]))
    parts = nested_parts(values, units)
    if parts is None:
        return MetricNoise(ONE_GROUP, len(rows), groups)
    if not sum(part.shown for part in parts):
        alike = f"all {len(rows):,} scores are {values[0]:g}: where nothing varies, nothing can be split"
        return MetricNoise(alike, len(rows), groups)
    silent = _silent(run, bool((run.judges.codes[rows, column] >= 0).any()))
    total = sum(part.shown for part in parts)
    return MetricNoise(
        reason=None,
        answers=len(rows),
        groups=groups,
        parts=tuple(
            NoisePart(
                tuple(level for level in part.levels if level not in silent),
                part.variance,
                part.shown / total,
                part.told_by,
            )
            for part in parts
        ),
        not_told={level: _REASONS[level] for part in parts for level in part.levels[1:] if level not in silent},
        options=tuple(_options(parts, design_of(units), _Scale.of(run, metric, rows), silent)),
    )


def is_ungrouped(run: RunData) -> bool:
    """Whether each question is a group of its own, and not because one wording of each group was asked for."""
    return run.settings.questions.wordings != 1 and not asked_groups(run).twice


def _silent(run: RunData, is_judged: bool) -> set[Level]:
    """What there cannot be: the noise of a judge where rules computed the scores, wordings where nothing is grouped."""
    no_judge: set[Level] = set() if is_judged else {"judge"}
    no_wordings: set[Level] = {"wordings"} if is_ungrouped(run) else set()
    return no_judge | no_wordings


@dataclass(frozen=True, slots=True)
class _Scale:
    """What turns a standard error into half the width of the report's intervals."""

    mean: float
    limits: Range
    answers: int
    groups: int
    contributing: float
    """Groups that the variance comes from."""

    @classmethod
    def of(cls, run: RunData, metric: str, rows: Ints) -> "_Scale":
        """Of the attempts of a metric that are scored."""
        _, limits = metric_sense(metric)
        values = run.values[rows, run.metrics.index(metric)]
        _, codes = np.unique(run.clusters[rows], return_inverse=True)
        mean = float(values.mean())
        rests = np.bincount(codes, weights=values - mean).astype(float)
        return cls(mean, limits, len(rows), len(rests), contributing(rests))

    def half_width(self, error: float, design: Design, times: float) -> float:
        """Half the width of the interval at a standard error, with so many times the groups that were asked."""
        from scipy.special import stdtrit

        low, high = self.limits
        if not (math.isfinite(high - low) and low <= self.mean <= high):
            return float(stdtrit(times * self.groups - 1, 0.975)) * error
        found = score_interval(
            (self.mean - low) / (high - low),
            variance=(error / (high - low)) ** 2,
            total=design.divisor("repeats"),
            least=design.groups,
            freedom=times * self.contributing - 1,
            clusters=round(times * self.groups),
            confidence=0.95,
        )
        return (high - low) * (found.high - found.low) / 2


def _options(parts: Sequence[Part], now: Design, scale: _Scale, silent: set[Level]) -> Iterator[NoiseOption]:
    """What was asked, twice as much of each, ten more repeats, and wordings given up for a lower cost or for groups."""
    designs: list[tuple[str, Design, float]] = [
        ("as it was", now, 1),
        ("twice the groups", replace(now, groups=2 * now.groups), 2),
        ("twice the repeats", replace(now, repeats=2 * now.repeats), 1),
        ("ten more repeats", replace(now, repeats=now.repeats + 10), 1),
    ]
    if "wordings" not in silent:
        designs.insert(2, ("twice the wordings", replace(now, wordings=2 * now.wordings), 1))
    if now.wordings > 1:
        questions = now.divisor("wordings")
        designs.append(("one wording of each group", Design(scale.groups, 1, now.repeats), 1))
        designs.append(
            (
                "as many groups as questions",
                Design(questions, 1, now.repeats),
                questions / scale.groups,
            )
        )
    size = now.divisor("repeats")
    for name, then, times in designs:
        answers = round(scale.answers * then.divisor("repeats") / size)
        least, most = (scale.half_width(error, then, times) for error in projected_errors(parts, now, then))
        yield NoiseOption(name, answers, least, most)


def looks(run: RunData, metric: str, rows: Ints) -> tuple[Ints, Floats]:
    """The attempts and values of a metric, and again each attempt for every further time that its judge said of it."""
    column = run.metrics.index(metric)
    again = repeated_judgments(run).get(metric)
    values = run.values[rows, column]
    if again is None:
        return rows, values
    is_kept = np.isin(again[0], rows)
    return np.concatenate([rows, again[0][is_kept]]), np.concatenate([values, again[1][is_kept]])


@per_run
def repeated_judgments(run: RunData) -> Mapping[str, tuple[Ints, Floats]]:
    """Metric → attempts and what their judge said of them after the verdict that is taken: `judge_repeat` 1 and on."""
    path = run.folder / JUDGMENTS
    if not path.is_file() or not _holds(path, b'"judge_repeat"'):
        return {}
    places = {
        (run.questions.ids[question], run.condition.at(place), repeat): place
        for place, (question, repeat) in enumerate(zip(run.question.tolist(), run.repeat.tolist(), strict=True))
    }
    said: dict[tuple[str, int], dict[int, float]] = {}
    for each in stored_judgments(path):
        place = places.get(each.prediction)
        if place is None or each.candidate is not None or each.score is None or each.metric not in run.metrics:
            continue
        code = run.judges.codes[place, run.metrics.index(each.metric)]
        if code >= 0 and run.judges.names[code] == str(each.judge):
            said.setdefault((each.metric, place), {})[each.judge_repeat] = each.score
    found: dict[str, tuple[list[int], list[float]]] = {}
    for (metric, place), looks in said.items():
        for number in sorted(looks)[1:]:
            places_of, values = found.setdefault(metric, ([], []))
            places_of.append(place)
            values.append(looks[number])
    return {name: (np.array(rows), np.array(values)) for name, (rows, values) in found.items()}


def _holds(path: Path, key: bytes) -> bool:
    with path.open("rb") as file:
        return any(key in line for line in file)
