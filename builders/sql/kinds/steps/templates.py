"""SQL templates with what they ask, of rows that belong to a thing that is named."""

from collections.abc import Callable, Iterable, Iterator

from benchwright.builders.sql.kinds import Ground, KindTemplate, Made
from benchwright.builders.sql.kinds.steps.measures import Measure, Measured, measured
from benchwright.builders.sql.kinds.steps.pairs import owner_entity
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.wording.meaning import AskedColumn, Many, Meaning

NO_MEASURES = (
    "no rows that belong together have a column of amounts, sizes or dates that all of them fill and that differs"
)


def of_measures(
    ground: Ground,
    kind: str,
    make: Callable[[Measured], tuple[str, str, str] | None],
    wanted: Callable[[Measure], bool],
    why_none: str = NO_MEASURES,
    is_one_of: bool = True,
) -> Made:
    """Templates that ask one value of rows that belong together.

    Args:
        ground: what they are made from.
        kind: their kind.
        make: SQL of the value, what it is called, and a note on how it is to be said; None: it is not asked.
        wanted: whether a column has such a value.
        why_none: what is said where there is none.
        is_one_of: whether the value is that of one of the rows.
    """

    def found() -> Iterator[KindTemplate]:
        for one in measured(ground.database, ground.schema):
            made = make(one) if wanted(one.measure) else None
            if made is None:
                continue
            sql, words, note = made
            many = Many(noun_of(one, ground.schema), one.pair.role, words, (), is_one_of, note)
            value = "date" if one.measure.kind == "date" and is_one_of else "number"
            asked = AskedColumn(words, value, False)
            meaning = Meaning((asked,), owner_entity(one.pair, ground.schema), kind, many)
            yield KindTemplate(f"SELECT {sql} {one.pair.source} WHERE {one.pair.given};", meaning)

    return made_of(found(), why_none)


def noun_of(one: Measured, schema: DatabaseSchema) -> str:
    """What one of the rows is called."""
    return schema.vocabulary.noun(one.pair.many.name)


def made_of(templates: Iterable[KindTemplate], why_none: str) -> Made:
    """Templates, each once; or why there are none."""
    found = {template.sql: template for template in templates}
    return Made(tuple(found.values()), "" if found else why_none)
