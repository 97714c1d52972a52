"""From identifiers of a schema to English words, and the grammar of single words: number, articles, kinds of value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from benchwright.builders.sql.wording.meaning import ValueKind

if TYPE_CHECKING:
    import inflect


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


ABBREVIATIONS = {
    "addr": "address",
    "amt": "amount",
    "avg": "average",
    "dept": "department",
    "desc": "description",
    "dob": "date of birth",
    "emp": "employee",
    "fname": "first name",
    "hq": "headquarters",
    "lname": "last name",
    "mgr": "manager",
    "num": "number",
    "org": "organisation",
    "pct": "percentage",
    "qty": "quantity",
    "tel": "telephone",
    "yr": "year",
}
ACRONYMS = _set(
    "bic ceo cfo cto gdp gp gpa gps html http iata iban icao id ip isbn isin iso issn pdf sku ssn uri url uuid vat"
)
UNITS = _set("""
    billion day dollar euro foot gram hour hundred kilogram kilometer kilometre kilowatt litre liter meter metre
    mile million minute month percent pound second thousand ton tonne trillion watt week year
""")
INVARIANT = _set("""
    alias atlas barracks bias canvas chassis corps crossroads data economics gas gps gymnastics headquarters lens
    mathematics means news percent physics politics pyjamas series species statistics
""")
"""Nouns that look like a plural and are singular, or the same in both numbers."""
SINGULARS = {"men": "man", "menus": "menu", "people": "person", "women": "woman"}
COLLECTIVES = {"crew": "crew member", "personnel": "staff member", "staff": "staff member"}
"""What one row of such a table is."""
KEY_WORDS = _set("code fk iata icao iso id key name no nr num number ref uuid")
"""Last words of a foreign key's column that say how it points, not at what."""
NAMES = _set("""
    firstname forename fullname initial initials lastname middlename name patronymic prefix suffix surname title
""")
"""Last words of columns that are a name or a part of one."""
AGENTS = {
    "approved by": "approver",
    "created by": "creator",
    "led by": "leader",
    "managed by": "manager",
    "owned by": "owner",
    "reported by": "reporter",
    "reports to": "manager",
    "reviewed by": "reviewer",
    "ship via": "shipper",
    "shipped by": "shipper",
    "shipped via": "shipper",
    "written by": "author",
}
PERSONS = _set("""
    actor agent analyst architect artist assistant athlete author boss captain ceo cfo chair chairman chairperson
    chairwoman chef child coach composer contact coordinator creator cto dean deputy designer developer director
    doctor driver editor employee engineer executive father founder friend guest head husband individual
    instructor inventor investigator judge lawyer lead leader lecturer manager mayor member mentor mother musician
    nurse officer owner painter parent partner passenger patient person physician pilot player poet politician
    president principal producer professor reporter representative researcher reviewer scientist secretary singer
    specialist spouse student superior supervisor surgeon teacher technician tenant trainer treasurer tutor wife
    worker writer
""")
PLACES = _set("""
    airport birthplace city continent country county destination district headquarters location municipality
    neighborhood neighbourhood origin place province region site state suburb town venue village
""")
ORGANISATIONS = _set("""
    agency airline association bank brand business carrier charity client club college company contractor
    corporation customer developer distributor employer firm franchise institute institution label manufacturer
    ministry operator organisation organization provider publisher retailer school shipper sponsor studio subcontractor
    supplier team university vendor
""")
WHO = _set("""
    carrier client contractor customer distributor employer manufacturer operator provider publisher retailer
    shipper sponsor subcontractor supplier vendor
""")
"""Organisations in a role that people ask for with `who`."""
CUSTOMERS = _set("buyer client customer member patron subscriber user visitor")
"""Who buys or belongs, whether a person or a firm."""
NUMBERS = _set("""
    age amount area balance budget capacity cost count fee height length number population price quantity rank
    rate rating ratio revenue salary score size total weight width year
""")
OCCASIONS = _set("""
    appointment booking delivery detail enrolment enrollment invoice item line loan membership order payment purchase
    registration rental reservation sale shipment stay subscription ticket transaction trip visit
""")
"""What links two things and has a name of its own: an order line, which nobody calls an order line record."""
LINES = _set("detail entry item line position")
"""What the rows of a bill are called."""
BOOLEAN_VERBS = _set("allows can does had has is requires supports was")
PREPOSITIONS = _set("at by for from in of on per since to until with")

_NUMERIC = re.compile(r"(?<!po)int(?!erval)|serial|real|num|dec|float|double|money", re.IGNORECASE)
_TEMPORAL = re.compile(r"date|timestamp", re.IGNORECASE)
_BOUNDARY = re.compile(
    r"(?<=[^\W\d_A-Z])(?=[A-Z])"  # jobTitle
    r"|(?<=[A-Z])(?=[A-Z][^\W\d_A-Z])"  # HTTPServer
    r"|(?<=[^\W\d_]{3})(?=\d)"  # address2, but not CO2 or q1
    r"|(?<=\d)(?=[^\W\d_])(?!(?:st|nd|rd|th)(?![a-z]))"  # 5year, but not 2nd
)


_remembered = lru_cache(maxsize=100_000)
"""A schema of many tables asks for the same few names again and again."""


@cache
def inflector() -> inflect.engine:
    """Knows the number of English words, and numbers as words.

    inflect has every function's arguments checked, for which typeguard compiles each again: its import then takes 1.6 s
    of processor time instead of 0.2. What we ask it is checked by pyright, so it is imported without.
    """
    import typeguard

    checked = typeguard.typechecked
    typeguard.typechecked = lambda function: function
    try:
        import inflect
    finally:
        typeguard.typechecked = checked
    return inflect.engine()


