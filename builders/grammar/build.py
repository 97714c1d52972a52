"""The builder `grammar`: schema → SQL templates → text templates → fillings with executed answers → questions."""

import logging
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.grounding.database import Database, open_database
from benchwright.benchmarks.grounding.execution import difference
from benchwright.benchmarks.grounding.shipping import copy_database
from benchwright.benchmarks.grounding.sql import SqlTemplate, parse_template
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.release import BATCH_ROWS
from benchwright.benchmarks.writer import ReleaseWriter
from benchwright.builders.base import BuildRequest
from benchwright.builders.grammar.csv_folder import database_of_csv
from benchwright.builders.grammar.enumeration import enumerate_templates
from benchwright.builders.grammar.filling import Filler, Fillings, select_fillings
from benchwright.builders.grammar.labels import Labels
from benchwright.builders.grammar.meaning import Meaning
from benchwright.builders.grammar.questions import WordedTemplate, group_ids, question_rows
from benchwright.builders.grammar.reading import count_hops, read_meaning
from benchwright.builders.grammar.records import write_records
from benchwright.builders.grammar.sampling import sample_fillings
from benchwright.builders.grammar.schema import DatabaseSchema, reflect
from benchwright.builders.grammar.templates import (
    TemplateFile,
    check_texts,
    load_templates,
    published_format,
    tables_key,
)
from benchwright.builders.grammar.wording import FORMS, write

NAME = "grammar"
VERSION = "1.0.0"
_EXECUTED_AGAIN = 3
"""Queries of each template that are executed once more on their own, with their values as literals."""

log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class TemplateSet:
    """SQL templates with their wordings, ready to be filled."""

    worded: tuple[WordedTemplate, ...]
    left_out: Mapping[str, int]
    """Reason → SQL templates that were left out."""
    by_rule: Mapping[str, frozenset[str]]
    """Template's id → the forms that the built-in writer worded; the others came from files."""

    def count_by_rule(self, used: Sequence[WordedTemplate]) -> int:
        """The wordings of some templates that the built-in writer made."""
        return sum(1 for worded in used for form, _ in worded.wordings if form in self.by_rule[worded.sql.id])


def build(request: BuildRequest, writer: ReleaseWriter) -> None:
    """Generates questions from the database that `request.parameters` names. See `benchmarks/specs/grammar.toml`."""
    parameters = request.parameters
    forms = parse_forms(parameters["forms"])
    with ExitStack() as stack:
        database, source = _open(parameters["database"], stack)
        schema = reflect(database)
        if len(schema.tables) > 1 and not any(table.foreign_keys for table in schema.tables.values()):
            log.warning("%s has no foreign keys: only templates on one table can be made", database.source)
        labels = Labels.load(parameters["labels"]) if parameters["labels"] else Labels()
        labels.check(schema.names)
        prepared = prepare_templates(database, schema, labels, forms, parameters)
        booleans = frozenset(
            (table.name, column.name)
            for table in schema.tables.values()
            for column in table.columns.values()
            if column.kind == "boolean"
        )
        filler = Filler(database, parameters["several"], booleans)
        used, executed = _write_questions(request, writer, filler, prepared, labels)
        if not used:
            raise BenchwrightError(f"no template can be filled with a single answer: {_reasons(filler, prepared)}")
        texts = {form: {w.sql.text: [text for f, text in w.wordings if f == form] for w in used} for form in forms}
        writer.templates(request.name, published_format([w.sql for w in used], texts))
        writer.sources.append({**source, "rows_shipped": parameters["ship"]})
        writer.checks |= _checks(filler, prepared, used, forms, executed)
        if parameters["ship"] != "none":
            _ship(database, writer, request.name, used if parameters["ship"] == "touched" else None)


def parse_forms(text: str) -> tuple[str, ...]:
    """The forms of a comma-separated list. Raises UsageError for one that does not exist."""
    forms = tuple(dict.fromkeys(form.strip() for form in text.split(",") if form.strip()))
    for form in forms:
        if form not in FORMS:
            raise UsageError(f"there is no form {form!r}: choose from {', '.join(FORMS)}")
    if not forms:
        raise UsageError(f"forms is empty: choose from {', '.join(FORMS)}")
    return forms


