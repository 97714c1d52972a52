"""Every question of the run, to be searched and filtered."""

from benchwright.benchmarks.reports.answers.every import run_answers
from benchwright.benchmarks.reports.blocks import AnswerList, Text, foreign
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import count
from benchwright.benchmarks.reports.section import Content, ReportSection


def has_answers(run: RunData) -> bool:
    """Whether there is anything to list."""
    return bool(len(run_answers(run).question))


def compute(run: RunData) -> Content:
    """The list."""
    answers = run_answers(run)
    total = len(answers.question)
    asked = f"All {count(total)} answers" if answers.repeat.any() else f"All {count(total)} questions"
    said = Text((f"{asked} of the condition “", foreign(run.shown, 60), "”, with what was answered."), "soft")
    return Content([said, AnswerList(total, answers.facets)], ())


SECTION = ReportSection("questions", "All questions", compute, order=65, applies=has_answers)
"""The id is also where the links of other sections lead: see `cards/blocks/html.py`."""
