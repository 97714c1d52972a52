"""Columns that hold yes or no without being declared so: 0 and 1, Y and N, by their names and by all their values."""

from collections.abc import Collection
from typing import Any

from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.grounding.values import TRUTHS
from benchwright.builders.sql.technical import words_of
from benchwright.builders.sql.wording.truths import MARKS, says_truth

_PLAIN = (frozenset({"yes", "no"}), frozenset({"true", "false"}), frozenset({"y", "n"}))
"""Values that mean this whatever the column is called, where both are there."""


def may_hold_truths(name: str, values: Collection[Any]) -> bool:
    """Whether a column that is not declared so looks as if it held yes or no, by its name and some of its values."""
    spelt = {_spelt(value) for value in values}
    if not spelt or not spelt <= TRUTHS.keys():
        return False
    words = words_of(name)
    return spelt in _PLAIN or bool(words and words[-1] in MARKS) or says_truth(" ".join(words))


def holds_truths(database: Database, table: str, column: str) -> bool:
    """Whether all values of a column mean yes or no.

    Raises:
        BenchwrightError: the database refuses to look.
    """
    name = quoted(column)
    known = f"SELECT DISTINCT {name} FROM {quoted(table)} WHERE {name} IS NOT NULL LIMIT {len(TRUTHS) + 1}"
    return all(_spelt(value) in TRUTHS for (value,) in database.all(known))


def _spelt(value: Any) -> str:
    if isinstance(value, float) and value in (0, 1):
        value = int(value)
    return str(value).strip().lower()
