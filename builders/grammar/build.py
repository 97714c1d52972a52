"""The builder `grammar`: schema → SQL templates → text templates → fillings with executed answers → questions."""

import logging
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import pyarrow as pa

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.execution import difference
from benchwright.benchmarks.grounding.shipping import copy_database
from benchwright.benchmarks.grounding.shipping_servers import copy_server
from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.schemas import json_text
from benchwright.benchmarks.types import NO_ANSWER
from benchwright.builders.base import BuildRequest
from benchwright.builders.grammar.checks import count_checks
from benchwright.builders.grammar.ready import Ready, get_ready
from benchwright.builders.grammar.records import write_records
from benchwright.builders.grammar.understanding import schema_of_templates
from benchwright.builders.sql.filling.everything import Everything
from benchwright.builders.sql.filling.fill import Filler
from benchwright.builders.sql.filling.questions import WordedTemplate, group_ids, question_rows
from benchwright.builders.sql.filling.sample import Sample
from benchwright.builders.sql.filling.shares import asked_table
from benchwright.builders.sql.held_cells import RowCells
from benchwright.builders.sql.kinds import answerability_of, check_held_out, parse_kinds
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.templates.files import published_format
from benchwright.builders.sql.templates.prepare import TemplateSet
from benchwright.builders.sql.templates.proposals import WRITER, save_rejected
from benchwright.builders.sql.texts import template_texts
from benchwright.builders.sql.units import alias_array
from benchwright.builders.sql.wording.round_trip import CHECKER

NAME = "grammar"
VERSION = "1.1.0"
_EXECUTED_AGAIN = 3
"""Queries of each template that are executed once more on their own, with their values as literals."""
_EXECUTED_AGAIN_OF_SAMPLES = 1
"""The same where a sample is drawn, of each table that is asked and hops: each may walk through a large database."""

log = logging.getLogger("benchwright")


def build(request: BuildRequest, writer: ReleaseWriter) -> None:
    """Generates questions from the database that `request.parameters` names. See `benchmarks/specs/grammar.toml`."""
    parameters = request.parameters
    with ExitStack() as stack:
        ready = get_ready(request, stack, is_built=True)
        database, schema, prepared = ready.database, ready.schema, ready.prepared
        if writer.wants_cells:
            check_held_out(worded.sql.declared for worded in prepared.worded)
        cells = RowCells(database, schema, _templates(ready.asked, prepared)) if writer.wants_cells else None
        used, executed = _write_questions(request, writer, ready, cells)
        _tell_of_sample(ready.asked)
        _tell_of_unasked(ready.filler, prepared)
        if not used:
            raise BenchwrightError(
                f"no template can be filled with a single answer: {_reasons(ready.filler, prepared)}"
            )
        texts = {
            form: {w.sql.text: [text for f, text in w.wordings if f == form] for w in used} for form in ready.forms
        }
        writer.templates(request.name, published_format([w.sql for w in used], texts))
        save_rejected(writer.folder, request.name, prepared.rejected)
        if parameters["schema"]:
            writer.schema_file(request.name, schema_of_templates(schema, [w.sql for w in used]))
        writer.sources.append({**ready.source, "rows_shipped": parameters["ship"]})
        writer.checks |= count_checks(ready, used, executed)
        writer.texts |= template_texts(writer.checks, bool(parameters["templates"]))
        if parameters["documents"] == "records":
            answerable = [worded for worded in used if answerability_of(worded.sql.declared) == "answerable"]
            if answerable:
                records = sum(ready.filler.counts[worded.sql.id].kept for worded in answerable)
                writer.texts["documents"] = {"rule": records}
        if request.client is not None and prepared.prompts:
            writer.models += request.client.described(WRITER, prepared.prompts)
            if prepared.read_back:
                writer.models += request.client.described(CHECKER, prepared.check_prompts)
        if parameters["ship"] != "none":
            columns = _columns_used(used, cells)
            touched = parameters["ship"] == "touched"
            _ship(database, writer, request.name, columns if touched else _all_columns(schema, columns))


def check_holdout(parameters: Mapping[str, Any]) -> None:
    """Raises UsageError where the public corpus would state every answer that is to be held out, or where nothing of a
    kind can be."""
    if parameters["documents"] == "records":
        raise UsageError(
            "the records that GRAMMAR makes state every answer, and a corpus is public: with --holdout add "
            "--set documents=none"
        )
    check_held_out(parse_kinds(parameters["kinds"]))


