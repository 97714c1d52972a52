"""Aurp: a fictional company of structural engineers, its database and its documents."""

from benchwright.builders.aurp.build import VERSION, build
from benchwright.builders.aurp.prove_cells import PROOF as CELLS
from benchwright.builders.aurp.prove_questions import PROOF as FACTS
from benchwright.builders.aurp.prove_rows import rules
from benchwright.builders.aurp.read_documents import read_answers
from benchwright.builders.sql.proofs.rows import sql_proof

PROOFS = (sql_proof(rules), FACTS, CELLS)

__all__ = ["PROOFS", "VERSION", "build", "read_answers"]
