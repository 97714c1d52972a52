"""GRAMMAR-Gen: questions and executed gold answers from a SQL database (Li, Liu and Gao, 2024).

build            the builder: schema → templates → fillings → questions, with what was proved and left out
understanding    what its tables and columns are, as found and as the schema file says
ready            what a build has at hand before it writes
preview          what would be asked, on screen
checks           what was counted and proved
records          a corpus for a database that has none: a record for each executed query
prove_records    every record of a release says what its question and its answer say, and nothing else
prove_units      the aliases of answers are the same values with their unit
"""

from functools import partial

from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.releases.proofs.held_cells import held_cells_proof
from benchwright.builders.grammar.build import VERSION, build, check_holdout
from benchwright.builders.grammar.preview import preview
from benchwright.builders.grammar.prove_records import RecordCheck
from benchwright.builders.grammar.prove_units import UnitAliases
from benchwright.builders.grammar.understanding import draft
from benchwright.builders.sql.proofs.complete import FillingsCheck
from benchwright.builders.sql.proofs.held_cells import row_cells
from benchwright.builders.sql.proofs.rows import Rules, sql_proof


def _rules(manifest: Manifest) -> Rules:
    """What questions of a release must be; those of the first version had no aliases."""
    aliases = None if manifest.builder_version == "1.0.0" else UnitAliases()
    return Rules(["answerable"], aliases, groups=[RecordCheck, partial(FillingsCheck, VERSION)])


PROOFS = (
    sql_proof(_rules),
    held_cells_proof(row_cells),
)

__all__ = ["PROOFS", "VERSION", "build", "check_holdout", "draft", "preview"]
