"""Executing the SQL of a question again, and comparing what comes back with the stored answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.values import NO, YES, to_answer


@dataclass(frozen=True)
class Executed:
    """What a query returns."""

    answers: tuple[str, ...]
    """Its distinct rows one after the other, in order of first appearance."""
    answer_type: str
    """The type of a question that it answers."""
    width: int
    """Columns of a row."""

    def are(self, answers: Sequence[str]) -> bool:
        """Whether stored answers are these: those of several columns in their order, others in any."""
        if self.width > 1:
            return list(self.answers) == list(answers)
        return sorted(self.answers) == sorted(answers)


def execute(database: Database, sql: str, booleans: Sequence[bool]) -> Executed:
    """Executes a query.

    Args:
        database: where.
        sql: the query.
        booleans: of each column that it returns whether it holds booleans, which SQLite keeps as 0 and 1.

    Raises:
        BenchwrightError: it fails, returns NULL, or several rows of several columns, of which no question is made.
    """
    rows: dict[tuple[tuple[bool, str], ...], None] = {}
    width = 0
    for row in database.all(sql.rstrip().rstrip(";")):
        width = len(row)
        rows[tuple((isinstance(value, str), _text(value, *booleans[i : i + 1])) for i, value in enumerate(row))] = None
    if width > 1 and len(rows) > 1:
        raise BenchwrightError(f"the query returns {len(rows)} rows of {width} columns")
    answers = tuple(text for row in rows for _, text in row)
    if len(answers) != 1:
        return Executed(answers, "set", width)
    return Executed(answers, "boolean" if booleans[:1] == [True] else "one", width)


def difference(database: Database, sql: str, answers: Sequence[str], booleans: Sequence[bool] | None) -> str | None:
    """What is wrong with the stored answers of a query; None where the database returns exactly them.

    Args:
        database: where it is executed.
        sql: the query.
        answers: what is stored.
        booleans: as `execute` takes them; None where that is not known: `yes` and `no` may then be 1 and 0.
    """
    if booleans is None:
        booleans = [value in (YES, NO) for value in answers]
    try:
        found = execute(database, sql, booleans)
    except BenchwrightError as error:
        return str(error)
    return None if found.are(answers) else other_answers(found.answers, answers)


def other_answers(found: Sequence[str], answers: Sequence[str]) -> str:
    """What a query returns, beside what is stored."""
    return f"the query returns {_shown(found)}, the release says {_shown(answers)}"


def _text(value: Any, is_boolean: bool = False) -> str:
    if value is None:
        raise BenchwrightError("the query returns NULL")
    return to_answer(value, is_boolean)


def _shown(values: Sequence[str]) -> str:
    shown = ", ".join(repr(value[:60]) for value in values[:3])
    return f"{shown} and {len(values) - 3} more" if len(values) > 3 else shown or "nothing"
