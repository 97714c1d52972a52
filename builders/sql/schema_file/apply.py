"""A schema as a person's file says it is: every name of the file is looked up, and what is new is tried on the data."""

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.builders.sql.booleans import holds_truths
from benchwright.builders.sql.multiplicity import mostly_one
from benchwright.builders.sql.naming import NEARLY, NamedRows, can_be_given, measure_names
from benchwright.builders.sql.reach import reach
from benchwright.builders.sql.schema import DatabaseSchema, ForeignKey, KeyPath, SchemaColumn, SchemaTable, key_name
from benchwright.builders.sql.schema_file.content import ColumnEntry, KeyEntry, SchemaFile, TableEntry, suggestion
from benchwright.builders.sql.vocabulary import Vocabulary

log = logging.getLogger("benchwright")

BETWEEN = " > "
"""Between the keys of a path."""
PERSONAL = "personal"
"""Why a column is not asked for where the file leaves out what is personal."""
MARKED = "marked in the schema file"
"""Why a column is personal of which nothing else says so."""
_MOST_LOST = 0.5
"""The largest share of a key's values that may be missing where it is to lead."""
FROM_FILE = "by the schema file"
"""How a key is known that nothing else says."""


def apply_schema_file(file: SchemaFile, schema: DatabaseSchema, database: Database | None) -> DatabaseSchema:
    """The schema with what a file says in place of what was found.

    Args:
        file: what a person says.
        schema: what was found.
        database: on whose rows names and keys are tried that were not found; None: they are known to be right.

    Raises:
        BenchwrightError: the file names what is not there, or the data contradict it; the message names the place.
    """
    return _Applying(file, schema, database).schema()


def known_part(file: SchemaFile, schema: DatabaseSchema) -> SchemaFile:
    """What of a file is about the tables and columns that a schema has."""
    names = {name.lower(): {column.lower() for column in table.columns} for name, table in schema.tables.items()}

    def known(table: str, columns: Iterable[str]) -> bool:
        return {part.strip().lower() for column in columns for part in column.split(",")} <= names[table.lower()]

    def leads(key: KeyEntry) -> bool:
        table = max((name for name in names if key.to.lower().startswith(f"{name}.")), key=len, default=None)
        return not key.to or (table is not None and known(table, [key.to[len(table) + 1 :]]))

    def part(table: str, entry: TableEntry) -> TableEntry:
        keys = {name: key for name, key in entry.keys.items() if known(table, [name]) and leads(key)}
        return replace(
            entry,
            named_by=entry.named_by if known(table, entry.named_by or ()) else (),
            called_by=entry.called_by if known(table, entry.called_by or ()) else (),
            columns={name: one for name, one in entry.columns.items() if known(table, [name])},
            keys=keys,
            kind="entity" if entry.kind == "junction" and len(keys) < 2 else entry.kind,
        )

    tables = {table: part(table, entry) for table, entry in file.tables.items() if table.lower() in names}
    return replace(file, tables=tables, paths={})


@dataclass(frozen=True)
class _Applying:
    file: SchemaFile
    found: DatabaseSchema
    database: Database | None

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
        if self.database is not None and kind == "junction" and (keys, kind) != (table.foreign_keys, table.kind):
            alone = mostly_one(self.database, table.name, [key.columns for key in changed.ties])
            changed = replace(changed, mostly_one=alone)
        return self._named(changed, entry, place)

    def _applied_column(
        self, column: SchemaColumn, said: ColumnEntry, place: Sequence[str], table: SchemaTable
    ) -> SchemaColumn:
        kind = said.format or column.kind
        if kind != column.kind and kind == "boolean":
            self._check_boolean(table.name, column.name, place)
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

    def _check_boolean(self, table: str, column: str, place: Sequence[str]) -> None:
        if self.database is None:
            return
        if not holds_truths(self.database, table, column):
            raise self.file.refuse(
                (*place, "format"), "a boolean is yes or no, and other values are there: leave it out"
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
            self._check_key(table.name, key, at)
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
            if not dot:
                raise self.file.refuse(place, f'{text!r} must be written as "table.column"')
            self._table(name, place)
            raise AssertionError
        return table, self._columns(text[len(table) + 1 :], table, place)

    def _check_key(self, table: str, key: ForeignKey, place: Sequence[str]) -> None:
        """Raises BenchwrightError where the data say that no key is what the file calls one."""
        if self.database is None:
            return
        try:
            lost, total, twice = _match(self.database, table, key)
        except BenchwrightError as error:
            raise self.file.refuse(place, f"the two sides cannot be compared: {error}") from None
        target = f"{key.table}.{', '.join(key.targets)}"
        if twice:
            raise self.file.refuse(place, f"a key leads to one row, and several rows have the same {target}")
        if total and lost > _MOST_LOST * total:
            found = f"{total - lost:,}" if lost < total else "none"
            are = "are" if lost < total else "is"
            raise self.file.refuse(place, f"{found} of its {total:,} values {are} in {target}")
        if lost:
            told = "%s: %s: %s of its %s values are not in %s, and nothing is asked along it of their rows"
            log.warning(told, self.file.path, ".".join(place), f"{lost:,}", f"{total:,}", target)

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
                measured = self._measured(table, naming, at) if naming else None
            called_by = naming or called_by
        if entry.called_by is not None:
            at = (*place, "called_by")
            called_by = tuple(self._column(name, table.name, at) for name in entry.called_by)
            self._check_distinct(called_by, at)
        return replace(table, naming=naming, called_by=called_by, measured=measured)

    def _check_distinct(self, names: Sequence[str], place: Sequence[str]) -> None:
        if len(set(names)) < len(names):
            raise self.file.refuse(place, "a column stands there twice")

    def _measured(self, table: SchemaTable, naming: tuple[str, ...], place: Sequence[str]) -> NamedRows | None:
        """How well names tell rows apart. Raises BenchwrightError where they do not."""
        if self.database is None:
            return None
        measured = measure_names(self.database, table.name, naming, is_key=naming == table.primary_key)
        if measured.named and measured.alone < NEARLY * measured.named:
            raise self.file.refuse(
                place,
                f"{measured.shared:,} of {measured.named:,} rows have the same {', '.join(naming)} as another, and a "
                "name must say which row is meant: add a column, choose others, or write [] to ask about none by name",
            )
        return measured

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


def _match(database: Database, table: str, key: ForeignKey) -> tuple[int, int, int]:
    """Distinct values of a key that its target has not, all of them, and the target's values that several rows have."""
    own, other = [", ".join(quoted(column) for column in columns) for columns in (key.columns, key.targets)]
    is_known = " AND ".join(f"{quoted(column)} IS NOT NULL" for column in key.columns)
    is_there = " AND ".join(f"{quoted(column)} IS NOT NULL" for column in key.targets)
    mine = f"SELECT DISTINCT {own} FROM {quoted(table)} WHERE {is_known}"
    equal = " AND ".join(
        f"mine.{quoted(one)} = theirs.{quoted(two)}" for one, two in zip(key.columns, key.targets, strict=True)
    )
    [[total]] = database.all(f"SELECT COUNT(*) FROM ({mine}) AS mine")
    theirs = f"SELECT {other}, COUNT(*) AS times FROM {quoted(key.table)} WHERE {is_there} GROUP BY {other}"
    [[matched, twice]] = database.all(
        f"SELECT COUNT(*), SUM(CASE WHEN theirs.times > 1 THEN 1 ELSE 0 END) FROM ({mine}) AS mine "
        f"JOIN ({theirs}) AS theirs ON {equal}"
    )
    return int(total) - int(matched), int(total), int(twice or 0)
