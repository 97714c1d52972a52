"""The share of a list that an answer names."""

from benchwright.benchmarks.metrics.answers.listed import ListedElements
from benchwright.benchmarks.metrics.base import Metric, Score
from benchwright.benchmarks.metrics.steps.answers import SAYS_NOTHING
from benchwright.benchmarks.metrics.steps.list_scores import list_rule, shown


def _count(found: ListedElements) -> Score:
    total = len(found.named) + len(found.missing)
    lacking = f"; missing: {shown(found.missing)}" if found.missing else ""
    return Score(len(found.named) / total, f"{len(found.named):,} of {total:,} elements of the list named{lacking}")


METRIC = Metric(
    name="list_recall",
    meaning="the share of the list that an answer names",
    formula="|N ∩ G| / |G|, N the elements named, G the list",
    citation="Set-based precision and recall (Manning et al. 2008, Introduction to Information Retrieval, section 8.3)",
    needs=frozenset({"answer", "lists"}),
    rule=list_rule(_count, SAYS_NOTHING),
    order=22,
)
