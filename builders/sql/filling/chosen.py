"""Combinations of values that a template is to be filled with, as a part of its query."""

from collections.abc import Sequence
from typing import Any

from benchwright.benchmarks.grounding.sql import SqlTemplate

BOUND = 400
"""Combinations that are bound into one query."""


class Chosen:
    """Some combinations of values, bound into a query as a table of their own.

    Columns of one table are held to their values by conditions: a database that has no index of them walks through the
    table once, and one that has looks each up. Where they are of several tables, the table is joined too, so that not
    all combinations are walked through.
    """

    def __init__(self, template: SqlTemplate, rows: Sequence[Sequence[Any]]) -> None:
        known = template.placeholders[: len(rows[0])]
        names = [f"value_{i}" for i in range(len(known))]
        columns = [item.compared_sql for item in known]
        pairs = list(zip(columns, names, strict=True))
        is_one_table = len({item.compared.alias for item in known}) == 1
        self.bound = {f"bound_{i}_{j}": value for i, row in enumerate(rows) for j, value in enumerate(row)}
        values = ", ".join(
            "(" + ", ".join(f":bound_{i}_{j}" for j in range(len(known))) + ")" for i in range(len(rows))
        )
        self.before = f"WITH chosen({', '.join(names)}) AS (VALUES {values}) "
        self.join = f" JOIN chosen ON {' AND '.join(f'{column} = chosen.{name}' for column, name in pairs)}"
        self.join_if_needed = "" if is_one_table else self.join
        """What is joined where the chosen values themselves are not selected."""
        self.names = dict(pairs)
        """Column → its name in the table of chosen values."""
        self.conditions = [f"{column} IN (SELECT {name} FROM chosen)" for column, name in pairs]
        if is_one_table and len(known) > 1:
            self.conditions.append(f"({', '.join(columns)}) IN (SELECT {', '.join(names)} FROM chosen)")
