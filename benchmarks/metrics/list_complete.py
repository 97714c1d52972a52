"""Whether an answer names a whole list."""

from benchwright.benchmarks.metrics.answers.listed import ListedElements
from benchwright.benchmarks.metrics.base import Metric, Score
from benchwright.benchmarks.metrics.steps.answers import SAYS_NOTHING
from benchwright.benchmarks.metrics.steps.list_scores import list_rule, shown


def _count(found: ListedElements) -> Score:
    lacking = f"missing: {shown(found.missing)}" if found.missing else "every element of the list named"
    return Score(float(not found.missing), lacking)


METRIC = Metric(
    name="list_complete",
    meaning="the answer names the whole list, whatever else it names",
    formula="1 if G ⊆ N, else 0: N the elements named, G the list",
    citation="Set-based precision and recall (Manning et al. 2008, Introduction to Information Retrieval, section 8.3)",
    needs=frozenset({"answer", "lists"}),
    rule=list_rule(_count, SAYS_NOTHING),
    order=24,
)
