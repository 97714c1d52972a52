"""SQL templates with their wordings, ready to be filled: from a file, by rule or by a model, checked in each case."""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sql import SqlTemplate, parse_template
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.builders.base import Progress
from benchwright.builders.sql.filling.fill import Filler
from benchwright.builders.sql.filling.questions import WordedTemplate
from benchwright.builders.sql.kinds import LOOKUP, Ground, kinds, parse_kinds
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.templates.balance import balance, cut_texts, is_balanced, tell_of_balance
from benchwright.builders.sql.templates.by_model import SQL_PROMPT, ModelledSql, SqlWriter
from benchwright.builders.sql.templates.enumeration import enumerate_templates
from benchwright.builders.sql.templates.files import TemplateFile, load_templates, tables_key
from benchwright.builders.sql.templates.proposals import (
    RejectedProposal,
    count_reasons,
    named,
    show_rejected,
    writer_of,
)
from benchwright.builders.sql.templates.sampling import STRATIFIED, Reduced, read_sampling, reduce_texts
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording.forms.form import Form, as_form
from benchwright.builders.sql.wording.meaning import Meaning
from benchwright.builders.sql.wording.template_meaning import count_hops
from benchwright.builders.sql.wording.worder import NO_WORDING, UNCHANGED, Texts, Worder

log = logging.getLogger("benchwright")
_TOLD = 10
"""Lines of one kind that are told one by one."""


@dataclass(frozen=True)
class TemplateSet:
    """SQL templates with their wordings, ready to be filled."""

    worded: tuple[WordedTemplate, ...]
    left_out: Mapping[str, int]
    """Reason → SQL templates that were left out."""
    by_rule: Mapping[str, frozenset[str]]
    """Template's id → the forms that the built-in writer worded."""
    by_model: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Template's id → the forms that a model worded; all others came from files."""
    modelled_sql: ModelledSql | None = None
    """What a model proposed, where SQL templates are a model's."""
    rejected: tuple[RejectedProposal, ...] = ()
    """What a model proposed and what is not used."""
    too_few: int = 0
    """Templates and forms for which a model gave some wordings, but fewer than were wanted."""
    balanced_away: Mapping[str, int] = field(default_factory=dict)
    """Template's id → its wordings that could be used and are not, so that all groups have the same number."""
    reduced: Reduced = field(default_factory=lambda: Reduced(()))
    """What unbalanced sampling took away."""
    read_back: int = 0
    """Wordings that a model in the role of the checker read."""
    in_other_forms: int = 0
    """Wordings of files in forms that are not asked."""
    without: Mapping[str, str] = field(default_factory=dict)
    """Kind that was wanted and that the schema does not give → why not."""
    prompts: tuple[str, ...] = ()
    """The prompts that a model was asked with."""
    check_prompts: tuple[str, ...] = ()
    """The prompts that wordings were read back with, where a model did."""

    hypotheses: tuple[Form, ...] = ()
    """Those of its forms that are not built in."""
    without_counterpart: Mapping[str, int] = field(default_factory=dict)
    """Form and reason → texts of which its rule made none."""

    @property
    def checks_of_texts(self) -> dict[str, Any]:
        """Wordings that are there and not asked, and forms that are not built in, as checks of a manifest."""
        checks: dict[str, Any] = {
            "texts_unused_for_balance": sum(self.balanced_away.values()),
            "texts_in_other_forms": self.in_other_forms,
        }
        if self.reduced.had:
            asked = ((one.sql, Counter(form for form, _ in one.wordings)) for one in self.worded)
            checks["reduced_groups"] = self.reduced.lost(asked)
        if self.hypotheses:
            checks["hypotheses"] = {form.name: form.described for form in self.hypotheses}
            checks["texts_without_counterpart"] = dict(self.without_counterpart)
        return checks

    def count_by_rule(self, used: Sequence[WordedTemplate]) -> int:
        """The wordings of some templates that the built-in writer made."""
        return _count(used, self.by_rule)

    def count_by_model(self, used: Sequence[WordedTemplate]) -> int:
        """The wordings of some templates that a model made."""
        return _count(used, self.by_model)


