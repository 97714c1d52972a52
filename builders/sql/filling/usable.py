"""Which values and answers can be asked for, and said, in text."""

from collections.abc import Sequence
from decimal import Decimal
from math import isfinite
from typing import Any

from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.builders.sql.filling.fillings import FillingCounts

_NO_DATES = frozenset({"infinity", "-infinity", "0000-00-00", "0000-00-00 00:00:00"})
"""What PostgreSQL and MariaDB show for a date that is none."""
_LONGEST = 10_000
"""Characters of a value or an answer above which nobody asks for it."""


def is_usable(template: SqlTemplate, values: Sequence[Any], answers: Sequence[Any], counts: FillingCounts) -> bool:
    """Whether a filling can be asked and answered in text; where not, it is counted why."""
    for value in values:
        if isinstance(value, str) and not value.strip():
            counts.blank += 1
            return False
    width = len(template.names)
    for number, value in enumerate(answers):
        is_name = len(template.names[number % width]) > 1
        if value is None or (isinstance(value, str) and (not value.strip() or (is_name and _lacks_a_part(value)))):
            counts.null += 1
            return False
    for value in (*values, *answers):
        if isinstance(value, bytes) or (isinstance(value, float | Decimal) and not isfinite(value)) or _is_odd(value):
            counts.unshown += 1
            return False
    return True


def holds_separators(value: Any) -> bool:
    """Whether an element of a list cannot be told from two, where a document or an answer lists it."""
    return isinstance(value, str) and any(sign in value for sign in ("; ", "\n", "\r"))


def _is_odd(value: Any) -> bool:
    return isinstance(value, str) and (len(value) > _LONGEST or value in _NO_DATES)


def _lacks_a_part(name: str) -> bool:
    """Whether one of the texts of a name in several columns is blank."""
    return not name[0].strip() or not name[-1].strip() or "  " in name
