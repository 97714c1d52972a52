"""The scores of a pair's candidates: as a model judged them, else by rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.judgments import COMPUTED, Judgment, judge_name
from benchwright.benchmarks.metrics import JudgedItem, Metric, ReleaseData, Score, unscored
from benchwright.benchmarks.metrics.base import failed, on_scale
from benchwright.benchmarks.runs.judge import JudgeTask
from benchwright.benchmarks.runs.pairs.candidates import PairsOfRelease

NOT_JUDGED = unscored("it was not judged")

Place = tuple[str, str, str]
"""Metric, pair, and candidate or order."""


@dataclass(frozen=True, slots=True)
class CandidateScore:
    """What one candidate, or one order of two, was given."""

    score: Score
    judge: str
    """In words."""


def score_candidates(
    pairs: PairsOfRelease, metrics: Sequence[Metric], judgments: Sequence[Judgment]
) -> dict[Place, CandidateScore]:
    """The scores of all candidates and orders that metrics are tried on."""
    asked = list(pairs.asked(metrics))
    found: dict[Place, CandidateScore] = {}
    for each in judgments:
        score = Score(each.score, each.why) if each.score is not None else unscored(each.why or "it has no value")
        found[each.metric, each.id, each.candidate or ""] = CandidateScore(score, judge_name(str(each.judge)))
    for metric in metrics:
        places = [each for each in asked if metric in each.metrics]
        missing = [each for each in places if (metric.name, each.key[0], each.candidate or "") not in found]
        for each, score in zip(missing, _by_rule(metric, missing, pairs), strict=True):
            found[metric.name, each.key[0], each.candidate or ""] = CandidateScore(score, COMPUTED)
    return found


def _by_rule(metric: Metric, asked: Sequence[JudgeTask], pairs: PairsOfRelease) -> Sequence[Score]:
    items = [each.item for each in asked if isinstance(each.item, JudgedItem)]
    if metric.rule is None or len(items) < len(asked):
        return [NOT_JUDGED] * len(asked)
    try:
        rule = metric.rule(ReleaseData(tuple(pairs.questions.values()), pairs.documents))
        scores = rule([item.question for item in items], [item.prediction for item in items])
        return [on_scale(score, metric.range) for score in scores]
    except Exception as error:
        return [failed(error)] * len(asked)


def preference(metric: Metric, first: Score, second: Score) -> float | None:
    """Which of two candidates a metric prefers by its scores: 1 the first, 0 the second, 0.5 neither; None: unknown."""
    if first.value is None or second.value is None:
        return None
    more = (first.value - second.value) * (1 if metric.higher_is_better else -1)
    return 0.5 if abs(more) < 1e-9 else float(more > 0)


def chosen(scores: Mapping[Place, CandidateScore], place: Place) -> Score:
    """The score at a place, or that there is none."""
    found = scores.get(place)
    return found.score if found is not None else NOT_JUDGED
