"""Proves the aliases of GRAMMAR's answers: the same values in the unit of the column that is asked for, and no others.

The unit follows from the database, or, where none is there or the builder was told of units, from the first aliases of
the column: those of all other answers must be of the same.
"""

from collections.abc import Sequence

from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.builders.sql.proofs.rows import Told
from benchwright.builders.sql.units import aliases_of, known_units, with_unit


class UnitAliases:
    """The aliases that a release's answers must have."""

    def __init__(self, manifest: Manifest) -> None:
        self._is_told = bool(manifest.parameters.get("schema"))
        self._units: dict[tuple[str, str], str] = {}

    def __call__(self, template: SqlTemplate, answers: Sequence[str], told: Told) -> list[list[str]]:
        """The aliases of some answers of a template."""
        width = len(template.projections)
        units = []
        for place, item in enumerate(template.projections):
            if item is None:
                units.append("")
            elif told.schema is not None and not self._is_told:
                units.append(told.schema.tables[item.table].columns[item.column].unit)
            else:
                key = item.table.lower(), item.column.lower()
                if not self._units.get(key):
                    said = zip(answers[place::width], told.aliases[place::width], strict=False)
                    self._units[key] = next((unit for answer, forms in said if (unit := _unit(answer, forms))), "")
                units.append(self._units[key])
        return aliases_of(answers, units)


def _unit(answer: str, forms: Sequence[str]) -> str:
    """The unit of which some forms are; nothing where there is none."""
    if not forms:
        return ""
    named = forms[0].removeprefix(f"{answer} ") if len(forms) == 1 else ""
    units = (unit for unit in (*known_units(), named) if unit and list(with_unit(answer, unit)) == list(forms))
    return next(units, "")
