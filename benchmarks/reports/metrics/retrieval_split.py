"""Answers to questions whose retrieval was right, against the others: mean (s.d.) of each metric, with one-sided tests.

Tables 2 and 3 of the paper on RAG metrics in the telecom domain, for any metric that says something of answers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.metrics import find_metric
from benchwright.benchmarks.reports.blocks import Cell, Column, Inline, Range, Table, foreign, soft
from benchwright.benchmarks.reports.columns import Bools, RunData
from benchwright.benchmarks.reports.format import NONE, SHARE, count, figure, p_value
from benchwright.benchmarks.reports.metrics.figures import (
    evidence_metric,
    headline_metrics,
    largest_cut_off,
    metric_sense,
)
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.statistics.reliability import Moments, two_parts
from benchwright.benchmarks.statistics.tests import holm

NO_RETRIEVAL = "not available because no metric of retrieval was scored"
NO_PARTS = "not available because retrieval was right for all answers, or for none"
NO_ANSWERS_SCORED = "not available because no metric of answers was scored"
RETRIEVED = "retrieved"


@dataclass(frozen=True, slots=True)
class SplitFigure:
    """One metric over the answers whose retrieval was right, and over the others."""

    right: Moments
    wrong: Moments
    p_t: float | None
    """One-sided, that the mean is larger where retrieval was right: Welch's t-test of independent answers."""
    p: float | None
    """The same by semantic group."""
    p_corrected: float | None
    """Of `p`, for the number of metrics, by Holm."""
    range: Range
    higher_is_better: bool


@dataclass(frozen=True, slots=True)
class RetrievalSplit:
    """All metrics of answers by whether retrieval was right."""

    reason: str | None
    by: str | None = None
    """What says whether it was: at its highest value."""
    right: int = 0
    """Answers, of the headline's questions in the condition shown."""
    wrong: int = 0
    unscored: int = 0
    """Answers of which it says nothing."""
    metrics: Mapping[str, SplitFigure] = field(default_factory=dict)


@dataclass(frozen=True)
class Sides:
    """Which attempts had what they needed retrieved."""

    by: str
    is_right: Bools
    """Of each attempt."""
    is_known: Bools


def is_of_retrieval(name: str) -> bool:
    """Whether a metric looks at what was retrieved and not at the answer."""
    try:
        return "answer" not in find_metric(name).needs
    except BenchwrightError:
        return name == RETRIEVED


def retrieval_sides(run: RunData) -> Sides | None:
    """Of each attempt whether retrieval was right: all evidence in the contexts, else judged so, else all documents."""
    by = (
        evidence_metric(run.metrics)
        or (RETRIEVED if RETRIEVED in run.metrics else None)
        or largest_cut_off(run.metrics, "recall")
        or largest_cut_off(run.metrics, "hit")
    )
    if by is None:
        return None
    column = run.metrics.index(by)
    return Sides(by, run.values[:, column] > 1 - 1e-9, run.is_scored[:, column])


def answer_metrics(run: RunData) -> list[str]:
    """The metrics of answers that have a value in the condition shown, the leading one first."""
    return [name for name, entry in headline_metrics(run).items() if entry.scored and not is_of_retrieval(name)]


@per_run
def retrieval_split(run: RunData) -> RetrievalSplit:
    """The metrics of answers over both parts."""
    sides = retrieval_sides(run)
    if sides is None:
        return RetrievalSplit(NO_RETRIEVAL)
    names = answer_metrics(run)
    counted, known = _counts(run, sides)
    right, wrong, _ = counted
    if not right or not wrong or not names:
        reason = NO_RETRIEVAL if not known.any() else NO_PARTS if names else NO_ANSWERS_SCORED
        return RetrievalSplit(reason, sides.by, *counted)
    return RetrievalSplit(None, sides.by, *counted, _figures(run, sides, known, names))


def split_by(run: RunData, names: Sequence[str]) -> RetrievalSplit:
    """Metrics that are named over both parts, of which one may be empty; a metric without a score has no answers."""
    sides = retrieval_sides(run)
    if sides is None:
        return RetrievalSplit(NO_RETRIEVAL)
    counted, known = _counts(run, sides)
    if not known.any():
        return RetrievalSplit(NO_RETRIEVAL, sides.by, *counted)
    there = [name for name in names if name in run.metrics]
    return RetrievalSplit(None, sides.by, *counted, _figures(run, sides, known, there))


def _counts(run: RunData, sides: Sides) -> tuple[tuple[int, int, int], Bools]:
    """How many answers have right, wrong and unknown retrieval, and of which it is known."""
    asked = run.condition.where(run.shown) & run.questions.headline[run.question]
    known = asked & sides.is_known
    right, wrong = int((known & sides.is_right).sum()), int((known & ~sides.is_right).sum())
    return (right, wrong, int((asked & ~sides.is_known).sum())), known


def _figures(run: RunData, sides: Sides, known: Bools, names: Sequence[str]) -> dict[str, SplitFigure]:
    found: dict[str, SplitFigure] = {}
    for name in names:
        wanted = known & run.is_scored[:, run.metrics.index(name)]
        values = run.values[wanted, run.metrics.index(name)]
        parts = two_parts(values, sides.is_right[wanted], run.clusters[wanted])
        higher, scale = metric_sense(name)
        found[name] = SplitFigure(parts.first, parts.second, parts.p_t, parts.p, None, scale, higher)
    tested = [name for name, each in found.items() if each.p is not None]
    corrected = holm([each.p for each in found.values() if each.p is not None])
    return found | {name: replace(found[name], p_corrected=p) for name, p in zip(tested, corrected, strict=True)}


def mean_deviation(part: Moments) -> str:
    """`0.91 (0.19)`, as papers print a mean with its standard deviation."""
    if part.mean is None:
        return NONE
    return f"{part.mean:.2f} ({NONE if part.deviation is None else figure(part.deviation, 2)})"


def split_table(found: RetrievalSplit) -> Table:
    """Mean (s.d.) of both parts, and both p-values."""
    columns = (
        Column("metric"),
        Column("right: mean (s.d.)"),
        Column("wrong: mean (s.d.)"),
        Column("answers"),
        Column("p by group, corrected"),
        Column("p of the t-test"),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, each in found.metrics.items():
        label: Inline = foreign(name, 60)
        if each.range != SHARE:
            label = (label, soft(f" ({each.range[0]:g} to {each.range[1]:g})"))
        answers = f"{count(each.right.answers)} and {count(each.wrong.answers)}"
        rows.append(
            (label, mean_deviation(each.right), mean_deviation(each.wrong), answers, p_value(each.p_corrected),
             p_value(each.p_t))
        )  # fmt: skip
    caption = (soft("Answers by retrieval; right: "), foreign(found.by or "", 60), soft(" is at its highest"))
    return Table(caption, columns, tuple(rows), "wide")
