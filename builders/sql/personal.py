"""Columns that may hold personal data, by what they are called and by what they hold: a mark for whoever reviews."""

import re
from collections.abc import Collection
from typing import Any

from benchwright.benchmarks.personal_data import is_named, sorts_of_personal_data

_ELSEWHERE = ("names of people", "free text")
"""Sorts that are no mark: questions are about named people, and prose is not asked for."""
_VALUES = {
    "e-mail addresses": re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}"),
    "telephone numbers": re.compile(r"(?=(?:\D*\d){7,15}\D*\Z)(?:\+|\(|00)[\d\s().+/-]{7,24}"),
    "bank accounts": re.compile(r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?"),
    "social security numbers": re.compile(r"\d{3}-\d{2}-\d{4}"),
}


def why_personal(name: str, values: Collection[Any]) -> str:
    """The sort of personal data that a column's name promises, or most of its values look like; else nothing."""
    for sort, words in sorts_of_personal_data().items():
        if sort not in _ELSEWHERE and is_named(name, words):
            return sort
    texts = [value.strip() for value in values if isinstance(value, str) and value.strip()]
    for sort, form in _VALUES.items():
        if texts and 2 * sum(bool(form.fullmatch(text)) for text in texts) > len(texts):
            return sort
    return ""
