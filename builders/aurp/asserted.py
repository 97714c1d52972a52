"""Whether a sentence asserts what it states: words that deny it, doubt it, pass it on as hearsay, plan it or ask it.

Read by rule, from `asserting.toml`. What counts is the clause that holds the value, and in it what stands before the
value or right after it: "the weather may turn, the client is X" asserts who the client is.
"""

import re
from functools import cache, lru_cache

from benchwright.benchmarks.data_files import read_toml

Range = tuple[int, int]

QUESTION = "question"
_TURN = r"but|while|whereas|although|though|yet|and (?:is|are) now|way to|replaced by|succeeded by"
_CLAUSE = re.compile(
    rf"[,;:()–—](?=\s|$)|\s[-–—]\s|\|\s|\.\s|\b(?<!anything )(?<!nothing )(?:{_TURN})\b", re.IGNORECASE
)
_MODAL = re.compile(r"\b(?:may|might)\b(?! (?:be (?:called|reached|spent)|call|spend|reach))")


_ENDING = re.compile(r"(?<=[a-z])\\w[*+](?!\\b)")
_ENDINGS = (
    "(?:s|e|d|es|ed|ing|ings|ly|edly|ingly|er|ers|able|ably|al|als|ion|ions|ation|ations|ption|ptions|ure|ful|fully|less"
    "|y|n)?"
)
"""What `\\w*` stands for after a stem, so that no name is taken for a word: "Rumora" is not told by rumour."""


@cache
def _patterns(part: str) -> dict[str, re.Pattern[str]]:
    """Sort → what stands for it in one of the parts of `asserting.toml`."""
    told = read_toml(__package__, "asserting.toml")[part]
    return {
        sort: re.compile(rf"\b(?:{_ENDING.sub(_ENDINGS, '|'.join(words))})(?!\w)", re.IGNORECASE)
        for sort, words in told.items()
        if words
    }


def unasserted(text: str, sentence: Range, value: Range) -> tuple[str, str] | None:
    """What keeps a sentence from asserting the value that it holds: the sort, and the words; None where it asserts it.

    Args:
        text: the whole text.
        sentence: where the sentence starts and ends.
        value: where the value stands in it.
    """
    start, end = _clause(text, sentence, value)
    before, after = text[start : value[0]], text[value[1] : end]
    for sort, pattern in _patterns("before").items():
        stretch = text[sentence[0] : value[0]].rpartition("; ")[2] if sort == "conditional" else before
        if match := pattern.search(stretch):
            return sort, match[0]
    if match := _MODAL.search(before):
        return "doubted", match[0]
    for sort, pattern in _patterns("after").items():
        if match := pattern.match(after.lstrip(" *\"'”")) or _later(sort, pattern, after):
            return sort, match[0]
    follows = text[value[1] : sentence[1]].lstrip(" ,*\"'”")
    if match := _patterns("after")["rounded"].match(follows):
        return "rounded", match[0]
    close = before.rstrip(" *\"'“")
    is_figure = any(sign.isdigit() for sign in text[slice(*value)])
    for sort, pattern in _patterns("close").items() if is_figure else ():
        if match := next((one for one in pattern.finditer(close) if one.end() == len(close)), None):
            return sort, match[0]
    whole = text[sentence[0] : sentence[1]]
    for sort, pattern in _patterns("sentence").items():
        if match := pattern.search(whole):
            return sort, match[0]
    asked = text[value[1] : sentence[1]].rstrip(" \n*\"'”")
    return (QUESTION, whole.strip()) if asked.endswith("?") else None


@lru_cache(maxsize=64)
def taken_back(text: str) -> str | None:
    """The words by which a text takes back what it says elsewhere; None where there are none."""
    match = _patterns("text")["denied"].search(text)
    return match[0] if match else None


def _later(sort: str, pattern: re.Pattern[str], after: str) -> re.Match[str] | None:
    """A condition may stand anywhere in what follows the value."""
    return pattern.search(after) if sort == "conditional" else None


def _clause(text: str, sentence: Range, value: Range) -> Range:
    start, end = sentence
    for match in _CLAUSE.finditer(text, *sentence):
        if match.end() <= value[0]:
            start = match.end()
        elif match.start() >= value[1]:
            end = match.start()
            break
    return start, end
