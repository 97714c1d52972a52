"""The cells that each question of a release needs, computed again from its SQL and the private half's database."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchwright.benchmarks.releases.proofs.base import Material
from benchwright.benchmarks.releases.proofs.held_cells import CellsOf, held_cells_proof
from benchwright.builders.aurp.held_cells import Holdable
from benchwright.builders.aurp.prove_questions import NO_DATABASE, facts_of


def _cells_of(material: Material) -> CellsOf | str:
    facts = facts_of(material)
    if facts is None:
        return NO_DATABASE
    holdable = Holdable(facts.world)

    def of(row: Mapping[str, Any]) -> Sequence[str] | None:
        cells = facts.cells(row)
        return None if cells is None else holdable.names(cells)

    return of


PROOF = held_cells_proof(_cells_of)
"""Registered by Aurp."""
