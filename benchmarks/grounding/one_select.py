"""SQL of somebody else, read before a server sees it: one SELECT of known tables, with harmless functions."""

from collections.abc import Collection, Sequence
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.dialects import DialectName, parser_of
from benchwright.benchmarks.grounding.growth import MOST_PARTS, parts_of

_LONGEST = 100_000
_MOST_TABLES = 20
"""A planner may need more time for so many than its server's clock can end: MariaDB's for forty, minutes."""
_MOST_JOINED = 200
"""Texts that `||` joins. PostgreSQL keeps what each of them makes until the row is done."""
_FUNCTIONS = (
    exp.Abs, exp.Avg, exp.Cast, exp.Ceil, exp.Coalesce, exp.Concat, exp.ConcatWs, exp.Count, exp.Date, exp.Day,
    exp.Extract, exp.Floor, exp.If, exp.Length, exp.Lower, exp.Max, exp.Min, exp.Month, exp.Nullif, exp.Round,
    exp.Substring, exp.Sum, exp.Trim, exp.Upper, exp.Year, exp.Case, exp.And, exp.Or, exp.Exists, exp.TryCast,
    exp.Left, exp.Right, exp.Replace, exp.Initcap, exp.StrPosition, exp.Greatest, exp.Least, exp.Sqrt, exp.Pow,
    exp.Ln, exp.Sign, exp.Reverse, exp.DateTrunc, exp.TimestampTrunc, exp.DateDiff, exp.TimeToStr, exp.StrToDate,
    exp.StrToTime, exp.TsOrDsToDate, exp.Quarter, exp.Week, exp.Hour, exp.Minute, exp.Second, exp.DayOfWeek,
    exp.DayOfYear, exp.Variance, exp.Stddev, exp.CurrentDate, exp.LogicalAnd, exp.LogicalOr,
)  # fmt: skip
_SOURCES = (exp.Table, exp.Subquery)
_WRITING = (exp.Into, exp.Lock, exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Create, exp.Drop, exp.Alter)


def require_one_select(sql: str, dialect: str, tables: Collection[str]) -> None:
    """Reads a query.

    Args:
        sql: the query.
        dialect: SQLAlchemy's name of the dialect.
        tables: the tables and views that it may read, in lower case.

    Raises:
        BenchwrightError: it is more than one SELECT, or does what may be more than reading.
    """
    if why := _fault(sql, parser_of(dialect), tables):
        raise BenchwrightError(f"a query is refused, {why}: {' '.join(sql.split())[:300]}")


def _fault(sql: str, dialect: DialectName, tables: Collection[str]) -> str | None:
    if len(sql) > _LONGEST:
        return f"it has more than {_LONGEST:,} characters"
    if not sql.lower().lstrip(" \t\r\n(").startswith(("select", "with")):
        return "it must be one SELECT"
    try:
        if _holds_comment(sql, sqlglot.tokenize(sql, read=dialect)):
            return "it holds a comment"
        found = [item for item in sqlglot.parse(sql, read=dialect) if item is not None]
    except (SqlglotError, RecursionError) as error:
        said = str(error).splitlines()[0] if isinstance(error, SqlglotError) else "it is too deep"
        return f"it cannot be parsed ({said})"
    if len(found) != 1 or not isinstance(found[0], exp.Query):
        return "it must be one SELECT"
    if sum(1 for _ in found[0].find_all(exp.Table)) > _MOST_TABLES:
        return f"it reads more than {_MOST_TABLES} tables"
    if sum(1 for _ in found[0].find_all(exp.DPipe)) > _MOST_JOINED:
        return f"it joins more than {_MOST_JOINED} texts"
    common = {item.alias_or_name.lower() for item in found[0].find_all(exp.CTE)}
    for part in found[0].walk():
        if why := _fault_of(part, tables, common):
            return why
    return _fault_of_size(found[0])


def _fault_of_size(query: exp.Query) -> str | None:
    try:
        too_large = parts_of(query) > MOST_PARTS
    except RecursionError:
        return "it is too deep"
    return f"it has more than {MOST_PARTS:,} parts with its columns written out" if too_large else None


def _holds_comment(sql: str, tokens: Sequence[Any]) -> bool:
    """Whether anything outside of texts and quoted names is a comment, to the parser or to a server."""
    rest, last = [], 0
    for token in tokens:
        if token.token_type.name in ("STRING", "IDENTIFIER"):
            rest.append(sql[last : token.start])
            last = token.end + 1
    rest.append(sql[last:])
    return any(token.comments for token in tokens) or any("/*" in part for part in rest)


def _fault_of(part: exp.Expr, tables: Collection[str], common: Collection[str]) -> str | None:
    if isinstance(part, _WRITING):
        return f"it holds {part.key.upper()} and must only read"
    if isinstance(part, exp.Parameter | exp.SessionParameter | exp.Command | exp.PropertyEQ):
        return "it names a variable of the server"
    if isinstance(part, exp.Operator):
        return "it names an operator of a schema"
    if isinstance(part, exp.With) and part.args.get("recursive"):
        return "it holds WITH RECURSIVE"
    if isinstance(part, exp.Func) and not isinstance(part, _FUNCTIONS):
        name = part.name if isinstance(part, exp.Anonymous) else part.sql_name()
        return f"it calls {name.lower()}, which is not known to only read"
    if isinstance(part, exp.Table):
        name = part.name.lower()
        if part.args.get("catalog") or not isinstance(part.this, exp.Identifier):
            return f"it reads {part.sql()[:60]}, which is no table of this database"
        own = name in tables if not part.db else f"{part.db.lower()}.{name}" in tables
        if not own and (part.db or name not in common):
            return f"it reads {part.sql()[:60]}, which is no table of this database"
    if isinstance(part, exp.From | exp.Join) and not isinstance(part.this, _SOURCES):
        return f"it reads from {part.this.key.upper()}, which is no table of this database"
    return None
