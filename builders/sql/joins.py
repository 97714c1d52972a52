"""Joins along foreign keys: those that a SQL template follows, what they lead to, and their condition in SQL."""

from collections.abc import Iterable

from benchwright.benchmarks.grounding.sql import ColumnOf
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.builders.sql.schema import ForeignKey, SchemaTable, key_name
from benchwright.builders.sql.vocabulary import Vocabulary

Equation = tuple[ColumnOf, ColumnOf]
Equations = tuple[Equation, ...]
"""All that tie the same two tables of a template, the same table first in each."""


def equations(joins: Iterable[Equation]) -> list[Equations]:
    """The equations of a template, those of the same two tables together."""
    found: dict[frozenset[str], list[Equation]] = {}
    for one, other in joins:
        together = found.setdefault(frozenset((one.alias, other.alias)), [])
        is_turned = bool(together) and together[0][0].alias != one.alias
        together.append((other, one) if is_turned else (one, other))
    return [tuple(dict.fromkeys(together)) for together in found.values()]


def turned(pairs: Equations) -> Equations:
    """The same, the other table first."""
    return tuple((other, one) for one, other in pairs)


def followed_key(table: SchemaTable, pairs: Equations) -> ForeignKey | None:
    """The foreign key of a table, which is the first in each pair, that equations are as a whole."""
    wanted = {(own.column, other.column) for own, other in pairs}
    keys = (key for key in table.foreign_keys if key.table == pairs[0][1].table)
    return next((key for key in keys if set(key.pairs) == wanted), None)


def equation(key: ForeignKey, own: str, other: str) -> str:
    """The condition under which a row and another one, under these aliases, are tied by a foreign key."""
    return " AND ".join(f"{other}.{quoted(there)} = {own}.{quoted(here)}" for here, there in key.pairs)


def role_of(key: ForeignKey, table: str, vocabulary: Vocabulary) -> str:
    """What the row that a key leads to is to a row of its table: `client`, `ship from address`."""
    if not key.said_by:
        return vocabulary.roles.get(key_name(table, key).lower()) or vocabulary.noun(key.table)
    if key.columns == key.targets and not vocabulary.names_role(table, key.said_by):
        return vocabulary.noun(key.table)  # both call it `room_code`
    return vocabulary.role(table, key.said_by)
