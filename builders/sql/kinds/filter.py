"""Which row it is of which several things hold at once: the product of a supplier in a category. Where several rows do,
it is not asked."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from benchwright.benchmarks.grounding.sql import parse_template
from benchwright.builders.sql.kinds import Ground, Kind, KindTemplate, Made
from benchwright.builders.sql.kinds.steps.pairs import Pair, all_pairs
from benchwright.builders.sql.kinds.steps.templates import made_of
from benchwright.builders.sql.schema import SchemaTable
from benchwright.builders.sql.templates.enumeration import BETWEEN, free_alias, join_of, shown_name
from benchwright.builders.sql.wording.template_meaning import read_meaning

_NAME = "filter"
_MOST = 4
"""Templates of a table."""


def _make(ground: Ground) -> Made:
    why = "no table with names has two columns, or keys to other tables with names, that many rows share"
    return made_of(_templates(ground), why)


def _templates(ground: Ground) -> Iterator[KindTemplate]:
    by_table: dict[str, list[Pair]] = {}
    for pair in all_pairs(ground.database, ground.schema):
        if not pair.is_linked and (pair.shared or pair.owner.name != pair.many.name):
            by_table.setdefault(pair.many.name, []).append(pair)
    for name, known in by_table.items():
        table = ground.schema.tables[name]
        if not table.naming:
            continue
        made = [sql for both in combinations(known, 2) if (sql := _sql(table, both))]
        for sql in made[:_MOST]:
            template = parse_template(sql, ground.schema.names, ground.schema.dialect)
            meaning = read_meaning(template, ground.schema, ground.schema.vocabulary)
            if meaning is not None:
                yield KindTemplate(sql, replace(meaning, kind=_NAME))


def _sql(table: SchemaTable, both: tuple[Pair, Pair]) -> str | None:
    """The template that asks for the row by two conditions; None where they are of one other table."""
    own = shown_name(table.name)
    joins, given, used = [], [], [table.name]
    for pair in both:
        if pair.shared in table.answered_by:
            return None
        if pair.link is not None:
            if pair.owner.name in used:
                return None
            alias = free_alias(pair.owner.name, used)
            used.append(alias)
            joins.append(join_of(pair.owner.name, alias, table.name, pair.link.columns, pair.link.targets))
        given.append(pair.given)
    selected = BETWEEN.join(f"{own}.{shown_name(column)}" for column in table.answered_by)
    return f"SELECT {selected} {' '.join([f'FROM {own}', *joins])} WHERE {' AND '.join(given)};"


KIND = Kind(_NAME, "which row it is of which two things hold at once", _make)
