"""How far away from the thing that is named people still ask for a column.

They ask for anything of whom they name: Nancy Davolio's birth date. Of somebody's manager or of the customer on an
order they ask the name, a telephone number or a city, never the birthday; of the employee on an order, and of the
manager of somebody's manager, no more than the name.
"""

from benchwright.benchmarks.data_files import read_words
from benchwright.builders.sql.schema import SchemaColumn, SchemaTable
from benchwright.builders.sql.wording import english

_WORDS = read_words(__package__, "reach.toml")
_OWN = _WORDS["own"]
_OWN_PAIRS = _WORDS["own_pairs"]
_NATURE = _WORDS["nature"]
_AREAS = _WORDS["areas"]
_PLACES = _WORDS["places"]
_OF_WORK = _WORDS["of_work"]
_STAFF = _WORDS["staff"]


def reach(table: SchemaTable, column: SchemaColumn) -> int:
    """How many foreign keys away a column is still asked for: none; one; or two for what a word says of a thing."""
    if column.reach is not None:
        return column.reach
    words = english.words(column.name).lower()
    parts = words.split()
    noun = english.noun(table.name).lower()
    if _OWN & set(parts) or any(pair in words for pair in _OWN_PAIRS) or {*parts[-1:]} & _AREAS:
        return 0
    if is_staff(table) and ("title" in parts or (_PLACES & set(parts) and not _OF_WORK & set(parts))):
        return 0
    if column.kind == "boolean" and (english.is_person(noun) or noun in english.CUSTOMERS):
        return 0
    if english.is_person(noun) or noun in english.CUSTOMERS or (_PLACES | {"code"}) & set(parts):
        return 1
    return 2 if column.kind == "text" else 1


def describes_itself(column: str) -> bool:
    """Whether a column says what a thing is like, whatever happens to it."""
    return bool(_NATURE & set(english.words(column).lower().split()))


def only_carries(table: SchemaTable) -> bool:
    """Whether rows of a table only stand between others: the address at which somebody lives, the copy of a film."""
    return table.kind == "carrier"


def is_somebody(table: SchemaTable) -> bool:
    """Whether rows of a table are people, or firms that one deals with as with people."""
    noun = english.noun(table.name).lower()
    return english.is_person(noun) or noun in english.CUSTOMERS or is_staff(table)


def is_staff(table: SchemaTable) -> bool:
    """Whether rows of a table are people who work for the one who asks."""
    noun = english.noun(table.name).lower()
    own = {english.words(name).lower() for name in table.columns}
    return bool(_STAFF & set(noun.split())) or bool(own & {"hire date", "hired on", "salary"})
