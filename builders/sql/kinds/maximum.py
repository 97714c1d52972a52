"""The largest value of rows that belong to a thing that is named: the highest freight of a customer's orders."""

from benchwright.builders.sql.kinds import Ground, Kind, Made
from benchwright.builders.sql.kinds.steps.templates import of_measures

_NAME = "maximum"


def _make(ground: Ground) -> Made:
    return of_measures(
        ground,
        _NAME,
        lambda one: (f"MAX({one.column})", f"{one.measure.highest} {one.measure.words}", ""),
        lambda _: True,
    )


KIND = Kind(_NAME, "the largest value, or the latest date, of rows that belong together", _make, least_rows=2)
