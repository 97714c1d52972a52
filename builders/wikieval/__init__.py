"""WikiEval: for each question a better and a worse answer or context, for people to choose from (Es et al. 2024).

build            the builder: passages → pairs; or pairs from two runs
material         what its parts hand each other: passages, candidates, pairs
sources/         where passages come from: pages of a wiki, documents
making           from passages to pairs, by rule or by a model
rules/           questions, answers and worse answers by rule, of introductions
sections/        the same of sections of documents
contexts/        the wider context
models/          all parts by a model, each checked by rule
from_runs        pairs from what two systems said
rows             pairs as rows of a release
proofs/          what verify-benchmark proves of it
"""

from benchwright.builders.wikieval.build import VERSION, build, check_holdout, settings_to_rebuild
from benchwright.builders.wikieval.proofs.prove_pairs import pairs_proof

PROOFS = (pairs_proof(VERSION),)

__all__ = ["PROOFS", "VERSION", "build", "check_holdout", "settings_to_rebuild"]
