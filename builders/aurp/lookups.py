"""What a SQL template looks up at Aurp, and the cells of the database that state the answer for one name."""

from dataclasses import dataclass
from functools import cache

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sql import ColumnOf, SqlTemplate
from benchwright.builders.aurp.documents import Cell
from benchwright.builders.aurp.schema import Column, Lookup, Schema, Table
from benchwright.builders.aurp.styles import written_forms
from benchwright.builders.aurp.world import Row, World, key, source

_OWN = "own"


@cache
def asked_lookups(schema: str) -> frozenset[tuple[str, tuple[str, ...], str]]:
    """Table, references and column of what people would ask: `questions.toml`."""
    return frozenset(
        (table, () if path == _OWN else tuple(path.split(".")), column)
        for table, paths in read_toml(__package__, "questions.toml")[schema].items()
        for path, columns in paths.items()
        for column in columns
    )


def is_asked(lookup: Lookup, schema: str) -> bool:
    """Whether people would ask for this."""
    return (lookup.table, lookup.path, lookup.column) in asked_lookups(schema)


def read_lookup(template: SqlTemplate, schema: Schema) -> Lookup:
    """What a template looks up.

    Raises:
        BenchwrightError: it does not go from one name along foreign keys to one column that documents can state.
    """
    found = _follow(template, schema)
    if found is None:
        raise BenchwrightError(
            f"this SQL template cannot be asked at Aurp, where one name is given and foreign keys lead to one column "
            f"that holds no key: {template.text}"
        )
    return found


def asked_column(lookup: Lookup, schema: Schema) -> Column:
    """The column whose cell states the answer: the last reference where it is itself asked for."""
    table, columns = schema.table(lookup.table), list(lookup.path)
    if lookup.column != "name":
        columns.append(lookup.column)
    for name in columns[:-1]:
        table = schema.table(str(table.column(name).references))
    return table.column(columns[-1])


def aliases_of(lookup: Lookup, schema: Schema, answer: str) -> list[str]:
    """The other accepted forms of an answer. The build and the proof of a release both call it.

    Raises:
        ValueError: the column that is read holds no such value.
    """
    return other_forms(asked_column(lookup, schema), answer)


def other_forms(column: Column, answer: str) -> list[str]:
    """The other ways in which documents may write an answer."""
    if column.kind not in ("date", "money", "quantity", "count"):
        return []
    value = answer if column.kind == "date" else int(answer)
    return [form for form in dict.fromkeys(written_forms(column.kind, value, column.unit)) if form != answer]


@dataclass(frozen=True)
class Names:
    """The rows of a world by their names; a name that several rows of a table bear is not among them."""

    world: World
    rows: dict[str, dict[str, Row]]
    """Table of the world's schema → name → row, in stored order."""
    namesakes: dict[str, int]
    """Table → names that several rows bear."""

    @classmethod
    def of(cls, world: World) -> "Names":
        """Looks at every name once."""
        rows: dict[str, dict[str, Row]] = {}
        namesakes: dict[str, int] = {}
        for table in world.schema.tables:
            known: dict[str, Row] = {}
            several: set[str] = set()
            for row in world.rows(table.source):
                if known.setdefault(row.name, row) is not row:
                    several.add(row.name)
            rows[table.name] = {name: row for name, row in known.items() if name not in several}
            namesakes[table.name] = len(several)
        return cls(world, rows, namesakes)

    def cells(self, lookup: Lookup, name: str) -> tuple[Cell, ...]:
        """The cells that an answer needs: each reference that is followed, then the column that is read."""
        table = self.world.schema.table(lookup.table)
        row = self.rows[table.name][name]
        found: list[Cell] = []
        for reference in lookup.path:
            found.append((table.name, key(table, row), reference))
            table, row = self._target(table, row, reference)
        if lookup.column != "name":
            found.append((table.name, key(table, row), lookup.column))
        return tuple(found)

    def _target(self, table: Table, row: Row, reference: str) -> tuple[Table, Row]:
        column = table.column(reference)
        target = self.world.schema.table(str(column.references))
        return target, self.world.rows(target.source)[getattr(row, source(column)) - 1]


def _follow(template: SqlTemplate, schema: Schema) -> Lookup | None:
    if not template.plain or len(template.placeholders) != 1 or len(template.projections) != 1:
        return None
    given, asked = template.placeholders[0], template.projections[0]
    if asked is None or (given.table, given.column) != (given.compared.table, given.compared.column):
        return None
    if _column(schema, given.compared).kind != "name":
        return None
    here, path, left = given.compared.alias, [], list(template.joins)
    while left:
        step = next((pair for pair in _either_way(left) if _leads_on(schema, here, *pair)), None)
        if step is None:
            return None
        own, other = step
        left = [pair for pair in left if set(pair) != set(step)]
        path.append(own.column)
        here = other.alias
    if here != asked.alias or len(path) != len(template.tables) - 1:
        return None
    return _lookup(schema, given.table, path, asked)


def _lookup(schema: Schema, table: str, path: list[str], asked: ColumnOf) -> Lookup | None:
    column = _column(schema, asked)
    if column.kind == "name":
        return Lookup(table, tuple(path), "name", len(path)) if path else None
    is_key = column.kind == "key" or (column.references and _numbered(schema, column.references))
    return None if is_key else Lookup(table, tuple(path), column.name, len(path) + 1)


def _either_way(pairs: list[tuple[ColumnOf, ColumnOf]]) -> list[tuple[ColumnOf, ColumnOf]]:
    return [*pairs, *((other, own) for own, other in pairs)]


def _leads_on(schema: Schema, here: str, own: ColumnOf, other: ColumnOf) -> bool:
    """Whether an equation is a foreign key of the table instance `here`."""
    references = _column(schema, own).references
    return own.alias == here and references == other.table and _column(schema, other).kind == _key_kind(schema, other)


def _key_kind(schema: Schema, column: ColumnOf) -> str:
    return "key" if _numbered(schema, column.table) else "name"


def _numbered(schema: Schema, table: str) -> bool:
    return schema.table(table).columns[0].kind == "key"


def _column(schema: Schema, column: ColumnOf) -> Column:
    return schema.table(column.table).column(column.column)
