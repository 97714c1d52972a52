"""Exact match and F1 as SQuAD 2.0 reports them: of all questions, of those with an answer and of those without."""

from collections.abc import Mapping

import numpy as np

from benchwright.benchmarks.reports.blocks import Column, Table, Text
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import count, interval, percent
from benchwright.benchmarks.reports.metrics.figures import MetricFigure, metrics_of
from benchwright.benchmarks.reports.section import Content, ReportSection, per_run

METRICS = {"squad_exact_match": "exact match", "squad_f1": "F1"}
PARTS = ("all", "HasAns", "NoAns")


@per_run
def squad_parts(run: RunData) -> Mapping[str, Mapping[str, MetricFigure]]:
    """Part, as SQuAD's script calls it → metric → its figure in the condition shown; parts without questions are left
    out. Known gaps have an answer (Rajpurkar et al. 2018, section 4)."""
    nothing = run.questions.answerability.where("unanswerable")
    wanted = dict(zip(PARTS, (np.ones_like(nothing), ~nothing, nothing), strict=True))
    found = {part: metrics_of(run, run.shown, mask) for part, mask in wanted.items() if mask.any()}
    return {part: {name: each[name] for name in METRICS if name in each} for part, each in found.items()}


def compute(run: RunData) -> Content:
    """A row for each metric and part."""
    parts = squad_parts(run)
    rows = tuple(
        (
            said,
            part,
            percent(figure.value),
            interval(figure.low, figure.high),
            f"{figure.scored} of {count(figure.total)}",
        )
        for name, said in METRICS.items()
        for part, found in parts.items()
        if (figure := found.get(name)) is not None
    )
    columns = ("metric", "part", "mean", "95 % interval", "scored")
    table = Table("Exact match and F1 as SQuAD 2.0 has them", tuple(Column(name) for name in columns), rows)
    note = (
        "HasAns: questions with an answer; NoAns: unanswerable ones, of which abstaining alone is right. "
        "What is unscored is in no mean."
    )
    return Content([table, Text(note, "small")], (), parts)


def applies(run: RunData) -> bool:
    """Where either metric was scored."""
    return any(name in run.metrics for name in METRICS)


SECTION = ReportSection("squad", "As SQuAD scores", compute, order=47, applies=applies)
