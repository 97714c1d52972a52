"""The answer that is not grounded, by rule: the grounded one with its facts swapped for others of their kinds.

It takes the place of an answer without context (Es et al. 2024, section 4), and which of the two is faithful is known.
"""

import re
from collections.abc import Sequence

from benchwright.builders.wikieval.material import Made, Passage
from benchwright.builders.wikieval.rules.facts import Asked, Fact
from benchwright.builders.wikieval.rules.swaps import Pool, swap


def make_ungrounded(asked: Asked, passage: Passage, seed: int, others: Pool | None = None) -> Made | None:
    """The answer with every fact swapped; None where a fact has no other of its kind.

    The detail has `swapped`: the value and what stands in its place, for every fact.
    """
    values = swap(asked.facts, passage.text, seed, others)
    if values is None:
        return None
    text = swapped_answer(asked, values)
    if text is None:
        return None
    swapped = [{"from": fact.value, "to": value} for fact, value in zip(asked.facts, values, strict=True)]
    return Made(text, "rule", {"swapped": swapped})


def swapped_answer(asked: Asked, values: Sequence[str]) -> str | None:
    """The answer with other values in the place of its facts'; None where it is not its facts' statements."""
    said = [fact.follows if place else fact.statement for place, fact in enumerate(asked.facts)]
    if " ".join(said) != asked.answer.text:
        return None
    return " ".join(_swapped(one, fact, value) for one, fact, value in zip(said, asked.facts, values, strict=True))


def _swapped(statement: str, fact: Fact, value: str) -> str:
    """A statement with another value where it has its own: the last time that it names it."""
    *_, last = re.finditer(rf"(?<!\w){re.escape(fact.value)}(?!\w)", statement)
    said = statement[: last.start()] + value + statement[last.end() :]
    return said[:1].upper() + said[1:]