def _count(used: Sequence[WordedTemplate], by: Mapping[str, frozenset[str]]) -> int:
    return sum(1 for worded in used for form, _ in worded.wordings if form in by.get(worded.sql.id, ()))


def prepare_templates(
    database: Database,
    schema: DatabaseSchema,
    vocabulary: Vocabulary,
    forms: Sequence[Form | str],
    parameters: Mapping[str, Any],
    selected: Sequence[str] | None = None,
    client: Client | None = None,
    progress: Progress = lambda what, done, total: None,
    seed: int = 0,
) -> TemplateSet:
    """The SQL templates of a file, those selected, a model's or those of the enumerator, with wordings in every form.

    Args:
        database: the database.
        schema: its schema.
        vocabulary: what its tables and columns are called.
        forms: the forms of the wordings; built-in ones may be given by their names.
        parameters: `templates`, `wordings` and `balanced` of the spec; `hops`, `sql_templates`, `several`, `sql`,
            `texts`, `emptied`, `kinds`, `sampling` and `reduced` where they are there.
        selected: SQL templates of lookups to take instead of those of the enumerator.
        client: asks the model that writes; None: rules do.
        progress: told how many SQL templates are worded, and how many replies there are.
        seed: of what unbalanced sampling takes away.

    Raises:
        BenchwrightError: a template of a file cannot be used (the message names its place), or none is left.
        UsageError: a model is wanted and none is named.
        StopError: a limit of the run is reached; the replies that came are kept.
        Estimated: nothing is to be asked.
    """
    sampling = read_sampling(parameters, schema, seed)
    writer = writer_of(client, "texts", parameters.get("texts", "rule"))
    given = _given(parameters)
    statements, modelled = _statements(database, schema, vocabulary, parameters, given, selected, client, progress)
    left_out: Counter[str] = Counter()
    names = [as_form(form).name for form in forms]
    worder = Worder(
        schema, vocabulary, [as_form(form) for form in forms], given, parameters, writer, vary=selected is None
    )
    asked, without = _of_kinds(Ground(database, schema, parameters.get("hops", 1)), parameters, given)
    tell(f"no questions of the kind {kind}: {why}" for kind, why in without.items())
    parsed = _parsed(database, schema, statements, given, left_out, asked)
    for number, template in enumerate(parsed):
        progress("wordings", number, len(parsed))
        worder.take(template, asked.get(template.text))
    if worder.unread:
        log.warning(
            "%d SQL templates are worded by rule, for no rule could tell whether a model's wordings ask the same: %s",
            len(worder.unread),
            ", ".join(f"{count} of the kind {kind}" for kind, count in sorted(Counter(worder.unread.values()).items())),
        )
    rejected = [*(modelled.rejected if modelled else ()), *worder.ask(progress)]
    show_rejected(rejected)
    found = worder.worded(left_out)
    if not found:
        raise BenchwrightError(_nothing_left(schema, left_out, rejected, without))
    places = list(dict.fromkeys(tables_key(template) for template, _ in found))
    found.sort(key=lambda item: places.index(tables_key(item[0])))  # the order in which a file stores them
    if worder.anew:
        tell(f"{place}: {len(texts)} {form} texts are written by rule" for place, form, texts in worder.anew)
    is_even = sampling.kind == STRATIFIED or is_balanced(parameters["balanced"], given, names)
    balanced = balance(found) if is_even else found
    balanced_away = cut_texts(found, balanced)
    wanted = "true" if sampling.kind == STRATIFIED else parameters["balanced"]
    tell_of_balance(found, sum(balanced_away.values()), wanted)
    reduced = reduce_texts(balanced, sampling)
    return TemplateSet(
        worded=tuple(_worded(template, wordings, schema, worder.contrast) for template, wordings in reduced.found),
        left_out=left_out,
        by_rule={key: frozenset(those) for key, those in worder.by_rule.items()},
        by_model={key: frozenset(those) for key, those in worder.by_model.items()},
        modelled_sql=modelled,
        rejected=tuple(rejected),
        too_few=worder.count_too_few(found),
        read_back=sum(len(task.checker.read) for task in worder.tasks),
        balanced_away=balanced_away,
        reduced=reduced,
        hypotheses=tuple(form for form in worder.forms.values() if not form.is_built_in),
        without_counterpart={
            f"{form}: {reason}": count for form, counts in worder.derived.items() for reason, count in counts.items()
        },
        in_other_forms=_count_other_forms(given, names),
        without=without,
        prompts=(*([SQL_PROMPT] if modelled else []), *worder.prompts),
        check_prompts=worder.check_prompts,
    )


