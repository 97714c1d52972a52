"""The dates of facts: an ISO 8601 date, `2021-10-01`, or an interval of two, `2021-10-01/2021-12-31`."""

import re
from datetime import date

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def read_fact_date(text: str) -> tuple[date, date]:
    """The first and the last day that a text names; the same day twice where it is a date.

    Raises:
        ValueError: it is neither a date nor an interval.
    """
    first, slash, last = text.partition("/")
    days = [first, last] if slash else [first, first]
    if not all(_DAY.fullmatch(day) for day in days):
        raise ValueError("is no date such as 2021-10-01, and no interval such as 2021-10-01/2021-12-31")
    try:
        start, end = (date.fromisoformat(day) for day in days)
    except ValueError:
        raise ValueError("names a day that there is not") from None
    if end < start:
        raise ValueError("ends before it begins")
    return start, end


def date_problem(text: str) -> str | None:
    """What is wrong with the date of a fact; None where nothing is."""
    try:
        read_fact_date(text)
    except ValueError as error:
        return str(error)
    return None
