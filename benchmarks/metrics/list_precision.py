"""Of what an answer to a question for a list names, the share that belongs to the list."""

from benchwright.benchmarks.metrics.answers.listed import ListedElements
from benchwright.benchmarks.metrics.base import Metric, Score, unscored
from benchwright.benchmarks.metrics.steps.list_scores import list_rule, shown


def _count(found: ListedElements) -> Score:
    total = len(found.named) + len(found.others)
    besides = f"; besides: {shown(found.others)}" if found.others else ""
    return Score(
        len(found.named) / total, f"{len(found.named):,} of {total:,} elements named belong to the list{besides}"
    )


METRIC = Metric(
    name="list_precision",
    meaning="of the elements that an answer names, the share that belongs to the list",
    formula="|N ∩ G| / |N|, N the elements named, G the list",
    citation="Set-based precision and recall (Manning et al. 2008, Introduction to Information Retrieval, section 8.3)",
    needs=frozenset({"answer", "lists"}),
    rule=list_rule(_count, unscored("the answer names no element")),
    order=23,
)
