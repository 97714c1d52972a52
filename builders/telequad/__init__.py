"""Questions with exact answers over technical specifications, and published SQuAD-style files.

build            the builder: documents → sections → what patterns ask → rows; or a published file
source           what is read: our own specifications, documents, or a published file
own              three fictional specifications, the default source
reading          documents one at a time, whose sections wait until they are asked about
questions        what is asked, a pattern a file
asked_by         rules, a language model, or both
asking           all that the patterns give, without what is ambiguous
quotas           which of it is asked
choosing         what parameters make of it
preview          what would be asked, on screen
split            train and test by document
passages         sections and rows of tables as the corpus
rows             questions, evidence and SQuAD's columns
prove_questions  what verify-benchmark proves of it (`prove_squad`, `prove_rows`)
triplets         hard negatives for training retrievers
prove_triplets   no negative says the answer of its question
offsets          releases without the documents' texts
published        SQuAD-style files as they stand (`faults`, `published_rows`)
"""

from benchwright.builders.telequad.build import VERSION, build, check_holdout
from benchwright.builders.telequad.offsets import documents_of, told_without_text
from benchwright.builders.telequad.preview import preview
from benchwright.builders.telequad.prove_questions import PROOF as QUESTIONS_PROOF
from benchwright.builders.telequad.prove_triplets import PROOF as TRIPLETS_PROOF

PROOFS = (QUESTIONS_PROOF, TRIPLETS_PROOF)

__all__ = ["PROOFS", "VERSION", "build", "check_holdout", "documents_of", "preview", "told_without_text"]