def _given(parameters: Mapping[str, Any]) -> TemplateFile | None:
    """The file of templates, where one is named; what of it is not used as it stands there is told."""
    if not parameters["templates"]:
        return None
    given = load_templates(Path(parameters["templates"]), refill=parameters.get("emptied") == "refill")
    tell(given.notes)
    return given


def tell(notes: Iterable[str]) -> None:
    """Logs the first lines of many, and how many more there are."""
    lines = list(notes)
    for line in lines[:_TOLD]:
        log.warning("%s", line)
    if len(lines) > _TOLD:
        log.warning("… and %d more SQL templates like the last one", len(lines) - _TOLD)


def _statements(
    database: Database,
    schema: DatabaseSchema,
    vocabulary: Vocabulary,
    parameters: Mapping[str, Any],
    given: TemplateFile | None,
    selected: Sequence[str] | None,
    client: Client | None,
    progress: Progress,
) -> tuple[Sequence[str], ModelledSql | None]:
    """The SQL templates as texts; and what a model proposed, where they are a model's."""
    wants_model = parameters.get("sql", "rule") == "model"
    if given:
        if wants_model:
            raise UsageError("sql=model and templates=… exclude each other: the file holds the SQL templates")
        return given.sql, None
    if selected is not None:
        return selected, None
    if LOOKUP not in parse_kinds(parameters.get("kinds", LOOKUP)):
        if wants_model:
            raise UsageError(
                "a model makes SQL templates of lookups alone: with --set sql=model, kinds must name lookup"
            )
        return (), None
    hops = parameters["hops"]
    limit = share_limit(parameters["sql_templates"], len(parse_kinds(parameters.get("kinds", LOOKUP))))
    writer = writer_of(client, "sql", "model" if wants_model else "rule")
    if writer is None:
        return enumerate_templates(schema, hops, limit, may_share_names=parameters.get("several") == "set"), None
    try:
        modelled = SqlWriter(writer, database, schema, vocabulary, hops, parameters["several"]).write(limit, progress)
    except Estimated:
        writer.imagine()
        built_in = enumerate_templates(schema, hops, limit)
        log.warning(
            "the model's SQL templates are not known yet: wordings are estimated for %d built-in ones", len(built_in)
        )
        return built_in, None
    if modelled.uncovered:
        log.warning("the model gave no usable SQL template about %s", ", ".join(modelled.uncovered))
    if not modelled.statements:
        show_rejected(modelled.rejected)
        raise BenchwrightError(
            f"the model gave no usable SQL template ({named(count_reasons(modelled.rejected, 'sql'))}): name another "
            "model, or leave out --set sql=model"
        )
    return modelled.statements, modelled


def _of_kinds(
    ground: Ground, parameters: Mapping[str, Any], given: TemplateFile | None
) -> tuple[dict[str, Meaning], dict[str, str]]:
    """SQL template → what it asks, of the kinds beside lookups; and of those that the schema does not give, why not."""
    wanted = parse_kinds(parameters.get("kinds", LOOKUP))
    if wanted == (LOOKUP,):
        return {}, {}
    if given:
        raise UsageError(
            "kinds and templates=… exclude each other: the file holds the SQL templates, whose kinds they are"
        )
    made = {kind: kinds()[kind].make(ground) for kind in wanted if kind != LOOKUP}
    limit = share_limit(parameters.get("sql_templates", 0), len(wanted))
    asked = {
        template.sql: template.meaning for of_kind in made.values() for template in of_kind.templates[: limit or None]
    }
    return asked, {kind: of_kind.why_none for kind, of_kind in made.items() if not of_kind.templates}


