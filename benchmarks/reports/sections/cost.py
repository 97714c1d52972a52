"""What the run took, and what went wrong."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.reports.blocks import (
    Block,
    Cell,
    Column,
    Inline,
    Listing,
    Panel,
    SideBySide,
    Table,
    Text,
    foreign,
    soft,
)
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.effort.figures import GRADES, UNKNOWN, KnownTotal, Part, effort_parts, total_of
from benchwright.benchmarks.reports.effort.smalltalk import Smalltalk, smalltalk_figures
from benchwright.benchmarks.reports.effort.table import (
    SUMS,
    effort_table,
    grades_table,
    steps_table,
    sums_figures,
    sums_table,
)
from benchwright.benchmarks.reports.format import count, money, seconds
from benchwright.benchmarks.reports.prediction_facts import read_predictions
from benchwright.benchmarks.reports.section import Content, ReportSection, per_run

_FIRST = "condition and subset"


@dataclass(frozen=True, slots=True)
class Latency:
    """How long answers took, in `unit`."""

    known: int
    of: int
    unit: str
    total: float | None = None
    mean: float | None = None
    median: float | None = None
    p95: float | None = None
    """95 % took less."""
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run took."""

    input_tokens: KnownTotal
    output_tokens: KnownTotal
    calls: KnownTotal
    retrievals: KnownTotal
    cost: KnownTotal
    """In US dollars."""
    latency: Latency
    parts: tuple[Part, ...] = ()
    """Tokens, retrievals and grades for each condition and subset."""
    smalltalk: Smalltalk | None = None
    """What was asked beside the benchmark, in none of the totals; null where nothing was."""


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """Errors of the system whose messages differ in numbers and what is quoted alone; the message of the first."""

    message: str
    count: int
    example: str
    """The id of the first question."""


@dataclass(frozen=True, slots=True)
class Errors:
    """The system's errors, the most frequent first, and what of the files could not be used."""

    count: int
    kinds: tuple[ErrorKind, ...]
    of_other_kinds: int
    predictions: int
    questions: int
    questions_without_prediction: int
    predictions_for_unknown_questions: int
    scores_for_unknown_questions: int
    unreadable_lines: int


@per_run
def cost_figures(run: RunData) -> Cost:
    """Totals of what the run took."""
    facts = read_predictions(run)
    totals = {name: total_of(name, amount, facts.count) for name, amount in facts.amounts.items()}
    times = np.array(sorted(facts.latencies))
    latency = Latency(0, facts.count, "seconds", reason=UNKNOWN)
    if len(times):
        median, p95 = np.quantile(times, [0.5, 0.95]).tolist()
        latency = Latency(
            len(times), facts.count, "seconds", float(times.sum()), float(times.mean()), float(median), float(p95)
        )
    return Cost(**totals, latency=latency, parts=effort_parts(run), smalltalk=smalltalk_figures(run))


@per_run
def error_figures(run: RunData) -> Errors:
    """Errors by message."""
    facts = read_predictions(run)
    kinds = [ErrorKind(tally.message, tally.count, tally.example) for tally in facts.errors.values()]
    return Errors(
        count=sum(kind.count for kind in kinds) + facts.other_errors,
        kinds=tuple(sorted(kinds, key=lambda kind: -kind.count)),
        of_other_kinds=facts.other_errors,
        predictions=facts.count,
        questions=len(run.questions.ids),
        questions_without_prediction=len(run.questions.ids) - len(facts.first),
        predictions_for_unknown_questions=facts.unknown,
        scores_for_unknown_questions=run.unknown_scores,
        unreadable_lines=facts.unreadable,
    )


