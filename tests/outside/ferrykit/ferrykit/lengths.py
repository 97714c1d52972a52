"""A section of the report: how long the answers are."""

from collections.abc import Sequence

from benchwright.benchmarks.reports.blocks import Block, Figure
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.section import ReportSection


def compute(run: RunData) -> Sequence[Block]:
    """How many scores of `politeness` there are."""
    rows = run.rows("politeness", run.shown)
    return [Figure("Answers of ferries", len(rows), range=(0, len(rows)))]


SECTION = ReportSection("lengths", "Ferries", compute, applies=lambda run: run.release.manifest.builder == "ferries")
