"""Which rows repeat what another row says: an order that bears the name, the city and the street of its customer.

Whoever holds back what is known of the customer has to hold back what its orders repeat. Found in the data alone: along
a foreign key to another table, or one more key from there, two columns of one kind that are equal far too often for
chance. A track whose composer is the artist of its album says of the album whose it is.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.grounding.sqlite_guard import MOST_COLUMNS
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
_AT_ONCE = MOST_COLUMNS // 3
"""Pairs that one query compares: each takes three columns of its result, and a release is proved under guard."""

Column = tuple[str, str]
_Pair = tuple[str, str, ColumnKind]


@dataclass(frozen=True)
class Copies:
    """The foreign keys, one or two after the other, along which rows of a table repeat what another row says."""

    ways: Mapping[str, tuple[tuple[ForeignKey, ...], ...]]
    columns: frozenset[Column]
    """Table and column of what these keys are made of."""


def find_copies(database: Database, schema: DatabaseSchema, asked: Collection[Column]) -> Copies:
    """Where rows repeat others, by the columns that questions ask for.

    Raises:
        BenchwrightError: the database cannot be read.
    """
    found: dict[str, tuple[tuple[ForeignKey, ...], ...]] = {}
    columns: set[Column] = set()
    for name, table in schema.tables.items():
        for key in table.foreign_keys:
            ways = _ways(schema, name, key)
            way = next((one for one in ways if _repeats(database, schema, table, one, asked)), ())
            if way:
                found[name] = (*found.get(name, ()), way)
                columns.update(_columns(name, way))
    return Copies(found, frozenset(columns))


def _ways(schema: DatabaseSchema, name: str, key: ForeignKey) -> Iterator[tuple[ForeignKey, ...]]:
    """A key of a table to another one, alone and with each that leads on from there to a third."""
    if key.table != name:
        yield (key,)
        yield from (
            (key, onward) for onward in schema.tables[key.table].foreign_keys if onward.table not in (name, key.table)
        )


def _columns(name: str, way: Sequence[ForeignKey]) -> Iterator[Column]:
    for key in way:
        yield from ((name, column) for column in key.columns)
        yield from ((key.table, column) for column in key.targets)
        name = key.table


def _repeats(
    database: Database,
    schema: DatabaseSchema,
    table: SchemaTable,
    way: Sequence[ForeignKey],
    asked: Collection[Column],
) -> bool:
    """Whether a table says what the one at the end of a way says of the same."""
    other = schema.tables[way[-1].table]
    pairs = list(_pairs(table, other, way, asked))[:_MOST_PAIRS]
    if not pairs or any(_rows(database, key.table) < _LEAST_ROWS for key in way):
        return False
    joins = [
        f"JOIN {quoted(key.table)} AS step_{number + 1} ON {equation(key, f'step_{number}', f'step_{number + 1}')}"
        for number, key in enumerate(way)
    ]
    source = f"FROM {quoted(table.name)} AS step_0 {' '.join(joins)}"
    compared = f"{table.name} with {other.name}"
    some = (pairs[start : start + _AT_ONCE] for start in range(0, len(pairs), _AT_ONCE))
    return any(any(_are_repeated(database, each, len(way), source, compared)) for each in some)


def _are_repeated(database: Database, pairs: Sequence[_Pair], last: int, source: str, compared: str) -> Iterator[bool]:
    """Whether the columns of each pair are equal too often for chance.

    Args:
        database: where.
        pairs: columns of the first and the last table of a way, and their kind.
        last: the number of the last table.
        source: the way, as SQL.
        compared: the tables, in words.
    """
    counted = []
    for own, there, kind in pairs:
        one, two = _compared(f"step_0.{quoted(own)}", kind), _compared(f"step_{last}.{quoted(there)}", kind)
        counted += [
            f"SUM(CASE WHEN {one} IS NOT NULL AND {two} IS NOT NULL THEN 1 ELSE 0 END)",
            f"SUM(CASE WHEN {one} = {two} THEN 1 ELSE 0 END)",
            f"COUNT(DISTINCT CASE WHEN {one} = {two} THEN {one} END)",
        ]
    try:
        row = database.all(f"SELECT {', '.join(counted)} {source}")[0]
    except BenchwrightError as error:
        raise BenchwrightError(f"{error} (comparing {compared}, for --holdout)") from None
    counts = [int(value or 0) for value in row]
    for both, equal, values in zip(counts[0::3], counts[1::3], counts[2::3], strict=True):
        yield equal > both * _LEAST_SHARE and values >= _LEAST_VALUES


def _rows(database: Database, table: str) -> int:
    return int(database.all(f"SELECT COUNT(*) FROM {quoted(table)}")[0][0])


def _pairs(
    table: SchemaTable, other: SchemaTable, way: Sequence[ForeignKey], asked: Collection[Column]
) -> Iterator[_Pair]:
    """Columns of two tables that may be copies of one another, and their kind."""
    for own in table.columns.values():
        for there in other.columns.values():
            if (len(way) == 1 and (own.name, there.name) in way[0].pairs) or own.kind != there.kind:
                continue
            if own.kind not in ("boolean", "other") and {(table.name, own.name), (other.name, there.name)} <= {*asked}:
                yield own.name, there.name, own.kind


def _compared(column: str, kind: ColumnKind) -> str:
    """A column as it is compared: texts of any type as texts."""
    return f"CAST({column} AS CHAR(200))" if kind == "text" else column
