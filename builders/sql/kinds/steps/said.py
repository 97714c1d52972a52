"""What a template of a kind asks in the words of its columns, for those who have no more than its SQL."""

import sqlglot
from sqlglot import exp

from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording import english

_DIALECT = "sqlite"
"""As which the parts of a template are read: names in double quotes, as we write them for all databases."""
_SAID = {
    exp.GT: "above",
    exp.LT: "below",
    exp.GTE: "from",
    exp.LTE: "up to",
    exp.EQ: "is",
    exp.NEQ: "is not",
}
IS_SO = "is it so"
"""What stands before a yes or a no; what is claimed stands above it."""
_VALUES = {exp.Max: "highest", exp.Min: "lowest", exp.Sum: "total", exp.Avg: "average"}


def reckoned_words(template: SqlTemplate, vocabulary: Vocabulary) -> str:
    """Such as `number of orders, freight above 20` or `product name, first by unit price from above`."""
    selected = [_selected(template, sql, vocabulary) for sql in template.selected_sql]
    conditions = [_condition(template, sql, vocabulary) for sql in template.conditions_sql]
    parts = [" and ".join(selected), *conditions]
    if template.ranked is not None:
        place = "first" if template.ranked.place == 1 else "second"
        end = "above" if template.ranked.is_descending else "below"
        parts.append(f"{place} by {_words(template, _read(template.ranked.order_sql), vocabulary)} from {end}")
    return ", ".join(parts)


def _selected(template: SqlTemplate, sql: str, vocabulary: Vocabulary) -> str:
    tree = _read(sql)
    if isinstance(tree, exp.Predicate):
        return IS_SO
    columns = list(tree.find_all(exp.Column))
    counted = tree.find(exp.Count)
    if counted is not None:
        table = _table(template, columns[0]) if columns else list(template.tables.values())[-1]
        return f"number of {english.plural(vocabulary.noun(table))}"
    function = tree.find(exp.AggFunc)
    if function is None:
        noun = vocabulary.noun(_table(template, columns[0])) if columns else ""
        return f"{noun} {' '.join(_words(template, one, vocabulary) for one in columns[:1])}".strip()
    measured = " and ".join(_words(template, one, vocabulary) for one in columns)
    of = f" of {english.plural(vocabulary.noun(_table(template, columns[0])))}" if columns else ""
    return f"{_VALUES.get(type(function), function.key)} {measured}{of}"


def _condition(template: SqlTemplate, sql: str, vocabulary: Vocabulary) -> str:
    tree = _read(sql)
    if isinstance(tree, exp.Between):
        low, high = tree.args["low"], tree.args["high"]
        return f"{_words(template, tree.this, vocabulary)} from {low.sql(_DIALECT)} to {high.sql(_DIALECT)}"
    said = _SAID.get(type(tree))
    if said is None or not isinstance(tree.this, exp.Column):
        return sql
    value = tree.expression
    shown = value.this if isinstance(value, exp.Literal) else value.sql(_DIALECT)
    return f"{_words(template, tree.this, vocabulary)} {said} {shown}"


def _words(template: SqlTemplate, column: exp.Expr, vocabulary: Vocabulary) -> str:
    if not isinstance(column, exp.Column):
        return column.sql(_DIALECT)
    return vocabulary.column(_table(template, column), column.name)


def _table(template: SqlTemplate, column: exp.Column) -> str:
    """The table of a column; without an alias it is the only one that has it."""
    alias = column.table.lower()
    found = [table for name, table in template.tables.items() if name.lower() == alias]
    named = [one.table for one in template.columns if one.column.lower() == column.name.lower()]
    return (found or named or list(template.tables.values()))[0]


def _read(sql: str) -> exp.Expr:
    return sqlglot.parse_one(sql, read=_DIALECT)
