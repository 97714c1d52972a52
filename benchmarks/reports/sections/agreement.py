"""How far the judges of a run agree, where several judged the same answers."""

from benchwright.benchmarks.reports.blocks import Text
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.metrics.agreement_blocks import agreement_blocks
from benchwright.benchmarks.reports.metrics.judge_agreement import judge_agreement
from benchwright.benchmarks.reports.section import Content, ReportSection

_HOW = (
    "What several judges said of the same answers. A kappa is agreement beyond chance: 1 is all of it, 0 none."
    " Intervals of 95 % are of this benchmark: semantic groups are drawn, whose wordings count together."
)


def compute(run: RunData) -> Content:
    """A table for each metric."""
    found = judge_agreement(run)
    blocks = [block for name, each in found.metrics.items() for block in agreement_blocks(name, each)]
    return Content([Text(_HOW, "soft"), *blocks], ())


def applies(run: RunData) -> bool:
    """Whether two judges judged anything together."""
    return judge_agreement(run).reason is None


SECTION = ReportSection("agreement", "Agreement of judges", compute, order=115, applies=applies)
