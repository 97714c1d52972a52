"""Which facts the rows have that queries of a template look at: found from its joins, conditions and what it asks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sql import ColumnOf, Placeholder, SqlTemplate
from benchwright.builders.spider.facts import (
    has_pages,
    name_columns,
)
from benchwright.builders.sql.schema import DatabaseSchema, ForeignKey

NO_PAGE = "a row on its way has no name, and so no page"


@dataclass(frozen=True)
class Sought:
    """A fact of each row that a query looks at."""

    sort: str
    """`cell`, `link` or `pair`."""
    table: str
    rows: tuple[tuple[ForeignKey | None, tuple[int, ...]], ...]
    """For each row of the fact its key, and where its name stands among what is selected."""
    column: str = ""
    """Of a cell, or of what an associative table says of two rows."""
    held: int | None = None
    """Where the value stands; None where the query itself sees to it that there is one."""
    present: int | None = None
    """Where a column stands that is NULL where there is no such row."""


@dataclass(frozen=True)
class Way:
    """What the answers of a template need."""

    columns: Sequence[tuple[str, str]]
    """Alias and column of all that is selected."""
    facts: Sequence[Sought]
    given: tuple[Placeholder, ...]
    """The placeholders that say which rows are looked at; what a question of yes or no asks about is none of them."""
    conditions: tuple[str, ...]
    """What else holds for the rows that are looked at."""
    needs_all: bool
    """Whether the answer needs the facts of all rows that are looked at, and not those of one of them."""


def way_of(template: SqlTemplate, schema: DatabaseSchema) -> Way | str:
    """Which facts the answers of a template need, or why no page states them.

    Raises:
        BenchwrightError: it joins tables otherwise than along foreign keys.
    """
    found = _Columns(template, schema)
    facts = found.steps()
    if isinstance(facts, str):
        return facts
    if template.declared:
        more = found.cells()
        if isinstance(more, str):
            return more
        return Way(found.selected, [*facts, *more], given_of(template), (), True)
    if not template.plain or template.aggregates or len(template.names) != 1 or not template.names[0]:
        return "it does more than look values up"
    asked = template.names[0]
    table = schema.tables[template.tables[asked[0].alias]]
    is_name = tuple(item.column for item in asked) == table.answered_by and bool(template.joins)
    if not (is_name or (table.associative and facts)):
        if not has_pages(table):
            return NO_PAGE
        facts.append(Sought("cell", table.name, ((None, found.name(asked[0].alias)),), asked[0].column))
    return Way(found.selected, facts, template.placeholders, template.conditions_sql, False)


def said_of(template: SqlTemplate) -> tuple[Placeholder, ...]:
    """The placeholders whose values a question of yes or no asks about, or that it takes for granted where it has no
    answer; those before them say which rows it looks at."""
    first, last = template.placeholders[0], template.placeholders[-1]
    if template.declared == "yes_no" and first.compared.alias == last.compared.alias:
        return (last,)
    if template.declared not in ("yes_no", "unanswerable") or first.compared.alias == last.compared.alias:
        return ()
    return tuple(item for item in template.placeholders if item.compared.alias == last.compared.alias)


def given_of(template: SqlTemplate) -> tuple[Placeholder, ...]:
    """The placeholders that say which rows a query looks at."""
    return template.placeholders[: len(template.placeholders) - len(said_of(template))]


@dataclass
class _Columns:
    """Gathers what must be selected of the rows of a template."""

    template: SqlTemplate
    schema: DatabaseSchema
    selected: list[tuple[str, str]] = field(default_factory=list)

    def place(self, alias: str, column: str) -> int:
        """Where a column stands; it is selected from now on."""
        if (alias, column) not in self.selected:
            self.selected.append((alias, column))
        return self.selected.index((alias, column))

    def name(self, alias: str) -> tuple[int, ...]:
        """Where the name of a row stands."""
        names = name_columns(self.schema.tables[self.template.tables[alias]])
        return tuple(self.place(alias, name) for name in names)

    def steps(self) -> list[Sought] | str:
        """The facts that keys and associative tables state."""
        template, tables = self.template, self.schema.tables
        facts: list[Sought] = []
        ends: dict[str, list[tuple[ForeignKey, str]]] = {}
        for owner, key, target in _steps(template, self.schema):
            table = tables[template.tables[owner]]
            if not name_columns(tables[template.tables[target]]):
                return NO_PAGE
            if table.associative:
                ends.setdefault(owner, []).append((key, target))
            elif not has_pages(table):
                return NO_PAGE
            else:
                rows = ((key, self.name(owner)), (None, self.name(target)))
                facts.append(Sought("link", table.name, rows, present=self._present(owner, key.columns[0])))
        for owner, both in ends.items():
            table = tables[template.tables[owner]]
            if len(both) != 2 or len(table.ties) != 2:
                return "a table on its way relates more than two rows"
            if not any(has_pages(tables[template.tables[alias]]) for _, alias in both):
                return NO_PAGE
            rows = tuple((key, self.name(alias)) for key, alias in both)
            present = self._present(owner, both[0][0].columns[0])
            asked = template.names[0][0] if len(template.names) == 1 and template.names[0] else None
            if not template.declared and asked is not None and asked.alias == owner:
                facts.append(Sought("pair", table.name, rows, asked.column))
                continue
            facts.append(Sought("pair", table.name, rows, present=present))
            if template.declared:
                for column in self._named(owner):
                    held = self.place(owner, column)
                    facts.append(Sought("pair", table.name, rows, column, held, present))
        return facts

    def cells(self) -> list[Sought] | str:
        """The facts that cells state which a query over many rows names."""
        facts: list[Sought] = []
        for alias, name in self.template.tables.items():
            table = self.schema.tables[name]
            if table.associative:
                continue
            for column in self._named(alias):
                if not has_pages(table):
                    return NO_PAGE
                if column not in {one.name for one in table.askable}:
                    return "pages do not state a column that it compares"
                held, present = self.place(alias, column), self._present(alias)
                facts.append(Sought("cell", name, ((None, self.name(alias)),), column, held, present))
        return facts

    def _named(self, alias: str) -> list[str]:
        """The columns of a table that a query names beside keys and names."""
        template = self.template
        table = self.schema.tables[template.tables[alias]]
        said = {item.compared for item in said_of(template)}
        is_one = len(template.tables) == 1
        names = {ColumnOf(alias, table.name, column) for column in name_columns(table)}
        names |= {ColumnOf(alias, table.name, column) for column in table.answered_by} - (said if is_one else set())
        joined = {column for pair in template.joins for column in pair}
        own = {one for one in template.columns if one.alias == alias and one.table == table.name}
        return [column for column in table.columns if ColumnOf(alias, table.name, column) in own - names - joined]

    def _present(self, alias: str, column: str = "") -> int | None:
        """Where a column stands that tells whether there is a row; None for that with which a query begins."""
        if not self.template.declared or alias == next(iter(self.template.tables)):
            return None
        joined = [one.column for pair in self.template.joins for one in pair if one.alias == alias]
        return self.place(alias, column or joined[0])


def _steps(template: SqlTemplate, schema: DatabaseSchema) -> Iterator[tuple[str, ForeignKey, str]]:
    """The keys that a template follows: alias of the row that refers, its key, alias of the row that it leads to."""
    pairs: dict[frozenset[str], list[tuple[ColumnOf, ColumnOf]]] = {}
    for one, other in template.joins:
        pairs.setdefault(frozenset((one.alias, other.alias)), []).append((one, other))
    for joined in pairs.values():
        for owner, target in ((0, 1), (1, 0)):
            equal = {(pair[owner].column, pair[target].column) for pair in joined}
            own, other = joined[0][owner], joined[0][target]
            key = next(
                (key for key in schema.tables[own.table].foreign_keys
                 if key.table == other.table and set(key.pairs) == equal),
                None,
            )  # fmt: skip
            if key is not None:
                yield own.alias, key, other.alias
                break
        else:
            raise BenchwrightError(f"a template follows no foreign key: {template.text}")
