"""Questions without an answer: about a name that nothing has, a fact that is not there, or on a false premise.

Every query returns nothing, which proofs execute; a system should say that there is no answer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import nsmallest
from itertools import groupby

import pyarrow as pa

from benchwright.benchmarks.grounding.sql import ColumnOf, SqlTemplate, parse_template
from benchwright.benchmarks.grounding.values import text_array, to_text
from benchwright.benchmarks.types import FALSE_PREMISE, MADE_NAME, NULL
from benchwright.builders.sql.filling.fill import Filler
from benchwright.builders.sql.filling.fillings import FillingCounts, Fillings
from benchwright.builders.sql.kinds import Ground, Kind, KindTemplate, Made
from benchwright.builders.sql.kinds.steps.by_chance import Row, in_a_circle, place_of
from benchwright.builders.sql.kinds.steps.lookups import column_sql, given_sql, lookups
from benchwright.builders.sql.kinds.steps.made_names import made_names
from benchwright.builders.sql.kinds.steps.pairs import Pair, pairs
from benchwright.builders.sql.kinds.steps.plausible import is_plainly_another
from benchwright.builders.sql.templates.enumeration import given_row, shown_name
from benchwright.builders.sql.wording.template_meaning import read_meaning

_NAME = "unanswerable"
_NAMES, _FACTS, _PREMISES = 5, 10, 10
"""Questions of one template about made names, about facts that are not there, and on a false premise."""
_COLUMNS = 3
"""Columns of a thing that are asked for on a false premise."""


def _make(ground: Ground) -> Made:
    found: list[KindTemplate] = []
    for template, meaning in lookups(ground):
        if len({item.compared.alias for item in template.placeholders}) > 1:
            continue
        column = column_sql(template.names[0][0])
        selected = " || ' ' || ".join(map(column_sql, template.names[0]))
        sql = f"SELECT {selected} {template.source_sql} WHERE {given_sql(template)} AND {column} IS NOT NULL;"
        found.append(KindTemplate(sql, replace(meaning, kind=_NAME)))
    if ground.hops > 1:
        found += [each for pair in pairs(ground.schema) for each in _premises(pair, ground)]
    return Made(tuple(found), "" if found else "no thing that is named has anything that is asked for")


def _premises(pair: Pair, ground: Ground) -> Iterator[KindTemplate]:
    """What is asked of a thing that is said to belong to another one."""
    schema, many = ground.schema, pair.many
    if pair.is_linked or not many.naming or many.name == pair.owner.name:
        return
    owner = shown_name(pair.owner.name)
    given = f"{given_row(many, f'{shown_name(pair.alias)}.')} AND {given_row(pair.owner, f'{owner}.')}"
    for column in [one for one in many.askable if one.kind != "boolean"][:_COLUMNS]:
        asked = f"SELECT {pair.column(column.name)} {pair.source} WHERE {given}"
        template = parse_template(f"{asked};", schema.names, schema.dialect)
        meaning = read_meaning(template, schema, schema.vocabulary)
        if meaning is not None:
            yield KindTemplate(f"{asked} AND {pair.column(column.name)} IS NOT NULL;", replace(meaning, kind=_NAME))


def _fill(filler: Filler, template: SqlTemplate, size: int) -> Iterator[Fillings]:
    counts = filler.counts.setdefault(template.id, FillingCounts())
    is_premise = len({item.compared.alias for item in template.placeholders}) > 1
    if is_premise:
        rows = dict.fromkeys(_false_premises(filler, template), FALSE_PREMISE)
    else:
        rows = dict.fromkeys(_made(filler, template), MADE_NAME) | dict.fromkeys(_gone(filler, template), NULL)
    kept = [(row, sort) for row, sort in rows.items() if filler.is_usable(template, row, counts)]
    kept.sort(key=lambda item: list(map(to_text, item[0])))
    counts.kept += len(kept)
    for start in range(0, len(kept), size):
        yield _fillings(kept[start : start + size])


def _made(filler: Filler, template: SqlTemplate) -> tuple[Row, ...]:
    """Names that nothing has."""
    first = template.placeholders[0]
    columns = tuple(item.column for item in template.placeholders)
    return tuple(map(tuple, made_names(filler.database, first.table, columns, _NAMES)))


def _gone(filler: Filler, template: SqlTemplate) -> list[Row]:
    """Names of what is there without the fact that is asked for."""
    keys = ", ".join(item.compared_sql for item in template.placeholders)
    columns = ", ".join(f"{item.compared_sql} AS filled_{i}" for i, item in enumerate(template.placeholders))
    known = " AND ".join(f"{item.compared_sql} IS NOT NULL" for item in template.placeholders)
    asked = column_sql(_asked(template))
    sql = f"SELECT {columns} {template.source_sql} WHERE {known} GROUP BY {keys} HAVING COUNT({asked}) = 0"
    rows = [tuple(row) for part in filler.database.rows(sql) for row in part]
    return nsmallest(_FACTS, rows, key=lambda row: place_of(template, "fact", row))


def _false_premises(filler: Filler, template: SqlTemplate) -> list[Row]:
    """Things with the name of something else that they do not belong to."""
    last = template.placeholders[-1].compared.alias
    width = sum(1 for item in template.placeholders if item.compared.alias != last)
    rows = [tuple(row) for part in filler.combinations(template) for row in part]
    owners = sorted({row[width:] for row in rows}, key=lambda owner: place_of(template, "owner", owner))
    things = {thing: {row[width:] for row in group} for thing, group in groupby(rows, key=lambda row: row[:width])}
    found: list[Row] = []
    for thing in nsmallest(_PREMISES, things, key=lambda thing: place_of(template, "thing", thing)):
        for owner in in_a_circle(template, owners, thing):
            if all(
                is_plainly_another(" ".join(map(to_text, owner)), " ".join(map(to_text, own))) for own in things[thing]
            ):
                found.append((*thing, *owner))
                break
    return found


def _asked(template: SqlTemplate) -> ColumnOf:
    return template.names[0][0]


def _fillings(rows: Sequence[tuple[Row, str]]) -> Fillings:
    values = tuple(zip(*(row for row, _ in rows), strict=True))
    answers = pa.array([[] for _ in rows], pa.list_(pa.string()))
    texts = tuple(text_array(column) for column in values)
    return Fillings(values, texts, answers, ["none"] * len(rows), [sort for _, sort in rows])


KIND = Kind(
    _NAME,
    "what has no answer: a made name, a fact that is not there, a false premise",
    _make,
    _fill,
    answerability="unanswerable",
    always_open="what is not there cannot be kept back",
)
