"""Recall of all nuggets of a question, the vital ones with twice the weight, half a credit for what is stated in part.

One call of the judge an answer, which `nugget_recall` shares.
"""

from benchwright.benchmarks.metrics.base import Metric
from benchwright.benchmarks.metrics.steps.nugget_scores import Recall, judged_by, rule_of
from benchwright.benchmarks.metrics.steps.nugget_support import PROMPT
from benchwright.benchmarks.metrics.steps.nuggets import weighted_line, weighted_recall

_WEIGHTED = Recall(weighted_recall, weighted_line)

METRIC = Metric(
    name="nugget_recall_weighted",
    meaning="how much the answer states of what is asked for and of the facts on the way there",
    formula="sum of weight times credit / sum of weights; weights: needed 1, further 0.5; credit: full 1, partial 0.5",
    citation="Weighted score of the TREC 2024 RAG track (Pradeep et al. 2024, arXiv 2411.09607); known nuggets",
    needs=frozenset({"answer", "answers", "judge"}),
    rule=rule_of(_WEIGHTED),
    judged=judged_by(_WEIGHTED, "nugget_recall_weighted"),
    uses=(PROMPT,),
    order=71,
    by_default=False,
)