def share_limit(limit: int, count: int) -> int:
    """How many SQL templates each of some kinds may have; 0: any number."""
    return -(-limit // count) if limit else 0


def _parsed(
    database: Database,
    schema: DatabaseSchema,
    statements: Sequence[str],
    given: TemplateFile | None,
    left_out: Counter[str],
    asked: Mapping[str, Meaning],
) -> list[SqlTemplate]:
    """The templates without those that ask the same as another; those of a file were shown to the database too."""
    known: set[str] = set()
    found = []
    for statement in (*statements, *asked):
        kind = given.kinds.get(statement, "") if given else asked[statement].kind if statement in asked else ""
        try:
            template = parse_template(statement, schema.names, schema.dialect, kind)
            if given:
                database.check(Filler(database, booleans=schema.booleans).select(template))
        except BenchwrightError as error:
            raise BenchwrightError(f"{given.places[statement] if given else 'built-in'}: {error}") from None
        same = (
            template.declared,
            template.source_sql,
            template.selected_sql,
            template.conditions_sql,
            template.placeholders,
            template.ranked,
        )
        if repr(same).lower() in known:
            left_out["asks the same as another"] += 1
            continue
        known.add(repr(same).lower())
        found.append(template)
    return found


def _count_other_forms(given: TemplateFile | None, forms: Sequence[str]) -> int:
    """The wordings of a file in forms that are not asked."""
    if given is None:
        return 0
    others = [texts for form, texts in given.texts.items() if form not in forms]
    return sum(len(wordings) for texts in others for wordings in texts.values())


def _worded(
    template: SqlTemplate,
    wordings: Texts,
    schema: DatabaseSchema,
    contrast: Mapping[str, Mapping[tuple[str, str], str]],
) -> WordedTemplate:
    said = tuple((form, text) for form, texts in wordings.items() for text in texts)
    marks = contrast.get(template.id, {})
    asked = Counter(mark for wording in said if (mark := marks.get(wording)))
    wanted = Counter(marks.values())
    return WordedTemplate(
        template,
        said,
        template.kind,
        count_hops(template, schema),
        {wording: mark for wording, mark in marks.items() if asked[mark] == wanted[mark]},
    )


def _nothing_left(
    schema: DatabaseSchema,
    left_out: Mapping[str, int],
    rejected: Sequence[RejectedProposal],
    without: Mapping[str, str],
) -> str:
    if without:
        said = "; ".join(f"none of the kind {kind}, for {why}" for kind, why in without.items())
        return f"no template can be made: {said}"
    if left_out.get(UNCHANGED):
        return (
            f"no template can be made: of {left_out[UNCHANGED]} SQL templates the rule of a form changes no wording: "
            "let its [[rule]] change words that questions on this database have"
        )
    if left_out.get(NO_WORDING):
        return (
            f"the model gave no usable wording for any of {left_out[NO_WORDING]} SQL templates "
            f"({named(count_reasons(rejected, 'text'))}): name another writer or checker, or change the prompts with "
            "--prompts; --verbose shows what was refused"
        )
    has_name = [table.name for table in schema.tables.values() if table.naming]
    shared = [name for name, table in schema.tables.items() if table.called_by and table.measured]
    if not any(table.ask for table in schema.tables.values()):
        return "no template can be made: the schema file says ask = false of every table"
    if not has_name and shared:
        return (
            f"no template can be made: what rows of {', '.join(shared[:5])} are called several of them share; "
            "use --set several=set, or other templates"
        )
    if not has_name:
        return (
            "no template can be made: no table has a column that people call its rows by, such as a name, a title or a "
            "number, and that no two rows share"
        )
    return f"no template can be made: {', '.join(has_name[:5])} have names but nothing else that people could ask for"
