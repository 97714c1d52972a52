"""Naive RAG of Kenneweg et al. (2024, section IV): recursive chunks with their title, cosine, five of them."""

from benchwright.benchmarks.grounding.recursive_chunking import CHARACTERS, OVERLAP, chunk_recursively
from benchwright.benchmarks.systems.baseline import Baseline
from benchwright.benchmarks.systems.dense_search import EMBEDDER, dense_retriever, embedder_settings

BASELINE = Baseline(
    what=(
        f"cuts documents recursively into chunks of at most {CHARACTERS:,} characters with {OVERLAP} of overlap, "
        "puts the title before each, and takes the {k} nearest to the question by the cosine of {vectors}"
    ),
    retriever=lambda documents, opening: dense_retriever(chunk_recursively(documents.values()), opening),
    settings=lambda opening: {
        "k": opening.k,
        "chunk_characters": CHARACTERS,
        "chunk_overlap": OVERLAP,
        **embedder_settings(opening),
    },
    asks=(EMBEDDER,),
)
