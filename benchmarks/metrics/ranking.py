"""Ranked documents against gold documents, for many questions at once.

Values equal trec_eval's (trec_eval 9), of binary relevance and rankings without ties: of contexts the order counts.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class Ranks(NamedTuple):
    """Where the relevant documents of questions with equally many of them stand."""

    places: list[int]
    """Which questions these are, of those that were given."""
    ranks: Floats
    """From 1, of shape (questions, relevant documents); infinite where a document was not retrieved."""


Measure = Callable[[Floats, int], Floats]
"""Values of questions, given the ranks of their relevant documents, as in `Ranks`, and a cut-off."""


def ranks_of(retrieved: Sequence[list[str] | None], relevant: Sequence[tuple[str, ...]]) -> list[Ranks]:
    """The ranks of those questions that have relevant documents and of which the retrieved ones are known.

    Questions with equally many relevant documents stand together: a sum over more columns than a question has would be
    added up in another order, and differ in the last bit.

    Args:
        retrieved: of each question, the best first, each document once.
        relevant: of each question.
    """
    found: dict[int, tuple[list[int], list[list[float]]]] = {}
    for place, (ranked, documents) in enumerate(zip(retrieved, relevant, strict=True)):
        if documents and ranked is not None:
            gold = _in_order(documents)
            places, rows = found.setdefault(len(gold), ([], []))
            places.append(place)
            rows.append([ranked.index(each) + 1 if each in ranked else math.inf for each in gold])
    return [Ranks(places, np.array(rows, dtype=float)) for places, rows in found.values()]


@functools.lru_cache(maxsize=100_000)
def _in_order(documents: tuple[str, ...]) -> tuple[str, ...]:
    """Each document once; the order of sums."""
    return tuple(sorted(set(documents), reverse=True))
