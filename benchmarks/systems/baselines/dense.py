"""Takes the passages whose vectors are nearest to the question's, by cosine."""

from benchwright.benchmarks.grounding.chunking import WORDS, chunk_documents
from benchwright.benchmarks.systems.baseline import Baseline
from benchwright.benchmarks.systems.dense_search import EMBEDDER, dense_retriever, embedder_settings

BASELINE = Baseline(
    what="takes the {k} passages nearest to the question by the cosine of {vectors}",
    retriever=lambda documents, opening: dense_retriever(chunk_documents(documents.values()), opening),
    settings=lambda opening: {"k": opening.k, "passage_words": WORDS, **embedder_settings(opening)},
    asks=(EMBEDDER,),
)
