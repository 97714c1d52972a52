"""The builder `spider`: database → profiles → pages, and templates → fillings with executed answers → questions."""

import logging
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.grounding.database import Database, open_database
from benchwright.benchmarks.grounding.execution import difference
from benchwright.benchmarks.grounding.shipping import copy_database
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.releases.writer import AS_QUESTIONS, ReleaseWriter
from benchwright.benchmarks.schemas import EVIDENCE
from benchwright.benchmarks.types import Document
from benchwright.builders.base import BuildRequest
from benchwright.builders.spider.asking import Asked, ask
from benchwright.builders.spider.closed import Closed, close_names
from benchwright.builders.spider.facts import FactKey, Need, Row, has_pages
from benchwright.builders.spider.pages import RuleWriter
from benchwright.builders.spider.pages_by_model import ROLE, ModelPages
from benchwright.builders.spider.profiles import Profile, Profiles
from benchwright.builders.spider.reading import LONGEST, SHORTEST, Strangers, find_facts, problems_of, words_in
from benchwright.builders.spider.source import copy_with_keys, find_database, write_own
from benchwright.builders.sql.filling.questions import WordedTemplate, group_ids, question_rows
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.schema_file.write import write_schema
from benchwright.builders.sql.templates.files import published_format
from benchwright.builders.sql.texts import template_texts
from benchwright.builders.sql.wording.forms.read import parse_forms

NAME = "spider"
VERSION = "1.0.0"
OWN = "companies"
_EXECUTED_AGAIN = 3
"""Queries of each template that are executed once more on their own."""
_MOST_TOLD = 10

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
        source = _open(parameters["database"], folder, parameters["source_licence"])
        closed = _close(source.path, request.seed) if parameters["names"] == "closed" else None
        database = stack.enter_context(open_database(f"sqlite:///{source.path}"))
        schema = reflect(database)
        _check(schema, source.name)
        asked = ask(database, schema, hypotheses, parameters, request)
        made = _make_pages(database, schema, asked, request)
        writer.documents(made.documents())
        used, counts = _write_questions(request, writer, asked, made)
        if not used:
            raise BenchwrightError("no page states what any question needs: nothing can be asked")
        texts = {form: {w.sql.text: [text for f, text in w.wordings if f == form] for w in used} for form in forms}
        writer.templates(request.name, published_format([w.sql for w in used], texts))
        if source.guessed:
            writer.schema_file(request.name, write_schema(schema, source.name, "by names and values"))
        ship = parameters["ship"] if parameters["ship"] != "auto" else "none" if parameters["database"] else "all"
        writer.sources.append({**source.record, "rows_shipped": _shipped(ship, bool(parameters["database"]))})
        writer.checks |= _checks(asked, made, used, counts, forms) | (closed.checks if closed else {})
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


@dataclass(frozen=True)
class _Source:
    """The copy that is read, and what the manifest says of the original."""

    name: str
    path: Path
    record: Mapping[str, Any]
    guessed: Sequence[str] = ()


def _open(place: str, folder: Path, licence: str) -> _Source:
    path = folder / "copy.sqlite"
    if not place:
        write_own(path)
        return _Source(OWN, path, {"uri": f"sqlite:///{OWN}.sqlite", "revision": None, "sha256": None,
                                   "licence": "cc-by-4.0"})  # fmt: skip
    original = find_database(place)
    copied = copy_with_keys(original, path)
    if copied.guessed:
        more = f" and {len(copied.guessed) - _MOST_TOLD} more" if len(copied.guessed) > _MOST_TOLD else ""
        log.warning(
            "keys that %s does not declare are taken from names and values: %s%s",
            original.name,
            ", ".join(copied.guessed[:_MOST_TOLD]),
            more,
        )
    if copied.other_encoding:
        log.warning("%d texts of %s are not UTF-8 and are read as Latin-1", copied.other_encoding, original.name)
    record = {"uri": f"sqlite:///{original.name}", "revision": None, "sha256": file_sha256(original),
              "licence": licence or None}  # fmt: skip
    return _Source(original.stem, path, record, copied.guessed)


