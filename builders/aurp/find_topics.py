"""Where a text speaks of a column that its order does not hold: it states, or hints at, what nobody has asked for.

In the closed world of the tables a sentence that holds no fact of the order may say what it likes of the weather, but
nothing of what a table has a column for. Read by rule, from `topics.toml`.
"""

import re
from collections.abc import Iterator
from functools import cache

from benchwright.benchmarks.data_files import read_toml
from benchwright.builders.aurp.find_facts import FactFinder, Range
from benchwright.builders.aurp.schema import STANDARD
from benchwright.builders.aurp.world import REFERENCES

_HIDDEN = "□"
_PRONOUN = re.compile(r"\b(?:he|she|they|it|its|his|her|their|whose|who)\b", re.IGNORECASE)


def other_topics(finder: FactFinder) -> Iterator[tuple[str, Range]]:
    """Columns that a text speaks of and that its order does not hold, each with the words by which it does."""
    ordered = {one.fact.column for one in finder.plan.facts}
    tables = {one.fact.table for one in finder.plan.facts}
    values = {
        target for one in finder.plan.facts if (target := REFERENCES.get((one.fact.table, one.fact.column))) is not None
    }
    text = masked(finder, ordered)
    for column, pattern in (*_called().items(), *_things().items()):
        if column in ordered:
            continue
        is_own = any(column in _columns(table) for table in tables)
        if is_own or any(column in _columns(table) for table in values):
            for match in pattern.finditer(text):
                if is_own or _of_somebody(text, finder.sentence(match.start())):
                    yield column, match.span()


def _of_somebody(text: str, window: Range) -> bool:
    """Whether a sentence names somebody, or speaks of who was named before: of what is only a value of the order."""
    return _HIDDEN in text[slice(*window)] or _PRONOUN.search(text, *window) is not None


def masked(finder: FactFinder, ordered: set[str]) -> str:
    """The text without names, values, and the words by which it speaks of what was ordered."""
    text = finder.text
    hidden = [*finder.names, *(place for places in finder.hits.values() for place in places)]
    hidden += [(mention.start, mention.end) for mention in finder.mentions]
    called = [re.escape(one.label) for one in finder.plan.facts]
    called += [word for column in sorted(ordered) for word in own_words().get(column, ())]
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(called)})(?!\w)", re.IGNORECASE)
    hidden += [match.span() for match in pattern.finditer(text)]
    masked = list(text)
    for start, end in hidden:
        masked[start:end] = _HIDDEN * (end - start)
    return "".join(masked)


@cache
def _columns(table: str) -> frozenset[str]:
    return frozenset(column.name for column in STANDARD.table(table).columns)


@cache
def own_words() -> dict[str, list[str]]:
    """Column → how a text calls it, where no ordinary talk needs the word: regular expressions."""
    return read_toml(__package__, "topics.toml")["called"]


@cache
def _called() -> dict[str, re.Pattern[str]]:
    return {
        column: re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE)
        for column, words in own_words().items()
    }


@cache
def _things() -> dict[str, re.Pattern[str]]:
    told = read_toml(__package__, "topics.toml")
    return {
        column: re.compile(told["around"][column].replace("%s", "|".join(words)), re.IGNORECASE | re.MULTILINE)
        for column, words in told["things"].items()
    }
