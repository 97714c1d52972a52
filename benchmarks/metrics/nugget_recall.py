"""The share of what a question asks for that an answer states: strict recall of its vital nuggets.

One call of the judge an answer, which `nugget_recall_weighted` shares.
"""

from benchwright.benchmarks.metrics.base import Metric
from benchwright.benchmarks.metrics.steps.nugget_scores import Recall, judged_by, rule_of
from benchwright.benchmarks.metrics.steps.nugget_support import PROMPT
from benchwright.benchmarks.metrics.steps.nuggets import strict_line, strict_recall

_STRICT = Recall(strict_recall, strict_line)

METRIC = Metric(
    name="nugget_recall",
    meaning="the share of what the question asks for that the answer states",
    formula="needed nuggets fully stated / needed nuggets",
    citation="Vital strict score of the TREC 2024 RAG track (Pradeep et al. 2024, arXiv 2411.09607); known nuggets",
    needs=frozenset({"answer", "answers", "judge"}),
    rule=rule_of(_STRICT),
    judged=judged_by(_STRICT, "nugget_recall"),
    uses=(PROMPT,),
    order=70,
    by_default=False,
)
