"""Everything that belongs to a thing that is named, or shares a value: all projects of a client. The whole set is the
answer."""

from collections.abc import Iterator

from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.builders.sql.filling.fill import Filler
from benchwright.builders.sql.filling.fillings import Fillings
from benchwright.builders.sql.kinds import BELONGING, Ground, Kind, KindTemplate, Made
from benchwright.builders.sql.kinds.steps.pairs import all_pairs, owner_entity
from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.meaning import AskedColumn, Many, Meaning

_NAME = "list"
_WHY_NONE = "no rows with names point at rows of another table that have names, or share a value"
LEAST, MOST = 2, 12
"""Elements of a list that is asked for: one alone is no list, and nobody names fifty."""


def _make(ground: Ground) -> Made:
    schema = ground.schema
    found: list[KindTemplate] = []
    for pair in all_pairs(ground.database, schema):
        name = pair.many.answered_by
        if not name or pair.shared in name or (ground.hops < 2 and not pair.shared):
            continue
        noun = schema.vocabulary.noun(pair.many.name)
        words = english.head_word(schema.vocabulary.column(pair.many.name, name[0])) if len(name) == 1 else "name"
        is_numbered = noun.rpartition(" ")[2] in english.OCCASIONS
        words = "numbers" if is_numbered else english.plural(words if words in ("code", "number", "title") else "name")
        asked = AskedColumn(words, "text", False, True)
        many = Many(noun, pair.role, words)
        selected = " || ' ' || ".join(pair.column(column) for column in name)
        sql = f"SELECT {selected} {pair.source} WHERE {pair.given};"
        found.append(KindTemplate(sql, Meaning((asked,), owner_entity(pair, schema), _NAME, many)))
    return Made(tuple(found), "" if found else _WHY_NONE)


def _fill(filler: Filler, template: SqlTemplate, size: int) -> Iterator[Fillings]:
    return filler.fill_lists(template, size, LEAST, MOST)


KIND = Kind(_NAME, "all that belongs to a thing that is named, or shares a value", _make, _fill, always_open=BELONGING)
