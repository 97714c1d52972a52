"""What rows that belong to a thing have on average: the unit price of a category's products. It is rounded, and the
question says so."""

from benchwright.builders.sql.kinds import Ground, Kind, Made
from benchwright.builders.sql.kinds.steps.measures import Measured
from benchwright.builders.sql.kinds.steps.templates import of_measures

_NAME = "average"
_WHY_NONE = "no rows that belong together have a column of amounts or sizes that all of them fill and that differs"
_NOTE = "rounded to two decimals"


def _make(ground: Ground) -> Made:
    return of_measures(ground, _NAME, _mean, lambda measure: measure.is_number, _WHY_NONE, is_one_of=False)


def _mean(one: Measured) -> tuple[str, str, str]:
    return f"ROUND(CAST(AVG({one.column}) AS DECIMAL(38, 10)), 2)", f"average {one.measure.words}", _NOTE


KIND = Kind(_NAME, "what rows that belong together have on average", _make, least_rows=2)
