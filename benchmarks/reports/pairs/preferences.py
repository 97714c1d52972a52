"""What a metric prefers of pairs that people chose from: by its scores, or by its choice in one order and in both."""

from collections.abc import Mapping, Sequence
from typing import Literal

from benchwright.benchmarks.metrics import Metric
from benchwright.benchmarks.releases.pairs import COLUMNS, LabelledPair
from benchwright.benchmarks.runs.pairs.candidates import lacking, orders
from benchwright.benchmarks.runs.pairs.scoring import CandidateScore, Place, chosen, preference

Protocol = Literal["scores", "one order", "both orders"]


def preferences(
    metric: Metric, labelled: Sequence[LabelledPair], scores: Mapping[Place, CandidateScore]
) -> dict[Protocol, list[float | str]]:
    """Protocol → of each pair 1 where the metric prefers the first candidate, 0 the second, 0.5 neither; or why not."""
    if metric.compared is None:
        return {"scores": [_by_scores(metric, each, scores) for each in labelled]}
    both = [_in_orders(metric, each, scores) for each in labelled]
    return {
        "one order": [one for one, _ in both],
        "both orders": [_together(one, other) for one, other in both],
    }


def _by_scores(metric: Metric, each: LabelledPair, scores: Mapping[Place, CandidateScore]) -> float | str:
    if (why := lacking(each)) is not None:
        return why
    columns = COLUMNS[each.dimension]
    found = [chosen(scores, (metric.name, each.pair.id, column)) for column in columns]
    for column, score in zip(columns, found, strict=True):
        if score.value is None:
            return f"{column}: {score.reason}"
    said = preference(metric, *found)
    return "it has no value" if said is None else said


def _in_orders(
    metric: Metric, each: LabelledPair, scores: Mapping[Place, CandidateScore]
) -> tuple[float | str, float | str]:
    """Of the order that counts alone and of the other: 1 where the first candidate, in whatever place, was chosen."""
    if (why := lacking(each)) is not None:
        return why, why
    said: list[float | str] = []
    for order in orders(each):
        score = chosen(scores, (metric.name, each.pair.id, order))
        is_stored = order.startswith(COLUMNS[each.dimension][0])
        value = score.value
        said.append(score.reason or "it was not judged" if value is None else value if is_stored else 1 - value)
    return said[0], said[1]


def _together(one: float | str, other: float | str) -> float | str:
    """Of both orders: what they agree on, else neither."""
    if isinstance(one, str) or isinstance(other, str):
        return one if isinstance(one, str) else other
    return one if one == other else 0.5
