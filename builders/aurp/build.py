"""The builder `aurp`: world → database → templates → fillings with executed answers → documents → questions."""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.grounding.checking import open_for_checking
from benchwright.benchmarks.grounding.database import Database, open_database
from benchwright.benchmarks.grounding.execution import difference
from benchwright.benchmarks.grounding.sql import parse_template
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.types import Document
from benchwright.builders.aurp.checks import build_checks
from benchwright.builders.aurp.database import write_database
from benchwright.builders.aurp.document_text import StatedCell
from benchwright.builders.aurp.documents import checked_coverage, documents
from benchwright.builders.aurp.documents_by_model import ROLE, ModelWriter
from benchwright.builders.aurp.editions import read_names_of
from benchwright.builders.aurp.evidence import Filled, Group, Spans, columns
from benchwright.builders.aurp.find_absent import Absent
from benchwright.builders.aurp.generate import make_world
from benchwright.builders.aurp.held_cells import Holdable
from benchwright.builders.aurp.kinds import Asked, asked_kinds, fill_kinds, is_asked_as_kind
from benchwright.builders.aurp.lookups import Names, aliases_of, is_asked, read_lookup
from benchwright.builders.aurp.needed_cells import Absence
from benchwright.builders.aurp.prove_documents import Checker
from benchwright.builders.aurp.read_pages import Page
from benchwright.builders.aurp.schema import PAPER
from benchwright.builders.aurp.select_groups import NO_ANSWER, SPLITS, AskedTemplate, Selection, Template, select
from benchwright.builders.aurp.select_round import select_round
from benchwright.builders.aurp.world import World
from benchwright.builders.base import BuildRequest
from benchwright.builders.sql.filling.chosen import BOUND
from benchwright.builders.sql.filling.fill import Filler
from benchwright.builders.sql.filling.questions import executed_sql, group_ids, question_rows
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.templates.enumeration import enumerate_templates
from benchwright.builders.sql.templates.files import published_format
from benchwright.builders.sql.templates.prepare import TemplateSet, prepare_templates
from benchwright.builders.sql.texts import template_texts
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording.forms.form import Form
from benchwright.builders.sql.wording.forms.read import parse_forms

NAME = "aurp"
VERSION = "1.0.0"
_HOPS = 3
_NOT_ASKED = "nobody asks this"
_WORDINGS = {"standard": 10, "paper": 3}

log = logging.getLogger("benchwright")


def build(request: BuildRequest, writer: ReleaseWriter) -> None:
    """Makes the world, its database, its documents and their questions. See `benchmarks/specs/aurp.toml`."""
    parameters = request.parameters
    hypotheses = parse_forms(parameters["forms"])
    forms = [form.name for form in hypotheses]
    coverage = checked_coverage(parameters["coverage"])
    model = _model_writer(request, coverage)
    names_of = read_names_of(parameters["names_of"], parameters["names_seed"])
    asked_of = asked_kinds(
        parameters["kinds"],
        is_round=names_of is not None,
        is_held_out=writer.wants_cells,
        has_templates=bool(parameters["templates"]),
    )
    world = make_world(
        parameters["size"],
        seed=request.seed,
        names_seed=parameters["names_seed"],
        names_of=names_of,
        employees=parameters["employees"] or None,
        clients=parameters["clients"] or None,
    )
    path = writer.database(request.name)
    write_database(world, path)
    with open_database(f"sqlite:///{path}") as database:
        prepared = _prepare(database, world, hypotheses, request, asked_of)
        names, filler = Names.of(world), Filler(database)
        lookups = [worded for worded in prepared.worded if worded.sql.declared not in asked_of.others]
        templates = [Template(worded, read_lookup(worded.sql, world.schema)) for worded in lookups]
        groups, dev, left_out = parameters["groups"], world.schema.name != PAPER.name, Counter[str]()
        others = fill_kinds(filler, prepared.worded, asked_of, names, groups, dev, coverage, left_out)
        groups = max(1, groups - sum(len(part.groups) for part in others)) if groups else 0
        if names_of is None:
            selection = select(templates, names, groups, dev)
        else:
            selection = select_round(templates, names, names_of, groups)
        filled = [part for asked in selection.asked for part in _fill(filler, asked, names)]
        _count_unanswered(selection, filled)
        filled += others
        selection.left_out.update(left_out)
    if not filled:
        raise BenchwrightError("no template has an answer for any name: nothing can be asked")
    spans = Spans.wanted(group for part in filled for group in part.groups)
    checker = Checker(world, coverage)
    made = documents(world, coverage, model.rewrite) if model else documents(world, coverage)
    absent = Absent()
    for group in (group for part in others for group in part.groups if group.absence is not None):
        absent.add(group.absence or Absence(), group.entity)
    writer.documents(_see(made, checker, absent, spans, request, 1 if model else 500))
    quality = checker.finish()
    _write_questions(request, writer, filled, spans, Holdable(world) if writer.wants_cells else None)
    used = list({part.asked.worded.sql.id: part.asked.worded for part in filled}.values())
    texts = {form: {w.sql.text: [text for f, text in w.wordings if f == form] for w in used} for form in forms}
    writer.templates(request.name, published_format([w.sql for w in used], texts))
    executed = _execute_again(path, filled, filler)
    writer.checks |= build_checks(filled, forms, asked_of.names, prepared, selection, spans, quality, executed)
    writer.texts |= template_texts(writer.checks, bool(parameters["templates"]))
    writer.texts["documents"] = {"rule": quality.documents}
    if model:
        writer.checks |= model.checks()
        writer.texts["documents"] = model.texts()
        writer.models += model.described()


