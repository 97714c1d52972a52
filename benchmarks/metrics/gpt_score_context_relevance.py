"""Context relevance as a judge scores it at once, from 0 to 10: the baseline GPT Score. One call a question."""

from benchwright.benchmarks.metrics.steps.direct_scores import direct_score

METRIC = direct_score(
    "context_relevance",
    "how far the contexts hold what the question needs and nothing else, as a judge scores it at once",
)
