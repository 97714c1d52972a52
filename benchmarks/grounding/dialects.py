"""The SQL dialects as sqlglot reads them: in the same way as the sessions that we open, or a guard could be fooled."""

from typing import ClassVar

from sqlglot import Dialect, TokenType, exp
from sqlglot.dialects.mysql import MySQL

DialectName = str | type[Dialect]
"""What sqlglot takes as a dialect."""


class StandardMySQL(MySQL):
    """MySQL and MariaDB with names in double quotes, no escapes in texts, and || between texts: see `sessions`."""

    class Tokenizer(MySQL.Tokenizer):
        """Splits SQL into words."""

        QUOTES: ClassVar = ["'"]
        IDENTIFIERS: ClassVar = ["`", '"']
        STRING_ESCAPES: ClassVar = ["'"]

    class Parser(MySQL.Parser):
        """Reads what the words say."""

        def _parse_bitwise(self) -> exp.Expr | None:
            this = super()._parse_bitwise()
            while self._match(TokenType.DPIPE):
                this = self.expression(exp.DPipe(this=this, expression=super()._parse_bitwise()))
            return this


GUARDED: dict[str, DialectName] = {
    "postgresql": "postgres", "mariadb": StandardMySQL, "mysql": StandardMySQL, "duckdb": "duckdb"
}  # fmt: skip
"""SQLAlchemy's name of a dialect → sqlglot's, for the engines whose sessions can be held to reading."""


def parser_of(dialect: str) -> DialectName:
    """sqlglot's dialect for SQLAlchemy's name of one."""
    return GUARDED.get(dialect, dialect)


def extremes(expression: str, dialect: str, is_boolean: bool) -> tuple[str, str]:
    """SQL of the smallest and of the largest value; PostgreSQL has no MIN of booleans, which a column of numbers or of
    texts may hold too."""
    if is_boolean and dialect == "postgresql":
        expression = f"CAST({expression} AS TEXT)"
    return f"MIN({expression})", f"MAX({expression})"
