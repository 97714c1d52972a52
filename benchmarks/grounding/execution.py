"""Executing the SQL of a question again, and comparing what comes back with the stored answer."""

from collections.abc import Sequence

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.values import to_boolean_text, to_text


def executed_answers(database: Database, sql: str, boolean: bool) -> list[str]:
    """The distinct answers that a query returns, as texts, in order of first appearance.

    Raises:
        BenchwrightError: the query fails or returns NULL.
    """
    found: dict[str, None] = {}
    for row in database.all(sql.rstrip().rstrip(";")):
        for value in row:
            if value is None:
                raise BenchwrightError("the query returns NULL")
            found[to_boolean_text(value) if boolean else to_text(value)] = None
    return list(found)


def difference(database: Database, sql: str, answers: Sequence[str], boolean: bool) -> str | None:
    """What is wrong with the stored answers of a query; None where the database returns exactly them."""
    try:
        found = executed_answers(database, sql, boolean)
    except BenchwrightError as error:
        return str(error)
    if sorted(found) != sorted(set(answers)):
        return f"the query returns {_shown(found)}, the release says {_shown(answers)}"
    return None


def _shown(values: Sequence[str]) -> str:
    shown = ", ".join(repr(value[:60]) for value in values[:3])
    return f"{shown} and {len(values) - 3} more" if len(values) > 3 else shown or "nothing"
