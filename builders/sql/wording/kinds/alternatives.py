"""SQL templates that a checker may take a wording of a kind for: another function, end, place, side or column, a
condition less, another join or direction."""

from collections.abc import Iterator
from itertools import chain, zip_longest
from typing import cast

import sqlglot
from sqlglot import exp

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.dialects import parser_of
from benchwright.benchmarks.grounding.sql import RANKING, SqlTemplate, parse_template
from benchwright.benchmarks.hashing import short_hash
from benchwright.builders.sql.schema import DatabaseSchema, SchemaTable
from benchwright.builders.sql.wording.variants import is_odd, join_variants

_FUNCTIONS: dict[type[exp.Expr], tuple[type[exp.AggFunc], ...]] = {
    exp.Max: (exp.Min, exp.Avg),
    exp.Min: (exp.Max, exp.Avg),
    exp.Sum: (exp.Avg, exp.Max),
    exp.Avg: (exp.Sum, exp.Max),
}
_SIDES: dict[type[exp.Expr], tuple[type[exp.Binary], ...]] = {
    exp.GT: (exp.LT, exp.GTE),
    exp.LT: (exp.GT, exp.LTE),
    exp.GTE: (exp.LT, exp.GT),
    exp.LTE: (exp.GT, exp.LT),
}


def alternatives_of_kind(template: SqlTemplate, schema: DatabaseSchema, most: int) -> list[SqlTemplate]:
    """Up to so many SQL templates that differ from one of a kind in what it asks, those that differ most kindly last.

    Args:
        template: the template.
        schema: the schema of its database.
        most: how many are wanted.
    """
    tree = cast(exp.Select, sqlglot.parse_one(template.text.rstrip("; "), read=parser_of(schema.dialect)))
    groups: dict[str, dict[str, SqlTemplate]] = {}
    own = tree.sql(parser_of(schema.dialect))
    for sort, text in chain(_variants(template, schema, tree), join_variants(template, schema, tree)):
        if text != own and (other := _parsed(text, schema)) is not None:
            groups.setdefault(sort, {})[text] = other
    ordered = [
        sorted(those.values(), key=lambda other: short_hash([template.id, other.text], 8)) for those in groups.values()
    ]
    found = (other for row in zip_longest(*ordered) for other in row if other is not None)
    return list({other.text: other for other in found}.values())[:most]


def _parsed(text: str, schema: DatabaseSchema) -> SqlTemplate | None:
    try:
        return parse_template(text, schema.names, schema.dialect, RANKING if " LIMIT " in text else "")
    except BenchwrightError:
        return None


def _variants(template: SqlTemplate, schema: DatabaseSchema, tree: exp.Select) -> Iterator[tuple[str, str]]:
    parser = parser_of(schema.dialect)
    found = (
        _other_functions(tree),
        _not_counted(template, schema, tree),
        _other_orders(tree),
        _other_sides(tree),
        _other_columns(template, schema, tree),
        _less(tree),
    )
    for sort, other in chain(*found):
        yield sort, other.sql(parser)


def _other_functions(tree: exp.Select) -> Iterator[tuple[str, exp.Expr]]:
    """Another function over the same rows; of a count the rows themselves, of rows their number."""
    selected = tree.expressions[0]
    function = selected.find(exp.AggFunc)
    is_claim = isinstance(selected, exp.GT)
    if is_claim:
        other = tree.copy()
        other.set("expressions", [exp.EQ(this=selected.this.copy(), expression=selected.expression.copy())])
        yield "function", other
    elif function is None:
        counted = tree.copy()
        counted.set("expressions", [exp.Count(this=exp.Star())])
        for clause in ("order", "limit", "offset"):
            counted.set(clause, None)
        yield "function", counted
    for kind in _FUNCTIONS.get(type(function), ()) if function is not None else ():
        other = tree.copy()
        old = other.expressions[0].find(exp.AggFunc)
        assert old is not None
        old.replace(kind(this=old.this.copy()))
        yield "function", other