def _check_model(request: BuildRequest) -> None:
    """Raises UsageError where a model is to write the pages and none is named; says so where one is and does not."""
    has_model = request.client is not None and request.client.has(ROLE)
    if request.parameters["documents"] == "model" and not has_model:
        raise UsageError(f"documents=model needs a model that writes them: add --model {ROLE}=NAME")
    if has_model and request.parameters["documents"] == "rule" and request.parameters["texts"] == "rule":
        log.warning("rules write the pages, and the %s is not asked: --set documents=model lets it", ROLE)


def _close(path: Path, seed: int) -> Closed:
    """Replaces the names in the copy."""
    with open_database(f"sqlite:///{path}") as database:
        schema = reflect(database)
    return close_names(path, schema, seed)


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


@dataclass
class _Pages:
    """The pages, and where they state what."""

    pages: dict[str, tuple[Profile, str]] = field(default_factory=dict)
    """Document → its profile and text."""
    spans: dict[FactKey, list[tuple[str, int, int]]] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    untold: Counter[str] = field(default_factory=Counter)

    model: ModelPages | None = None
    """Who wrote them, where rules did not."""

    def documents(self) -> Iterator[Document]:
        for name, (profile, text) in self.pages.items():
            yield Document(name, profile.name, text)


def _make_pages(database: Database, schema: DatabaseSchema, asked: Asked, request: BuildRequest) -> _Pages:
    keys: set[FactKey] = set()
    rows: dict[Row, None] = {}
    for part in asked.parts:
        for needs in part.needs:
            for key, owners in (need for way in needs for need in way):
                keys.add(key)
                rows |= {row: None for row in owners if has_pages(schema.tables[row[0]])}
    maker = Profiles(database, schema)
    profiles = list(maker.make(keys, rows, request.parameters["pages"], request.seed))
    strangers = Strangers()
    for profile in profiles:
        strangers.see(profile)
    rule = RuleWriter(request.seed, strangers)
    made = _Pages(left_out=maker.left_out, untold=maker.untold)
    if request.parameters["documents"] == "model" and request.client is not None:
        made.model = ModelPages(request.client, strangers, rule)
    written = made.model.write(profiles) if made.model else ((profile, rule.write(profile)) for profile in profiles)
    for number, (profile, text) in enumerate(written, 1):
        problems = problems_of(profile, text, strangers)
        if problems:
            made.left_out["what it would say cannot be told apart"] += 1
            log.info("no page is written of %s: %s", profile.name, problems[0])
            continue
        made.pages[profile.id] = profile, text
        for key, spans in find_facts(profile, text).items():
            made.spans.setdefault(key, []).extend((profile.id, start, end) for start, end in spans)
        if made.model or not number % 500:
            request.progress("pages", number, len(profiles))
    for reason, count in made.left_out.items():
        log.warning("%d named rows have no page: %s", count, reason)
    return made


@dataclass
class _Counts:
    """What became of groups."""

    groups: int = 0
    unstated: int = 0
    executed: int = 0


def _write_questions(
    request: BuildRequest, writer: ReleaseWriter, asked: Asked, made: _Pages
) -> tuple[list[WordedTemplate], _Counts]:
    used: dict[str, WordedTemplate] = {}
    executed: Counter[str] = Counter()
    counts, done = _Counts(), 0
    for part in asked.parts:
        chosen = [_stated(needs, made) for needs in part.needs]
        places = [number for number, needs in enumerate(chosen) if needs is not None]
        counts.unstated += len(chosen) - len(places)
        if not places:
            continue
        worded, fillings = part.worded, part.fillings.take(places)
        groups = group_ids(NAME, worded.sql, fillings)
        evidence = [_evidence(needs, made) for needs in chosen if needs is not None]
        documents = [list(dict.fromkeys(item["document"] for item in items)) for items in evidence]
        own = {
            "documents": pa.array(documents, pa.list_(pa.string())),
            "evidence": pa.array(evidence, pa.list_(EVIDENCE)),
        }
        rows = question_rows(worded, fillings, groups, own)
        while executed[worded.sql.id] < min(_EXECUTED_AGAIN, len(fillings)):
            _execute_again(asked, worded, rows, executed[worded.sql.id] * len(worded.wordings))
            executed[worded.sql.id] += 1
        used[worded.sql.id] = worded
        counts.groups += len(fillings)
        writer.questions(rows)
        done += rows.num_rows
        request.progress("questions", done, 0)
    counts.executed = executed.total()
    return list(used.values()), counts