def vocabulary() -> Vocabulary:
    """English for the tables and columns: `vocabulary.toml`."""
    return Vocabulary(**read_toml(__package__, "vocabulary.toml"))


def selected_templates(schema: DatabaseSchema, world: World) -> list[str]:
    """The SQL templates along foreign keys that people would ask, without the quotes that SQLite does not need."""
    found = []
    for quoted in enumerate_templates(schema, _HOPS, may_share_names=True, everything=True):
        sql = quoted.replace('"', "")
        template = parse_template(sql, schema.names, schema.dialect)
        if is_asked(read_lookup(template, world.schema), world.schema.name):
            found.append(sql)
    return found


def _model_writer(request: BuildRequest, coverage: float) -> ModelWriter | None:
    """What writes the documents, where a model is to write them."""
    if request.parameters["documents"] != "model":
        if request.client is not None and request.client.has(ROLE):
            log.warning("rules write the documents, and the %s is not asked: --set documents=model lets it", ROLE)
        return None
    if request.client is None or not request.client.has(ROLE):
        raise UsageError(f"documents=model needs a model that writes them: add --model {ROLE}=NAME")
    return ModelWriter(request.client, coverage)


def _prepare(
    database: Database, world: World, forms: Sequence[Form], request: BuildRequest, asked: Asked
) -> TemplateSet:
    schema, parameters = reflect(database), request.parameters
    wordings = parameters["wordings"] or _WORDINGS[world.schema.name]
    settings = {
        **{name: parameters[name] for name in ("templates", "sampling", "reduced")},
        "wordings": wordings,
        "balanced": "auto",
        "kinds": asked.text,
        "hops": _HOPS,
    }
    lookups = selected_templates(schema, world) if asked.has_lookups else ()
    known = replace(schema, vocabulary=vocabulary())
    found = prepare_templates(database, known, known.vocabulary, forms, settings, lookups, seed=request.seed)
    kept = tuple(
        one for one in found.worded if one.sql.declared not in asked.others or is_asked_as_kind(one.sql, world.schema)
    )
    left_out = {**found.left_out, _NOT_ASKED: len(found.worded) - len(kept)}
    return replace(found, worded=kept, left_out=left_out if asked.others else found.left_out)


def _fill(filler: Filler, asked: AskedTemplate, names: Names) -> Iterator[Filled]:
    lookup = asked.lookup
    assert lookup is not None
    for fillings in filler.fill_some(asked.worded.sql, [(name,) for name in asked.names], BOUND):
        groups = [
            Group(
                entity,
                answers,
                [aliases_of(lookup, names.world.schema, answers[0])],
                names.cells(lookup, entity),
                asked.subsets.get(entity),
            )
            for entity, answers in zip(fillings.values[0], fillings.answers.to_pylist(), strict=True)
        ]
        yield Filled(asked, fillings, groups)


def _count_unanswered(selection: Selection, filled: Sequence[Filled]) -> None:
    wanted = sum(len(asked.names) for asked in selection.asked)
    selection.left_out[NO_ANSWER] += wanted - sum(len(part.groups) for part in filled)


def _see(
    made: Iterable[tuple[Document, Sequence[StatedCell]]],
    checker: Checker,
    absent: Absent,
    spans: Spans,
    request: BuildRequest,
    often: int,
) -> Iterator[Document]:
    """The documents one by one; on the way they are checked, and what questions need of them is kept."""
    for number, (document, stated) in enumerate(made, 1):
        checker.see(document, stated)
        if absent.names or absent.blank:
            for text in absent.said(Page(checker.rows, document.title, document.body), document.title):
                raise BenchwrightError(f"document {document.id} {text}")
        spans.see(document, stated)
        if not number % often:
            request.progress("documents", number, 0)
        yield document


def _write_questions(
    request: BuildRequest,
    writer: ReleaseWriter,
    filled: Sequence[Filled],
    spans: Spans,
    holdable: Holdable | None,
) -> None:
    done = 0
    for split in SPLITS:
        for part in filled:
            if part.asked.split == split:
                worded = part.asked.worded
                ids = group_ids(NAME, worded.sql, part.fillings)
                if holdable is not None:
                    writer.needs(
                        ids.to_pylist(),
                        [holdable.names(group.cells) for group in part.groups],
                        [[holdable.named(group.cells[at]) for at in spans.missing(group)] for group in part.groups],
                    )
                rows = question_rows(worded, part.fillings, ids, columns(part.groups, spans))
                writer.questions(rows, split)
                done += rows.num_rows
                request.progress("questions", done, 0)


def _execute_again(path: Path, filled: Sequence[Filled], filler: Filler) -> int:
    """Executes the SQL of every group on its own, with its name as a literal. Returns how many there were.

    Raises:
        BenchwrightError: one gives another answer.
    """
    executed = 0
    with open_for_checking(f"sqlite:///{path}") as database:
        for part in filled:
            sql = part.asked.worded.sql
            booleans = filler.holds_booleans(sql)
            for text, group in zip(executed_sql(sql, part.fillings).to_pylist(), part.groups, strict=True):
                wrong = difference(database, text, group.answers, booleans)
                if wrong:
                    raise BenchwrightError(f"a query gives another answer when it is executed on its own ({wrong})")
                executed += 1
    return executed
