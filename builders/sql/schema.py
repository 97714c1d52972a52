"""What a database is about: its tables, what people call their rows by, and what they could ask of them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

from benchwright.builders.sql.naming import NamedRows
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording import english

ColumnKind = Literal["text", "number", "boolean", "date", "other"]
TableKind = Literal["entity", "event", "lookup", "carrier", "junction"]
"""A thing; what happened, such as an order; a name that others refer to and nothing else; what stands between one thing
and the next, such as an address or the copy of a film; what only relates others."""
KeyPath = tuple[str, ...]
"""The keys that are followed one after the other, each as `table.column`; of a table between two others two."""


@dataclass(frozen=True)
class SchemaColumn:
    """A column of a table."""

    name: str
    kind: ColumnKind
    why_not: str = ""
    """Why it is not asked for: it is a key, prose, technical. Empty where people who know no database understand it."""
    unit: str = ""
    """What its values are in, as `units.py` names it, or in words of the schema file; empty where nobody said."""
    reach: int | None = None
    """How many keys away from the thing that is named it is still asked for; None: rules say it (`reach.py`)."""
    personal: str = ""
    """Why it is taken to hold personal data; empty where it is not."""
    note: str = ""
    """What else a person who reviews it should know."""
    is_corrected: bool = False
    """Whether the schema file says another kind than was found."""

    @property
    def worth_asking(self) -> bool:
        """Whether people who know no database understand it: it is no key, no prose and nothing technical."""
        return not self.why_not


@dataclass(frozen=True)
class ForeignKey:
    """Columns that together name a row of another table, or of their own."""

    columns: tuple[str, ...]
    table: str
    targets: tuple[str, ...]
    """The columns of the other table that they are equal to, in the same order."""
    found: str = field(default="declared", compare=False)
    """How it is known."""

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Each column with the one of the other table that it is equal to."""
        return tuple(zip(self.columns, self.targets, strict=True))

    @property
    def said_by(self) -> str | None:
        """The column whose name says what the other row is to this one; None where the columns are called as the other
        table calls them, such as `isbn`."""
        own = [one for one, other in self.pairs if one.lower() != other.lower()]
        if len(self.columns) == 1 and english.role(self.columns[0]) != english.words(self.columns[0]):
            return self.columns[0]
        return own[-1] if own else None


@dataclass(frozen=True)
class SchemaTable:
    """A table, and what its rows are called by."""

    name: str
    columns: Mapping[str, SchemaColumn]
    primary_key: tuple[str, ...]
    foreign_keys: tuple[ForeignKey, ...]
    naming: tuple[str, ...]
    """The columns that together name a row as people do, and no two rows the same: a name, first and last name, an
    order's number. Where there are none, nothing is asked about a row by its name."""
    called_by: tuple[str, ...]
    """The columns that people call a row by when they ask for it, though another may be called so too."""
    kind: TableKind
    mostly_one: frozenset[tuple[str, ...]] = frozenset()
    """Of an associative table: the columns of its keys of which most values stand in one row alone, as the film of a
    film's category does; most orders have several products."""
    measured: NamedRows | None = None
    """How well `naming` tells rows apart, else `called_by`; None where there is neither."""
    ask: bool = True
    """Whether it has a part in any question."""
    view: bool = False
    """Whether it is a view: asked where there is no table, or where the schema file says so."""
    empty: bool = False
    """Whether it has no row."""

    @property
    def associative(self) -> bool:
        """Whether its rows only relate rows of other tables."""
        return self.kind == "junction"

    @property
    def shares_names(self) -> bool:
        """Whether some rows are called what another one is called, which are not asked about by their name."""
        return bool(self.naming and self.measured and self.measured.shared)

    @property
    def askable(self) -> tuple[SchemaColumn, ...]:
        """The columns that a question can ask for, without those that name a row."""
        return tuple(one for one in self.columns.values() if one.worth_asking and not self.names_row(one.name))

    @property
    def ties(self) -> tuple[ForeignKey, ...]:
        """The foreign keys without those of which all columns are in another one."""
        return ties_of(self.foreign_keys)

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """What a row is called by, as sets of columns that belong together: what is unique first."""
        return tuple(dict.fromkeys(name for name in (self.naming, self.called_by) if name))

    @property
    def answered_by(self) -> tuple[str, ...]:
        """The columns of which an answer is made where a row is asked for: a film by its title, without the year."""
        name = self.called_by or self.naming
        return tuple(one for one in name if english.is_name(one)) or name

    def names_row(self, column: str) -> bool:
        """Whether a column, alone or with others, is what a row is called by."""
        return any(column in name for name in self.names)


@dataclass(frozen=True)
class DatabaseSchema:
    """All tables of a database, in order of their names."""

    tables: Mapping[str, SchemaTable]
    """Tables, and views too."""
    dialect: str
    paths: Mapping[KeyPath, bool] = field(default_factory=dict)
    """Keys that follow one another, alone or at the end of something longer → whether they are asked along, whatever
    rules say."""
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Table or view that cannot be read → why not."""

    @property
    def names(self) -> dict[str, Collection[str]]:
        """Table → names of its columns."""
        return {name: list(table.columns) for name, table in self.tables.items()}

    @property
    def nearly_unique(self) -> dict[str, tuple[str, ...]]:
        """Table → what names its rows, where a few rows share their names."""
        return {name: table.naming for name, table in self.tables.items() if table.shares_names}

    def asks_along(self, keys: KeyPath) -> bool | None:
        """What the schema file says of a path, by the longest of its ends; None where it says nothing."""
        said = (self.paths.get(keys[start:]) for start in range(len(keys)))
        return next((decision for decision in said if decision is not None), None)

    @property
    def units(self) -> dict[tuple[str, str], str]:
        """Table and column → unit, of those that have one."""
        return {
            (table.name, column.name): column.unit
            for table in self.tables.values()
            for column in table.columns.values()
            if column.unit
        }

    @property
    def booleans(self) -> frozenset[tuple[str, str]]:
        """Table and column of those that hold booleans."""
        return frozenset(
            (table.name, column.name)
            for table in self.tables.values()
            for column in table.columns.values()
            if column.kind == "boolean"
        )


def ties_of(keys: Collection[ForeignKey]) -> tuple[ForeignKey, ...]:
    """The keys without those that others hold: whose customer is known, his firm is."""
    return tuple(key for key in keys if not any(set(key.columns) < set(other.columns) for other in keys))


def key_name(table: str, key: ForeignKey) -> str:
    """A key of a table as it stands in paths: `table.column`."""
    return f"{table}.{', '.join(key.columns)}"
