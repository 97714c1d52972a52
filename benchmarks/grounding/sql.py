"""SQL templates: parsed and checked. A template is a SELECT whose WHERE compares columns with placeholders,
`column = '[table.column]'`, joined by AND (GRAMMAR, Algorithm 1 and the criteria of its appendices B and D)."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.dialects import DialectName, parser_of
from benchwright.benchmarks.hashing import template_id

PLACEHOLDER = re.compile(r"\[([^\[\].]+)\.([^\[\].]+)\]")
IN_SQL = re.compile(r"'\[([^\[\].]+)\.([^\[\].]+)\]'|\[([^\[\].]+)\.([^\[\].]+)\]")
"""A placeholder in a SQL template, with the quotes around it."""

Schema = Mapping[str, Collection[str]]
"""Table → its columns."""

_REFUSED = {
    "with_": "WITH",
    "group": "GROUP BY",
    "having": "HAVING",
    "order": "ORDER BY",
    "limit": "LIMIT",
    "offset": "OFFSET",
    "into": "INTO",
    "locks": "FOR UPDATE",
    "windows": "WINDOW",
}
RANKING = "ranking"
"""The kind whose templates order rows and take one of them."""
_FUNCTIONS = {
    "count": "COUNT",
    "comparison": "COUNT",
    "minimum": "MIN",
    "maximum": "MAX",
    "sum": "SUM",
    "average": "AVG",
}
"""Kind → what its templates select."""
_RANKS = frozenset({"order", "limit", "offset"})
_WRITING = (exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Create, exp.Drop, exp.Alter, exp.Command, exp.Into)
_UNSTEADY = (exp.Rand, exp.CurrentDate, exp.CurrentTime, exp.CurrentTimestamp, exp.Window, exp.Anonymous)
"""Functions whose value may change, or that nobody but this database knows: no answer can be proved with them."""


@dataclass(frozen=True)
class ColumnOf:
    """A column of one of the tables in FROM and JOIN. Names are spelt as the database spells them."""

    alias: str
    table: str
    column: str


@dataclass(frozen=True)
class Placeholder:
    """`[table.column]`, and the column that the template compares with it."""

    text: str
    """`[table.column]`, spelt as in the template."""
    table: str
    column: str
    compared: ColumnOf
    compared_sql: str


@dataclass(frozen=True)
class Ranked:
    """By what rows are ordered, and which of them is taken."""

    order_sql: str
    is_descending: bool
    place: int
    """1 is the first."""


@dataclass(frozen=True)
class SqlTemplate:
    """A template that was checked against a schema."""

    text: str
    """As it was written."""
    id: str
    tables: Mapping[str, str]
    """Alias → table, in the order of FROM and JOIN."""
    placeholders: tuple[Placeholder, ...]
    projections: tuple[ColumnOf | None, ...]
    """What is selected, of a name in several columns the first; None for what is no column, such as COUNT(*)."""
    names: tuple[tuple[ColumnOf, ...], ...]
    """The same with all columns of a name: `first || ' ' || last` is one answer. Empty for what is no column."""
    joins: tuple[tuple[ColumnOf, ColumnOf], ...]
    """Pairs of columns that ON, USING or WHERE equate."""
    columns: frozenset[ColumnOf]
    """All columns that the template names, its placeholders' included."""
    plain: bool
    """Whether there is no condition beside placeholders and joins, and only columns and names of them are selected."""
    aggregates: bool
    """Whether functions over many rows, such as COUNT, are selected."""
    predicates: tuple[bool, ...]
    """Of what is selected, whether it is true or false by itself, such as `COUNT(*) > 0`."""
    selected_sql: tuple[str, ...]
    source_sql: str
    """FROM and JOIN."""
    conditions_sql: tuple[str, ...]
    """The conditions of WHERE that hold no placeholder."""
    valued: tuple[ColumnOf | None, ...] = ()
    """Of each thing that is selected, the column that its value is one of, or is reckoned from."""
    ranked: Ranked | None = None
    """Of a ranking: by what its rows are ordered, and which of them is asked for."""
    declared: str = ""
    """The kind that whoever made it says its questions are of; empty where nobody said."""

    @property
    def kind(self) -> str:
        """The kind of its questions."""
        return self.declared or ("aggregate" if self.aggregates else "lookup")

    @property
    def units_of(self) -> tuple[ColumnOf | None, ...]:
        """Of each thing that is selected, the column whose unit it has; of no kind by name, columns alone have one."""
        return self.valued if self.declared else self.projections

    @property
    def pieces(self) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """The text cut at its placeholders: n + 1 pieces, and for each of the n cuts the number of its placeholder."""
        numbers = {(item.table.lower(), item.column.lower()): i for i, item in enumerate(self.placeholders)}
        parts, cuts, last = [], [], 0
        for match in IN_SQL.finditer(self.text):
            table, column = match.group(1) or match.group(3), match.group(2) or match.group(4)
            parts.append(self.text[last : match.start()])
            cuts.append(numbers[table.lower(), column.lower()])
            last = match.end()
        return (*parts, self.text[last:]), tuple(cuts)


