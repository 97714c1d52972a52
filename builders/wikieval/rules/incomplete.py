"""The answer that leaves a part of its question out, by rule.

It takes the place of an answer that a model was told to give incompletely (Es et al. 2024, section 4). Of a question
with two parts one is answered. Of a question with one part the answer says what the subject is, or in which year
something happened whose day is asked for.
"""

import re

from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.hashing import rank
from benchwright.builders.wiki.questions.dates import find_dates
from benchwright.builders.wikieval.material import Made
from benchwright.builders.wikieval.rules.facts import Asked, Fact

_FEWEST = 4
"""Words that say what a subject is, "is an architecture firm": of "is a film" anybody sees why it was written."""


def make_incomplete(asked: Asked, seed: int) -> Made | None:
    """An answer that does not answer the question whole; None where none reads as a person's would.

    The detail has `left_out`, the question of each fact that it does not state, and `kept`, of each that it does.
    """
    question = asked.question.text
    order = sorted(asked.facts, key=lambda fact: rank(seed, "left out", question, fact.question))
    for left in order if len(order) > 1 else ():
        kept = [fact for fact in asked.facts if fact is not left]
        text = " ".join(fact.statement for fact in kept)
        if not states([plain(text)], [left.value]):
            return Made(text, "rule", {"left_out": [left.question], "kept": [fact.question for fact in kept]})
    if len(order) > 1:
        return None
    (fact,) = order
    said = re.search(r" (?:is|was|are|were) .*", asked.definition)
    says_enough = said is not None and len(said[0].split()) >= _FEWEST
    text = _only_the_year(fact) or (asked.definition if says_enough else "")
    if not text or states([plain(text)], [fact.value]):
        return None
    return Made(text, "rule", {"left_out": [fact.question], "kept": []})


def _only_the_year(fact: Fact) -> str:
    """A statement with the year of its day alone; nothing where the question tells that year."""
    dates = find_dates(fact.value)
    if fact.kind != "date" or len(dates) != 1 or dates[0].precision != "day" or dates[0].first != dates[0].last:
        return ""
    year = str(dates[0].first.year)
    before, value, after = fact.statement.rpartition(f" on {fact.value}")
    return f"{before} in {year}{after}" if value and year not in fact.question else ""
