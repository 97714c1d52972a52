"""What a build of GRAMMAR has at hand before it writes: the database, how it is understood, templates, their groups."""

import logging
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.grounding.changes import held_still
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.naming import check_language
from benchwright.builders.base import BuildRequest
from benchwright.builders.grammar.understanding import open_source, understand
from benchwright.builders.sql.filling.everything import Everything
from benchwright.builders.sql.filling.fill import Filler
from benchwright.builders.sql.filling.sample import Sample
from benchwright.builders.sql.filling.told import without_told
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.templates.missing import is_of_rules, missing_templates
from benchwright.builders.sql.templates.prepare import TemplateSet, prepare_templates, tell
from benchwright.builders.sql.wording.forms.read import parse_forms

USUAL = "one answer is nearly always right"
"""Why a template is left out."""

log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class Ready:
    """What questions are made of."""

    database: Database
    source: Mapping[str, Any]
    """The database's record as a source."""
    schema: DatabaseSchema
    forms: tuple[str, ...]
    """Their names."""
    filler: Filler
    asked: Everything | Sample
    """Gives the groups that are wanted."""
    prepared: TemplateSet
    """The templates that are to be filled."""


def get_ready(request: BuildRequest, stack: ExitStack, *, is_built: bool = False) -> Ready:
    """Opens and understands the database, makes templates and leaves out those that nobody should be asked.

    Args:
        request: what is to be built.
        stack: closes the database.
        is_built: whether the database has to stay as it is until the stack is left.

    Raises:
        UsageError: the parameters cannot be meant.
        BenchwrightError: the database cannot be read, or there is nothing to ask.
        Estimated: nothing is to be asked of a model.
    """
    parameters = request.parameters
    if check_language(parameters["language"]) != "en" and not parameters["templates"]:
        what = f"language={parameters['language']} goes with --set templates=FILE"
        raise UsageError(f"{what}: without one, questions are worded in English")
    forms = parse_forms(parameters["forms"])
    request.progress("the database", 0, 0)
    database, source = open_source(parameters, stack)
    watched = stack.enter_context(held_still(database, source["sha256"])) if is_built else None
    schema = understand(database, parameters)
    asked_tables = [table for table in schema.tables.values() if table.ask]
    if asked_tables and all(table.empty for table in asked_tables):
        raise BenchwrightError(f"no table of {database.source} has a row: {', '.join(schema.tables)[:200]}")
    if len(schema.tables) > 1 and not any(table.foreign_keys for table in schema.tables.values()):
        log.warning("%s has no foreign keys: only templates on one table can be made", database.source)
    if not parameters["templates"] and parameters["several"] != "set":
        _tell_of_shared_names(schema)
    prepared = prepare_templates(
        database,
        schema,
        schema.vocabulary,
        forms,
        parameters,
        client=request.client,
        progress=request.progress,
        seed=request.seed,
    )
    if request.client is not None and request.client.settings.estimate:
        raise Estimated
    if watched is not None:
        watched.watch(_columns_named(prepared))
    filler = Filler(database, parameters["several"], schema.booleans, schema.nearly_unique)
    asked = _asked(filler, request)
    if not parameters["templates"]:
        prepared = _without_usual(asked, _without_told(filler, prepared), parameters["commonest"])
    else:
        _tell_of_missing(filler, schema, prepared, request)
    return Ready(database, source, schema, tuple(form.name for form in forms), filler, asked, prepared)


def _columns_named(prepared: TemplateSet) -> dict[str, set[str]]:
    """Table → the columns that templates name."""
    found: dict[str, set[str]] = {}
    for worded in prepared.worded:
        for column in worded.sql.columns:
            found.setdefault(column.table, set()).add(column.column)
    return found


def _tell_of_shared_names(schema: DatabaseSchema) -> None:
    """Says of which tables no row is asked about by its name, for others are called so too."""
    shared = [
        f"{table.name} ({', '.join(table.called_by)})"
        for table in schema.tables.values()
        if table.called_by and not table.naming
    ]
    few = [
        f"{table.name} ({table.measured.shared:,} of {table.measured.named:,})"
        for table in schema.tables.values()
        if table.shares_names and table.measured
    ]
    if few:
        log.warning("rows that share their name with another are not asked about by it: %s", ", ".join(few))
    if shared and any(table.naming for table in schema.tables.values()):
        log.warning(
            "several rows share a name, so that nothing is asked about a row by its name, in %s; --set several=set "
            "asks for the answers of all that are called so",
            ", ".join(shared),
        )


def _tell_of_missing(filler: Filler, schema: DatabaseSchema, prepared: TemplateSet, request: BuildRequest) -> None:
    """Names the SQL templates that were taken out of a file of built-in ones."""
    parameters = request.parameters
    held = [worded.sql.text for worded in prepared.worded if not worded.sql.declared]
    if is_of_rules(schema, held, parameters):
        groups = parameters["groups"]
        sample = Sample(replace(filler, counts={}), groups, request.seed, request.progress) if groups else None
        missing = missing_templates(filler, schema, held, parameters, sample)
        place = parameters["templates"]
        tell(f"{place} lacks a built-in SQL template, which is not asked: {template.text}" for template in missing)


def _without_told(filler: Filler, prepared: TemplateSet) -> TemplateSet:
    """The templates whose questions do not tell the answer."""
    kept, left = without_told(filler, prepared.worded)
    if not kept:
        raise BenchwrightError(f"of every template {' or '.join(left)}: ask of other columns")
    return replace(prepared, worded=kept, left_out={**prepared.left_out, **left})


def _asked(filler: Filler, request: BuildRequest) -> Everything | Sample:
    """What gives the groups that are wanted."""
    groups = request.parameters["groups"]
    return Sample(filler, groups, request.seed, request.progress) if groups else Everything(filler)


def _without_usual(asked: Everything | Sample, prepared: TemplateSet, share: float) -> TemplateSet:
    """The templates of which no answer has more than a share; the others are named in the log."""
    kept = []
    for worded, usual in asked.look(prepared.worded):
        if usual.is_above(share):
            said = "left out: %.0f %% of its %d answers are %s: %s"
            log.info(said, 100 * usual.share, usual.answers, str(usual.answer)[:60], worded.sql.text)
        else:
            kept.append(worded)
    if not kept:
        raise BenchwrightError(
            f"of every template one answer has more than {share:g} of all: ask of other columns, or use "
            "--set commonest=1"
        )
    left = len(prepared.worded) - len(kept)
    left_out = {**prepared.left_out, USUAL: left} if left else prepared.left_out
    return replace(prepared, worded=tuple(kept), left_out=left_out)
