"""A schema as a person's file says it is: every name of the file is looked up, and what is new is tried on the data."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from benchwright.benchmarks.grounding.database import Database
from benchwright.builders.sql.multiplicity import mostly_one
from benchwright.builders.sql.naming import can_be_given
from benchwright.builders.sql.reach import reach
from benchwright.builders.sql.schema import DatabaseSchema, ForeignKey, KeyPath, SchemaColumn, SchemaTable, key_name
from benchwright.builders.sql.schema_file.content import ColumnEntry, SchemaFile, TableEntry, suggestion
from benchwright.builders.sql.schema_file.trials import Trials
from benchwright.builders.sql.vocabulary import Vocabulary

BETWEEN = " > "
"""Between the keys of a path."""
PERSONAL = "personal"
"""Why a column is not asked for where the file leaves out what is personal."""
MARKED = "marked in the schema file"
"""Why a column is personal of which nothing else says so."""
FROM_FILE = "by the schema file"
"""How a key is known that nothing else says."""


def apply_schema_file(file: SchemaFile, schema: DatabaseSchema, database: Database) -> DatabaseSchema:
    """The schema with what a file says in place of what was found.

    Args:
        file: what a person says.
        schema: what was found.
        database: on whose rows names and keys are tried that were not found.

    Raises:
        BenchwrightError: the file names what is not there, or the data contradict it; the message names the place.
    """
    return _Applying(file, schema, database, Trials(file, database)).schema()


@dataclass(frozen=True)
class _Applying:
    file: SchemaFile
    found: DatabaseSchema
    database: Database
    trials: Trials

    def schema(self) -> DatabaseSchema:
        entries: dict[str, TableEntry] = {}
        for name, entry in self.file.tables.items():
            entries[self._table(name, ("table", name))] = entry
        tables = {
            name: self._applied(table, entries[name], self._spelt(name)) if name in entries else table
            for name, table in self.found.tables.items()
        }
        if not self.file.ask_personal:
            tables = {name: _without_personal(table) for name, table in tables.items()}
        paths = {self._path(text, tables): is_asked for text, is_asked in self.file.paths.items()}
        return replace(self.found, tables=tables, paths=paths, vocabulary=self._vocabulary(entries))

    def _spelt(self, table: str) -> str:
        """A table as the file writes it."""
        return next(name for name in self.file.tables if name.lower() == table.lower())

    def _table(self, name: str, place: Sequence[str]) -> str:
        return self._name(name, self.found.tables, place, f"there is no table {name!r}")

    def _column(self, name: str, table: str, place: Sequence[str]) -> str:
        return self._name(name, self.found.tables[table].columns, place, f"the table {table!r} has no column {name!r}")

    def _name(self, name: str, known: Collection[str], place: Sequence[str], problem: str) -> str:
        spelt = _spelling(name, known)
        if spelt is None:
            raise self.file.refuse(place, f"{problem}{suggestion(name, known)}")
        return spelt

    def _applied(self, table: SchemaTable, entry: TableEntry, spelt: str) -> SchemaTable:
        place = ("table", spelt)
        columns = dict(table.columns)
        for name, said in entry.columns.items():
            column = self._column(name, table.name, (*place, "columns", name))
            columns[column] = self._applied_column(columns[column], said, (*place, "columns", name), table)
        keys = self._keys(table, entry, place)
        new = {column for key in keys if key not in table.foreign_keys for column in key.columns}
        unsaid = new - {_spelling(name, table.columns) for name, said in entry.columns.items() if said.ask is not None}
        for column in unsaid:
            if columns[column].kind != "text":
                columns[column] = replace(columns[column], why_not="key")
        kind = entry.kind or table.kind
        if kind == "junction" and len({key.columns for key in keys}) < 2:
            problem = f"a junction ties two rows or more together, and {table.name!r} has {len(keys)} keys: add keys"
            raise self.file.refuse((*place, "kind"), f"{problem}, or make it an entity")
        changed = replace(
            table, columns=columns, foreign_keys=keys, kind=kind, ask=table.ask if entry.ask is None else entry.ask
        )
        if kind == "junction" and (keys, kind) != (table.foreign_keys, table.kind):
            alone = mostly_one(self.database, table.name, [key.columns for key in changed.ties])
            changed = replace(changed, mostly_one=alone)
        return self._named(changed, entry, place)

    def _applied_column(
        self, column: SchemaColumn, said: ColumnEntry, place: Sequence[str], table: SchemaTable
    ) -> SchemaColumn:
        kind = said.format or column.kind
        if kind != column.kind and kind == "boolean":
            self.trials.boolean(table.name, column.name, place)
        why_not = column.why_not
        if said.ask is not None:
            why_not = "" if said.ask else why_not or FROM_FILE
        far = column.reach
        if said.reach is not None and said.reach != reach(table, column):
            far = said.reach
        personal = column.personal
        if said.personal is not None:
            personal = (personal or MARKED) if said.personal else ""
        unit = column.unit if said.unit is None else said.unit
        return replace(
            column,
            kind=kind,
            why_not=why_not,
            reach=far,
            personal=personal,
            unit=unit,
            is_corrected=column.is_corrected or kind != column.kind,
        )

    def _keys(self, table: SchemaTable, entry: TableEntry, place: Sequence[str]) -> tuple[ForeignKey, ...]:
        keys = {key.columns: key for key in table.foreign_keys}
        several = [key for key in table.foreign_keys if keys[key.columns] is not key]
        for name, said in entry.keys.items():
            at = (*place, "keys", name)
            own = self._columns(name, table.name, at)
            if not said.to:
                keys.pop(own, None)
                several = [key for key in several if key.columns != own]
                continue
            target, targets = self._reference(said.to, at)
            key = ForeignKey(own, target, targets, FROM_FILE)
            if len(own) != len(targets):
                raise self.file.refuse(at, f"{len(own)} columns cannot lead to {len(targets)}: name as many")
            if own == targets and target == table.name:
                raise self.file.refuse(at, "it leads from each row to itself")
            if key in table.foreign_keys:
                continue
            several = [key for key in several if key.columns != own]
            self.trials.key(table.name, key, at)
            keys[own] = key
        return tuple(sorted([*keys.values(), *several], key=lambda key: (key.columns, key.table, key.targets)))

    def _columns(self, text: str, table: str, place: Sequence[str]) -> tuple[str, ...]:
        """A column, or several with commas between."""
        if _spelling(text, self.found.tables[table].columns) is not None or "," not in text:
            return (self._column(text, table, place),)
        return tuple(self._column(part.strip(), table, place) for part in text.split(","))

    def _reference(self, text: str, place: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        """The table and columns of `table.column` or `table.column, column`."""
        low = text.lower()
        table = max((name for name in self.found.tables if low.startswith(f"{name.lower()}.")), key=len, default=None)
        if table is None:
            name, dot, _ = text.partition(".")
            unknown = f"there is no table {name!r}{suggestion(name, self.found.tables)}"
            raise self.file.refuse(place, unknown if dot else f'{text!r} must be written as "table.column"')
        return table, self._columns(text[len(table) + 1 :], table, place)

    def _named(self, table: SchemaTable, entry: TableEntry, place: Sequence[str]) -> SchemaTable:
        naming, called_by, measured = table.naming, table.called_by, table.measured
        if entry.named_by is not None:
            at = (*place, "named_by")
            naming = tuple(self._column(name, table.name, at) for name in entry.named_by)
            self._check_distinct(naming, at)
            if naming != table.naming:
                if naming and not can_be_given(table.name, naming):
                    raise self.file.refuse(
                        at, "a name with a bracket, a dot or an apostrophe cannot stand in a template"
                    )
                measured = self.trials.naming(table, naming, at) if naming else None
            called_by = naming or called_by
        if entry.called_by is not None:
            at = (*place, "called_by")
            called_by = tuple(self._column(name, table.name, at) for name in entry.called_by)
            self._check_distinct(called_by, at)
        return replace(table, naming=naming, called_by=called_by, measured=measured)

    def _check_distinct(self, names: Sequence[str], place: Sequence[str]) -> None:
        if len(set(names)) < len(names):
            raise self.file.refuse(place, "a column stands there twice")

    def _path(self, text: str, tables: Mapping[str, SchemaTable]) -> KeyPath:
        known = {key_name(name, key): (table, key) for name, table in tables.items() for key in table.foreign_keys}
        place = ("paths", text)
        said = [key if key in known else key.strip() for key in text.split(BETWEEN)]
        keys = [self._name(key, known, place, f"there is no key {key!r}") for key in said]
        for one, other in pairwise(keys):
            (table, key), (following, _) = known[one], known[other]
            if following.name != (table.name if table.associative else key.table) and following.name != key.table:
                raise self.file.refuse(
                    place, f"{other!r} does not go on from where {one!r} leads, the table {key.table!r}"
                )
        return tuple(keys)

    def _vocabulary(self, entries: Mapping[str, TableEntry]) -> Vocabulary:
        nouns = {table.lower(): entry.called for table, entry in entries.items() if entry.called}
        rules = Vocabulary(nouns)
        columns, roles = {}, {}
        for table, entry in entries.items():
            for name, said in entry.columns.items():
                spelt = self._column(name, table, ())
                if said.words and said.words != rules.column(table, spelt):
                    columns[f"{table}.{spelt}".lower()] = said.words
            for name, said in entry.keys.items():
                if said.to and said.role:
                    own = self._columns(name, table, ())
                    key = ForeignKey(own, *self._reference(said.to, ()))
                    roles[f"{table}.{key.said_by or ', '.join(own)}".lower()] = said.role
        return Vocabulary(nouns, columns, roles)


def _spelling(name: str, known: Collection[str]) -> str | None:
    """A name as the database spells it."""
    if name in known:
        return name
    return next((other for other in known if other.lower() == name.lower()), None)


def _without_personal(table: SchemaTable) -> SchemaTable:
    columns = {
        name: replace(column, why_not=column.why_not or PERSONAL) if column.personal else column
        for name, column in table.columns.items()
    }
    return replace(table, columns=columns)
