"""Is given the gold passages: what the reader makes of a perfect retrieval."""

from collections.abc import Mapping

from benchwright.benchmarks.grounding.chunking import WORDS
from benchwright.benchmarks.predictions import WITHOUT_GOLD
from benchwright.benchmarks.systems.base import Opening
from benchwright.benchmarks.systems.baseline import Baseline, Retriever
from benchwright.benchmarks.systems.conditions import gold_passages
from benchwright.benchmarks.types import Document


def _retriever(documents: Mapping[str, Document], opening: Opening) -> Retriever:
    return lambda attempt: [(passage, None) for passage in gold_passages(attempt.question, documents)]


BASELINE = Baseline(
    what="is given the gold passages",
    retriever=_retriever,
    settings=lambda opening: {"passage_words": WORDS},
    unsupported={WITHOUT_GOLD: "it is given nothing but gold passages"},
)
