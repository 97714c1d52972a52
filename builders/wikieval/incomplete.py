"""The answer that leaves a part of its question out, by rule.

It takes the place of an answer that a model was told to give incompletely (Es et al. 2024, section 4). Of a question
with two parts one is answered; of a question with one part the answer says what the subject is, and evades.
"""

import functools
import re
from collections.abc import Mapping, Sequence

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.hashing import rank
from benchwright.builders.wikieval.material import Made
from benchwright.builders.wikieval.questions import Asked, Fact


@functools.cache
def _evasions() -> Mapping[str, Sequence[str]]:
    return read_toml(__package__, "poor.toml")["evasions"]


def make_incomplete(asked: Asked, seed: int) -> Made:
    """An answer that does not answer the question whole.

    The detail has `left_out`, the question of each fact that it does not state, and `kept`, of each that it does.
    """
    question = asked.question.text
    order = sorted(asked.facts, key=lambda fact: rank(seed, "left out", question, fact.question))
    for left in order if len(order) > 1 else ():
        kept = [fact for fact in asked.facts if fact is not left]
        text = " ".join(fact.statement for fact in kept)
        if not states([plain(text)], [left.value]):
            return Made(text, "rule", {"left_out": [left.question], "kept": [fact.question for fact in kept]})
    evasion = min(_evasions()[asked.facts[0].kind], key=lambda text: rank(seed, "evasion", question, text))
    text = f"{asked.definition or _without_date(asked.facts[0])} {evasion}".strip()
    return Made(text, "rule", {"left_out": [fact.question for fact in asked.facts], "kept": []})


def _without_date(fact: Fact) -> str:
    """A statement cut before its date: that it happened, not when; nothing where that says nothing."""
    if fact.kind != "date":
        return ""
    before, _, after = fact.statement.rpartition(f" {fact.value}")
    told = re.sub(r" (?:in|on)$", "", before)
    return f"{told}." if after == "." and told != before and not told.endswith((" was", " were")) else ""
