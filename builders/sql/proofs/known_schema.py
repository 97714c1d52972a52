"""The schema that templates are read with: the builder's own, a database's, or what they name themselves."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.checking import CheckingDatabase
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.dialects import parser_of
from benchwright.benchmarks.grounding.sql import PLACEHOLDER, SqlTemplate, parse_template
from benchwright.benchmarks.releases.proofs.base import Material
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.wording.template_meaning import count_hops

_NAME_IT = "name the original with --database URL|FILE|FOLDER"


@dataclass(frozen=True)
class KnownSchema:
    """What is known of the tables that templates name."""

    schema: DatabaseSchema | None
    dialect: str
    has_keys: bool = False
    """Whether its foreign keys are all that there were when the release was built."""
    reason: str = ""
    """Why not."""
    is_whole: bool = True
    """Whether its primary keys are known too: of a database that is shipped in part they are not."""

    def parse(self, text: str, kind: str = "") -> SqlTemplate:
        """Reads a SQL template.

        Raises:
            BenchwrightError: it cannot be filled, or names what is not there.
        """
        try:
            names = self.schema.names if self.schema else _implied(text, self.dialect)
            return parse_template(text, names, self.dialect, kind)
        except RecursionError:
            raise BenchwrightError("the SQL template is nested too deep") from None

    def hops(self, template: SqlTemplate) -> range:
        """The hops that a template may have: one number where the keys are known."""
        if self.schema is not None and (self.has_keys or len(template.tables) == 1):
            hops = count_hops(template, self.schema)
            return range(hops, hops + 1)
        return range(1, max(1, len(template.tables)) + 1)

    def booleans(self, template: SqlTemplate) -> list[bool] | None:
        """Of each column that is selected whether it holds booleans; None where that is not known."""
        if all(template.predicates):
            return list(template.predicates)
        if self.schema is None:
            return None
        return [
            is_predicate or (item is not None and self.schema.tables[item.table].columns[item.column].kind == "boolean")
            for item, is_predicate in zip(template.projections, template.predicates, strict=True)
        ]


def known_schema(material: Material, own: DatabaseSchema | None) -> KnownSchema:
    """The schema: the builder's own, else of a database that is there, else none.

    Args:
        material: of the proof.
        own: of a builder that always asks the same tables.
    """
    if own is not None:
        return KnownSchema(own, own.dialect, has_keys=True)
    dialect = _dialect(material)
    for database in material.databases:
        if not isinstance(database, CheckingDatabase):
            continue
        try:
            with database.schema_open():
                schema = reflect(database)
                is_declared = any(table.foreign_keys for table in schema.tables.values())
                files = sorted((material.release.folder / "templates").glob("*.schema.toml"))
                for path in files:
                    schema = _as_built(path, schema, database)
        except BenchwrightError as error:
            return KnownSchema(None, dialect, reason=str(error))
        is_whole = material.given is not None or is_declared
        reason = f"no foreign keys are shipped: {_NAME_IT}"
        return KnownSchema(schema, schema.dialect, is_whole or bool(files), reason, is_whole)
    return KnownSchema(None, dialect, reason=f"no database is shipped: {_NAME_IT}")


def _as_built(path: Path, schema: DatabaseSchema, database: Database) -> DatabaseSchema:
    """A schema as the build understood it, of which not all may be there: what is shipped may be a part."""
    from benchwright.builders.sql.schema_file.apply import apply_schema_file
    from benchwright.builders.sql.schema_file.content import read_schema_file
    from benchwright.builders.sql.schema_file.part import known_part

    return apply_schema_file(known_part(read_schema_file(path), schema), schema, database)


def _dialect(material: Material) -> str:
    """The dialect of the database that a release was built from, by the URI of its source."""
    for source in material.release.manifest.sources:
        scheme, mark, _ = str(source.get("uri", "")).partition("://")
        if mark:
            return scheme.partition("+")[0]
    return "sqlite"


def _implied(text: str, dialect: str) -> Mapping[str, Collection[str]]:
    """The tables and columns that a template itself names, where no schema says what there is.

    A column without its table is taken to be of the first one.
    """
    try:
        tree = sqlglot.parse_one(text, read=parser_of(dialect))
    except (SqlglotError, ValueError) as error:
        raise BenchwrightError(f"it cannot be parsed: {str(error).splitlines()[0]}") from None
    tables = {(item.alias or item.name).lower(): item.name for item in tree.find_all(exp.Table)}
    names: dict[str, dict[str, str]] = {}
    spelt: dict[str, str] = {}

    def add(table: str, column: str) -> None:
        own = spelt.setdefault(table.lower(), table)
        names.setdefault(own, {}).setdefault(column.lower(), column)

    for table in tables.values():
        names.setdefault(spelt.setdefault(table.lower(), table), {})
    first = next(iter(tables.values()), "")
    for column in tree.find_all(exp.Column):
        if not PLACEHOLDER.fullmatch(f"[{column.name}]"):
            add(tables.get(column.table.lower(), first) if column.table else first, column.name)
    for join in tree.find_all(exp.Join):
        for item in join.args.get("using") or []:
            for table in tables.values():
                add(table, item.name)
    for table, column in PLACEHOLDER.findall(text):
        add(table, column)
    return {table: tuple(columns.values()) for table, columns in names.items()}