def _not_counted(template: SqlTemplate, schema: DatabaseSchema, tree: exp.Select) -> Iterator[tuple[str, exp.Expr]]:
    """Of a count the rows themselves, and what they have on average or in total."""
    selected = tree.expressions[0]
    if not isinstance(selected, exp.Count):
        return
    alias = list(template.tables)[-1]
    table = schema.tables[template.tables[alias]]

    def column(name: str) -> exp.Column:
        return exp.column(name, table=exp.to_identifier(alias, quoted=is_odd(alias)), quoted=is_odd(name))

    name = table.called_by or table.naming or table.primary_key
    if name:
        rows = tree.copy()
        rows.set("expressions", [column(name[0])])
        yield "rows", rows
    for item in table.askable:
        if item.kind == "number" and not template.conditions_sql:
            for function in (exp.Avg, exp.Sum):
                other = tree.copy()
                other.set("expressions", [function(this=column(item.name))])
                yield "reckoned", other


def _other_orders(tree: exp.Select) -> Iterator[tuple[str, exp.Expr]]:
    """The other end, and the other place from the same end."""
    if tree.args.get("order") is None:
        return
    turned = tree.copy()
    ordered = turned.args["order"].expressions[0]
    ordered.set("desc", not ordered.args.get("desc"))
    yield "end", turned
    placed = tree.copy()
    placed.set("offset", None if placed.args.get("offset") else exp.Offset(expression=exp.Literal.number(1)))
    yield "place", placed


def _other_sides(tree: exp.Select) -> Iterator[tuple[str, exp.Expr]]:
    """The other side of a figure, or the same with the figure itself."""
    for number, condition in enumerate(_conditions(tree)):
        for sort, kind in zip(("side", "figure"), _SIDES.get(type(condition), ()), strict=False):
            other = tree.copy()
            old = _conditions(other)[number]
            old.replace(kind(this=old.this.copy(), expression=old.expression.copy()))
            yield sort, other
        if isinstance(condition, exp.Between):
            other = tree.copy()
            old = _conditions(other)[number]
            old.replace(exp.LT(this=old.this.copy(), expression=old.args["low"].copy()))
            yield "side", other


def _other_columns(template: SqlTemplate, schema: DatabaseSchema, tree: exp.Select) -> Iterator[tuple[str, exp.Expr]]:
    """Another column in the place of each that is selected, compared with a figure or ordered by."""
    fixed = {item.compared_sql for item in template.placeholders}
    for place, column in enumerate(_free_columns(tree)):
        table = _table_of(template, schema, column)
        if table is None or column.sql() in fixed:
            continue
        kind = table.columns[_spelt(table, column.name)].kind if _spelt(table, column.name) else ""
        for item in table.askable:
            if item.kind == kind and item.name.lower() != column.name.lower():
                other = tree.copy()
                _free_columns(other)[place].set("this", exp.to_identifier(item.name, quoted=is_odd(item.name)))
                yield "column", other


def _free_columns(tree: exp.Select) -> list[exp.Column]:
    """The columns that are selected, ordered by, or compared with something else than a placeholder."""
    parts: list[exp.Expr] = [*tree.expressions, *(tree.args["order"].expressions if tree.args.get("order") else [])]
    if tree.expressions[0].find(exp.Count):
        parts = []
    parts += [one for one in _conditions(tree) if isinstance(one, exp.Between | exp.GT | exp.LT | exp.GTE | exp.LTE)]
    return [column for part in parts for column in part.find_all(exp.Column)]


def _less(tree: exp.Select) -> Iterator[tuple[str, exp.Expr]]:
    """One condition less."""
    conditions = _conditions(tree)
    for number in range(len(conditions) if len(conditions) > 1 else 0):
        other = tree.copy()
        kept = [one.copy() for place, one in enumerate(conditions) if place != number]
        other.set("where", exp.Where(this=exp.and_(*kept)))
        yield "condition", other


def _conditions(tree: exp.Select) -> list[exp.Expr]:
    where = tree.args.get("where")
    return list(where.this.flatten()) if where and isinstance(where.this, exp.And) else [where.this] if where else []


def _table_of(template: SqlTemplate, schema: DatabaseSchema, column: exp.Column) -> SchemaTable | None:
    alias = next((name for name in template.tables if name.lower() == column.table.lower()), None)
    alias = alias or (next(iter(template.tables)) if len(template.tables) == 1 else None)
    return schema.tables[template.tables[alias]] if alias else None


def _spelt(table: SchemaTable, name: str) -> str:
    return next((one for one in table.columns if one.lower() == name.lower()), "")
