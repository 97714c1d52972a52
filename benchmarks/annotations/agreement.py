"""How far people say the same: of each metric, each sort of step, each dimension of pairs."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from benchwright.benchmarks.annotations.items import UNCLEAR, Task
from benchwright.benchmarks.annotations.merge import Merged, Verdict
from benchwright.benchmarks.releases.pairs import choice_of
from benchwright.benchmarks.reports.metrics.judge_agreement import MetricAgreement, agreement_of
from benchwright.benchmarks.reports.pairs.people import Votes, VotesAgreement, agreement_of_votes

_NAMED = {"right": 1.0, "wrong": 0.0}
"""Choices that are words → where they stand in their order."""
_PEOPLE = 8
"""Who are compared with each other two by two: those with the most choices."""


@dataclass(frozen=True, slots=True)
class PeopleOfDimension:
    """How far some of those who chose from pairs agree, in one dimension."""

    dimension: str
    names: tuple[str, ...]
    """Of two of them; empty of all together."""
    agreement: VotesAgreement


def agreement_on_pairs(merged: Merged) -> Iterator[PeopleOfDimension]:
    """Dimension by dimension each two people, and all together where there are more; before anything was settled."""
    votes: dict[str, dict[str, Votes]] = {}
    for verdict in merged.verdicts:
        said: Votes = {
            each.annotator: choice
            for each in verdict.said
            if not each.is_final and (choice := choice_of(verdict.task.id, each.choice)) is not None
        }
        votes.setdefault(sort_of(verdict.task), {})[verdict.item] = said
    for dimension, by_item in votes.items():
        questions = [merged.work.groups.get(item, item) for item in by_item]
        count = Counter(name for said in by_item.values() for name in said)
        most = sorted(count, key=lambda name: (-count[name], name))[:_PEOPLE]
        for two in combinations(sorted(most), 2):
            both: list[Votes] = [{name: said[name] for name in two if name in said} for said in by_item.values()]
            found = agreement_of_votes(both, questions)
            if found.same.total:
                yield PeopleOfDimension(dimension, two, found)
        if len(count) > 2 and (found := agreement_of_votes(list(by_item.values()), questions)).same.total:
            yield PeopleOfDimension(dimension, (), found)


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
