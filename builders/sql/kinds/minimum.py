"""The smallest value of rows that belong to a thing that is named: the lowest freight of a customer's orders."""

from benchwright.builders.sql.kinds import Ground, Kind, Made
from benchwright.builders.sql.kinds.steps.templates import of_measures

_NAME = "minimum"


def _make(ground: Ground) -> Made:
    return of_measures(
        ground,
        _NAME,
        lambda one: (f"MIN({one.column})", f"{one.measure.lowest} {one.measure.words}", ""),
        lambda _: True,
    )


KIND = Kind(_NAME, "the smallest value, or the earliest date, of rows that belong together", _make, least_rows=2)
