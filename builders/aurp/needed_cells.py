"""The cells that an answer over many rows needs, found by the query itself: the build and its proofs call this.

A lookup follows references from one name, so that the cells on its way are known (`lookups.py`). A query that counts,
compares, lists or searches for the largest looks at all rows that belong to what its question names. Of each of these
rows the cells that the query names are needed: the reference that ties the row to the name, what a condition compares,
and what is asked. That a condition leaves a row out is told by a cell, too; that a row belongs to something else is not
among them, for what no document says of a row is taken not to be so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sql import Placeholder, SqlTemplate
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.types import FALSE_PREMISE, MADE_NAME, NULL
from benchwright.builders.aurp.documents import Cell
from benchwright.builders.aurp.schema import Column, Schema
from benchwright.builders.sql.proofs.filled import literal_text

MOST = 30
"""Cells of an answer above which nobody is asked."""


@dataclass(frozen=True)
class _Named:
    """A table instance of a query, and its columns that hold what documents can state."""

    alias: str
    table: str
    columns: tuple[str, ...]


def needed_cells(
    database: Database, template: SqlTemplate, schema: Schema, literals: Sequence[str]
) -> tuple[Cell, ...]:
    """The cells that an answer needs, row by row in the order of keys; none where no row belongs to what is named.

    Args:
        database: Aurp's.
        template: of a kind beside lookups.
        schema: of the world.
        literals: SQL of the value of each placeholder, in the template's order.

    Raises:
        BenchwrightError: the database refuses the query.
    """
    cells = _looked_at(database, template, schema, literals, value_said(template))
    return tuple(dict.fromkeys(cell for cell, held in cells if held is not None))


@dataclass(frozen=True)
class Absence:
    """Why a question has no answer: one of these has something."""

    names: tuple[str, ...] = ()
    """What is called so is nowhere in the database."""
    blank: tuple[Cell, ...] = ()
    """Cells that hold nothing."""
    denied: tuple[Cell, ...] = ()
    """References that lead to something else than the question takes for granted."""

    @property
    def sort(self) -> str | None:
        """Which of NO_ANSWER_SORTS it is; None where nothing is absent."""
        sorts = ((self.names, MADE_NAME), (self.blank, NULL), (self.denied, FALSE_PREMISE))
        return next((sort for found, sort in sorts if found), None)


def absence_of(database: Database, template: SqlTemplate, schema: Schema, literals: Sequence[str]) -> Absence:
    """Why a question of a template of the kind `unanswerable` has no answer; arguments as of `needed_cells`."""
    unknown = [
        literal_text(literal)
        for item, literal in zip(template.placeholders, literals, strict=True)
        if not database.all(f"SELECT 1 FROM {quoted(item.table)} WHERE {quoted(item.column)} = {literal} LIMIT 1")
    ]
    if unknown:
        return Absence(names=tuple(unknown))
    last = template.placeholders[-1].compared.alias
    of_last = tuple(item for item in template.placeholders if item.compared.alias == last)
    if len(of_last) == len(template.placeholders):
        found = _looked_at(database, template, schema, literals, ())
        return Absence(blank=tuple(dict.fromkeys(cell for cell, held in found if held is None)))
    found = _looked_at(database, template, schema, literals, of_last)
    references = {(table.name, column.name) for table in schema.tables for column in table.columns if column.references}
    return Absence(denied=tuple(dict.fromkeys(cell for cell, _ in found if (cell[0], cell[2]) in references)))


def _looked_at(
    database: Database,
    template: SqlTemplate,
    schema: Schema,
    literals: Sequence[str],
    said: Sequence[Placeholder],
) -> Iterator[tuple[Cell, object]]:
    """The cells that a query names of the rows that it looks at, with what they hold."""
    instances = list(_instances(template, schema))
    keys = ", ".join(f"{quoted(one.alias)}.{quoted(_key(schema, one.table).name)}" for one in instances)
    values = ", ".join(f"{quoted(one.alias)}.{quoted(name)}" for one in instances for name in one.columns)
    named = [
        f"{item.compared_sql} = {literal}"
        for item, literal in zip(template.placeholders, literals, strict=True)
        if item not in said
    ]
    selected = f"{keys}, {values}" if values else keys
    sql = f"SELECT {selected} {template.source_sql} WHERE {' AND '.join(named)} ORDER BY {keys}"
    for row in database.all(sql):
        held = iter(row[len(instances) :])
        for one, key in zip(instances, row, strict=False):
            for name in one.columns:
                value = next(held)
                if key is not None:
                    yield (one.table, key, name), value


def _instances(template: SqlTemplate, schema: Schema) -> Iterator[_Named]:
    for alias, table in template.tables.items():
        own = {one.column for one in template.columns if one.alias == alias and one.table == table}
        stated = [column.name for column in schema.table(table).columns if column.kind not in ("key", "name")]
        yield _Named(alias, table, tuple(name for name in stated if name in own))


def value_said(template: SqlTemplate) -> tuple[Placeholder, ...]:
    """The placeholders whose values a yes/no question asks about; all others say which rows it looks at."""
    if template.kind != "yes_no":
        return ()
    first, last = template.placeholders[0], template.placeholders[-1]
    if first.compared.alias == last.compared.alias:
        return (last,)
    return tuple(item for item in template.placeholders if item.compared.alias == last.compared.alias)


def _key(schema: Schema, table: str) -> Column:
    return schema.table(table).columns[0]
