"""The builder `spider`: database → profiles → pages, and templates → fillings with executed answers → questions."""

import logging
import tempfile
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.grounding.shipping import copy_database
from benchwright.benchmarks.releases.writer import AS_QUESTIONS, ReleaseWriter
from benchwright.builders.base import BuildRequest
from benchwright.builders.spider.asking import Asked, ask
from benchwright.builders.spider.facts import has_pages
from benchwright.builders.spider.make_pages import make_pages
from benchwright.builders.spider.opening import close_copy, open_source
from benchwright.builders.spider.pages_by_model import ROLE
from benchwright.builders.spider.questions import Written, checks_of, write_questions
from benchwright.builders.sql.filling.questions import WordedTemplate
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.schema_file.write import write_schema
from benchwright.builders.sql.templates.files import published_format
from benchwright.builders.sql.texts import template_texts
from benchwright.builders.sql.wording.forms.read import parse_forms

NAME = "spider"
VERSION = "1.0.0"

log = logging.getLogger("benchwright")


def build(request: BuildRequest, writer: ReleaseWriter) -> None:
    """Makes pages and questions of a database. See `benchmarks/specs/spider.toml`."""
    parameters = request.parameters
    hypotheses = parse_forms(parameters["forms"])
    forms = [form.name for form in hypotheses]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        request.progress("the database", 0, 0)
        _check_model(request)
        source = open_source(parameters["database"], folder, parameters["source_licence"])
        closed = close_copy(source.path, request.seed) if parameters["names"] == "closed" else None
        database = stack.enter_context(open_database(f"sqlite:///{source.path}"))
        schema = reflect(database)
        _check(schema, source.name)
        asked = ask(database, schema, hypotheses, parameters, request)
        made = make_pages(database, schema, asked, request)
        writer.documents(made.documents())
        written = write_questions(NAME, request, writer, asked, made, schema.vocabulary)
        used = list(written.used.values())
        if not used or written.gaps == written.groups.total():
            raise BenchwrightError("no page states what any question needs: nothing can be asked")
        _tell_of_kinds(asked, written)
        texts = {form: {w.sql.text: [text for f, text in w.wordings if f == form] for w in used} for form in forms}
        writer.templates(request.name, published_format([w.sql for w in used], texts))
        if source.guessed:
            writer.schema_file(request.name, write_schema(schema, source.name, "by names and values"))
        ship = parameters["ship"] if parameters["ship"] != "auto" else "none" if parameters["database"] else "all"
        writer.sources.append({**source.record, "rows_shipped": _shipped(ship, bool(parameters["database"]))})
        writer.checks |= checks_of(asked, made, written, forms) | (closed.checks if closed else {})
        writer.texts |= template_texts(writer.checks, bool(parameters["templates"]))
        writer.texts["documents"] = {"rule": len(made.pages)}
        if made.model:
            by_model = made.model.attempts.total()
            writer.checks |= made.model.checks()
            writer.texts["documents"] = {"model": by_model, "fallback": len(made.pages) - by_model}
            writer.models += made.model.described()
        if ship != "none":
            copy_database(source.path, writer.database(request.name), _wanted(schema, used, ship))


def check_holdout(parameters: Mapping[str, Any]) -> None:
    """Raises UsageError: the public pages would state every answer that is to be held out."""
    raise UsageError("the pages of spider state every answer, and a corpus is public: build it without --holdout")


def _check_model(request: BuildRequest) -> None:
    """Raises UsageError where a model is to write the pages and none is named; says so where one is and does not."""
    has_model = request.client is not None and request.client.has(ROLE)
    if request.parameters["documents"] == "model" and not has_model:
        raise UsageError(f"documents=model needs a model that writes them: add --model {ROLE}=NAME")
    if has_model and request.parameters["documents"] == "rule" and request.parameters["texts"] == "rule":
        log.warning("rules write the pages, and the %s is not asked: --set documents=model lets it", ROLE)


def _check(schema: DatabaseSchema, name: str) -> None:
    """Says what has no page, and refuses a database of which nothing has."""
    tables = schema.tables.values()
    if all(table.empty for table in tables):
        raise BenchwrightError(f"no table of {name} has a row: {', '.join(schema.tables)[:200]}")
    if empty := [table.name for table in tables if table.empty]:
        log.warning("nothing is asked about %s, which no row is in", ", ".join(empty))
    if not any(has_pages(table) for table in tables):
        raise BenchwrightError(
            f"no table of {name} has a column that names its rows and that no two rows share, so that no page can be "
            "written: give another database"
        )
    unnamed = [table.name for table in tables if not (table.empty or table.associative or table.naming)]
    if unnamed:
        log.warning("no page is written of rows without a name of their own: %s", ", ".join(unnamed))


def _tell_of_kinds(asked: Asked, written: Written) -> None:
    """Names the kinds of which a database gives templates, and no question that pages bear out."""
    kinds = {worded.kind for worded in written.used.values()}
    for kind in asked.kinds:
        if kind not in kinds and kind not in asked.prepared.without:
            log.warning("no questions of the kind %s: none of its SQL templates can be asked here", kind)


def _wanted(schema: DatabaseSchema, used: Sequence[WordedTemplate], ship: str) -> dict[str, Collection[str] | None]:
    if ship == "all":
        return dict.fromkeys(schema.tables)
    found: dict[str, set[str]] = {}
    for column in (column for worded in used for column in worded.sql.columns):
        found.setdefault(column.table, set()).add(column.column)
    return dict(found)


def _shipped(ship: str, is_given: bool) -> str:
    """What a source says of its rows: those of a database that is given stand in pages and questions at least."""
    return "none" if not is_given else ship if ship != "none" else AS_QUESTIONS
