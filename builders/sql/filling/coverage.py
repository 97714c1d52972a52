"""What a sample covers: of each table, how many groups ask for its values, and how many rows are asked about."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from benchwright.builders.sql.filling.fillings import Fillings
from benchwright.builders.sql.filling.questions import WordedTemplate, entity_width
from benchwright.builders.sql.filling.shares import asked_table

Coverage = Mapping[str, Mapping[str, int]]
"""Table → `groups` that ask for its values; `rows` that are asked about by name, `of` about how many that have one, and
the `most` groups that are about one of them."""


def cover(parts: Iterable[tuple[WordedTemplate, Fillings]], names: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Counts what fillings cover.

    Args:
        parts: templates and their fillings.
        names: template's id → about how many names there are of the rows that it asks about.
    """
    groups: Counter[str] = Counter()
    about: dict[str, Counter[Any]] = {}
    there: dict[str, int] = {}
    for worded, fillings in parts:
        template = worded.sql
        tables = [item.table for item in template.placeholders]
        groups[asked_table(template)] += len(fillings)
        named = fillings.values[: entity_width(tables, template.declared)]
        about.setdefault(tables[0], Counter()).update(zip(*named, strict=True))
        there[tables[0]] = max(there.get(tables[0], 0), names[template.id])
    found: dict[str, dict[str, int]] = {}
    for table in sorted({*groups, *about}):
        rows = about.get(table, Counter())
        of = max(there.get(table, 0), len(rows))
        found[table] = {"groups": groups[table], "rows": len(rows), "of": of, "most": max(rows.values(), default=0)}
    return found
