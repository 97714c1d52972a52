"""Passages and their scores for a question: the best k of them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.base import Retrieved

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RankedPassages:
    """The passages that a retriever scores."""

    passages: Sequence[Passage]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Document → the places of its passages."""
        places: dict[str, list[int]] = {}
        for place, passage in enumerate(self.passages):
            places.setdefault(passage.document, []).append(place)
        return places

    def best(self, scores: Floats, k: int, without: Collection[str] = (), above: float = 0.0) -> Retrieved:
        """The k passages of the highest scores above a limit, in a tie the first, none of the documents `without`."""
        for document in without:
            scores[self._places.get(document, [])] = above
        return [(self.passages[place], round(float(scores[place]), 4)) for place in _best_places(scores, k, above)]


def _best_places(scores: Floats, k: int, above: float) -> list[int]:
    k = min(k, len(scores))
    if not k:
        return []
    limit = np.partition(scores, len(scores) - k)[len(scores) - k]
    places = np.flatnonzero((scores >= limit) & (scores > above))
    return places[np.argsort(-scores[places], kind="stable")][:k].tolist()
