"""What a build of GRAMMAR counted and proved, as checks of a manifest."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from benchwright.builders.grammar.ready import Ready
from benchwright.builders.sql.filling.questions import WordedTemplate
from benchwright.builders.sql.personal import why_personal
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.templates.prepare import TemplateSet
from benchwright.builders.sql.templates.proposals import count_reasons


def count_checks(ready: Ready, used: Sequence[WordedTemplate], executed: int) -> dict[str, Any]:
    """The checks of a build.

    Args:
        ready: what it was made of, once all groups were filled.
        used: the templates that gave any question.
        executed: queries that were executed once more.
    """
    filler, asked, prepared, forms = ready.filler, ready.asked, ready.prepared, ready.forms
    counts = [filler.counts[worded.sql.id] for worded in prepared.worded]
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
        "text_templates_by_model": prepared.count_by_model(used),
        "sql_templates_by_model": len(used) if prepared.modelled_sql else 0,
        "fillings_left_out": {
            "answer is NULL or blank": sum(item.null for item in counts),
            "several answers": sum(item.several for item in counts),
            **({"too few rows": few} if (few := sum(item.few for item in counts)) else {}),
            **({"several rows bear the name": shared} if (shared := sum(item.shared for item in counts)) else {}),
            **({"too few or too many for a list": unlisted} if (unlisted := sum(c.unlisted for c in counts)) else {}),
            **({"no other value to ask about": undenied} if (undenied := sum(c.undenied for c in counts)) else {}),
            "blank value": sum(item.blank for item in counts),
            "no text can show it": sum(item.unshown for item in counts),
            "no result": sum(item.empty for item in counts),
        },
        "sql_templates_left_out": {
            **prepared.left_out,
            "no filling has one answer": len(prepared.worded) - len(used) - len(asked.undrawn),
            "no group was drawn": len(asked.undrawn),
        },
        **_kinds(prepared, kept, used),
        **({"asked_per_table": asked.coverage} if asked.coverage else {}),
        **_personal_by_values(ready.schema, used),
        **prepared.checks_of_texts,
        **_checks_of_model(prepared),
    }


def _kinds(prepared: TemplateSet, kept: Mapping[str, int], used: Sequence[WordedTemplate]) -> dict[str, dict[str, int]]:
    """Groups of each kind, and the kinds that the schema does not give; nothing where lookups alone are asked."""
    groups: Counter[str] = Counter()
    for worded in used:
        groups[worded.kind] += kept[worded.sql.id]
    asked = {"groups_per_kind": dict(groups)} if any(worded.sql.declared for worded in used) else {}
    return {**asked, **({"kinds_left_out": dict.fromkeys(prepared.without, 1)} if prepared.without else {})}


def _personal_by_values(schema: DatabaseSchema, used: Sequence[WordedTemplate]) -> dict[str, dict[str, int]]:
    """Sort of personal data → columns that are read and look like it, though their names do not say so."""
    read = {(item.table, item.column) for worded in used for item in worded.sql.columns}
    marked = [schema.tables[table].columns[column] for table, column in sorted(read)]
    sorts = Counter(column.personal for column in marked if column.personal and not why_personal(column.name, ()))
    return {"personal_by_values": dict(sorts)} if sorts else {}


def _checks_of_model(prepared: TemplateSet) -> dict[str, Any]:
    """What became of what a model proposed; nothing where none was asked."""
    found: dict[str, Any] = {}
    if prepared.modelled_sql:
        found["proposed_sql_templates_rejected"] = count_reasons(prepared.rejected, "sql")
        found["tables_without_sql_template"] = len(prepared.modelled_sql.uncovered)
    if prepared.prompts:
        found["proposed_texts_rejected"] = count_reasons(prepared.rejected, "text")
        found["texts_read_by_checker"] = prepared.read_back
        found["templates_and_forms_with_fewer_texts_than_wanted"] = prepared.too_few
    return found
