"""Which paths of foreign keys people ask along, and for what at their ends."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.benchmarks.data_files import read_words
from benchwright.builders.sql.reach import describes_itself, is_somebody, is_staff, only_carries, reach
from benchwright.builders.sql.schema import ForeignKey, KeyPath, SchemaColumn, SchemaTable
from benchwright.builders.sql.wording import english

_UPWARDS = read_words(__package__, "worth.toml")["upwards"]


@dataclass(frozen=True)
class Step:
    """A table on a path, with the alias that it has there."""

    table: SchemaTable
    alias: str
    join: str
    """The JOIN that leads to it; nothing for the first table."""
    key: ForeignKey | None = None
    """The key that leads to it: of the table before, or of the associative table between."""
    between: SchemaTable | None = None
    inward: ForeignKey | None = None
    """Of the table between: the key that leads to the table before."""
    keys: KeyPath = ()
    """All keys that lead to it from the first table."""


@dataclass(frozen=True)
class Worth:
    """What of a schema people ask."""

    several: bool = False
    """Whether several answers may be asked for at once."""

    def path(self, path: Sequence[Step]) -> bool:
        """Whether people would go this way.

        Nobody asks for *the* product of an order, which has many; nor for the customer of the rental of a payment,
        which has a customer itself; nor where the one who took it lives.
        """
        *before, last = path
        if only_carries(last.table) and is_staff(before[-1].table) and len(before) > 1:
            return False
        if last.between is not None and last.inward is not None:
            is_line = english.noun(last.between.name).rpartition(" ")[2].lower() in english.LINES
            return not is_line and (self.several or last.inward.columns in last.between.mostly_one)
        return only_carries(last.table) or not any(
            key.table == last.table.name and _role(key) == _role(last.key)
            for step in before[:-1]
            for key in step.table.foreign_keys
            if last.key is not None and step.table.name != last.table.name
        )

    def columns(self, path: Sequence[Step]) -> tuple[SchemaColumn, ...]:
        """What people ask of the last table of a path, by how many things lie between it and the one that is named."""
        table = path[-1].table
        asked = table.askable
        if _happened(path[0].table):
            is_beside = _happened(path[-2].table) and (_happened(table) or is_staff(table))
            asked = tuple(
                column
                for column in asked
                if column.reach is not None or not (is_beside or describes_itself(column.name))
            )
        far = sum(1 for step in path[1:] if not only_carries(step.table))
        if far > 1 and any(is_somebody(step.table) for step in path[1:-1]):
            asked = tuple(column for column in asked if column.reach is not None)
        return tuple(column for column in asked if reach(table, column) >= far)


def leads_upwards(key: ForeignKey) -> bool:
    """Whether a key of a table to itself may be followed twice: the superior's superior, not the spouse's spouse."""
    return english.head_word(english.role(key.said_by or key.table)) in _UPWARDS


def _role(key: ForeignKey | None) -> str:
    return english.role(key.said_by or key.table) if key else ""


def _happened(table: SchemaTable) -> bool:
    """Whether rows are events that are known by their numbers: the rental that a payment is for."""
    last = english.noun(table.name).lower().rpartition(" ")[2]
    return last in english.OCCASIONS and not table.associative and table.naming == table.primary_key
