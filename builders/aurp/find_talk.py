"""What talk around the facts of a document tells of the world's things, though talk is to tell of none of them.

Talk may tell of the day, the mood and the page. It tells too much where it tells a *matter of record* of somebody or
something: what a register, a newspaper or a file would hold, though no table of the world has a column for it; and
where it says that there is nothing of what the order asks for. Read by rule, from `talk.toml`.
"""

import re
from collections.abc import Iterator
from functools import cache

from benchwright.benchmarks.data_files import read_toml
from benchwright.builders.aurp.find_facts import FactFinder, Range
from benchwright.builders.aurp.find_topics import masked, own_words

_NAMED = "□"
_REST = re.compile(r"[^.,;!\n]*")


def records(finder: FactFinder) -> Iterator[Range]:
    """Where a text tells a matter of record that no order holds, of what kind something is, or what it has."""
    text = masked(finder, {one.fact.column for one in finder.plan.facts})
    yield from (match.span() for match in _records().finditer(text))
    told = read_toml(__package__, "talk.toml")["predicated"]
    for pattern in _predicated():
        for match in pattern.finditer(text):
            rest = _REST.match(text, match.end())
            is_fact = rest is not None and _NAMED in rest[0]
            if not is_fact and match["noun"].split()[-1].lower() not in told["plain"].split():
                yield match.span("noun")


def absences(finder: FactFinder) -> Iterator[Range]:
    """Where a text says that there is nothing of what its order asks for: "the post of lead is vacant", "no lead"."""
    text = _without_values(finder)
    for one in finder.plan.facts:
        if one.is_replaced or one.replaces:
            continue
        called = re.compile(
            rf"(?<!\w)(?:{'|'.join([*_nouns(one.label), *own_words().get(one.fact.column, ())])})(?!\w)",
            re.IGNORECASE,
        )
        for match in called.finditer(text):
            start = finder.sentence(match.start())[0]
            if before := _absent("before").search(text[start : match.start()]):
                yield start + before.start(), match.end()
            elif after := _absent("after").match(text, match.end()):
                yield match.start(), after.end()


def _without_values(finder: FactFinder) -> str:
    hidden = [*finder.names, *(place for places in finder.hits.values() for place in places)]
    text = list(finder.text)
    for start, end in hidden:
        text[start:end] = _NAMED * (end - start)
    return "".join(text)


def _nouns(label: str) -> list[str]:
    """A column's name, and its words that tell of it alone."""
    generic = read_toml(__package__, "talk.toml")["absent"]["generic"].split()
    return [re.escape(label), *(rf"{re.escape(word)}s?" for word in label.split() if word not in generic)]


@cache
def _records() -> re.Pattern[str]:
    told = read_toml(__package__, "talk.toml")["record"]
    words = "|".join(word for group in told.values() for word in group)
    return re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)


@cache
def _predicated() -> tuple[re.Pattern[str], ...]:
    told = read_toml(__package__, "talk.toml")["predicated"]
    return tuple(re.compile(told["subject"] + told[verb], re.IGNORECASE) for verb in ("is", "has"))


@cache
def _absent(side: str) -> re.Pattern[str]:
    return re.compile(read_toml(__package__, "talk.toml")["absent"][side], re.IGNORECASE)
