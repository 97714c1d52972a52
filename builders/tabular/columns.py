"""Which column of a source is what: as it was said, else by the usual names of `columns.toml`, and told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.text.cells import at, is_blank, paths_of
from benchwright.benchmarks.text.columns import column_pairs, listed, plain_name
from benchwright.builders.tabular.tables import Row, Table

QUESTIONS, CORPUS = "questions", "corpus"
METADATA = "metadata"
_OF_CORPUS = "corpus."
"""Before what a column of the corpus is, where both are said in one text."""


@dataclass(frozen=True)
class Columns:
    """What is read of a table."""

    of: Mapping[str, str]
    """What it is → the column."""
    metadata: tuple[str, ...]
    """Columns that are kept as they are."""
    guessed: frozenset[str]
    """Of those in `of`."""
    unread: tuple[str, ...]

    def get(self, cells: Mapping[str, Any], what: str) -> Any:
        """The cell of a row; None where no column is that."""
        column = self.of.get(what)
        return None if column is None else at(cells, column)

    def wanted(self, there: Sequence[str]) -> list[str]:
        """The columns of a table that are read: of a path into one, the column."""
        named = [*self.of.values(), *self.metadata]
        tops = [name if name in there else name.split(".")[0] for name in named]
        return [name for name in there if name in tops]

    def told(self) -> dict[str, str]:
        """What is read as what, for people: `question` → `prompt`."""
        kept = {METADATA: ", ".join(self.metadata)} if self.metadata else {}
        return {**self.of, **kept}


def parse_columns(text: str) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """What was said of the columns of the questions and of the corpus: what it is → its columns; none: do not guess.

    Args:
        text: `question=prompt,answer=reference,corpus.text=body`, or a JSON object where names have commas.

    Raises:
        UsageError: it is neither, or names something that there is not.
    """
    questions: dict[str, list[str]] = {}
    corpus: dict[str, list[str]] = {}
    for what, column in column_pairs(text):
        is_of_corpus = what.startswith(_OF_CORPUS)
        name = what.removeprefix(_OF_CORPUS)
        known = [*roles(CORPUS if is_of_corpus else QUESTIONS), METADATA]
        if name not in known:
            near = get_close_matches(name, known, 1, 0.5)
            more = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
            raise UsageError(f"columns: there is no {what!r}: {more}")
        there = (corpus if is_of_corpus else questions).setdefault(name, [])
        if there and name != METADATA:
            raise UsageError(f"columns: {what} is named twice: name one column")
        there += [column] if column else []
    return questions, corpus


def choose_columns(
    table: Table, said: Mapping[str, Sequence[str]], sort: str, unguessed: Sequence[str] = ()
) -> Columns:
    """Which columns of a table are what.

    Args:
        table: of the source.
        said: as `parse_columns` returns it.
        sort: QUESTIONS or CORPUS.
        unguessed: what is read only where it was said.

    Raises:
        UsageError: the table has no such column.
        BenchwrightError: it has no row.
    """
    if table.known and not said:
        return Columns(dict(table.known), (), frozenset(), ())
    first = table.first()
    if not first:
        raise BenchwrightError(f"{table.name} holds no rows")
    known = list(dict.fromkeys([*table.columns, *(path for row in first for path in paths_of(row.cells))]))
    of: dict[str, str] = {}
    for what, columns in said.items():
        for column in columns:
            if column not in known and not _is_further_on(table, column):
                near = get_close_matches(column, known, 1, 0.6)
                more = f"did you mean {near[0]}?" if near else f"it has {listed(table.columns)}"
                raise UsageError(f"{table.name} has no column {column!r}, which is to be {what}: {more}")
            if what != METADATA:
                of[what] = column
    taken = {name for columns in said.values() for name in columns}
    guessed: set[str] = set()
    free = {plain_name(name): name for name in reversed(table.columns) if name not in taken}
    for what, usual in roles(sort).items():
        if what in said or what in unguessed:
            continue
        column = _guess(what, [free[name] for name in usual if free.get(name, "") not in {"", *taken}], first, of)
        if column is not None:
            of[what] = column
            guessed.add(what)
            taken.add(column)
    metadata, there = tuple(said.get(METADATA, ())), set(table.columns)
    read = {name if name in there else name.split(".")[0] for name in (*of.values(), *metadata)}
    return Columns(of, metadata, frozenset(guessed), tuple(name for name in table.columns if name not in read))


def _is_further_on(table: Table, column: str) -> bool:
    """Whether a row has a column that the first rows have not, where each row names its own."""
    return any(column in paths_of(row.cells) for row in table.read(table.columns))


@cache
def roles(sort: str) -> dict[str, list[str]]:
    """What columns of a table may be, with the usual names of each."""
    return read_toml(__package__, "columns.toml")[sort]


def _guess(what: str, names: Sequence[str], first: Sequence[Row], of: Mapping[str, str]) -> str | None:
    """The first of some columns whose cells could be what their names say."""
    if what == "title" and "contexts" not in of and "id" not in of:
        return None
    return next((name for name in names if _may_be(what, [row.cells.get(name) for row in first])), None)


def _may_be(what: str, cells: Sequence[Any]) -> bool:
    """Whether cells could be what their column's name says."""
    there = [cell for cell in cells if not is_blank(cell)]
    if what == "contexts":
        parts = [part for cell in there for part in (cell if isinstance(cell, list) else [cell])]
        return bool(parts) and all(isinstance(part, str) for part in parts)
    if what in ("question", "text", "title"):
        return not there or any(isinstance(cell, str) for cell in there)
    if what in ("unanswerable", "answerable"):
        return all(
            isinstance(cell, bool | int) or str(cell).lower() in ("true", "false", "yes", "no", "0", "1")
            for cell in there
        )
    if what == "hops":
        return all(isinstance(cell, int) or str(cell).isdecimal() for cell in there)
    if what in ("form", "kind", "subset", "group", "id", "entity"):
        return not any(isinstance(cell, list | dict) for cell in there)
    return True


def missing_question(table: Table) -> str:
    """What to say where no column is a question."""
    return (
        f"no column of {table.name} is named as questions are: it has {listed(table.columns)}; say which is what with "
        "--set columns=question=COLUMN,answer=COLUMN"
    )
