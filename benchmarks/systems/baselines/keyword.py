"""Takes the documents that share the most words with the question: deliberately weak."""

from collections.abc import Mapping

import numpy as np

from benchwright.benchmarks.systems.base import Opening
from benchwright.benchmarks.systems.baseline import Baseline, Retriever
from benchwright.benchmarks.systems.conditions import whole_document
from benchwright.benchmarks.systems.ranked_passages import RankedPassages
from benchwright.benchmarks.text.words import words
from benchwright.benchmarks.types import Document


def _retriever(documents: Mapping[str, Document], opening: Opening) -> Retriever:
    ranked = RankedPassages([whole_document(document) for document in documents.values()])
    places: dict[str, list[int]] = {}
    for place, passage in enumerate(ranked.passages):
        for word in {*words(passage.title), *words(passage.text)}:
            places.setdefault(word, []).append(place)
    postings = {word: np.array(found) for word, found in places.items()}

    def shared_words(question: str) -> np.ndarray:
        shared = np.zeros(len(ranked.passages))
        for word in set(words(question)):
            if word in postings:
                shared[postings[word]] += 1
        return shared

    return lambda attempt: ranked.best(shared_words(attempt.question.question), opening.k, attempt.without)


BASELINE = Baseline(
    what="takes the {k} documents that share the most words with the question, deliberately weak",
    retriever=_retriever,
    settings=lambda opening: {"k": opening.k},
)
