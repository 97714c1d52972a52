"""Why a question has no answer, found out again from the database."""

from collections.abc import Sequence

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.types import FALSE_PREMISE, MADE_NAME, NO_ANSWER_SORTS, NULL


def possible_sorts(databases: Sequence[Database], template: SqlTemplate, literals: Sequence[str]) -> Sequence[str]:
    """Those of NO_ANSWER_SORTS that a question can be of: one where a database is there, else what its template allows.

    Args:
        databases: where its query can be executed.
        template: of the question.
        literals: SQL of the value of each placeholder.
    """
    is_premise = len({item.compared.alias for item in template.placeholders}) > 1
    allowed = (FALSE_PREMISE,) if is_premise else (MADE_NAME, NULL)
    if len(literals) != len(template.placeholders):
        return NO_ANSWER_SORTS
    for database in databases:
        try:
            found = _sort(database, template, literals)
        except BenchwrightError:  # another database than that of the question
            continue
        return (found,) if found in allowed else ("that it has an answer",)
    return allowed


def _sort(database: Database, template: SqlTemplate, literals: Sequence[str]) -> str:
    named: dict[tuple[str, str], list[str]] = {}
    given: list[str] = []
    for item, literal in zip(template.placeholders, literals, strict=True):
        named.setdefault((item.compared.alias, item.table), []).append(f"{quoted(item.column)} = {literal}")
        given.append(f"{item.compared_sql} = {literal}")
    for (_, table), conditions in named.items():
        if not _count(database, f"FROM {quoted(table)} WHERE {' AND '.join(conditions)}"):
            return MADE_NAME
    return NULL if _count(database, f"{template.source_sql} WHERE {' AND '.join(given)}") else FALSE_PREMISE


def _count(database: Database, source: str) -> int:
    return int(database.all(f"SELECT COUNT(*) {source}")[0][0])
