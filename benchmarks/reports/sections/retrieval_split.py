"""Answers whose retrieval was right against the others, by every metric of answers."""

from benchwright.benchmarks.reports.blocks import Text, foreign
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import count
from benchwright.benchmarks.reports.metrics.retrieval_split import retrieval_split, split_table
from benchwright.benchmarks.reports.section import Content, ReportSection
from benchwright.benchmarks.statistics.reliability import LEAST_CLUSTERS


def compute(run: RunData) -> Content:
    """A table of means."""
    found = retrieval_split(run)
    unscored = f"; of {count(found.unscored)} nothing is known" if found.unscored else ""
    said = (
        f"Retrieval was right for {count(found.right)} answers, when ",
        foreign(found.by or "", 60),
        f" is at its highest, and wrong for {count(found.wrong)}{unscored}. One-sided tests ask whether a metric is"
        " larger where retrieval was right: by semantic group, corrected for the number of metrics (Holm) and asked"
        f" where both parts lie in {LEAST_CLUSTERS} groups or more; and, as papers test, Welch's t-test, which takes"
        " answers of one group to be independent.",
    )
    return Content([Text(said, "soft"), split_table(found)], ())


def applies(run: RunData) -> bool:
    """Whether there are answers of both sorts."""
    return retrieval_split(run).reason is None


SECTION = ReportSection("retrieval-split", "Right and wrong retrieval", compute, order=84, applies=applies)
