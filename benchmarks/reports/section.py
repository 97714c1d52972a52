"""How a section is added to reports: one module in `sections/`, or one of another package, that holds a SECTION.

    from benchwright.benchmarks.reports.blocks import Figure
    from benchwright.benchmarks.reports.section import ReportSection

    def compute(run):
        answers = run.rows("correct", run.shown)
        return [Figure("Answers", len(answers), range=(0, len(answers)))]

    SECTION = ReportSection("answers", "How many answers", compute)

Another package names it in the entry point group `benchwright.sections`. What it returns is drawn in the page, in
Markdown and in the terminal without a template.
"""

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from benchwright.benchmarks.registry import Kind, instance_of
from benchwright.benchmarks.reports.blocks import Block
from benchwright.benchmarks.reports.columns import RunData

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Content:
    """What a section computes, where blocks alone do not say it."""

    blocks: Sequence[Block]
    brief: Sequence[Block] | None = None
    """What a terminal shows; None: all its blocks."""
    data: Any = None
    """What programs may want of it: a dataclass, or any JSON value."""


def always(run: RunData) -> bool:
    """A section that every run has."""
    return True


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A section that reports may have."""

    id: str
    """Its name in links and in JSON: small letters, digits and hyphens."""
    title: str
    compute: Callable[[RunData], Content | Sequence[Block]]
    """Its blocks for one run. Whatever it raises is named in the report, and stops no other section."""
    order: int = 500
    """Sections stand in the order of these numbers: ours from 10 to 900."""
    applies: Callable[[RunData], bool] = always
    """Whether a run has it; where not, nothing is said of it."""

    def __post_init__(self) -> None:
        if not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", self.id):
            raise ValueError(f"the section's id {self.id!r} must be small letters, digits and hyphens")


SECTIONS = Kind(
    "section",
    "benchwright.sections",
    instance_of(ReportSection),
    package="benchwright.benchmarks.reports.sections",
    attribute="SECTION",
    name_of=lambda section: section.id,
)


def per_run(function: Callable[[RunData], Found]) -> Callable[[RunData], Found]:
    """Figures that several sections show are computed once for each run."""

    @functools.wraps(function)
    def kept(run: RunData) -> Found:
        if function not in run.computed:
            run.computed[function] = function(run)
        return run.computed[function]

    return kept