def compute(run: RunData) -> Content:
    """Cost beside errors, and below what each condition and subset took."""
    blocks: list[Block] = [SideBySide((Panel("", tuple(_cost_blocks(run))), Panel("", tuple(_error_blocks(run)))))]
    parts = effort_parts(run)
    rows = [(_part_name(part, parts), part) for part in parts]
    if len(parts) > 1 or any(name in GRADES for part in parts for name in part.grades):
        blocks += [effort_table("What answers took, and how they were graded", _FIRST, rows)]
    more = (
        grades_table("How many answers got each grade", _FIRST, rows),
        sums_table(SUMS, _FIRST, rows),
        steps_table("What each step of the answers took", _FIRST, rows),
    )
    blocks += sums_figures(rows)
    return Content([*blocks, *(table for table in more if table is not None)], ())


def _part_name(part: Part, parts: Sequence[Part]) -> Inline:
    """A part by its condition and its subset, as far as runs of it differ."""
    names = [part.condition] if len({each.condition for each in parts}) > 1 or part.subset is None else []
    return foreign(" · ".join([*names, *([] if part.subset is None else [part.subset])]), 80)


def _cost_table(run: RunData) -> Table:
    cost = cost_figures(run)
    counted = (
        ("Tokens in", cost.input_tokens),
        ("Tokens out", cost.output_tokens),
        ("Model calls", cost.calls),
        ("Retrievals", cost.retrievals),
    )
    rows: list[tuple[Cell, ...]] = [(name, count(each.total), _known(each)) for name, each in counted]
    rows.append(("Cost", money(cost.cost.total), _known(cost.cost)))
    times = (
        ("Time, median", cost.latency.median),
        ("Time, 95 % below", cost.latency.p95),
        ("Time, sum", cost.latency.total),
    )
    rows += [(name, seconds(value), _known(cost.latency)) for name, value in times]
    return Table("Cost", (Column("what"), Column("total"), Column("known of")), tuple(rows))


def _cost_blocks(run: RunData) -> Iterator[Block]:
    yield _cost_table(run)
    if cost_figures(run).calls.total:
        yield Text(
            "Replies that could not be used were paid for, too, and are counted here; what judges took is not.", "small"
        )


def _known(entry: KnownTotal | Latency) -> str:
    return f"{count(entry.known)} of {count(entry.of)}"


def _error_blocks(run: RunData) -> Iterator[Block]:
    errors = error_figures(run)
    yield Text("Errors of the system", "heading")
    if not errors.count:
        yield Text(f"None in {count(errors.predictions)} predictions.")
    else:
        yield Text(f"{count(errors.count)} of {count(errors.predictions)} predictions.")
        items: list[Inline] = [
            (f"{count(kind.count)} × ", foreign(kind.message, 300), soft(" for example "), foreign(kind.example, 80))
            for kind in errors.kinds
        ]
        if errors.of_other_kinds:
            items.append(soft(f"{count(errors.of_other_kinds)} of other kinds"))
        yield Listing(tuple(items))
    if run.settings.counts.cut_off_told:
        yield Text(f"{run.settings.counts.cut_off_told}.")
    notes = (
        ("questions have no prediction", errors.questions_without_prediction),
        ("predictions are for questions that were not scored", errors.predictions_for_unknown_questions),
        ("scores are for questions that are not in the release", errors.scores_for_unknown_questions),
        ("lines could not be read", errors.unreadable_lines),
    )
    for text, number in notes:
        if number:
            yield Text(f"{count(number)} {text}.")
    bad = run.settings.counts.bad_lines
    if bad.count:
        lines = (
            "1 line of the file is no prediction and was"
            if bad.count == 1
            else (f"{count(bad.count)} lines of the file are no predictions and were")
        )
        yield Text(f"{lines} left out{'' if bad.count == len(bad.first) else '; the first'}:")
        yield Listing(tuple(foreign(reason, 300) for reason in bad.first))
    unmatched = run.settings.counts.unmatched
    if unmatched.count:
        traces = "1 trace is" if unmatched.count == 1 else f"{count(unmatched.count)} traces are"
        more = "" if unmatched.count == len(unmatched.first) else "; the first"
        yield Text(f"{traces} of no question of the split and left out{more}:")
        yield Listing(tuple(foreign(what, 300) for what in unmatched.first))


SECTION = ReportSection("cost", "Cost and errors", compute, order=120)
