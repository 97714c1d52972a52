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
_DAYS = {
    "arrived": "arrival", "booked": "booking", "borrowed": "borrowing", "built": "construction",
    "cancelled": "cancellation", "closed": "closing", "completed": "completion", "created": "creation",
    "delivered": "delivery", "ended": "end", "established": "founding", "expires": "expiry", "finished": "completion",
    "founded": "founding", "hired": "hiring", "issued": "issue", "joined": "joining", "launched": "launch",
    "left": "leaving", "opened": "opening", "ordered": "order", "paid": "payment", "posted": "posting",
    "published": "publication", "purchased": "purchase", "registered": "registration", "released": "release",
    "rented": "rental", "resolved": "resolution", "returned": "return", "shipped": "shipping", "signed": "signing",
    "sold": "sale", "started": "start", "submitted": "submission",
}  # fmt: skip
"""Participle → what its day is called: `hired on` is a hiring date."""
_IN_UNITS = {
    "cm": "cm", "eur": "euros", "ft": "feet", "gb": "GB", "gbp": "pounds", "jpy": "yen", "kg": "kg", "km": "km",
    "KM2": "square kilometres", "kw": "kW", "lb": "pounds", "lbs": "pounds", "m": "metres", "M2": "square metres",
    "mb": "MB", "mins": "minutes", "min": "minutes", "minutes": "minutes", "mm": "mm", "ms": "milliseconds",
    "mg": "mg", "ml": "ml", "mw": "MW", "sec": "seconds", "secs": "seconds", "seconds": "seconds",
    "sqft": "square feet",
    "sqm": "square metres", "usd": "dollars",
    "days": "days", "hours": "hours", "months": "months", "weeks": "weeks", "years": "years",
}  # fmt: skip
"""Last word of a column → the unit that it is in."""
_OF_TIME = frozenset(
    [
        "age",
        "commute",
        "delay",
        "duration",
        "length",
        "life",
        "ride",
        "runtime",
        "time",
        "term",
        "travel",
        "walk",
        "warranty",
    ]
)
_OF_LENGTH = frozenset(["altitude", "depth", "distance", "elevation", "height", "length", "width"])
"""What an ending that may be another word must follow: a `price min` is no time, and `bonus minutes` no bonus."""
_NEEDS = {"m": _OF_LENGTH} | dict.fromkeys(
    ["mins", "min", "minutes", "sec", "secs", "seconds", "hours", "days", "weeks", "months", "years"], _OF_TIME
)
_TURNS = {
    "arrives": "arrival", "begins": "start", "closes": "closing", "departs": "departure", "ends": "end",
    "opens": "opening", "starts": "start",
}  # fmt: skip
"""What something does at a time or on a day → what that time is called."""
_CHECK = re.compile(r"\bcheck (in|out)\b")
_SHIP = re.compile(r"ship (?=(?:name|address|street|city|region|state|country|postal code|postcode|zip)\b)")


def column_words(table: str, column: str) -> str:
    """The words of a column that is asked for or given.

    Args:
        table: the noun of its table: a person's title is a job's.
        column: its identifier.
    """
    words = _CHECK.sub(r"check-\1", _SHIP.sub("ship-to ", english.words(column)))
    before, _, last = words.rpartition(" ")
    if last in ("at", "on") and before in _TURNS:
        return f"{_TURNS[before]} {'time' if last == 'at' else 'date'}"
    if last in ("at", "on") and before:
        rest, _, participle = before.rpartition(" ")
        if participle in _DAYS or participle.endswith("ed"):
            return f"{rest} {_DAYS.get(participle, participle)} date".lstrip()
    if last == "no" and before:
        return f"{before} number"
    if last == "title":
        if english.is_person(table) and not before:
            return "job title"
        if before and english.value_kind(before) == "person":
            return f"job title of the {before}"
    if before and last in _IN_UNITS and (last not in _NEEDS or before.split()[-1] in _NEEDS[last]):
        return f"{before} in {_IN_UNITS[last]}"
    return _WHOLE.get(words.lower(), words)
