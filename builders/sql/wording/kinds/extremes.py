"""Which end of some values a wording asks for, which place from there, and whether a value or the row that has it."""

import itertools
import re
from collections.abc import Sequence

from benchwright.benchmarks.data_files import read_toml
from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.kinds.operations import patterns
from benchwright.builders.sql.wording.kinds.sense import KindSense
from benchwright.builders.sql.wording.lexicon import own_words, stem
from benchwright.builders.sql.wording.text_checks import Problem
from benchwright.builders.sql.wording.zones import MARKS, PREPOSITIONS

_END = "\x03"
"""Stands for the word for an end, such as `highest`."""
_MEASURE = "\x04"
"""Stands for the whole name of a column: the order date is no order."""
_WORD = re.compile(r"\x03|\x00|[^\W\d_]+|[.?!;:,()–—]")
_ATTRIBUTE = frozenset(
    map(stem, ("with", "has", "have", "had", "having", "by", "carries", "whose", "at", "got", "shows"))
)
_OF = frozenset(("of", "for", "on", "among", "in", "from", "across"))
_ASKS = frozenset(map(stem, ("know", "tell", "me", "say", "ask", "wonder", "so", "hey", ",", ":", "out", "us", "of")))


def without_extreme(sense: KindSense, text: str) -> tuple[str, Problem | None]:
    """A wording without the words for an end of some values; why not where it says another end, or none.

    Args:
        sense: what the template asks.
        text: the wording, with its placeholders.
    """
    wants = sense.kind in ("minimum", "maximum", "ranking")
    text, seconds = _without(text, patterns("operations", "second")) if wants else (text, [])
    if (sense.place == 2) is not bool(seconds):
        return text, Problem("asks for another place", seconds[0] if seconds else "not for the second")
    end, other = ("high", "low") if sense.is_highest else ("low", "high")
    implied = _implied(sense)
    words = read_toml(__package__, "words.toml")["extremes"]
    own = (implied and f"{implied[end]}|") or ""
    theirs = (implied and f"{implied[other]}|") or ""
    suffix = "_time" if sense.is_time else "_counted" if sense.is_counted or english.is_plural(sense.measure) else ""
    wrong = re.search(rf"\b(?:{theirs}{words[other + suffix]})\b", text, re.IGNORECASE)
    if wrong and wants:
        return text, Problem("asks for the other end", wrong[0])
    if not wants:
        return text, None
    is_by = implied is not None and re.search(rf"\b(?:{implied[end]})\b", text, re.IGNORECASE) is not None
    masked, count = re.subn(rf"\b(?:{own}{words[end + suffix]})(?!\w)", f" {_END} ", text, flags=re.IGNORECASE)
    if sense.kind == "ranking":
        masked, counted = re.subn(words[f"ends_{end}"], " ", masked, flags=re.IGNORECASE)
        if not count and counted and sense.place == 2:
            masked, count = f"{masked} {_END}", 1
    if not count:
        return text, Problem("does not say which end it asks for")
    said = f" {implied['words']} " if implied and is_by and sense.kind == "ranking" else " "
    if problem := _focused(sense, masked, is_by=is_by):
        return text, problem
    return masked.replace(_END, said), None


def _implied(sense: KindSense) -> dict[str, str] | None:
    """Words that say an end and the column in one: `cheapest` of a price."""
    own = own_words(sense.measure)
    for table in read_toml(__package__, "words.toml")["implied"]:
        if own & {stem(word) for word in table["of"].split()}:
            return table
    return None


def _without(text: str, some: Sequence[re.Pattern[str]]) -> tuple[str, list[str]]:
    found: list[str] = []
    for pattern in some:
        found += [match[0] for match in pattern.finditer(text)]
        text = pattern.sub(" ", text)
    return text, found


def _focused(sense: KindSense, masked: str, *, is_by: bool) -> Problem | None:
    """Whether a wording asks for a value where a row is wanted, or for a row where a value is."""
    there = [word if word in (_END, "\x00") else stem(word) for word in _WORD.findall(_marked(masked))]
    phrase = [stem(word) for word in sense.measure.split()]
    for number in range(len(there) - len(phrase), -1, -1):
        if there[number : number + len(phrase)] == phrase:
            there[number : number + len(phrase)] = [_MEASURE]
    asks_row = _asks_row(sense, there, is_by=is_by)
    if sense.kind == "ranking" and not asks_row:
        return Problem("asks for the value, not for what has it")
    if sense.kind != "ranking" and asks_row:
        return Problem("asks for what has the value, not for the value")
    return None


def _marked(text: str) -> str:
    return re.sub(r"\[[^\[\]]*\]", " \x00 ", text)


def _asks_row(sense: KindSense, there: Sequence[str], *, is_by: bool) -> bool:
    measure = own_words(sense.measure) - PREPOSITIONS - {"per"}
    measure |= {_MEASURE} | ({"date"} if sense.is_time else set()) | ({"number"} if sense.is_counted else set())
    measure -= sense.rows
    rows = sense.rows
    place = there.index(_END)
    after, before = list(itertools.takewhile(lambda one: one not in MARKS, there[place + 1 :])), list(there[:place])
    following = next((number for number, one in enumerate(after[:5]) if one in rows), None)
    to_measure = next((number for number, one in enumerate(after[:4]) if one in measure), None)
    lead = [one for one in before if one not in ("the", "a", "an", "its", "their", "his", "her")]
    for number, word in enumerate(there):
        if word == "how" and there[number + 1 : number + 2] not in (["mani"], ["about"]):
            return False
        if word in ("which", "what") and set(there[number + 1 : number + 2]) & (rows | {"one"}):
            return True
        if word in ("which", "what") and set(there[number + 1 : number + 2]) & measure:
            return False
        if word == "which" and there[number + 1 : number + 2] == ["of"] and set(there[number + 1 : number + 5]) & rows:
            return True
        if word in ("which", "who") and number == 0:
            return word == "who" or not set(there[1:4]) & measure
        if word == "who" and there[number - 1] in _ASKS and _END in itertools.takewhile(_is_word, there[number:]):
            return True
    if sense.is_time and "when" in there:
        return False
    if is_by or (following is not None and (to_measure is None or to_measure > following)):
        # the cheapest product: its price is asked where the price comes first
        if following is not None and set(after[:following]) & _OF:
            return False
        return not set(before) & measure
    if to_measure is not None and following is not None and set(after[to_measure:following]) <= measure:
        return not set(before) & measure  # the highest unit price product
    if lead[-1:] and lead[-1] in _ATTRIBUTE:
        return True
    if set(before) & measure and set(before) & rows:
        return _first_of(before, rows) < _first_of(before, measure)
    return False


def _is_word(token: str) -> bool:
    return token not in MARKS and token != "\x00"


def _first_of(there: Sequence[str], some: frozenset[str] | set[str]) -> int:
    return next(number for number, one in enumerate(there) if one in some)
