"""How many rows point at a thing that is named: how many orders a customer has. None is an answer where it is there."""

from benchwright.builders.sql.kinds import Ground, Kind, KindTemplate, Made
from benchwright.builders.sql.kinds.steps.pairs import owner_entity, pairs
from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.meaning import AskedColumn, Many, Meaning

_NAME = "count"


def _make(ground: Ground) -> Made:
    schema = ground.schema
    found: list[KindTemplate] = []
    for pair in pairs(schema):
        counted = f"DISTINCT {pair.key}" if pair.is_linked else pair.key
        noun = schema.vocabulary.noun(pair.many.name)
        asked = AskedColumn(f"number of {english.plural(noun)}", "number", False)
        meaning = Meaning((asked,), owner_entity(pair, schema), _NAME, Many(noun, pair.role, "number"))
        found.append(KindTemplate(f"SELECT COUNT({counted}) {pair.source_with_none} WHERE {pair.given};", meaning))
    return Made(tuple(found), "" if found else "no rows of a table point at rows of another one that have names")


KIND = Kind(_NAME, "how many rows belong to a thing that is named", _make)
