"""Context relevance of two candidates as a judge chooses at once: the baseline GPT Ranking. Two calls a pair."""

from benchwright.benchmarks.metrics.steps.direct_choices import direct_choice

METRIC = direct_choice(
    "context_relevance", "whose contexts hold what the question needs and less besides, as a judge chooses at once"
)