def prepare_templates(
    database: Database,
    schema: DatabaseSchema,
    labels: Labels,
    forms: Sequence[str],
    parameters: Mapping[str, Any],
    selected: Sequence[str] | None = None,
) -> TemplateSet:
    """The SQL templates of a file, those selected or those of the enumerator, checked, with wordings in every form.

    Raises:
        BenchwrightError: a template of a file cannot be used; the message names its place.
    """
    given = load_templates(Path(parameters["templates"])) if parameters["templates"] else None
    if given:
        statements: Sequence[str] = given.sql
    elif selected is not None:
        statements = selected
    else:
        statements = enumerate_templates(schema, parameters["hops"], parameters["sql_templates"])
    limit = parameters["wordings"] if parameters["balanced"] else None
    left_out: Counter[str] = Counter()
    known: set[str] = set()
    by_rule: dict[str, frozenset[str]] = {}
    found: list[tuple[SqlTemplate, dict[str, Sequence[str]]]] = []
    for statement in statements:
        template = _checked(database, schema, statement, given)
        same = (template.source_sql, template.selected_sql, template.conditions_sql, template.placeholders)
        if repr(same).lower() in known:
            left_out["asks the same as another"] += 1
            continue
        known.add(repr(same).lower())
        wordings, ruled = _wordings(template, read_meaning(template, schema, labels), forms, given, limit)
        if len(wordings) == len(forms):
            found.append((template, wordings))
            by_rule[template.id] = ruled
        else:
            left_out["cannot be worded"] += 1
    if not found:
        raise BenchwrightError(_no_template(schema))
    places = list(dict.fromkeys(tables_key(template) for template, _ in found))
    found.sort(key=lambda item: places.index(tables_key(item[0])))  # the order in which a file stores them
    if parameters["balanced"]:
        least = min(len(texts) for _, wordings in found for texts in wordings.values())
        found = [(template, {form: texts[:least] for form, texts in wordings.items()}) for template, wordings in found]
    worded = tuple(
        WordedTemplate(
            template,
            tuple((form, text) for form, texts in wordings.items() for text in texts),
            "aggregate" if template.aggregates else "lookup",
            count_hops(template, schema),
        )
        for template, wordings in found
    )
    return TemplateSet(worded, left_out, by_rule)


def _checked(database: Database, schema: DatabaseSchema, statement: str, given: TemplateFile | None) -> SqlTemplate:
    """A template, parsed; one of a file was shown to the database too."""
    try:
        template = parse_template(statement, schema.names, schema.dialect)
        if given:
            database.check(select_fillings(template, "refuse"))
    except BenchwrightError as error:
        raise BenchwrightError(f"{given.places[statement] if given else 'built-in'}: {error}") from None
    return template


def _wordings(
    template: SqlTemplate, meaning: Meaning | None, forms: Sequence[str], given: TemplateFile | None, limit: int | None
) -> tuple[dict[str, Sequence[str]], frozenset[str]]:
    """The wordings of a template per form, from the file where it has any; and the forms that were worded by rule."""
    wordings: dict[str, Sequence[str]] = {}
    by_rule = set()
    for form in forms:
        texts = given.texts.get(form, {}).get(template.text) if given else None
        if given and texts:
            check_texts(template, form, texts, given.places[template.text])
            wordings[form] = texts
        elif meaning is not None:
            wordings[form] = write(meaning, form, limit)
            by_rule.add(form)
        elif given:
            raise BenchwrightError(
                f"{given.places[template.text]} has no {form} texts, and goes beyond what the built-in writer words: "
                f"add them under text_templates_{form}"
            )
    return wordings, frozenset(by_rule)


