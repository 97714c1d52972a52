"""Which operations a wording names: how many, in total, on average; and the wording without their words."""

import re
from collections.abc import Iterator
from functools import cache

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.grounding.sql import PLACEHOLDER
from benchwright.builders.sql.wording.kinds.sense import KindSense
from benchwright.builders.sql.wording.lexicon import PLACE, own_words, spread, stem, tokens, words_called
from benchwright.builders.sql.wording.text_checks import Problem
from benchwright.builders.sql.wording.zones import ARTICLES, MARKS

_NEEDED = {"count": "count", "comparison": "count", "sum": "sum", "average": "average"}
_FREE = {"count": {"sum"}, "comparison": {"sum"}, "list": {"sum"}}
"""Kind → operations whose words say nothing else there: how many in total."""
_OF_ROWS = frozenset({"count", "comparison", "list"})
"""Kinds whose rows are asked for where nothing is reckoned: how many orders, then which orders."""
_SKIPPED = frozenset({"differ", "distinct", "individu", "separ", "singl"})
_FAR = 8
_ENDS = re.compile(r"\bcounted (?=(?:up |down )?from\b)", re.IGNORECASE)


def without_operation(sense: KindSense, text: str) -> tuple[str, Problem | None]:
    """A wording without the words for what its template reckons; why not where it reckons something else.

    Args:
        sense: what the template asks.
        text: the wording, with its placeholders, and without its threshold.
    """
    if sense.kind == "average":
        rounded = patterns("operations", "rounding")[0].sub(" ", text, count=1)
        if rounded == text:
            return text, Problem("does not say how the answer is rounded")
        text = rounded
    needed = _NEEDED.get(sense.kind)
    if sense.kind == "ranking":
        text = re.sub(
            rf"\bnumber of (?:the |that |this )?(?={re.escape(sense.noun)}\b)", " ", text, flags=re.IGNORECASE
        )
    read = _ENDS.sub(" ", text) if sense.kind == "ranking" else text
    found = {name: _first(name, read) for name in ("count", "sum", "average")}
    if needed and not (found[needed] or _first(f"{needed}_weak", text)):
        return text, Problem("does not ask for what the SQL template reckons", needed)
    allowed = {needed} | _FREE.get(sense.kind, set()) | ({"count"} if sense.is_counted else set())
    if _asks_amount(sense, text):
        allowed = allowed | {"count"}
    other = next((said for name, said in found.items() if said and name not in allowed), None)
    if other:
        return text, Problem("reckons something else", other)
    if needed == "count" and (problem := _counts_another(sense, text)):
        return text, problem
    for name in ("count", "sum", "average"):
        if name in allowed:
            with_question = "which" if sense.kind in _OF_ROWS else "what"
            text = re.sub(r"\bhow many\b", with_question, text, flags=re.IGNORECASE) if name == "count" else text
            for pattern in (*patterns("operations", name), *patterns("operations", f"{name}_weak")):
                text = pattern.sub(" ", text)
    return text, None


def without_harmless(sense: KindSense, text: str) -> str:
    """A wording without small words that change nothing in a question of its kind."""
    table = read_toml(__package__, "words.toml")["harmless"]
    return re.sub(table[sense.kind], " ", text, flags=re.IGNORECASE) if sense.kind in table else text


@cache
def patterns(table: str, name: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of a list of `words.toml`; none where it has no such list."""
    lists = read_toml(__package__, "words.toml")[table]
    return tuple(re.compile(text, re.IGNORECASE) for text in lists.get(name, ()))


def _first(name: str, text: str) -> str | None:
    """The first words of an operation in a text."""
    return next((found[0] for one in patterns("operations", name) if (found := one.search(text))), None)


def _asks_amount(sense: KindSense, text: str) -> bool:
    """Whether `how many` asks for a value of the column, such as how many metres."""
    found = re.search(r"\bhow many (\w+)", text, re.IGNORECASE)
    return sense.kind in ("minimum", "maximum", "sum", "average") and (
        found is not None and stem(found[1]) in own_words(sense.measure)
    )


def _counts_another(sense: KindSense, text: str) -> Problem | None:
    """Whether something else than rows of the template is counted: how many products a customer ordered."""
    text = PLACEHOLDER.sub(f" {PLACE} ", text)
    places = [found for one in patterns("operations", "count") for found in one.finditer(text)]
    for found in places:
        after = _nouns(tokens(text[found.end() :]))
        head = next(after, None)
        is_known = head is not None and head in sense.rows
        is_before = bool(spread(tokens(text[: found.start()])) & sense.rows)
        if is_known or (is_before and (head is None or head in sense.plain.licensed)):
            return None
    said = next(_nouns(tokens(text[places[0].end() :])), "") if places else ""
    return Problem("counts something else", said)


def _nouns(there: list[str]) -> Iterator[str]:
    """The tokens that may be what is counted, as far as the clause goes."""
    rows = words_called("plain") - {"person", "peopl"} | ARTICLES | _SKIPPED | {PLACE, "s"}
    for token in there[:_FAR]:
        if token in MARKS:
            return
        if token not in rows:
            yield token
