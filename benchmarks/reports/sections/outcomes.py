"""Outcomes by answerability, the wrong-answer rate, and whether the system abstained where it should."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.reports.answers.no_answer import abstained_by_sort
from benchwright.benchmarks.reports.answers.outcomes import (
    DECIDE,
    NO_QUESTIONS,
    NOT_JUDGED,
    OUTCOMES,
    AttemptOutcomes,
    Decided,
    OutcomeCounts,
    attempt_outcomes,
    count_outcomes,
    decided_by_rules,
)
from benchwright.benchmarks.reports.blocks import Block, Column, Definition, Definitions, Inline, Table, Text, soft
from benchwright.benchmarks.reports.columns import Bools, RunData
from benchwright.benchmarks.reports.format import count, figure, interval, number_of, of, percent, reasons
from benchwright.benchmarks.reports.noise.power import GroupsNeeded, detectable_difference
from benchwright.benchmarks.reports.noise.spread import spread_of
from benchwright.benchmarks.reports.section import Content, ReportSection, per_run
from benchwright.benchmarks.reports.share import DrawnShare, Share, drawn_share
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Sample, Target
from benchwright.benchmarks.types import FALSE_PREMISE, MADE_NAME, NULL

UNKNOWN = "unknown"
_SORTS = {
    MADE_NAME: "a name that nothing has",
    NULL: "a fact that is not there",
    FALSE_PREMISE: "a false premise",
}
_NAMES = {"gap": "known gap", UNKNOWN: "not stated"}


@dataclass(frozen=True, slots=True)
class WrongAnswerRate:
    """Wrong answers, of the scored ones to the headline's questions."""

    value: float | None
    count: int
    total: int
    low: float | None
    high: float | None
    reason: str | None = None
    note: str | None = None
    """Why there is no interval, or why it is wide."""
    target: Target = THIS_BENCHMARK
    """What the interval speaks of."""

    @property
    def share(self) -> Share:
        """Without its interval."""
        return Share(self.value, self.count, self.total, self.reason)


@dataclass(frozen=True, slots=True)
class Abstention:
    """Abstaining is right on known gaps and on unanswerable questions, and nowhere else."""

    precision: DrawnShare
    """Of the times that the system abstained, those on such questions."""
    recall: DrawnShare
    """Of such questions, those on which it abstained."""


@dataclass(frozen=True, slots=True)
class OutcomeFigures:
    """How the answers of the condition shown came out."""

    headline: OutcomeCounts
    decided: Decided
    by_answerability: Mapping[str, OutcomeCounts]
    """answerable, gap, unanswerable, unknown: those that there are."""
    wrong_answer_rate: WrongAnswerRate
    abstention: Abstention
    abstained_by_sort: Mapping[str, DrawnShare]
    """made_name, null, false_premise: of the answers to questions that have none for that reason, those that abstained;
    the reasons that there are."""


@per_run
def outcome_figures(run: RunData) -> OutcomeFigures:
    """Outcomes per answerability; the wrong-answer rate; precision and recall of abstaining."""
    outcomes, questions = attempt_outcomes(run), run.questions
    column = questions.answerability
    kinds = {name: column.where(name) for name in ("answerable", "gap", "unanswerable")} | {UNKNOWN: column.codes < 0}
    counts = {name: count_outcomes(outcomes, mask) for name, mask in kinds.items()}
    return OutcomeFigures(
        headline=count_outcomes(outcomes, questions.headline),
        decided=decided_by_rules(run),
        by_answerability={name: found for name, found in counts.items() if found.total},
        wrong_answer_rate=_wrong_answer_rate(run, outcomes, questions.headline),
        abstention=_abstention(run, outcomes, kinds["gap"] | kinds["unanswerable"]),
        abstained_by_sort=abstained_by_sort(run),
    )


def _abstention(run: RunData, outcomes: AttemptOutcomes, wise: Bools) -> Abstention:
    column = run.questions.answerability
    silent = wise[outcomes.question]
    answered = silent & outcomes.is_answered
    known = bool(len(outcomes.question)) and not column.is_empty
    unstated = "the release does not say which questions are answerable"
    why = NO_QUESTIONS if not run.questions.ids else unstated if column.is_empty else None
    clusters = run.questions.clusters[outcomes.question]
    times, there = (mask & known for mask in (outcomes.abstained, answered))
    nothing = why or "the run has no known gap and no unanswerable question"
    if not why and silent.any():
        nothing = "no known gap and no unanswerable question was answered"
    return Abstention(
        drawn_share(silent[times], clusters[times], why or "the system never abstained"),
        drawn_share(outcomes.abstained[there], clusters[there], nothing),
    )


