"""The rows of a database that each question of a release reads, computed again from its SQL for whoever proves it."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.checking import CheckingDatabase
from benchwright.benchmarks.releases.proofs.base import Material
from benchwright.benchmarks.releases.proofs.held_cells import CellsOf
from benchwright.builders.sql.held_cells import RowCells
from benchwright.builders.sql.proofs.known_schema import known_schema
from benchwright.builders.sql.proofs.templates import ReadTemplate, ReleaseTemplates


def row_cells(material: Material) -> CellsOf | str:
    """What computes the rows that a question reads; or why nothing can."""
    known = known_schema(material, None)
    database = next((one for one in material.databases if isinstance(one, CheckingDatabase)), None)
    if database is None or known.schema is None or not (known.has_keys and known.is_whole):
        return known.reason
    templates = ReleaseTemplates(material.release.templates(), known)
    read = {name: one for name in templates if isinstance(one := templates.read(name), ReadTemplate)}
    try:
        cells = RowCells(database, known.schema, [one.sql for one in read.values()])
    except BenchwrightError as error:
        return str(error)

    def of(row: Mapping[str, Any]) -> Sequence[str] | None:
        template = read.get(row["template"])
        literals = templates[row["template"]].pattern.literals(row["sql"] or "") if template else None
        if template is None or literals is None:
            return None
        try:
            return cells.of_query(template.sql, literals)
        except BenchwrightError:  # it returns too much, or takes too long
            return None

    return of
