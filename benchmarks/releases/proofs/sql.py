"""Every SQL query, executed again, returns the answers of its question."""

from collections.abc import Mapping
from typing import Any

from benchwright.benchmarks.grounding.execution import difference
from benchwright.benchmarks.releases.proofs.base import CheckRow, Material, Proof

_NO_DATABASE = "no database is shipped: name it with --database URL"


def _rows(material: Material) -> CheckRow:
    last: tuple[str, str | None] | None = None

    def check(split: str, row: Mapping[str, Any]) -> None:
        nonlocal last
        if not row["sql"]:
            return
        if last is None or last[0] != row["sql"]:
            last = (row["sql"], _execute(row, material))
        if last[1] is not None:
            material.found.problem("sql", f"question {row['id']}: {last[1]}")

    return check


def _execute(row: Mapping[str, Any], material: Material) -> str | None:
    """What is wrong with the answers of a query by all databases; None where one of them agrees, or there is none."""
    if not material.databases:
        material.found.leave("SQL queries", 1, _NO_DATABASE)
        return None
    problems = [
        difference(base, row["sql"], row["answers"] or [], row["answer_type"] == "boolean")
        for base in material.databases
    ]
    if None in problems:
        material.found.proved["SQL queries"] += 1
        return None
    return problems[0]


PROOF = Proof("sql", "every SQL query returns the answers of its question", 70, _rows)