def _wrong_answer_rate(run: RunData, outcomes: AttemptOutcomes, wanted: Bools) -> WrongAnswerRate:
    rows = wanted[outcomes.question] & outcomes.is_scored
    wrong = (outcomes.outcome[rows] == OUTCOMES.index("wrong")).astype(float)
    number = int(np.sum(wrong))
    if not len(wrong):
        return WrongAnswerRate(None, number, 0, None, None, NOT_JUDGED)
    spread = spread_of(Sample(wrong, run.questions.clusters[outcomes.question[rows]]))
    return WrongAnswerRate(number / len(wrong), number, len(wrong), spread.low, spread.high, note=spread.note)


def compute(run: RunData) -> Content:
    """A table by answerability, and abstaining."""
    figures, blocks = outcome_figures(run), list[Block]()
    if figures.by_answerability:
        names = (*OUTCOMES, "total")
        rows = tuple(
            (_NAMES.get(kind, kind), *(count(getattr(counts, name)) for name in names))
            for kind, counts in figures.by_answerability.items()
        )
        columns = (Column("questions"), *(Column(name) for name in names))
        blocks.append(Table("Outcomes by answerability", columns, rows, "fit"))
    if figures.abstained_by_sort:
        blocks.append(_by_sort(figures.abstained_by_sort))
    if "gap" in figures.by_answerability:
        said = "On a known gap, which no document states, abstaining is wise; it counts as no right answer."
        blocks.append(Text(said, "small"))
    smallest = detectable_difference(run)
    found: Inline = soft(f"none: {smallest.reason}")
    if smallest.value is not None:
        groups = f" – between two systems on these {number_of(smallest.groups, 'group')}"
        note = f"{groups}, found four times in five, in the worst case{_more_groups(smallest.needed)}"
        found = (f"{figure(100 * smallest.value, 1)} points", soft(note))
    items = (
        *_decided(figures.decided),
        *_abstaining(figures.abstention),
        Definition("Smallest difference that shows", found),
    )
    return Content([*blocks, Definitions(items)], ())


def _by_sort(found: Mapping[str, DrawnShare]) -> Table:
    rows = tuple(
        (_SORTS[sort], count(each.total), count(each.count), percent(each.value), interval(each.low, each.high))
        for sort, each in found.items()
    )
    names = ("why there is none", "answers", "abstained", "share", "95 % interval")
    return Table("Questions without an answer", tuple(Column(name) for name in names), rows, "fit")


def _more_groups(needed: Sequence[GroupsNeeded]) -> str:
    """What the next two smaller differences would need."""
    if not needed:
        return ""
    said = [f"{figure(100 * each.difference, 0)} would need {count(each.groups)}" for each in needed[:2]]
    return f"; {' and '.join(said)} groups"


def _decided(decided: Decided) -> Iterator[Definition]:
    if decided.value is not None:
        said = f" – {of(decided.share)} answers"
        if decided.undecided:
            said += f"; {reasons(decided.undecided)}: {DECIDE}"
        yield Definition("Decided by rules", (percent(decided.value), soft(said)))


def _abstaining(abstention: Abstention) -> Iterator[Definition]:
    precision, recall = abstention.precision, abstention.recall
    wise = f"{count(precision.count)} were on known gaps or unanswerable questions"
    times = f"of {count(precision.total)} times that it abstained, {wise}"
    asked = f"of {count(recall.total)} such questions, it abstained on {count(recall.count)}"
    for name, found, note in (("precision", precision, times), ("recall", recall, asked)):
        text: Inline = soft(f"none: {found.reason}")
        if found.value is not None:
            limits = "" if found.low is None else f" ({interval(found.low, found.high)})"
            text = (percent(found.value), soft(f"{limits} – {note}"))
        yield Definition(f"Abstention {name}", text)


SECTION = ReportSection("outcomes", "Outcomes", compute, order=20)
