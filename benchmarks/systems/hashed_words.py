"""Vectors without a model, for trying things out: each word stands at a few places by its hash.

Texts that share words are near; that two words may mean the same it does not know, and it claims no quality.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from benchwright.benchmarks.models.embedding_folder import unit_length
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
        places, signs = zip(*map(_places, counted), strict=True)
        weights = np.sqrt(np.fromiter(counted.values(), dtype=np.float32))[:, None]
        np.add.at(vectors[row], np.array(places), np.array(signs, dtype=np.float32) * weights)
    return unit_length(vectors)


@lru_cache(maxsize=100_000)
def _places(word: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Where a word stands, and with which sign."""
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=4 * _PLACES).digest()
    numbers = [int.from_bytes(digest[at : at + 4], "little") for at in range(0, 4 * _PLACES, 4)]
    return tuple((number >> 1) % DIMENSIONS for number in numbers), tuple(1.0 if n & 1 else -1.0 for n in numbers)
