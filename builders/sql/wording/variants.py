"""SQL templates that join as another one does but along another key, or the other way round."""

from collections.abc import Iterator

from sqlglot import exp

from benchwright.benchmarks.grounding.dialects import parser_of
from benchwright.benchmarks.grounding.sql import ColumnOf, SqlTemplate
from benchwright.builders.sql.schema import DatabaseSchema


def join_variants(template: SqlTemplate, schema: DatabaseSchema, tree: exp.Expr) -> Iterator[tuple[str, str]]:
    """How a template differs from another one, `join` or `direction`, and the text of the other one.

    Args:
        template: the template.
        schema: the schema of its database.
        tree: the template as it was parsed.
    """
    parser = parser_of(schema.dialect)
    for one, other in template.joins:
        for near, far in ((one, other), (other, one)):
            for key in schema.tables[near.table].foreign_keys:
                if key.table == far.table and key.columns != (near.column,) and key.targets == (far.column,):
                    yield "join", _with_column(tree, near, key.columns[0]).sql(parser)
        if one.table == other.table:
            turned = _with_column(_with_column(tree, one, "\x00"), other, one.column)
            yield "direction", _with_column(turned, ColumnOf(one.alias, one.table, "\x00"), other.column).sql(parser)


def _with_column(tree: exp.Expr, old: ColumnOf, column: str) -> exp.Expr:
    """A statement with another column in the place of one in its joins."""
    changed = tree.copy()
    for join in changed.args.get("joins") or []:
        for part in join.find_all(exp.Column):
            if part.table.lower() == old.alias.lower() and part.name.lower() == old.column.lower():
                part.set("this", exp.to_identifier(column, quoted=is_odd(column)))
    return changed


def is_odd(name: str) -> bool:
    """Whether a name must stand in quotes to be read as it is spelt."""
    return not name.isidentifier() or not name.islower()
