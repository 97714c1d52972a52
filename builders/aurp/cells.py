"""The cells that documents may state, ready to be written; gaps and unknown values never leave this module."""

from dataclasses import dataclass

from benchwright.builders.aurp.document_text import Fact
from benchwright.builders.aurp.schema import STANDARD, Column
from benchwright.builders.aurp.world import BOARD, Row, World, is_gap, source

_SUFFIXES = ("_id", "_usd", "_on", "_m", "_m2", "_m3", "_t", "_years", "_days")


def slot_of(column: str) -> str:
    """The name by which phrases call a column: without the suffix that tells its kind."""
    for suffix in _SUFFIXES:
        if column.endswith(suffix):
            return column[: -len(suffix)]
    return column


_COLUMNS: dict[str, tuple[tuple[Column, str], ...]] = {
    table.name: tuple((c, slot_of(c.name)) for c in table.columns if c.kind not in ("key", "name"))
    for table in STANDARD.tables
}


@dataclass(frozen=True)
class Cells:
    """What the documents of a world may state."""

    world: World
    coverage: float

    def of(self, table: str, key: int) -> dict[str, Fact]:
        """The facts of a row by slot: neither known gaps nor unknown values are among them."""
        row = self.world.rows(table)[key - 1]
        facts: dict[str, Fact] = {}
        for column, slot in _COLUMNS[table]:
            value = self._value(table, row, column)
            if value is not None and not is_gap(self.world, self.coverage, table, key, column.name):
                facts[slot] = Fact(table, key, column.name, column.kind, value, column.unit)
        return facts

    def followed(self, facts: dict[str, Fact], slot: str, table: str, wanted: tuple[str, ...]) -> dict[str, Fact]:
        """Facts of the row that a stated reference points at, as `slot.other`: those that the world's schema shows."""
        if slot not in facts:
            return {}
        fact = facts[slot]
        key = getattr(self.world.rows(fact.table)[fact.key - 1], fact.column)
        there = self.of(table, key)
        shown = {(t.source, source(c)) for t in self.world.schema.tables for c in t.columns}
        return {
            f"{slot}.{name}": there[name] for name in wanted if name in there and (table, there[name].column) in shown
        }

    def superseded(self) -> dict[int, dict[str, Fact]]:
        """The earlier values of each project's revised cells, by slot; those of known gaps are left out."""
        found: dict[int, dict[str, Fact]] = {}
        for old in self.world.superseded:
            if is_gap(self.world, self.coverage, old.table, old.key, old.column):
                continue
            column = STANDARD.table(old.table).column(old.column)
            value = self._name(column.references, int(old.value)) if column.references else old.value
            fact = Fact(old.table, old.key, old.column, column.kind, value, column.unit, superseded=True)
            found.setdefault(old.key, {})[slot_of(old.column)] = fact
        return found

    def _value(self, table: str, row: Row, column: Column) -> str | int | None:
        value = getattr(row, column.name)
        if column.references is None:
            return value
        if value is None:
            paper = self.world.schema.name == "paper" and (table, column.name) == ("employee", "supervisor_id")
            return BOARD if paper else None
        return self._name(column.references, value)

    def _name(self, table: str, key: int) -> str:
        return self.world.rows(table)[key - 1].name
