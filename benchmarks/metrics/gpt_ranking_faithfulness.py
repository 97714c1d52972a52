"""Faithfulness of two candidates as a judge chooses at once: the baseline GPT Ranking. Two calls a pair."""

from benchwright.benchmarks.metrics.steps.direct_choices import direct_choice

METRIC = direct_choice("faithfulness", "whose answer says only what the contexts say, as a judge chooses at once")