def parse_template(text: str, schema: Schema, dialect: str, kind: str = "") -> SqlTemplate:
    """Parses a template and checks that it can be filled.

    Args:
        text: the template.
        schema: the tables of the database and their columns.
        dialect: SQLAlchemy's name of the SQL dialect.
        kind: the kind of its questions, where whoever made it says so.

    Raises:
        BenchwrightError: it is not one read-only SELECT, names what is not there, or breaks a criterion of the papers.
    """
    names = tuple((table, tuple(columns)) for table, columns in schema.items())
    found = _parsed(text, names, dialect, kind == RANKING)
    function = _FUNCTIONS.get(kind)
    if function and not any(f"{function}(" in sql.upper() for sql in found.selected_sql):
        raise _refused(text, f"it is said to be of the kind {kind}, and selects no {function}")
    return replace(found, declared=kind) if kind else found


@lru_cache(maxsize=4096)
def _parsed(
    text: str, tables: tuple[tuple[str, tuple[str, ...]], ...], dialect: str, is_ranking: bool = False
) -> SqlTemplate:
    """See `parse_template`: a build and its proofs read each template several times."""
    schema = dict(tables)
    parser = parser_of(dialect)
    select = _one_select(text, parser, _RANKS if is_ranking else frozenset())
    ranked = _ranked(select, text, parser) if is_ranking else None
    scope = _Scope(select, schema, text)
    for item in select.expressions:
        if isinstance(item.unalias(), exp.Star) or (item.find(exp.Star) and not item.find(exp.Count)):
            raise _refused(text, "it selects *: name the columns")
    named = {scope.find(column) for column in _columns(select) if not _placeholder_name(column)}
    placeholders, others = _placeholders(select, scope, parser)
    joins = [pair for item in (*_join_conditions(select), *others) if (pair := scope.equation(item))]
    joins += list(scope.using(select))
    names = tuple(scope.name(item.unalias()) for item in select.expressions)
    projections = tuple(name[0] if name else None for name in names)
    compared = {item.compared for item in placeholders}
    for projection in (column for name in names for column in name):
        if projection in compared:
            raise _refused(text, f"it selects {projection.column}, which its own condition compares")
    aggregates = [bool(item.find(exp.AggFunc)) for item in select.expressions]
    if any(aggregates) and not all(aggregates):
        raise _refused(text, "it selects a plain column beside a function over many rows")
    conditions = len(list(_join_conditions(select))) + len(others) + sum(1 for _ in scope.using(select))
    source = [select.find(exp.From), *(select.args.get("joins") or [])]
    return SqlTemplate(
        text=text,
        id=template_id(text),
        tables=scope.tables,
        placeholders=placeholders,
        projections=projections,
        names=names,
        joins=tuple(joins),
        columns=frozenset(
            named
            | {column for pair in joins for column in pair}
            | {ColumnOf(item.table, item.table, item.column) for item in placeholders}
        ),
        plain=len(joins) == conditions and None not in projections,
        aggregates=any(aggregates),
        predicates=tuple(isinstance(item.unalias(), exp.Predicate) for item in select.expressions),
        selected_sql=tuple(item.unalias().sql(parser) for item in select.expressions),
        source_sql=" ".join(
            part.sql(parser).lstrip(", ") if i == 0 else part.sql(parser)
            for i, part in enumerate(source)
            if part is not None
        ).replace(" , ", ", "),
        conditions_sql=tuple(item.sql(parser) for item in others),
        valued=tuple(
            projection or _reckoned(item, scope)
            for item, projection in zip(select.expressions, projections, strict=True)
        ),
        ranked=ranked,
    )


def _reckoned(selected: exp.Expr, scope: "_Scope") -> ColumnOf | None:
    """The one column from whose values a value in the same unit is reckoned."""
    columns = list(selected.find_all(exp.Column))
    is_of_unit = selected.find(exp.Max, exp.Min, exp.Sum, exp.Avg) is not None and selected.find(exp.Count) is None
    return scope.find(columns[0]) if is_of_unit and len(columns) == 1 else None


