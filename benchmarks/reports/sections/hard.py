"""What is hard here: the slices in which fewer answers are right than in the rest, tested."""

from collections.abc import Sequence

from benchwright.benchmarks.reports.answers.outcomes import OUTCOMES, attempt_outcomes
from benchwright.benchmarks.reports.blocks import Block, Column, Table, Text, foreign
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.failures.concentration import LEAST_ANSWERS, LEVEL, SliceExcess, find_excesses
from benchwright.benchmarks.reports.format import count, interval, percent
from benchwright.benchmarks.reports.section import Content, ReportSection, per_run

_MOST = 6
_SHOWN_AS = {"facts": "facts needed"}


@per_run
def hard_slices(run: RunData) -> Sequence[SliceExcess]:
    """The slices with significantly more answers that are not right than the rest, those first that explain most."""
    outcomes = attempt_outcomes(run)
    wanted = run.questions.headline[outcomes.question] & outcomes.is_scored
    lost = outcomes.outcome[wanted] != OUTCOMES.index("correct")
    return find_excesses(run, outcomes.question[wanted], [lost], most=_MOST)[0]


def applies(run: RunData) -> bool:
    """Where there are answers enough to compare."""
    outcomes = attempt_outcomes(run)
    return int((run.questions.headline[outcomes.question] & outcomes.is_scored).sum()) >= 2 * LEAST_ANSWERS


def compute(run: RunData) -> Content:
    """A table of the slices, or that none is."""
    found = hard_slices(run)
    if not found:
        said = Text(
            "No form, kind, number of hops or facts, template or subset has clearly fewer right answers.", "soft"
        )
        return Content([said], ())
    columns = ("questions", "not right", "95 % interval", "answers", "of the rest")
    rows = tuple(
        (
            (f"{_SHOWN_AS.get(each.dimension, each.dimension)} ", foreign(each.value, 60)),
            percent(each.share),
            interval(each.low, each.high),
            f"{count(each.count)} of {count(each.total)}",
            percent(each.share_of_rest),
        )
        for each in found
    )
    table = Table("Where fewer answers are right than elsewhere", tuple(Column(name) for name in columns), rows, "fit")
    note = (
        f"Tested by semantic group, at {LEVEL:g} together (Holm); those first that explain most of what is not right."
    )
    blocks: list[Block] = [table, Text(note, "small")]
    return Content(blocks, (table,))


SECTION = ReportSection("hard", "What is hard", compute, order=49, applies=applies)
