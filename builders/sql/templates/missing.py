"""Built-in SQL templates of a database that a file or a release does not hold, though they could be asked."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from benchwright.benchmarks.grounding.sql import SqlTemplate, parse_template
from benchwright.builders.sql.filling.fill import Filler
from benchwright.builders.sql.filling.questions import WordedTemplate
from benchwright.builders.sql.filling.sample import Sample
from benchwright.builders.sql.filling.told import why_told
from benchwright.builders.sql.filling.usual import usual_answer
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.templates.by_model import meaning_key
from benchwright.builders.sql.templates.enumeration import enumerate_templates
from benchwright.builders.sql.wording.template_meaning import read_meaning

_LEAST = 0.5
"""The least share of all built-in templates that a file holds from which a few were taken out."""


def is_of_rules(schema: DatabaseSchema, held: Collection[str], parameters: Mapping[str, Any]) -> bool:
    """Whether templates are most of those that the built-in writer has, but not all."""
    built_in = set(_built_in(schema, parameters))
    return _LEAST * len(built_in) <= len(built_in.intersection(held)) < len(built_in)


def missing_templates(
    filler: Filler,
    schema: DatabaseSchema,
    held: Collection[str],
    parameters: Mapping[str, Any],
    sample: Sample | None = None,
) -> Iterator[SqlTemplate]:
    """The built-in SQL templates that are not held, by what they ask, and that a build would not leave out either.

    Args:
        filler: of the database.
        schema: of the same.
        held: SQL templates.
        parameters: of the build.
        sample: what the build draws from; None: the database reads all rows for each template.

    Raises:
        BenchwrightError: the database refuses a query.
    """
    filler = replace(filler, counts={})
    known = {meaning_key(parse_template(sql, schema.names, schema.dialect)) for sql in held}
    for sql in _built_in(schema, parameters):
        template = parse_template(sql, schema.names, schema.dialect)
        if meaning_key(template) in known or read_meaning(template, schema, schema.vocabulary) is None:
            continue
        known.add(meaning_key(template))
        if why_told(filler, template):
            continue
        drawn = WordedTemplate(template, (), template.kind, 0)
        usual = sample.usual(drawn) if sample else usual_answer(filler, template)
        if usual.is_above(parameters["commonest"]):
            continue
        if (sample.example(drawn) if sample else next(filler.fill(template, 1), None)) is not None:
            yield template


def _built_in(schema: DatabaseSchema, parameters: Mapping[str, Any]) -> list[str]:
    if "lookup" not in parameters.get("kinds", "lookup"):
        return []
    may_share_names = parameters["several"] == "set"
    return enumerate_templates(schema, parameters["hops"], parameters["sql_templates"], may_share_names=may_share_names)
