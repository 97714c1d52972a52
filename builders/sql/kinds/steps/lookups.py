"""The lookups of a schema with what they ask, for kinds that turn them into something else."""

from collections.abc import Iterator

from benchwright.benchmarks.grounding.sql import ColumnOf, SqlTemplate, parse_template
from benchwright.builders.sql.kinds import Ground
from benchwright.builders.sql.templates.enumeration import enumerate_templates, shown_name
from benchwright.builders.sql.wording.meaning import Meaning
from benchwright.builders.sql.wording.template_meaning import read_meaning

MOST_HOPS = 2
"""Facts of a lookup that is turned into another kind: of more, nobody would notice which one it is about."""


def lookups(ground: Ground, hops: int = MOST_HOPS) -> Iterator[tuple[SqlTemplate, Meaning]]:
    """The built-in lookups that can be put into words and ask for one thing, few hops first."""
    schema = ground.schema
    for text in enumerate_templates(schema, min(hops, ground.hops)):
        template = parse_template(text, schema.names, schema.dialect)
        meaning = read_meaning(template, schema, schema.vocabulary)
        if meaning is not None and len(template.names) == 1 and template.names[0]:
            yield template, meaning


def column_sql(column: ColumnOf) -> str:
    """A column with its table or alias."""
    return f"{shown_name(column.alias)}.{shown_name(column.column)}"


def given_sql(template: SqlTemplate) -> str:
    """The conditions of a template on its placeholders, each column with its table."""
    return " AND ".join(f"{column_sql(item.compared)} = '{item.text}'" for item in template.placeholders)
