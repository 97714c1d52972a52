"""What people call a column: the words of its identifier, completed where a form or a database drops half of them."""

import re

from benchwright.builders.sql.wording import english

_WHOLE = {
    "cell": "mobile number",
    "cell phone": "mobile number",
    "e mail": "email address",
    "email": "email address",
    "fax": "fax number",
    "home phone": "home phone number",
    "mobile": "mobile number",
    "mobile phone": "mobile number",
    "phone": "phone number",
    "telephone": "telephone number",
    "work phone": "work phone number",
    "zip": "zip code",
    **{
        unit: f"duration in {unit}"
        for unit in ["milliseconds", "seconds", "minutes", "hours", "days", "weeks", "months"]
    },
}
"""What is too short to be asked for on its own."""
_SHIP = re.compile(r"ship (?=(?:name|address|street|city|region|state|country|postal code|postcode|zip)\b)")


def column_words(table: str, column: str) -> str:
    """The words of a column that is asked for or given.

    Args:
        table: the noun of its table: a person's title is a job's.
        column: its identifier.
    """
    words = _SHIP.sub("ship-to ", english.words(column))
    before, _, last = words.rpartition(" ")
    if last == "title":
        if english.is_person(table) and not before:
            return "job title"
        if before and english.value_kind(before) == "person":
            return f"job title of the {before}"
    return _WHOLE.get(words.lower(), words)
