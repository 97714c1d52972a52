"""Takes the best passages by BM25 (Robertson et al. 1994, as Lucene computes it)."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchwright.benchmarks.grounding.chunking import WORDS, chunk_documents
from benchwright.benchmarks.systems.base import Opening
from benchwright.benchmarks.systems.baseline import Baseline, Retriever
from benchwright.benchmarks.systems.ranked_passages import RankedPassages
from benchwright.benchmarks.text.words import content_words
from benchwright.benchmarks.types import Document


def _retriever(documents: Mapping[str, Document], opening: Opening) -> Retriever:
    import bm25s

    logging.getLogger("bm25s").setLevel(logging.WARNING)
    ranked = RankedPassages(chunk_documents(documents.values()))
    tokens: Sequence[list[str]] = [content_words(f"{each.title}\n{each.text}") for each in ranked.passages]
    if not any(tokens):
        return lambda attempt: []
    index: Any = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index(tokens, show_progress=False)
    known = index.vocab_dict

    def scores(question: str) -> np.ndarray:
        asked = [word for word in content_words(question) if word in known]
        return np.asarray(index.get_scores(asked), dtype=float) if asked else np.zeros(len(ranked.passages))

    return lambda attempt: ranked.best(scores(attempt.question.question), opening.k, attempt.without)


BASELINE = Baseline(
    what="takes the best {k} passages by BM25",
    retriever=_retriever,
    settings=lambda opening: {"k": opening.k, "passage_words": WORDS},
)
