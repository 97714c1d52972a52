"""Which rows repeat what another row says: an order that bears the name, the city and the street of its customer.

Whoever holds back what is known of the customer has to hold back what its orders repeat. Found in the data alone: along
a foreign key to another table, two columns of one kind that are equal far too often for chance.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.builders.sql.joins import equation
from benchwright.builders.sql.schema import ColumnKind, DatabaseSchema, ForeignKey, SchemaTable

_LEAST_SHARE = 0.2
"""Of the rows in which both columns have a value: so many are equal where one is a copy."""
_LEAST_VALUES = 5
"""Distinct values that are equal: flags and countries are equal by chance."""
_LEAST_ROWS = 20
"""Rows of the other table: tied to a handful of rows, hardly anything could be drawn on its own."""
_MOST_PAIRS = 200
"""Pairs of columns that are compared along one foreign key."""

Column = tuple[str, str]


@dataclass(frozen=True)
class Copies:
    """The foreign keys of each table along which rows repeat what the other row says."""

    keys: Mapping[str, tuple[ForeignKey, ...]]

    @property
    def columns(self) -> frozenset[Column]:
        """Table and column of all that these keys are made of."""
        own = {(name, column) for name, keys in self.keys.items() for key in keys for column in key.columns}
        return frozenset(own | {(key.table, one) for keys in self.keys.values() for key in keys for one in key.targets})


def find_copies(database: Database, schema: DatabaseSchema, asked: Collection[Column]) -> Copies:
    """Where rows repeat others, by the columns that questions ask for.

    Raises:
        BenchwrightError: the database cannot be read.
    """
    found: dict[str, tuple[ForeignKey, ...]] = {}
    for name, table in schema.tables.items():
        keys = [
            key for key in table.foreign_keys if key.table != name and _repeats(database, schema, table, key, asked)
        ]
        if keys:
            found[name] = tuple(keys)
    return Copies(found)


def _repeats(
    database: Database, schema: DatabaseSchema, table: SchemaTable, key: ForeignKey, asked: Collection[Column]
) -> bool:
    other = schema.tables[key.table]
    pairs = list(_pairs(table, other, key, asked))[:_MOST_PAIRS]
    if not pairs or database.all(f"SELECT COUNT(*) FROM {quoted(other.name)}")[0][0] < _LEAST_ROWS:
        return False
    counted = []
    for own, there, kind in pairs:
        one, two = _compared(f"a.{quoted(own)}", kind), _compared(f"b.{quoted(there)}", kind)
        counted += [
            f"SUM(CASE WHEN {one} IS NOT NULL AND {two} IS NOT NULL THEN 1 ELSE 0 END)",
            f"SUM(CASE WHEN {one} = {two} THEN 1 ELSE 0 END)",
            f"COUNT(DISTINCT CASE WHEN {one} = {two} THEN {one} END)",
        ]
    joined = f"{quoted(table.name)} AS a JOIN {quoted(other.name)} AS b ON {equation(key, 'a', 'b')}"
    try:
        row = database.all(f"SELECT {', '.join(counted)} FROM {joined}")[0]
    except BenchwrightError as error:
        raise BenchwrightError(f"{error} (comparing {table.name} with {other.name}, for --holdout)") from None
    counts = [int(value or 0) for value in row]
    return any(
        equal > both * _LEAST_SHARE and values >= _LEAST_VALUES
        for both, equal, values in zip(counts[0::3], counts[1::3], counts[2::3], strict=True)
    )


def _pairs(
    table: SchemaTable, other: SchemaTable, key: ForeignKey, asked: Collection[Column]
) -> Iterator[tuple[str, str, ColumnKind]]:
    """Columns of two tables that may be copies of one another, and their kind."""
    for own in table.columns.values():
        for there in other.columns.values():
            if (own.name, there.name) in key.pairs or own.kind != there.kind:
                continue
            if own.kind not in ("boolean", "other") and {(table.name, own.name), (other.name, there.name)} <= {*asked}:
                yield own.name, there.name, own.kind


def _compared(column: str, kind: ColumnKind) -> str:
    """A column as it is compared: texts of any type as texts."""
    return f"CAST({column} AS CHAR(200))" if kind == "text" else column
