"""Answers, then decides whether more information would have made that better. Kenneweg et al. (2024)."""

from benchwright.benchmarks.systems.agents import AFTER_ANSWER, agent_baseline, answering_first

BASELINE = agent_baseline(
    answering_first,
    AFTER_ANSWER,
    "one switch, set after a first answer that is kept where nothing would better it",
)