def _ranked(select: exp.Select, text: str, parser: DialectName) -> "Ranked":
    """By what a statement orders its rows, and which of them it takes."""
    order, limit, offset = (select.args.get(name) for name in ("order", "limit", "offset"))
    columns = order.expressions if order else []
    if len(columns) != 1 or not isinstance(columns[0].this, exp.Column):
        raise _refused(text, "a ranking orders its rows by one column")
    if limit is None or limit.expression.sql() != "1" or (offset is not None and offset.expression.sql() != "1"):
        raise _refused(text, "a ranking ends with LIMIT 1, or with LIMIT 1 OFFSET 1")
    return Ranked(columns[0].this.sql(parser), bool(columns[0].args.get("desc")), 1 if offset is None else 2)


def _one_select(text: str, dialect: DialectName, allowed: Collection[str]) -> exp.Select:
    try:
        statements = [item for item in sqlglot.parse(text, read=dialect) if item is not None]
    except SqlglotError as error:
        raise _refused(text, f"it cannot be parsed: {str(error).splitlines()[0]}") from None
    if len(statements) != 1:
        raise _refused(text, f"it has {len(statements)} statements and must be one SELECT")
    select = statements[0]
    if not isinstance(select, exp.Select):
        raise _refused(text, f"it is {select.key.upper()} and must be one SELECT")
    for key, name in _REFUSED.items():
        if select.args.get(key) and key not in allowed:
            raise _refused(text, f"{name} cannot be filled: use SELECT, FROM, JOIN and WHERE")
    if select.find(exp.From) is None:
        raise _refused(text, "it has no FROM")
    for part in select.walk():
        if isinstance(part, _WRITING):
            raise _refused(text, f"it holds {part.key.upper()} and must only read")
        if isinstance(part, _UNSTEADY):
            raise _refused(text, f"it calls {part.name or part.key}, whose value cannot be proved")
    return select


def _columns(select: exp.Select) -> Iterator[exp.Column]:
    """The columns of the statement itself, without those of subqueries, which the database checks."""
    for part in select.walk(prune=lambda node: isinstance(node, exp.Select) and node is not select):
        if isinstance(part, exp.Column) and part.find_ancestor(exp.Select) is select:
            yield part


def _placeholders(
    select: exp.Select, scope: "_Scope", dialect: DialectName
) -> tuple[tuple[Placeholder, ...], list[exp.Expr]]:
    """The placeholders of WHERE, and its other conditions."""
    text = scope.text
    where = select.args.get("where")
    found: dict[tuple[str, str], Placeholder] = {}
    others: list[exp.Expr] = []
    for condition in _conjuncts(where.this) if where else ():
        names = [name for part in condition.walk() if (name := _placeholder_name(part))]
        if not names:
            others.append(condition)
            continue
        sides = (condition.left, condition.right) if isinstance(condition, exp.EQ) else ()
        columns = [side for side in sides if isinstance(side, exp.Column) and not _placeholder_name(side)]
        if len(names) != 1 or len(columns) != 1 or not any(_placeholder_name(side) for side in sides):
            raise _refused(
                text, f"{condition.sql(dialect)} cannot be filled: write column = '[table.column]', with AND"
            )
        table, column = scope.named(*names[0])
        known = found.get((table, column))
        if known is None:
            compared = scope.find(columns[0])
            shown = f"[{names[0][0]}.{names[0][1]}]"
            found[table, column] = Placeholder(shown, table, column, compared, columns[0].sql(dialect))
        else:
            others.append(
                exp.EQ(this=columns[0].copy(), expression=sqlglot.parse_one(known.compared_sql, read=dialect))
            )
    outside = sum(1 for part in select.walk() if _placeholder_name(part))
    inside = sum(1 for part in where.walk() if _placeholder_name(part)) if where else 0
    if outside > inside:
        raise _refused(text, "a placeholder stands outside its WHERE")
    if not found:
        raise _refused(text, "its WHERE compares no column with a placeholder such as '[company.Name]'")
    return tuple(found.values()), others


def _placeholder_name(part: exp.Expr) -> tuple[str, str] | None:
    """Table and column of a placeholder: a text literal, or, without quotes, a name in brackets."""
    if isinstance(part, exp.Literal) and part.is_string:
        match = PLACEHOLDER.fullmatch(part.this)
    elif isinstance(part, exp.Column) and not part.table:
        match = PLACEHOLDER.fullmatch(f"[{part.name}]")
    else:
        return None
    return (match.group(1), match.group(2)) if match else None


def _conjuncts(condition: exp.Expr) -> Iterator[exp.Expr]:
    condition = condition.unnest()
    if isinstance(condition, exp.And):
        yield from _conjuncts(condition.left)
        yield from _conjuncts(condition.right)
    else:
        yield condition


def _join_conditions(select: exp.Select) -> Iterator[exp.Expr]:
    for join in select.args.get("joins") or []:
        if on := join.args.get("on"):
            yield from _conjuncts(on)


