"""Decides by one switch whether to retrieve, and is told to spare tokens. Kenneweg et al. (2024)."""

from benchwright.benchmarks.systems.agents import agent_baseline, deciding_first

PROMPT = "decide_to_retrieve_sparing"
BASELINE = agent_baseline(
    deciding_first(PROMPT),
    PROMPT,
    "one switch, set before it answers and only where it cannot spare the tokens",
)
