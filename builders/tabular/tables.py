"""What every reader gives: the rows of a table by the names of their columns, each with its place in its source."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from benchwright.builders.tabular.left_out import LeftOut

LOOKED_AT = 200
"""Rows by which columns are known where nothing declares them, and by which is seen what they hold."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a source."""

    place: str
    """Where it stands, as a person finds it: `faq.csv, line 17`."""
    cells: Mapping[str, Any]


@dataclass(frozen=True)
class Table:
    """Rows that can be read more than once, and only as far as they are asked for."""

    name: str
    """As messages call it."""
    columns: tuple[str, ...]
    read: Callable[[Sequence[str]], Iterator[Row]]
    """Given the columns that are wanted, which spares a reader the others: the rows, in order."""
    sources: tuple[Mapping[str, Any], ...] = ()
    """What a manifest says of where it is from."""
    known: Mapping[str, str] = field(default_factory=dict)
    """Which column is what, where its reader knows: then it is not read to guess."""
    left_out: LeftOut = field(default_factory=LeftOut)
    """Once its rows are read: what of it could not be."""

    def first(self) -> list[Row]:
        """The first rows, to see what the columns hold."""
        return list(islice(self.read(self.columns), LOOKED_AT))


@dataclass(frozen=True)
class Source:
    """All that a release is made from."""

    form: str
    """As a person calls it: `CSV`, `SQuAD`."""
    questions: Table
    corpus: Table | None = None
    qrels: Table | None = None
    """Which document answers which question, as BEIR has it; only questions that it names are asked."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Parameters as the source settled them, such as the split of several."""


def columns_of(rows: Iterable[Row]) -> tuple[str, ...]:
    """All columns of the first rows, where each row has its own."""
    return tuple(dict.fromkeys(name for row in islice(rows, LOOKED_AT) for name in row.cells))
