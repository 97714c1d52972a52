"""WikiEval: for each question a better and a worse answer or context, for people to choose from (Es et al. 2024).

build            the builder: passages → pairs; or pairs from two runs
material         what its parts hand each other: passages, candidates, pairs
passages         where passages come from
pages            introductions of new pages about events (`events`), and sentences of pages that link to them
                 (`introductions`, `page_neighbours`)
from_documents   sections of a user's own documents, and sentences of their neighbours (`document_passages`)
from_runs        pairs from what two systems said
making           from passages to pairs, by rule or by a model
by_rule          all parts of a pair by rule
questions        among them: the question and its grounded answer (`facts`, `plain_facts`, `subject_names`,
                 `statements`, `paper_rules`)
section_questions, section_candidates
                 the same of sections of documents, by what a sentence tells in figures (`section_figures`) and in words
                 (`section_statements`, `main_clauses`)
ungrounded, incomplete
                 the worse answers (`swaps`)
by_model         all parts by a model (`asking`), each checked by rule (`candidate_checks`)
fallbacks        what rules make of a model's answer where the model gives no worse one
wider_contexts   the worse context, by rule or by a model (`wider_sentences`, `leaning`)
rows             pairs as rows of a release
prove_pairs      what verify-benchmark proves of it (`prove_candidates`, `prove_again`, `prove_counts`, `prove_pages`;
                 of two runs `prove_runs`)
"""

from benchwright.builders.wikieval.build import VERSION, build, check_holdout, settings_to_rebuild
from benchwright.builders.wikieval.prove_pairs import pairs_proof

PROOFS = (pairs_proof(VERSION),)

__all__ = ["PROOFS", "VERSION", "build", "check_holdout", "settings_to_rebuild"]
