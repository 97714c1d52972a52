"""Faithfulness as a judge scores it at once, from 0 to 10: the baseline GPT Score. One call a question."""

from benchwright.benchmarks.metrics.steps.direct_scores import direct_score

METRIC = direct_score(
    "faithfulness", "how far all that the answer says follows from the contexts, as a judge scores it at once"
)
