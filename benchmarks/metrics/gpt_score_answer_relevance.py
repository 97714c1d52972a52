"""Answer relevance as a judge scores it at once, from 0 to 10: the baseline GPT Score. One call a question."""

from benchwright.benchmarks.metrics.steps.direct_scores import direct_score

METRIC = direct_score(
    "answer_relevance", "how directly and completely the answer addresses the question, as a judge scores it at once"
)
