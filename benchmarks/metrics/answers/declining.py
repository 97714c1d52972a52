"""Whether an answer to a question that has none says so: nothing is known, or what it takes for granted is not so."""

import re

from benchwright.benchmarks.metrics.answers.answer_text import read_answer_text
from benchwright.benchmarks.text.folding import fold
from benchwright.benchmarks.text.sentences import COUNTED
from benchwright.benchmarks.text.words import content_words, root, words

_NEAR = 7
"""Words after a denial of which one must be the question's."""
_DENIAL = re.compile(r"\b(?:not|no|never|neither|nor|without|cannot|none of)\b|n't\b", re.IGNORECASE)
_PREMISE = re.compile(
    r"\b(?:premise|assumption|presupposition|question|claim|information (?:given|provided))\b[^.]{0,60}?"
    r"\b(?:false|wrong|incorrect|mistaken|inaccurate|untrue|error|invalid)\b"
    r"|\b(?:false|wrong|incorrect|mistaken|inaccurate|untrue) (?:premise|assumption|presupposition|claim)\b"
    r"|\bno such\b|\b(?:fictitious|non-?existent)\b",
    re.IGNORECASE,
)


def declines(answer: str, question: str) -> bool:
    """Whether an answer to an unanswerable question says that there is nothing to answer.

    Either nothing is said to be known, or a sentence denies something in the question's own words ("Quay Wall was not
    made for Halden Marine"), or calls its premise wrong. What is told besides takes nothing from it.
    """
    read = read_answer_text(answer)
    if read.says_nothing or read.abstains:
        return True
    asked = {root(word) for word in content_words(fold(question))}
    return any(_denies(read.text[start:end], asked) for start, end in COUNTED.spans(read.text))


def _denies(sentence: str, asked: set[str]) -> bool:
    if sentence.endswith("?"):
        return False
    if _PREMISE.search(sentence):
        return True
    return any(
        asked.intersection(root(word) for word in words(sentence[match.end() :])[:_NEAR])
        for match in _DENIAL.finditer(sentence)
    )