@_remembered
def words(identifier: str) -> str:
    """The words of an identifier, in lower case but for acronyms: `Graduation_College` gives `graduation college`."""
    shouted = identifier.upper() == identifier
    spaced = re.sub(r"[\W_]+", " ", identifier)
    parts = (spaced if shouted else _BOUNDARY.sub(" ", spaced)).split()
    if shouted:
        parts = [piece for part in parts for piece in re.sub(r"(?<=[^\W\d_]{3})(?=\d)", " ", part).split()]
    spoken = [_word(part, shouted) for part in parts]
    if len(spoken) > 2 and spoken[-2] == "in" and spoken[-1] in UNITS:
        spoken[-1] = plural(spoken[-1])
    return " ".join(spoken)


def _word(part: str, shouted: bool) -> str:
    lower = part.lower()
    if lower in ACRONYMS:
        return part.upper()
    if re.fullmatch(r"[a-z]{1,2}\d+", lower):
        return part.upper()
    if not shouted and len(part) > 1 and part.isupper():
        return part
    return ABBREVIATIONS.get(lower, lower)


@_remembered
def noun(table: str) -> str:
    """The singular noun of a table: `People` gives `person`, `order_items` gives `order item`."""
    parts = words(table).split()
    if len(parts) > 1 and parts[0] in {"dim", "tbl"}:
        parts = parts[1:]
    if not parts:
        return table
    return " ".join([*parts[:-1], COLLECTIVES.get(parts[-1]) or singular(parts[-1])])


def is_name(column: str) -> bool:
    """Whether a column is a name or a part of one, not what tells two of a name apart: a year, a town."""
    return words(column).lower().rpartition(" ")[2] in NAMES


@_remembered
def role(column: str) -> str:
    """The role that a foreign key's column names: `client_id` gives `client`, `managed_by` gives `manager`."""
    parts = words(column).split()
    while len(parts) > 1 and parts[-1].lower() in KEY_WORDS:
        parts = parts[:-1]
    if not parts:
        return column
    if len(parts) > 1 and parts[-1] in COLLECTIVES and value_kind(parts[-2]) == "person":
        parts = parts[:-1]  # the manager among the staff
    return AGENTS.get(" ".join(parts)) or " ".join([*parts[:-1], COLLECTIVES.get(parts[-1]) or singular(parts[-1])])


@_remembered
def singular(word: str) -> str:
    """The singular of a noun; a singular is returned as it is."""
    lower = word.lower()
    if lower in SINGULARS:
        return SINGULARS[lower]
    if not word or lower in INVARIANT or lower.endswith(("ss", "us", "is")) or word.isupper():
        return word
    return inflector().singular_noun(word) or word  # pyright: ignore[reportArgumentType]


def plural(word: str) -> str:
    """The plural of a singular noun."""
    if word.lower() in INVARIANT:
        return word
    return inflector().plural_noun(word)  # pyright: ignore[reportArgumentType]


def is_plural(phrase: str) -> bool:
    """Whether a noun phrase takes a plural verb: `sales in billions` does, `headquarters` and `address` do not."""
    head = head_word(phrase)
    return singular(head) != head


def head_word(phrase: str) -> str:
    """The noun that a phrase is about, in lower case: `date of birth` gives `date`, `job title` gives `title`."""
    parts = phrase.lower().split()
    for position, part in enumerate(parts):
        if position and part in PREPOSITIONS:
            return parts[position - 1]
    return parts[-1] if parts else ""


def with_article(phrase: str) -> str:
    """The phrase behind `a` or `an`."""
    return inflector().a(phrase)  # pyright: ignore[reportArgumentType]


def possessive(phrase: str) -> str:
    """The possessive of a noun phrase: `client's`, and of a plural `customers'`."""
    return f"{phrase}'" if phrase.endswith("s") and is_plural(phrase) else f"{phrase}'s"


def be(is_many: bool) -> str:
    """`are` or `is`."""
    return "are" if is_many else "is"


def join(phrases: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(phrases) < 2:
        return "".join(phrases)
    return f"{', '.join(phrases[:-1])} and {phrases[-1]}"


@_remembered
def value_kind(phrase: str, sql_type: str = "") -> ValueKind:
    """The kind of value that a column holds, from its words (or a table's noun) and its SQL type."""
    head = head_word(phrase)
    parts = phrase.lower().split()
    first = parts[0] if parts else ""
    if "bool" in sql_type.lower() or (first in BOOLEAN_VERBS and len(parts) > 1):
        return "boolean"
    if _TEMPORAL.search(sql_type) or head == "date":
        return "date"
    if _NUMERIC.search(sql_type):
        return "number"
    for kind, nouns in _KINDS:
        if head in nouns or singular(head) in nouns:
            return kind
    return "text"


_KINDS: tuple[tuple[ValueKind, frozenset[str]], ...] = (
    ("person", PERSONS),
    ("place", PLACES),
    ("organisation", ORGANISATIONS),
    ("number", NUMBERS),
)


def is_person(noun: str) -> bool:
    """Whether rows of such a table are people: a customer may be a firm."""
    return value_kind(noun) == "person"


def question_word(kind: ValueKind, phrase: str) -> str:
    """`who` or `what`, whichever asks for such a value: `who is the client`, but `what is the graduation college`."""
    return "who" if kind == "person" or (kind == "organisation" and head_word(phrase) in WHO) else "what"
