"""The parts of a schema that a model is asked about one by one, so that every table gets its questions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchwright.builders.sql.joins import role_of
from benchwright.builders.sql.schema import DatabaseSchema, SchemaTable
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording import english


@dataclass(frozen=True)
class Area:
    """Tables that are asked about together."""

    entities: tuple[str, ...]
    """One table, or several that foreign keys tie together."""
    between: tuple[str, ...] = ()
    """Associative tables that tie them together."""

    @property
    def tables(self) -> tuple[str, ...]:
        """All its tables."""
        return (*self.entities, *self.between)


def areas(schema: DatabaseSchema, hops: int) -> list[Area]:
    """Every table of which something can be asked, and every chain of up to `hops` tables: few tables first."""
    entities = [name for name, table in schema.tables.items() if table.ask and not table.associative]
    ties = {(a, b): _between(schema, a, b) for a in entities for b in entities if a < b}
    ties = {pair: between for pair, between in ties.items() if between is not None}
    found = [
        Area((name,)) for name in entities if sum(c.worth_asking for c in schema.tables[name].columns.values()) > 1
    ]
    sets = [frozenset([name]) for name in entities]
    for _ in range(hops - 1):
        sets = list(dict.fromkeys(_grown(sets, list(ties))))
        found += [_area(sorted(names), ties) for names in sets]
    return found


def _grown(sets: Sequence[frozenset[str]], pairs: Sequence[tuple[str, str]]) -> Iterator[frozenset[str]]:
    """Each set with one more table that is tied to one of it."""
    for names in sets:
        for pair in pairs:
            if len(names.intersection(pair)) == 1:
                yield names.union(pair)


def _area(names: Sequence[str], ties: dict[tuple[str, str], tuple[str, ...]]) -> Area:
    between = [table for pair, tables in ties.items() if set(pair) <= set(names) for table in tables]
    return Area(tuple(names), tuple(dict.fromkeys(between)))


def _between(schema: DatabaseSchema, one: str, other: str) -> tuple[str, ...] | None:
    """The associative tables between two tables; none where a foreign key ties them directly; None if nothing does."""
    between = tuple(
        table.name
        for table in schema.tables.values()
        if table.associative and table.ask and {one, other} <= {key.table for key in table.foreign_keys}
    )
    direct = any(key.table == b for a, b in ((one, other), (other, one)) for key in schema.tables[a].foreign_keys)
    return between if between or direct else None


def describe_tables(area: Area, schema: DatabaseSchema, vocabulary: Vocabulary) -> list[str]:
    """The tables of an area for a model: names, types, keys and what they are called. Nothing of any row."""
    return [line for name in area.tables for line in _table_lines(schema.tables[name], vocabulary)]


def _table_lines(table: SchemaTable, vocabulary: Vocabulary) -> Iterator[str]:
    noun = vocabulary.noun(table.name)
    yield f"{table.name}: each row is {english.with_article(noun)}" + (
        ", and ties others together" if table.associative else ""
    )
    keys = {column: key for key in reversed(table.foreign_keys) for column in key.columns}
    for column in table.columns.values():
        words = vocabulary.column(table.name, column.name)
        parts: list[str] = [column.kind]
        if column.name in table.primary_key:
            parts.append("primary key")
        if column.name in keys:
            key = keys[column.name]
            others = " and ".join(name for name in key.columns if name != column.name)
            target = key.targets[key.columns.index(column.name)]
            with_others = f" with {others}" if others else ""
            parts.append(f"refers{with_others} to {key.table}.{target} as {role_of(key, table.name, vocabulary)}")
        elif table.names_row(column.name):
            parts.append(f"what {english.with_article(noun)} is called by")
        elif column.worth_asking and words != column.name.lower():
            parts.append(f"“{words}”")
        yield f"  {column.name}: {', '.join(parts)}"
