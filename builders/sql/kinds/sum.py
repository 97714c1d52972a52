"""What rows that belong to a thing have in total: the freight of a customer's orders. Amounts alone are added up."""

from benchwright.builders.sql.kinds import Ground, Kind, Made
from benchwright.builders.sql.kinds.steps.measures import Measured
from benchwright.builders.sql.kinds.steps.templates import of_measures

_NAME = "sum"
_WHY_NONE = "no rows that belong together have a column of amounts that all of them fill and that differs"


def _make(ground: Ground) -> Made:
    return of_measures(ground, _NAME, _total, lambda measure: measure.is_amount, _WHY_NONE, is_one_of=False)


def _total(one: Measured) -> tuple[str, str, str]:
    """Binary numbers add up to ends such as .30000000000000004: a total has the decimals that its values have."""
    total = f"SUM({one.column})"
    sql = f"ROUND(CAST({total} AS DECIMAL(38, 6)), {one.measure.decimals})" if one.measure.decimals else total
    return sql, f"total {one.measure.words}", ""


KIND = Kind(_NAME, "what rows that belong together have in total", _make, least_rows=2)