def _write_questions(
    request: BuildRequest, writer: ReleaseWriter, ready: Ready, cells: RowCells | None
) -> tuple[list[WordedTemplate], int]:
    """Writes all questions. Returns the templates that gave any, and the number of queries executed once more."""
    used: dict[str, WordedTemplate] = {}
    executed: Counter[str] = Counter()
    done = 0
    parameters, asked = request.parameters, ready.asked
    all_units = ready.schema.units
    for worded, fillings in asked.fill(ready.prepared.worded):
        groups = group_ids(NAME, worded.sql, fillings)
        own: dict[str, Any] = {}
        answerability = answerability_of(worded.sql.declared)
        if answerability != "answerable":
            own["answerability"] = pa.array([answerability] * len(fillings))
            own["metadata"] = pa.array([json_text({NO_ANSWER: sort}) for sort in fillings.sorts], pa.string())
        elif parameters["documents"] == "records":
            records, own = write_records(worded.sql, fillings, groups, ready.schema.vocabulary)
            writer.documents(records)
        units = [all_units.get((item.table, item.column), "") if item else "" for item in worded.sql.units_of]
        if any(units):
            own["aliases"] = alias_array(fillings.answers, units)
        rows = question_rows(worded, fillings, groups, own)
        again = _EXECUTED_AGAIN_OF_SAMPLES if asked.coverage else _EXECUTED_AGAIN
        part = f"{asked_table(worded.sql)} {worded.hops}" if asked.coverage else worded.sql.id
        while executed[part] < min(again, len(fillings)):
            _execute_again(ready.filler, worded, rows, executed[part] * len(worded.wordings))
            executed[part] += 1
        used[worded.sql.id] = worded
        if cells is not None:
            writer.needs(groups.to_pylist(), cells.of(worded.sql, fillings))
        writer.questions(rows)
        done += rows.num_rows
        request.progress("questions", done, 0)
    return list(used.values()), executed.total()


def _tell_of_unasked(filler: Filler, prepared: TemplateSet) -> None:
    """Says how many questions the cut wordings would have been."""
    cut = {
        key: count * filler.counts[key].kept for key, count in prepared.balanced_away.items() if key in filler.counts
    }
    if sum(cut.values()):
        log.warning(
            "%s questions of %d SQL templates are not asked for that reason", f"{sum(cut.values()):,}", len(cut)
        )


def _tell_of_sample(asked: Everything | Sample) -> None:
    """Says that not all is asked that could be."""
    if asked.coverage:
        groups = sum(one["groups"] for one in asked.coverage.values())
        log.warning(
            "a sample of %s groups is asked, shared out over tables, columns and hops; --set groups=0 asks all",
            f"{groups:,}",
        )


def _templates(asked: Everything | Sample, prepared: TemplateSet) -> list[SqlTemplate]:
    """The templates that give any question: what nobody asks gives nothing away."""
    return list({worded.sql.id: worded.sql for worded, _ in asked.fill(prepared.worded)}.values())


def _execute_again(filler: Filler, worded: WordedTemplate, rows: Any, number: int) -> None:
    sql, answers = rows.column("sql")[number].as_py(), rows.column("answers")[number].as_py()
    wrong = difference(filler.database, sql, answers, filler.holds_booleans(worded.sql))
    if wrong:
        raise BenchwrightError(f"a query gives another answer when it is executed on its own ({wrong}): {sql[:300]}")


def _columns_used(used: Sequence[WordedTemplate], cells: RowCells | None) -> dict[str, set[str]]:
    """Table → the columns that questions, and what is held out of them, stand on."""
    found: dict[str, set[str]] = {}
    columns = [(column.table, column.column) for worded in used for column in worded.sql.columns]
    for table, column in (*columns, *(cells.columns_compared if cells else ())):
        found.setdefault(table, set()).add(column)
    return found


def _all_columns(schema: DatabaseSchema, used: Collection[str]) -> dict[str, None]:
    """All columns of all tables, and of the views that are used."""
    return {name: None for name, table in schema.tables.items() if name in used or not table.view}


def _ship(database: Database, writer: ReleaseWriter, name: str, wanted: Mapping[str, Collection[str] | None]) -> None:
    if database.path is None:
        copy_server(database, writer.database(name), wanted)
    else:
        copy_database(database.path, writer.database(name), wanted)


def _reasons(filler: Filler, prepared: TemplateSet) -> str:
    counts = list(filler.counts.values())
    declared = {worded.sql.declared for worded in prepared.worded}
    said = [
        (sum(item.several for item in counts), "have several answers"),
        (sum(item.null for item in counts), "none"),
        (sum(item.unlisted for item in counts), "are lists of fewer than 2 elements or more than 12"),
        (sum(item.undenied for item in counts), "have no other value in their column that is plainly not theirs"),
        (sum(item.few for item in counts), "have too few rows"),
        (sum(item.blank for item in counts), "ask about a blank"),
        (sum(item.unshown for item in counts), "have what no text can show"),
    ]
    found = ", ".join(f"{number} {what}" for number, what in said[:2] + [one for one in said[2:] if one[0]])
    if "unanswerable" in declared:
        found += ", and no name can be made of those that are there that is plainly none of them"
    advice = "other kinds, or more rows" if "" not in declared else "--set several=set, or other templates"
    return f"of {len(prepared.worded)} templates' fillings {found}; use {advice}"