def _stated(ways: Sequence[tuple[Need, ...]], made: _Pages) -> tuple[Need, ...] | None:
    """The first way to an answer of which pages state every fact."""
    return next((needs for needs in ways if all(key in made.spans for key, _ in needs)), None)


def _evidence(needs: Sequence[Need], made: _Pages) -> list[dict[str, Any]]:
    return [
        {"document": document, "start": start, "end": end, "fact": number}
        for number, (key, _) in enumerate(needs)
        for document, start, end in made.spans[key]
    ]


def _execute_again(asked: Asked, worded: WordedTemplate, rows: Any, number: int) -> None:
    sql, answers = rows.column("sql")[number].as_py(), rows.column("answers")[number].as_py()
    wrong = difference(asked.filler.database, sql, answers, asked.filler.holds_booleans(worded.sql))
    if wrong:
        raise BenchwrightError(f"a query gives another answer when it is executed on its own ({wrong}): {sql[:300]}")


def _checks(
    asked: Asked, made: _Pages, used: Sequence[WordedTemplate], counts: _Counts, forms: Sequence[str]
) -> dict[str, Any]:
    filled = [asked.filler.counts[worded.sql.id] for worded in asked.prepared.worded]
    groups = {worded.sql.id: 0 for worded in used}
    for part in asked.parts:
        if part.worded.sql.id in groups:
            groups[part.worded.sql.id] += sum(_stated(needs, made) is not None for needs in part.needs)
    per_form = {form: {w.sql.id: sum(1 for f, _ in w.wordings if f == form) for w in used} for form in forms}
    words = [words_in(text) for _, text in made.pages.values()]
    return {
        "sql_templates": len(used),
        "text_templates": {form: sum(sizes.values()) for form, sizes in per_form.items()},
        "sql_queries": counts.groups,
        "text_queries": {
            form: sum(groups[key] * size for key, size in sizes.items()) for form, sizes in per_form.items()
        },
        "one_answer_per_filling": counts.groups,
        "executed_again": counts.executed,
        "text_templates_by_rule": asked.prepared.count_by_rule(used),
        "text_templates_by_model": asked.prepared.count_by_model(used),
        "sql_templates_by_model": 0,
        "fillings_left_out": {
            "answer is NULL or blank": sum(item.null for item in filled),
            "several answers": sum(item.several for item in filled),
            "several rows bear the name": sum(item.shared for item in filled),
            "blank value": sum(item.blank for item in filled),
            "no text can show it": sum(item.unshown for item in filled),
            "no result": sum(item.empty for item in filled),
            "no page states what it needs": counts.unstated,
        },
        "sql_templates_left_out": {
            **asked.prepared.left_out,
            "no filling has one answer": len(asked.prepared.worded) - len(used) - asked.undrawn,
            "no group was drawn": asked.undrawn,
        },
        "pages_checked": {
            "pages": len(made.pages),
            "facts": sum(len(profile.facts) for profile, _ in made.pages.values()),
            "words": sum(words),
            f"pages of {SHORTEST} to {LONGEST} words": sum(SHORTEST <= count <= LONGEST for count in words),
        },
        "pages_left_out": dict(sorted(made.left_out.items())),
        "values_not_told": dict(sorted(made.untold.items())),
        **asked.prepared.checks_of_texts,
    }


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
