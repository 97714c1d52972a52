"""Answer relevance of two candidates as a judge chooses at once: the baseline GPT Ranking. Two calls a pair."""

from benchwright.benchmarks.metrics.steps.direct_choices import direct_choice

METRIC = direct_choice(
    "answer_relevance", "whose answer addresses the question more directly and completely, as a judge chooses at once"
)
