"""How far away from the thing that is named people still ask for a column.

They ask for anything of whom they name: Nancy Davolio's birth date. Of somebody's manager or of the customer on an
order they ask the name, a telephone number or a city, never the birthday; of the employee on an order, and of the
manager of somebody's manager, no more than the name.
"""

from benchwright.builders.sql.schema import SchemaColumn, SchemaTable
from benchwright.builders.sql.wording import english


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_OWN = _set("""
    age biography birthday birthdate comment comments courtesy description extension fax gender hiredate note notes
    postcode remark remarks religion salary salutation sex ssn summary wage zip
""")
"""Words of columns that are asked of the named thing alone."""
_OWN_PAIRS = (
    *("birth date", "birth place", "contact title", "date of birth", "hire date", "hired on", "home phone"),
    *("marital status", "postal code", "reorder level", "termination date", "zip code"),
)
"""The same in several words."""
_NATURE = _set("color colour depth edition features height isbn length pages runtime size weight width year")
"""What a thing has by its nature: nobody asks for it by the number of a sale."""
_AREAS = _set("county district province region state territory")
"""The same as a last word: `ship region`; but a table of districts has people ask for its names."""
_PLACES = _set("address city country county email fax mobile phone postcode street telephone town")
"""Where somebody is to be found: of the staff that is at home, unless it is a work's telephone or mail."""
_OF_WORK = _set("email mobile phone telephone")
_STAFF = _set("employee librarian staff staffer teacher worker")


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
