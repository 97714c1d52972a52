"""Proves the aliases of GRAMMAR's answers: the same values in the unit of the column that is asked for, and no others.

The unit follows from the database and the release's schema file, or, where no database is there, from the aliases of
the column: those of all its answers must be of the same unit.
"""

from collections.abc import Sequence

from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.builders.sql.proofs.rows import Told
from benchwright.builders.sql.units import aliases_of, known_units, with_unit


class UnitAliases:
    """The aliases that a release's answers must have."""

    def __init__(self) -> None:
        self._units: dict[tuple[str, str], tuple[str, ...]] = {}
        """Column → the units that all of its aliases so far may be of: 0 is 0% as a percentage and as a fraction."""

    def __call__(self, template: SqlTemplate, answers: Sequence[str], told: Told) -> list[list[str]]:
        """The aliases of some answers of a template."""
        width = len(template.projections)
        units = []
        for place, item in enumerate(template.units_of):
            if item is None:
                units.append("")
            elif told.schema is not None:
                units.append(told.schema.tables[item.table].columns[item.column].unit)
            else:
                said = list(zip(answers[place::width], told.aliases[place::width], strict=False))
                units.append(self._told((item.table.lower(), item.column.lower()), said))
        return aliases_of(answers, units)

    def _told(self, column: tuple[str, str], said: Sequence[tuple[str, Sequence[str]]]) -> str:
        """The unit of a column by its aliases; nothing where they are of none, or not of the one that it has."""
        forms = [forms for _, forms in said if forms]
        if not forms:
            return next(iter(self._units.get(column, ())), "")
        own = next(forms[0].removeprefix(f"{answer} ") for answer, forms in said if forms)
        known = self._units.get(column) or (*known_units(), own)
        agreeing = tuple(
            unit
            for unit in known
            if unit and all(list(with_unit(answer, unit)) == list(forms) for answer, forms in said)
        )
        self._units[column] = agreeing or known
        return self._units[column][0]
