"""How large a query may make its plan and its values: a kilobyte of SQL can mean a hundred million parts.

A planner writes the expression of a derived column wherever the column is named. Ten columns that each name the one
before ten times are ten thousand million parts, or a text as long, before any clock of a server is looked at; a
PostgreSQL took 22 GB so. The parts are counted here first, without writing them out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

MOST_PARTS = 200_000
"""Parts of a query with every derived column written out, a letter of a text counted as one."""
_POWER = 10_000
"""A power of an exact number may have that many times the digits of what others make."""
_PADDED = (exp.DataType.Type.CHAR, exp.DataType.Type.NCHAR, exp.DataType.Type.DECIMAL)
"""Types whose values are as long as they say."""
_SOURCES_AND_COLUMNS = frozenset(("expressions", "from", "from_", "joins", "with", "with_"))


@dataclass(frozen=True)
class _Columns:
    """Of a table, a subquery or a WITH: how many parts its columns have, and all that it reads."""

    parts: Mapping[str, int] = field(default_factory=dict)
    other: int = 1
    """Of a column that is not named here."""
    whole: int = 1

    def of(self, name: str) -> int:
        return self.parts.get(name, self.other)


_Sources = Mapping[str, _Columns]


def parts_of(query: exp.Query) -> int:
    """How many parts a query has with every derived column written out; never fewer than a planner would make.

    Raises:
        RecursionError: its queries are nested too deeply.
    """
    return _read(query, {}, {}).whole


def _read(query: exp.Expr, outer: _Sources, common: _Sources) -> _Columns:
    known = dict(common)
    above = query.args.get("with_") or query.args.get("with")
    for item in above.expressions if above else ():
        known[item.alias_or_name.lower()] = _renamed(_read(item.this, outer, known), item)
    if isinstance(query, exp.Subquery):
        return _read(query.this, outer, known)
    if isinstance(query, exp.SetOperation):
        both = [_read(side, outer, known) for side in (query.left, query.right)]
        most = max(max((side.other, *side.parts.values())) for side in both)
        return _Columns(dict.fromkeys(both[0].parts, most), most, sum(side.whole for side in both))
    return _read_select(query, outer, known)


def _read_select(query: exp.Expr, outer: _Sources, common: _Sources) -> _Columns:
    own: dict[str, _Columns] = {}
    for item in (query.args.get("from_") or query.args.get("from"), *(query.args.get("joins") or ())):
        source = item.this if item is not None else None
        if isinstance(source, exp.Table):
            columns = common.get(source.name.lower(), _Columns()) if not source.db else _Columns()
        elif source is not None:
            columns = _read(source, {**outer, **own}, common)
        else:
            continue
        own[source.alias_or_name.lower()] = _renamed(columns, source)
    whole = sum(columns.whole for columns in own.values())
    seen = {**outer, **own}
    named: dict[str, int] = {}
    other = max((max((columns.other, *columns.parts.values())) for columns in own.values()), default=1)
    for part in query.expressions:
        size = _size(part, seen, named, common)
        whole += size
        if part.is_star:  # all columns of all sources, under the names that they have
            for columns in own.values():
                for name, known in columns.parts.items():
                    named[name] = max(named.get(name, 1), known)
                whole += sum(columns.parts.values())
        elif name := part.alias_or_name.lower():
            named[name] = max(named.get(name, 1), size)
        else:
            other = max(other, size)
    conditions = [join.args.get("on") for join in query.args.get("joins") or ()]
    clauses = [value for key, value in query.args.items() if key not in _SOURCES_AND_COLUMNS]
    for value in (*conditions, *clauses):
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, exp.Expr):
                whole += _size(part, seen, named, common)
    return _Columns(named, other, whole)


def _renamed(columns: _Columns, item: exp.Expr) -> _Columns:
    """What an alias with names of columns, as in `x(a, b)`, makes of them: each may be any."""
    alias = item.args.get("alias")
    if not (isinstance(alias, exp.TableAlias) and alias.columns):
        return columns
    most = max((columns.other, *columns.parts.values()))
    return _Columns({}, most, columns.whole)


def _size(part: exp.Expr, seen: _Sources, named: Mapping[str, int], common: _Sources) -> int:
    """Of an expression, with the columns of its sources and those that its own query already named."""
    nodes = list(part.walk(prune=lambda node: isinstance(node, exp.Query)))
    sizes: dict[int, int] = {}
    for node in reversed(nodes):  # a part comes after what it is made of
        if isinstance(node, exp.Query):
            size = _read(node, seen, common).whole
        elif isinstance(node, exp.Column) and not node.is_star:
            size = _size_of_column(node, seen, named)
        else:
            within = {id(child): sizes[id(child)] for child in node.iter_expressions()}
            size = _own(node) + sum(within.values()) + _copied(node, within)
        sizes[id(node)] = size
    return sizes[id(part)]


def _size_of_column(column: exp.Column, seen: _Sources, named: Mapping[str, int]) -> int:
    name, table = column.name.lower(), column.table.lower()
    if table in seen:
        return seen[table].of(name)
    return max((named.get(name, 1), *(columns.of(name) for columns in seen.values())))


def _own(node: exp.Expr) -> int:
    """What a part adds to those that it is made of."""
    if isinstance(node, exp.Literal) and node.is_string:
        return 1 + len(node.name)
    if isinstance(node, exp.DataTypeParam) and isinstance(node.parent, exp.DataType) and node.name.isdigit():
        return int(node.name) if node.parent.is_type(*_PADDED) else 1
    return _POWER if isinstance(node, exp.Pow) else 1


def _copied(node: exp.Expr, within: Mapping[int, int]) -> int:
    """What a planner or a function repeats of the parts of a part."""
    size = within.get(id(node.this), 0)
    if isinstance(node, exp.Between):
        return size
    if isinstance(node, exp.In):
        return size * max(0, len(node.expressions) - 1)
    if not isinstance(node, exp.Replace):
        return 0
    old, new = node.args.get("expression"), node.args.get("replacement")
    length = len(old.name) if isinstance(old, exp.Literal) else 1
    longer = len(new.name) if isinstance(new, exp.Literal) else within.get(id(new), 0)
    return size * max(0, -(-longer // max(1, length)) - 1)
