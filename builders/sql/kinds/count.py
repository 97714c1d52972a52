"""How many rows point at a thing that is named: how many orders a customer has. None is an answer where it is there."""

from benchwright.benchmarks.grounding.database import Database
from benchwright.builders.sql.kinds import BELONGING, Ground, Kind, KindTemplate, Made
from benchwright.builders.sql.kinds.steps.pairs import Pair, all_pairs, owner_entity
from benchwright.builders.sql.templates.enumeration import shown_name
from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.meaning import AskedColumn, Many, Meaning

_NAME = "count"
_WHY_NONE = "no rows belong to a thing that has a name, or share a value, so that there are several of them"


def _make(ground: Ground) -> Made:
    schema = ground.schema
    found: list[KindTemplate] = []
    for pair in all_pairs(ground.database, schema):
        counted = f"COUNT(DISTINCT {pair.key})" if pair.is_linked else f"COUNT({pair.key})"
        if not _has_several(ground.database, pair, counted):
            continue
        noun = schema.vocabulary.noun(pair.many.name)
        asked = AskedColumn(f"number of {english.plural(noun)}", "number", False)
        meaning = Meaning((asked,), owner_entity(pair, schema), _NAME, Many(noun, pair.role, "number"))
        found.append(KindTemplate(f"SELECT {counted} {pair.source_with_none} WHERE {pair.given};", meaning))
    return Made(tuple(found), "" if found else _WHY_NONE)


def _has_several(database: Database, pair: Pair, counted: str) -> bool:
    """Whether anything has more than one row: of what has one or none, nobody asks how many."""
    names = [f"{shown_name(pair.owner.name)}.{shown_name(one)}" for one in (pair.owner.naming or pair.owner.called_by)]
    names = [pair.column(pair.shared)] if pair.shared else names
    most = f"SELECT {counted} AS counted {pair.source} GROUP BY {', '.join(names)} ORDER BY counted DESC LIMIT 1"
    found = database.all(most)
    return bool(found) and found[0][0] > 1


KIND = Kind(_NAME, "how many rows belong to a thing that is named", _make, always_open=BELONGING)
