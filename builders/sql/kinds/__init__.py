"""Kinds of questions beside lookups: a module each, whose `KIND` is found here.

count            how many rows point at a thing that is named
list             everything that belongs to a thing that is named
unanswerable     what has no answer: a made name, a fact that is not there, a false premise
yes_no           whether a thing has a value, true and false in equal number
filter           which row it is of which several things hold
comparison       how many rows lie above, below or between round values
minimum, maximum the smallest and the largest value of rows that belong together
sum, average     what they have in total and on average
ranking          which of them comes first, or second
steps/           what kinds share

A kind makes SQL templates with what each of them asks, which are worded, filled, written and proved as all others are.
It may fill its templates in a way of its own.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.wording.meaning import Meaning

if TYPE_CHECKING:
    from benchwright.builders.sql.filling.fill import Filler
    from benchwright.builders.sql.filling.fillings import Fillings

LOOKUP = "lookup"
BELONGING = "which rows belong together is what questions are asked by, and each answer tells of other rows, too"
"""Why no answer of some kinds can be held out."""


@dataclass(frozen=True)
class Ground:
    """What a kind makes its templates from."""

    database: Database
    schema: DatabaseSchema
    """With its vocabulary."""
    hops: int
    """The most facts that a template may combine."""


@dataclass(frozen=True)
class KindTemplate:
    """A SQL template and what it asks."""

    sql: str
    """As all templates: `WHERE column = '[table.column]'`. No two kinds may have the same text."""
    meaning: Meaning
    """What the writer puts into words; its `kind` is that of the questions."""


@dataclass(frozen=True)
class Made:
    """What a kind makes of a schema."""

    templates: tuple[KindTemplate, ...] = ()
    why_none: str = ""
    """Where there are none: why the schema gives none, to be read behind `no questions of the kind count: `."""


@dataclass(frozen=True)
class Kind:
    """A kind of questions."""

    name: str
    meaning: str
    """What its questions ask, in a few words."""
    make: Callable[[Ground], Made]
    fill: Callable[["Filler", SqlTemplate, int], Iterator["Fillings"]] | None = None
    """Gives all fillings of one of its templates, ordered, at most so many at a time, and counts into
    `Filler.counts`; None: as lookups are filled, one answer for each combination of values that is there."""
    least_rows: int = 1
    """Rows that must be there for each combination of values: of one row alone nobody asks the highest value."""
    answerability: str = "answerable"
    """Of its questions."""
    always_open: str = ""
    """Of a kind none of whose answers can be held out: why, to be read behind `for `."""


@cache
def kinds() -> dict[str, Kind]:
    """The kinds beside lookups, by their names."""
    modules = (item.name for item in pkgutil.iter_modules(__path__) if not item.ispkg)
    found = (importlib.import_module(f"{__name__}.{name}") for name in sorted(modules))
    return {module.KIND.name: module.KIND for module in found}


def answerability_of(kind: str) -> str:
    """Of the questions of a kind, given by its name; lookups have no name."""
    return kinds()[kind].answerability if kind in kinds() else "answerable"


def check_held_out(names: Iterable[str]) -> None:
    """Raises UsageError where nothing could be held out of the questions of a kind."""
    refused = [name for name in dict.fromkeys(names) if name in kinds() and kinds()[name].always_open]
    if refused:
        possible = [name for name in all_kinds() if name == LOOKUP or not kinds()[name].always_open]
        raise UsageError(
            f"kinds={','.join(refused)} is not possible with --holdout, for {kinds()[refused[0]].always_open}: leave "
            f"out one of the two; possible are {', '.join(possible)}"
        )


def all_kinds() -> tuple[str, ...]:
    """The names of all kinds, lookups first."""
    return (LOOKUP, *kinds())


def parse_kinds(text: str) -> tuple[str, ...]:
    """The kinds of a comma-separated list. Raises UsageError for one that does not exist."""
    found = tuple(dict.fromkeys(kind.strip() for kind in text.split(",") if kind.strip()))
    for kind in found:
        if kind not in all_kinds():
            raise UsageError(f"there is no kind {kind!r}: choose from {', '.join(all_kinds())}")
    if not found:
        raise UsageError(f"kinds is empty: choose from {', '.join(all_kinds())}")
    return found
