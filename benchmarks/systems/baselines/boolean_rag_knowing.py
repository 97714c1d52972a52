"""Decides by one switch whether to retrieve, and is told to spare tokens and what it knows. Kenneweg et al. (2024)."""

from benchwright.benchmarks.systems.agents import agent_baseline, deciding_first

PROMPT = "decide_to_retrieve_knowing"
BASELINE = agent_baseline(
    deciding_first(PROMPT),
    PROMPT,
    "one switch, set before it answers by a model that is told how much it knows",
)
