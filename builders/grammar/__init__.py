"""GRAMMAR-Gen: questions and executed gold answers from a SQL database (Li, Liu and Gao, 2024).

build            the builder: schema → templates → fillings → questions, with what was proved and left out
records          a corpus for a database that has none: a record for each executed query
"""

from benchwright.builders.grammar.build import VERSION, build, check_holdout
from benchwright.builders.sql.wordings_proof import PROOF as WORDINGS

PROOFS = (WORDINGS,)

__all__ = ["PROOFS", "VERSION", "build", "check_holdout"]
