"""Which of the rows that belong to a thing comes first by a column, or second: the product of a category with the
highest unit price. Where two rows share that place, it is not asked."""

from collections.abc import Iterator

from benchwright.builders.sql.kinds import Ground, Kind, KindTemplate, Made
from benchwright.builders.sql.kinds.steps.measures import measured
from benchwright.builders.sql.kinds.steps.pairs import owner_entity
from benchwright.builders.sql.kinds.steps.templates import made_of, noun_of
from benchwright.builders.sql.templates.enumeration import BETWEEN
from benchwright.builders.sql.wording.meaning import AskedColumn, Many, Meaning

_NAME = "ranking"
_WHY_NONE = "no rows that belong together have names and a column of amounts, sizes or dates that all of them fill"
_SECOND = 3
"""Every so many templates ask for the second."""


def _make(ground: Ground) -> Made:
    return made_of(_templates(ground), _WHY_NONE)


def _templates(ground: Ground) -> Iterator[KindTemplate]:
    schema = ground.schema
    number = 0
    for one in measured(ground.database, schema):
        many = one.pair.many
        name = many.answered_by if many.naming else ()
        if not name or one.pair.shared in name:
            continue
        number += 1
        is_highest, is_second = number % 4 != 0, number % _SECOND == 0
        word = one.measure.highest if is_highest else one.measure.lowest
        place = "second-" if is_second else ""
        asked = AskedColumn(schema.vocabulary.column(many.name, name[0]), "text", True)
        described = Many(noun_of(one, schema), one.pair.role, f"with the {place}{word} {one.measure.words}")
        meaning = Meaning((asked,), owner_entity(one.pair, schema), _NAME, described)
        selected = BETWEEN.join(one.pair.column(column) for column in name)
        order = f"ORDER BY {one.column}{' DESC' if is_highest else ''} LIMIT 1{' OFFSET 1' if is_second else ''}"
        yield KindTemplate(f"SELECT {selected} {one.pair.source} WHERE {one.pair.given} {order};", meaning)


KIND = Kind(_NAME, "which of the rows that belong together comes first or second", _make)
