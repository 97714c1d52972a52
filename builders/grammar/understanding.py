"""How GRAMMAR understands a database: as it is found to be, and as its schema file says."""

import logging
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchwright.benchmarks.grounding.database import Database, open_database
from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.hashing import file_sha256
from benchwright.builders.base import BuildRequest
from benchwright.builders.sql.own_database import own_database
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.schema import DatabaseSchema

if TYPE_CHECKING:
    from benchwright.builders.sql.schema_file.content import SchemaFile

log = logging.getLogger("benchwright")


def open_source(parameters: Mapping[str, Any], stack: ExitStack) -> tuple[Database, dict[str, Any]]:
    """The database of a URL, a SQLite file or a folder of files, and its record as a source, with its schema file's."""
    known: set[str] = set()
    if parameters["schema"]:
        tables = _schema_file(parameters).tables.items()
        known = {f"{name}.{column}".lower() for name, entry in tables for column in entry.keys}
    own = stack.enter_context(own_database(parameters["database"], known))
    database = stack.enter_context(open_database(own.url))
    uri = own.made_from or database.source
    source: dict[str, Any] = {"uri": uri, "revision": None, "sha256": own.sha256, "licence": None}
    if parameters["schema"]:
        source["schema_sha256"] = file_sha256(Path(parameters["schema"]))
    return database, source


def understand(database: Database, parameters: Mapping[str, Any]) -> DatabaseSchema:
    """The schema of a database, with what the file that `schema` names says of it.

    Raises:
        BenchwrightError: the database cannot be read, or the file says what it cannot mean; the message names the line.
    """
    if not parameters["schema"]:
        schema = reflect(database)
        _tell_of_tables(database, schema)
        return schema
    from benchwright.builders.sql.schema_file.apply import apply_schema_file

    file = _schema_file(parameters)
    schema = reflect(database, [name for name, entry in file.tables.items() if entry.ask])
    _tell_of_tables(database, schema)
    return apply_schema_file(file, schema, database)


def _schema_file(parameters: Mapping[str, Any]) -> "SchemaFile":
    from benchwright.builders.sql.schema_file.content import read_schema_file

    return read_schema_file(Path(parameters["schema"]))


def _tell_of_tables(database: Database, schema: DatabaseSchema) -> None:
    """Names the tables of which nothing is asked."""
    for name, reason in schema.left_out.items():
        log.warning("%s is left out: %s", name, reason)
    if empty := [table.name for table in schema.tables.values() if table.empty]:
        log.warning("nothing is asked about %s, which no row is in", ", ".join(empty))
    if all(table.view for table in schema.tables.values()):
        log.warning("%s has no table: its views are asked about", database.source)


def schema_of_templates(schema: DatabaseSchema, templates: Iterable[SqlTemplate]) -> str:
    """What a release tells of its schema file: how the tables that its templates name are understood."""
    from benchwright.builders.sql.schema_file.write import write_schema

    return write_schema(
        schema,
        "the tables of its templates",
        tables={table for template in templates for table in template.tables.values()},
    )


def draft(request: BuildRequest) -> str:
    """The schema file of a database, for a person to review. See `draft` in `builders/base.py`."""
    from benchwright.builders.sql.schema_file.write import write_schema
    from benchwright.builders.sql.templates.enumeration import paths_left_out

    with ExitStack() as stack:
        database, source = open_source(request.parameters, stack)
        schema = understand(database, request.parameters)
        found = "by names and values" if str(source["uri"]).startswith(("csv:", "parquet:")) else ""
        left_out = paths_left_out(schema, may_share_names=request.parameters["several"] == "set")
        return write_schema(schema, str(source["uri"]), found, left_out=left_out)
