"""How far people say the same: of each metric, each sort of step, each dimension of pairs."""

from collections.abc import Iterator

import numpy as np

from benchwright.benchmarks.annotations.items import UNCLEAR, Task
from benchwright.benchmarks.annotations.merge import Merged, Verdict
from benchwright.benchmarks.reports.metrics.judge_agreement import MetricAgreement, agreement_of

_NAMED = {"right": 1.0, "wrong": 0.0, "first": 0.0, "tie": 0.5, "second": 1.0}
"""Choices that are words → where they stand in their order."""


def agreement_by_sort(merged: Merged) -> dict[str, MetricAgreement]:
    """Sort of task → the agreement of those who did it; what somebody found unclear is not compared."""
    places = {item.id: place for place, item in enumerate(merged.work.items)}
    names: dict[str, int] = {}
    clusters = np.array(
        [names.setdefault(merged.work.groups.get(item.id, item.id), len(names)) for item in merged.work.items]
    )
    said: dict[str, dict[str, dict[tuple[int, int], float]]] = {}
    for number, verdict in enumerate(merged.verdicts):
        judges = said.setdefault(sort_of(verdict.task), {})
        for annotator, value in _values(verdict):
            judges.setdefault(annotator, {})[places[verdict.item], number] = value
    return {sort: agreement_of(judges, clusters) for sort, judges in said.items() if len(judges) > 1}


def sort_of(task: Task) -> str:
    """What a task is one of: its metric or dimension, or the steps of a name."""
    return task.id if task.step is None else f"step: {task.step.title}"


def _values(verdict: Verdict) -> Iterator[tuple[str, float]]:
    for each in verdict.said:
        choice = verdict.task.choice(each.choice)
        if each.is_final or choice is None or choice.name == UNCLEAR:
            continue
        if isinstance(choice.value, float):
            yield each.annotator, choice.value
        elif choice.name in _NAMED:
            yield each.annotator, _NAMED[choice.name]