class _Scope:
    """The tables of a statement, and what its names mean."""

    def __init__(self, select: exp.Select, schema: Schema, text: str) -> None:
        self.schema, self.text = schema, text
        self._spelling = {table.lower(): table for table in schema}
        self.tables: dict[str, str] = {}
        start = select.find(exp.From)
        for source in [start.this if start else None, *(join.this for join in select.args.get("joins") or [])]:
            if not isinstance(source, exp.Table):
                raise _refused(text, "its FROM holds something other than tables")
            alias = source.alias or source.name
            if alias.lower() in (name.lower() for name in self.tables):
                raise _refused(text, f"two tables are called {alias}: give them aliases")
            self.tables[alias] = self._table(source.name)

    def _table(self, name: str) -> str:
        found = self._spelling.get(name.lower())
        if found is None:
            raise _refused(self.text, f"there is no table {name}{_nearest(name, self.schema)}")
        return found

    def _column(self, table: str, name: str) -> str | None:
        return next((column for column in self.schema[table] if column.lower() == name.lower()), None)

    def named(self, table: str, column: str) -> tuple[str, str]:
        """A placeholder's table and column, as the database spells them."""
        found = self._table(table)
        spelt = self._column(found, column)
        if spelt is None:
            raise _refused(self.text, f"there is no column {found}.{column}{_nearest(column, self.schema[found])}")
        return found, spelt

    def find(self, column: exp.Column) -> ColumnOf:
        """What a column's name means."""
        if column.table:
            alias = next((name for name in self.tables if name.lower() == column.table.lower()), None)
            if alias is None:
                raise _refused(
                    self.text, f"there is no table {column.table} in FROM{_nearest(column.table, self.tables)}"
                )
            spelt = self._column(self.tables[alias], column.name)
            matches = [(alias, spelt)] if spelt else []
        else:
            matches = [
                (alias, spelt) for alias, table in self.tables.items() if (spelt := self._column(table, column.name))
            ]
        if not matches:
            known = {name for table in self.tables.values() for name in self.schema[table]}
            raise _refused(self.text, f"there is no column {column.sql()}{_nearest(column.name, known)}")
        if len(matches) > 1:
            raise _refused(self.text, f"the column {column.name} is in several tables: write TABLE.{column.name}")
        alias, spelt = matches[0]
        return ColumnOf(alias, self.tables[alias], spelt)

    def name(self, selected: exp.Expr) -> tuple[ColumnOf, ...]:
        """The columns of one table that are selected as one text with spaces between, or the one column; else none."""
        if isinstance(selected, exp.Column):
            return (self.find(selected),)
        if not isinstance(selected, exp.DPipe):
            return ()
        parts = list(selected.flatten())
        columns = [self.find(part) for part in parts[::2] if isinstance(part, exp.Column)]
        spaces = [part for part in parts[1::2] if isinstance(part, exp.Literal) and part.is_string and part.this == " "]
        is_name = len(columns) + len(spaces) == len(parts) and len(columns) > 1
        return tuple(columns) if is_name and len({column.alias for column in columns}) == 1 else ()

    def equation(self, condition: exp.Expr) -> tuple[ColumnOf, ColumnOf] | None:
        """The two columns of different tables that a condition equates."""
        if isinstance(condition, exp.EQ) and isinstance(condition.left, exp.Column):
            right = condition.right
            if isinstance(right, exp.Column):
                pair = self.find(condition.left), self.find(right)
                return pair if pair[0].alias != pair[1].alias else None
        return None

    def using(self, select: exp.Select) -> Iterator[tuple[ColumnOf, ColumnOf]]:
        """The pairs of columns that USING equates."""
        names = list(self.tables)
        for number, join in enumerate(select.args.get("joins") or []):
            for item in join.args.get("using") or []:
                alias = names[number + 1]
                own = self._column(self.tables[alias], item.name)
                other = next((a for a in names[: number + 1] if self._column(self.tables[a], item.name)), None)
                if own is None or other is None:
                    raise _refused(self.text, f"USING ({item.name}) names no column of both tables")
                spelt = self._column(self.tables[other], item.name)
                yield ColumnOf(alias, self.tables[alias], own), ColumnOf(other, self.tables[other], str(spelt))


def _refused(text: str, why: str) -> BenchwrightError:
    return BenchwrightError(f"the SQL template is refused, {why}: {' '.join(text.split())[:300]!r}")


def _nearest(name: str, names: Collection[str]) -> str:
    near = get_close_matches(name.lower(), [item.lower() for item in names], 1)
    return f" (did you mean {next(item for item in names if item.lower() == near[0])}?)" if near else ""
