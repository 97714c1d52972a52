"""Aurp: a fictional company of structural engineers, its database and its documents."""

from benchwright.builders.aurp.build import VERSION, build
from benchwright.builders.aurp.prove_questions import PROOF as FACTS
from benchwright.builders.sql.wordings_proof import PROOF as WORDINGS

PROOFS = (WORDINGS, FACTS)

__all__ = ["PROOFS", "VERSION", "build"]
