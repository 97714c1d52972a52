"""Takes the best passages by BM25 (Robertson et al. 1994, as Lucene computes it)."""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from benchwright.benchmarks.grounding.chunking import WORDS, chunk_documents
from benchwright.benchmarks.systems.base import Opening
from benchwright.benchmarks.systems.baseline import Baseline, Retriever
from benchwright.benchmarks.systems.ranked_passages import RankedPassages
from benchwright.benchmarks.text.words import content_words
from benchwright.benchmarks.types import Document


def index_words(texts: Sequence[Sequence[str]]) -> Callable[[Sequence[str]], np.ndarray]:
    """Indexes texts by their content words. Returns what scores each of them for the content words of a question."""
    if not any(texts):
        return lambda asked: np.zeros(len(texts))
    import bm25s

    logging.getLogger("bm25s").setLevel(logging.WARNING)
    index: Any = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index(list(map(list, texts)), show_progress=False)
    known = index.vocab_dict

    def scores(asked: Sequence[str]) -> np.ndarray:
        there = [word for word in asked if word in known]
        return np.asarray(index.get_scores(there), dtype=float) if there else np.zeros(len(texts))

    return scores


def _retriever(documents: Mapping[str, Document], opening: Opening) -> Retriever:
    ranked = RankedPassages(chunk_documents(documents.values()))
    tokens = [content_words(f"{each.title}\n{each.text}") for each in ranked.passages]
    if not any(tokens):
        return lambda attempt: []
    scores = index_words(tokens)
    return lambda attempt: ranked.best(scores(content_words(attempt.question.question)), opening.k, attempt.without)


BASELINE = Baseline(
    what="takes the best {k} passages by BM25",
    retriever=_retriever,
    settings=lambda opening: {"k": opening.k, "passage_words": WORDS},
)
