"""What the words around a value do to it: deny it, date it back, hedge it, or say that nothing is known."""

import functools
import itertools
import re
from collections.abc import Sequence

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.metrics.answers import abstaining
from benchwright.benchmarks.text.sentences import Splitter, ending_dot

_ABBREVIATIONS = "dr mr mrs ms st inc ltd co jr sr corp prof dept no vs e.g i.e approx"
_STOP = ending_dot(_ABBREVIATIONS.split(), before=["[a-z]"])
_SENTENCES = Splitter(marks=rf"(?:{_STOP}|[!?])", closing="\"')", begins="", always=";")
# Every alternative begins with a literal character: the expression then skips from one to the next.
_CLAUSE = re.compile(
    rf"{_STOP}\.*(?=[\s\"')]|$)|[!?;]+(?=\s|$)|\n+|[:,](?=\s)| -{{1,2}}\s|[()]"
    r"| (?:but|however|although|though|while|whereas|so)\b"
    r"| instead\b(?! of)| and\b(?=\s+(?:no|not|there|does|do|it|the (?:context|document|text)|i|is now|now|has no)\b)"
)
_SEVERAL = re.compile(r"[.!?;\n]\s*\S")
_BEFORE_WORD = r"[\s\"'(\[,/-]"
"""What words follow: an expression that begins with it looks at each word, not at each character."""
_LIMIT = 600
"""Characters before a value that are searched for cues."""


@functools.cache
def triggers() -> frozenset[str]:
    """The words without which no cue is there."""
    return frozenset(read_toml(__package__, "cues.toml")["triggers"]) | abstaining.latin_triggers()


def may_change(lowered: str, words: Sequence[str]) -> bool:
    """Whether there is a word that could deny, date back or hedge a value, or say that nothing is known."""
    if "?" in lowered or "n't" in lowered or not triggers().isdisjoint(words):
        return True
    return abstaining.may_abstain(lowered)


@functools.cache
def pattern(name: str) -> re.Pattern[str]:
    """The entries of one list of cues.toml as one expression: whole words, but for lists that say where they stand."""
    body = "|".join(f"(?:{entry})" for entry in read_toml(__package__, "cues.toml")[name])
    if name in ("abstained", "aside"):
        return re.compile(f"{_BEFORE_WORD}(?:{body})")
    if name in ("stretch", "denied_after", "denied_closely_after", "past_after", "hedged_after", "until_then"):
        return re.compile(f"(?:{body})")
    if name == "nothing":
        return re.compile(rf"[\s\"'(\[]*(?:answer\s*:\s*)?(?:{body})[\s.!\"')\]]*")
    if name == "offers":
        return re.compile(rf"[\s\"'(-]*(?:{body})\b")
    if name in ("denied_closely", "own_part"):
        return re.compile(rf"{_BEFORE_WORD}(?:{body})(?:\s+[\w'-]+){{0,3}}(?:,[^,]{{0,40}},)?\s*[\"'(]*$")
    if name in ("bound", "approximate"):
        return re.compile(rf"{_BEFORE_WORD}(?:{body})\s*(?:the\s+|a\s+|of\s+|us\$|[$€£¥])*$")
    return re.compile(rf"{_BEFORE_WORD}(?:{body})(?:(?!\w)|$)")


def has(name: str, text: str) -> bool:
    """Whether a lowered text holds an entry of one list."""
    return pattern(name).search(" " + text) is not None


def clause_starts(lowered: str) -> tuple[int, ...]:
    """Where clauses begin."""
    return (0, *(match.end() for match in _CLAUSE.finditer(lowered)))


@functools.lru_cache(maxsize=64)
def sentence_starts(lowered: str) -> tuple[int, ...]:
    """Where sentences begin."""
    return _SENTENCES.starts(lowered)


def abstains(text: str, words: Sequence[str] | None = None) -> bool:
    """Whether a lowered text, of these words, says that the answer is not known, in any of the languages known here."""
    return has("abstained", text) or abstaining.abstains(text, words)


def says_nothing(lowered: str) -> bool:
    """Whether a whole lowered answer is "N/A", "unknown" or the like."""
    if len(lowered) >= 60:
        return False
    return pattern("nothing").fullmatch(lowered) is not None or abstaining.says_nothing(lowered)


def _has_own(name: str, text: str, asked: frozenset[str]) -> bool:
    """Whether a lowered text holds an entry of one list whose words do not all stand in the question."""
    return any(
        not asked.issuperset(match.group().strip(" \"'(,[/-").split()) for match in pattern(name).finditer(" " + text)
    )


def is_denied(before: str, after: str, asked: frozenset[str] = frozenset()) -> bool:
    """Whether a value is denied by its clause up to it, or by what follows; what the question says denies nothing."""
    before = before[-_LIMIT:]
    if _has_own("denied_before", before, asked) and _has_own(
        "denied_before", pattern("not_denied").sub(" ", " " + before), asked
    ):
        return True
    match = pattern("denied_after").match(after)
    return match is not None and not (asked and asked.issuperset(match.group().split()))


def is_denied_closely(before: str, after: str, asked: frozenset[str]) -> bool:
    """Whether a value itself is denied, right before or after it, or said to be believed wrongly."""
    before = before[-_LIMIT:]
    close = pattern("denied_closely").search(pattern("not_denied").sub(" ", " " + before))
    if close is not None and not pattern("not_yet").search(close.group()) and close.group().split()[0] not in asked:
        return True
    return has("misbelief", before) or pattern("denied_closely_after").match(after) is not None


def is_past(before: str, after: str, asked: frozenset[str] = frozenset()) -> bool:
    """Whether a value is said to be no longer so; what the question says itself dates nothing back."""
    return _has_own("past_before", before[-_LIMIT:], asked) or pattern("past_after").match(after) is not None


def is_hedged(before: str, after: str) -> bool:
    """Whether a sentence does not commit itself to a value."""
    return has("hedged_before", before[-_LIMIT:]) or pattern("hedged_after").match(after) is not None


def without_offers(text: str, lowered: str) -> tuple[str, str]:
    """A text and its lower case without the sentences, after the first, that offer help or send elsewhere."""
    if not _SEVERAL.search(lowered):
        return text, lowered
    parts = list(itertools.pairwise((*sentence_starts(lowered), len(lowered))))
    kept = [part for number, part in enumerate(parts) if number == 0 or not pattern("offers").match(lowered, *part)]
    if len(kept) == len(parts):
        return text, lowered
    return "".join(text[first:last] for first, last in kept), "".join(lowered[first:last] for first, last in kept)
