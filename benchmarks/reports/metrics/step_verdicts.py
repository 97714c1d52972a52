"""How often people found the steps of a judge right: what `annotate` brought of statements, verdicts, extracts.

As in Figure 3 of the paper on RAG metrics in the telecom domain, where experts looked at each intermediate output.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.judgments import STEP, Judgment
from benchwright.benchmarks.reports.blocks import Cell, Column, Table, foreign
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import count
from benchwright.benchmarks.reports.metrics.agreement_blocks import share_with_limits
from benchwright.benchmarks.statistics.reliability import Proportion, proportion

_NAME = 60


@dataclass(frozen=True, slots=True)
class StepVerdicts:
    """What people said of one step of the judge of one metric."""

    metric: str
    step: str
    right: Proportion
    """Of those that were found right or wrong; the interval is of this benchmark's semantic groups."""
    unclear: int
    """Said to be unclear, or of which people are divided."""


def step_verdicts(judgments: Iterable[Judgment], run: RunData) -> tuple[StepVerdicts, ...]:
    """The verdicts on steps in the condition shown: a row for each metric and step, in the order of the file.

    A step that several metrics stand on counts for each of them.
    """
    said: dict[tuple[str, str], list[tuple[int, float | None]]] = {}
    for each in judgments:
        if not each.is_of_step or each.condition != run.shown:
            continue
        assert each.candidate is not None
        cluster = int(run.questions.clusters[run.questions.index[each.id]])
        name = each.candidate.removeprefix(STEP).rpartition(":")[0]
        for metric in _metrics(each):
            said.setdefault((metric, name), []).append((cluster, each.score))
    return tuple(_counted(*key, values) for key, values in said.items())


def _metrics(judgment: Judgment) -> Sequence[str]:
    """The metrics that stand on a judgment's step."""
    step = judgment.trace.get("step")
    found = step.get("metrics") if isinstance(step, Mapping) else None
    names = [name for name in found if isinstance(name, str)] if isinstance(found, list) else []
    return names or [judgment.metric]


def _counted(metric: str, step: str, values: Sequence[tuple[int, float | None]]) -> StepVerdicts:
    known = [(cluster, value) for cluster, value in values if value is not None]
    right = np.array([value > 0.5 for _, value in known], dtype=bool)
    clusters = np.array([cluster for cluster, _ in known], dtype=np.int64)
    return StepVerdicts(metric, step, proportion(right, clusters), len(values) - len(known))


def step_table(found: Sequence[StepVerdicts]) -> Table:
    """The verdicts as a table."""
    names = ("metric", "step", "right", "of", "unclear")
    columns = (Column(names[0]), Column(names[1], "left"), *map(Column, names[2:]))
    return Table("How often people find the judge's steps right", columns, tuple(_rows(found)), "fit")


def _rows(found: Sequence[StepVerdicts]) -> Iterator[tuple[Cell, ...]]:
    for each in found:
        name = each.step.removeprefix("judge_").replace("_", " ")
        shares = share_with_limits(each.right), count(each.right.total), count(each.unclear)
        yield (foreign(each.metric, _NAME), foreign(name, _NAME), *shares)
