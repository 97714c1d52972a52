"""Every SQL query, executed again, returns the answers of its question.

Builders that fill templates register a proof of the same name, which takes the place of this one and proves more.
"""

from collections.abc import Mapping
from typing import Any

from benchwright.benchmarks.grounding.execution import difference
from benchwright.benchmarks.releases.proofs.base import CheckRow, Material, Proof

NO_DATABASE = "no database is shipped: name it with --database URL|FILE|FOLDER"
NO_SQL = "it has no SQL, and the release has the templates that questions come from"


def _rows(material: Material) -> CheckRow:
    last: tuple[str, str | None] | None = None
    has_templates = bool(material.release.templates())

    def check(split: str, row: Mapping[str, Any]) -> None:
        nonlocal last
        if not row["sql"]:
            if has_templates and row["answers"]:
                material.found.problem("sql", f"question {row['id']}: {NO_SQL}")
            return
        if last is None or last[0] != row["sql"]:
            last = (row["sql"], _execute(row, material))
        if last[1] is not None:
            material.found.problem("sql", f"question {row['id']}: {last[1]}")

    return check


def _execute(row: Mapping[str, Any], material: Material) -> str | None:
    """What is wrong with the answers of a query by all databases; None where one of them agrees, or there is none."""
    if not material.databases:
        material.found.leave("SQL queries", 1, NO_DATABASE)
        return None
    problems = [difference(base, row["sql"], row["answers"] or [], None) for base in material.databases]
    if None in problems:
        material.found.proved["SQL queries"] += 1
        return None
    return problems[0]


PROOF = Proof("sql", "every SQL query returns the answers of its question", 70, _rows)
