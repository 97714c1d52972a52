"""Which facts the answer of a question needs, found by its query: the build and the proof of a release call the same.

A lookup follows keys from one name, so that the facts on its way are known; where several rows lead to its answer,
those of one of them are enough. A query that counts, compares, lists or searches for the largest looks at all rows that
belong to what its question names: of each of them it needs what ties it to the name, what a condition compares, and
what is asked. That a row belongs to something else is not among them: what no page says of a row is taken not to be so.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.grounding.values import to_text
from benchwright.builders.spider.facts import (
    FactKey,
    Need,
    Row,
    cell_key,
    link_key,
    pair_key,
)
from benchwright.builders.spider.ways import Sought, Way
from benchwright.builders.sql.filling.chosen import BOUND, Chosen
from benchwright.builders.sql.filling.fillings import Fillings

MOST = 30
"""Facts of an answer above which nobody is asked."""
NAMELESS: FactKey = ("nameless",)
"""A fact of a row without a name, which no page states."""


def needed(database: Database, template: SqlTemplate, way: Way, fillings: Fillings) -> list[list[tuple[Need, ...]]]:
    """For each filling the facts that its answer needs, in the order of its path; several where several rows lead to
    the same answer and one is enough."""
    width = len(way.given)
    values = list(zip(*fillings.values[:width], strict=True))
    found: dict[tuple[object, ...], list[Sequence[Any]]] = {row: [] for row in values}
    given = ", ".join(f"chosen.value_{number}" for number in range(width))
    distinct = list(found)
    for start in range(0, len(distinct), BOUND):
        chosen = Chosen(template, distinct[start : start + BOUND])
        sql = (
            f"{chosen.before}SELECT DISTINCT {given}, {_selected(way)} {template.source_sql}{chosen.join} "
            f"WHERE {_where(way.conditions)} ORDER BY {', '.join(str(width + 1 + i) for i in range(len(way.columns)))}"
        )
        for part in database.rows(sql, chosen.bound):
            for row in part:
                found[tuple(row[:width])].append(row[width:])
    made = {given: _ways(way, rows) for given, rows in found.items()}
    return [made[row] for row in values]


def needed_of(database: Database, template: SqlTemplate, way: Way, literals: Sequence[str]) -> list[tuple[Need, ...]]:
    """The same of one filling, whose values are given as its SQL has them: for whoever proves a release.

    Raises:
        BenchwrightError: the database refuses the query.
    """
    return _ways(way, rows_looked_at(database, template, way, literals))


def rows_looked_at(database: Database, template: SqlTemplate, way: Way, literals: Sequence[str]) -> list[Sequence[Any]]:
    """What is selected of the rows that one query looks at."""
    equal = [f"{item.compared_sql} = {value}" for item, value in zip(way.given, literals, strict=False)]
    order = ", ".join(str(1 + i) for i in range(len(way.columns)))
    where = _where((*way.conditions, *equal))
    sql = f"SELECT DISTINCT {_selected(way)} {template.source_sql} WHERE {where} ORDER BY {order}"
    return [row for part in database.rows(sql) for row in part]


def _selected(way: Way) -> str:
    return ", ".join(f"{quoted(alias)}.{quoted(column)}" for alias, column in way.columns)


def _where(conditions: Sequence[str]) -> str:
    return " AND ".join(f"({item})" for item in conditions) or "1"


def _ways(way: Way, rows: Sequence[Sequence[Any]]) -> list[tuple[Need, ...]]:
    if not way.needs_all:
        each = (tuple(need for need, _ in facts_of(way, row)) for row in rows)
        return list(dict.fromkeys(needs for needs in each if all(key != NAMELESS for key, _ in needs)))
    held = (need for row in rows for need, is_held in facts_of(way, row) if is_held)
    return [tuple(dict.fromkeys(held))]


def facts_of(way: Way, row: Sequence[Any]) -> Iterator[tuple[Need, bool]]:
    """The facts of a row that a query looks at, each with whether it holds anything."""
    for sought in way.facts:
        if sought.present is not None and row[sought.present] is None:
            continue
        names = [tuple(row[at] for at in places) for _, places in sought.rows]
        if any(value is None for name in names for value in name):
            yield (NAMELESS, ()), True
            continue
        texts = [tuple(map(to_text, name)) for name in names]
        yield _need(sought, texts), sought.held is None or row[sought.held] is not None


def _need(sought: Sought, names: Sequence[tuple[str, ...]]) -> Need:
    keys = [key for key, _ in sought.rows]
    if sought.sort == "cell":
        return cell_key(sought.table, names[0], sought.column), ((sought.table, names[0]),)
    if sought.sort == "link" and keys[0] is not None:
        return link_key(sought.table, names[0], keys[0], names[1]), ((sought.table, names[0]),)
    ends = [(key, name) for key, name in zip(keys, names, strict=True) if key is not None]
    rows: tuple[Row, ...] = tuple((key.table, name) for key, name in ends)
    return pair_key(sought.table, ends, sought.column), rows
