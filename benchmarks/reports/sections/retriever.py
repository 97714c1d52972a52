"""How often the first 1, 3 or 5 contexts hold all that a question needs."""

from benchwright.benchmarks.reports.blocks import Column, Table, Text
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import interval, number_of, percent
from benchwright.benchmarks.reports.metrics.retriever_accuracy import BY_DOCUMENT, RetrieverAccuracy, retriever_accuracy
from benchwright.benchmarks.reports.section import Content, ReportSection

MEANING = {
    True: "The share of questions of which a gold document is among the first k documents that contexts are of",
    False: "The share of questions of which the first k contexts together state every fact that is needed",
}


def what_counts(by: str) -> str:
    """What the accuracy is of, in words."""
    return MEANING[by == BY_DOCUMENT]


def compute(run: RunData) -> Content:
    """A row for each cut-off."""
    found = retriever_accuracy(run)
    if found is None:
        return Content([], ())
    rows = tuple((str(each.k), percent(each.value), interval(each.low, each.high)) for each in found.at)
    table = Table("Retriever accuracy", (Column("k"), Column("accuracy"), Column("95 % interval")), rows)
    said = f"{what_counts(found.by)}, of {number_of(found.questions, 'answer')} that show what was retrieved."
    return Content([Text(said, "soft"), table], (), found)


def applies(run: RunData) -> bool:
    """Whether there is an accuracy."""
    found: RetrieverAccuracy | None = retriever_accuracy(run)
    return found is not None


SECTION = ReportSection("retriever", "The retriever", compute, order=83, applies=applies)
