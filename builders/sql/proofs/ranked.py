"""That the row which a ranking asks for is alone at its place: no other row has the same value there or before it."""

from typing import cast

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.dialects import parser_of
from benchwright.benchmarks.grounding.sql import Ranked


def place_problem(database: Database, sql: str, ranked: Ranked) -> str | None:
    """What is wrong with the place that a query of a ranking takes; None where one row alone has it.

    Args:
        database: where the query is executed again, without its limit but for one row more.
        sql: the query, filled: it ends with ORDER BY and LIMIT 1.
        ranked: by what its template orders.
    """
    parser = parser_of(database.dialect)
    try:
        tree = cast(exp.Select, sqlglot.parse_one(sql.rstrip().rstrip(";"), read=parser))
        tree.set("expressions", [sqlglot.parse_one(ranked.order_sql, read=parser)])
        tree.set("limit", exp.Limit(expression=exp.Literal.number(ranked.place + 1)))
        tree.set("offset", None)
        values = [row[0] for row in database.all(tree.sql(parser))]
    except (BenchwrightError, SqlglotError) as error:
        return str(error)
    if len(values) < 2:
        return "the query ranks one row alone"
    if None in values:
        return "the query ranks a row without a value"
    place = ranked.place - 1
    beside = [*values[:place], *values[place + 1 :]]
    return f"several rows have the value {values[place]} by which the query ranks" if values[place] in beside else None
