"""Vectors without a model, for trying things out: each word stands at a few places by its hash.

Texts that share words are near; that two words may mean the same it does not know, and it claims no quality.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.models.embedding.folder import unit_length
from benchwright.benchmarks.models.responses import Vectors
from benchwright.benchmarks.text.words import content_words

DIMENSIONS = 1024
_PLACES = 4
"""Of a word."""


def hash_words(texts: Sequence[str]) -> Vectors:
    """The vectors of some texts, one a row, of length 1: rows of zeros where a text has no word of content."""
    vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
    for row, text in enumerate(texts):
        counted = Counter(content_words(text))
        if not counted:
            continue
        places = np.concatenate([_places(word) for word in counted])
        weights = np.repeat(np.sqrt(np.fromiter(counted.values(), dtype=float)), _PLACES)
        vectors[row] = np.bincount(places >> 1, np.where(places & 1, weights, -weights), DIMENSIONS)
    return unit_length(vectors)


@lru_cache(maxsize=100_000)
def _places(word: str) -> npt.NDArray[np.int64]:
    """Where a word stands, twice, and one more where it counts positively."""
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=4 * _PLACES).digest()
    return np.frombuffer(digest, dtype="<u4").astype(np.int64) % (2 * DIMENSIONS)