def fill_templates(
    filler: Filler, prepared: TemplateSet, groups: int, seed: int
) -> Iterator[tuple[WordedTemplate, Fillings]]:
    """All fillings of all templates, or a seeded sample of `groups` of them, shared out evenly among the templates."""
    if not groups:
        for worded in prepared.worded:
            for fillings in filler.fill(worded.sql, max(1, BATCH_ROWS // len(worded.wordings))):
                yield worded, fillings
        return
    left = groups
    sizes = {worded.sql.id: filler.possible(worded.sql) for worded in prepared.worded}
    order = sorted(prepared.worded, key=lambda worded: (sizes[worded.sql.id], worded.sql.id))
    sampled: dict[str, list[Fillings]] = {}
    for number, worded in enumerate(order):
        share = -(-left // (len(order) - number))
        sampled[worded.sql.id] = list(sample_fillings(filler, worded.sql, share, seed))
        left -= sum(map(len, sampled[worded.sql.id]))
    for worded in prepared.worded:
        yield from ((worded, fillings) for fillings in sampled[worded.sql.id])


def _open(place: str, stack: ExitStack) -> tuple[Database, dict[str, Any]]:
    """The database of a URL, a SQLite file or a folder of CSV files, and its record as a source."""
    path = Path(place).expanduser()
    if path.is_dir():
        made = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "csv.sqlite"
        sha256 = database_of_csv(path, made)
        database = stack.enter_context(open_database(f"sqlite:///{made}"))
        return database, {"uri": f"csv:{path.resolve().name}", "revision": None, "sha256": sha256, "licence": None}
    url = place if "://" in place else f"sqlite:///{place}"
    database = stack.enter_context(open_database(url))
    sha256 = file_sha256(database.path) if database.path else None
    return database, {"uri": database.source, "revision": None, "sha256": sha256, "licence": None}


def _write_questions(
    request: BuildRequest, writer: ReleaseWriter, filler: Filler, prepared: TemplateSet, labels: Labels
) -> tuple[list[WordedTemplate], int]:
    """Writes all questions. Returns the templates that gave any, and the number of queries executed once more."""
    used: dict[str, WordedTemplate] = {}
    executed: Counter[str] = Counter()
    done = 0
    for worded, fillings in fill_templates(filler, prepared, request.parameters["groups"], request.seed):
        groups = group_ids(NAME, worded.sql, fillings)
        own = None
        if request.parameters["documents"] == "records":
            records, own = write_records(worded.sql, fillings, groups, labels)
            writer.documents(records)
        rows = question_rows(worded, fillings, groups, own)
        while executed[worded.sql.id] < min(_EXECUTED_AGAIN, len(fillings)):
            _execute_again(filler.database, rows, executed[worded.sql.id] * len(worded.wordings))
            executed[worded.sql.id] += 1
        used[worded.sql.id] = worded
        writer.questions(rows)
        done += rows.num_rows
        request.progress("questions", done, 0)
    return list(used.values()), executed.total()


def _execute_again(database: Database, rows: Any, number: int) -> None:
    sql, answers = rows.column("sql")[number].as_py(), rows.column("answers")[number].as_py()
    wrong = difference(database, sql, answers, rows.column("answer_type")[number].as_py() == "boolean")
    if wrong:
        raise BenchwrightError(f"a query gives another answer when it is executed on its own ({wrong}): {sql[:300]}")


def _checks(
    filler: Filler, prepared: TemplateSet, used: Sequence[WordedTemplate], forms: Sequence[str], executed: int
) -> dict[str, Any]:
    counts = [filler.counts[worded.sql.id] for worded in prepared.worded if worded.sql.id in filler.counts]
    kept = {worded.sql.id: filler.counts[worded.sql.id].kept for worded in used}
    per_form = {form: {w.sql.id: sum(1 for f, _ in w.wordings if f == form) for w in used} for form in forms}
    return {
        "sql_templates": len(used),
        "text_templates": {form: sum(sizes.values()) for form, sizes in per_form.items()},
        "sql_queries": sum(kept.values()),
        "text_queries": {
            form: sum(kept[key] * size for key, size in sizes.items()) for form, sizes in per_form.items()
        },
        "one_answer_per_filling": sum(kept.values()),
        "executed_again": executed,
        "text_templates_by_rule": prepared.count_by_rule(used),
        "fillings_left_out": {
            "answer is NULL or blank": sum(item.null for item in counts),
            "several answers": sum(item.several for item in counts),
            "blank value": sum(item.blank for item in counts),
            "no text can show it": sum(item.unshown for item in counts),
            "no result": sum(item.empty for item in counts),
        },
        "sql_templates_left_out": {**prepared.left_out, "no filling has one answer": len(prepared.worded) - len(used)},
    }


def _ship(database: Database, writer: ReleaseWriter, name: str, used: Sequence[WordedTemplate] | None) -> None:
    if database.path is None:
        raise BenchwrightError("only a SQLite database or a folder of CSV files can be shipped: leave out --set ship")
    wanted: dict[str, set[str]] | None = None
    if used is not None:
        wanted = {}
        for worded in used:
            for column in worded.sql.columns:
                wanted.setdefault(column.table, set()).add(column.column)
    copy_database(database.path, writer.database(name), wanted)


def _reasons(filler: Filler, prepared: TemplateSet) -> str:
    counts = list(filler.counts.values())
    return (
        f"of {len(prepared.worded)} templates' fillings {sum(item.several for item in counts)} have several answers, "
        f"{sum(item.null for item in counts)} none; use --set several=set, or other templates"
    )


def _no_template(schema: DatabaseSchema) -> str:
    named = [table.name for table in schema.tables.values() if table.label]
    if not named:
        return (
            "no template can be made: no table has a column that people call its rows by (a name, a title, or a text "
            "that no two rows share)"
        )
    return f"no template can be made: {', '.join(named[:5])} have names but nothing else that people could ask for"
