"""Draws that no library version can change: hashes, and `random.Random.random()` seeded by a hash."""

import itertools
import random
from collections.abc import Callable, Sequence
from typing import TypeVar

from benchwright.benchmarks.hashing import rank

T = TypeVar("T")


def _number(parts: tuple[object, ...]) -> int:
    return int.from_bytes(rank(*parts, joined_by="\x1f", algorithm="sha256")[:8], "big")


def _is_secret(part: object) -> bool:
    return isinstance(part, int) and part.bit_length() > 64


def _hashes(parts: tuple[object, ...]) -> Callable[[], float]:
    numbers = itertools.count()
    return lambda: fraction(*parts, next(numbers))


def fraction(*parts: object) -> float:
    """A number from 0 (included) to 1 (excluded) that depends on the parts alone."""
    return (_number(parts) >> 11) / (1 << 53)


class Draw:
    """A stream of draws that depends on the parts it was made from alone.

    A seed of more than 64 bits is a secret: then every draw is a hash of its own. From many draws of one
    `random.Random` those that follow can be computed, and a stream that begins with 64 bits can be found by trial.
    """

    __slots__ = ("random",)

    def __init__(self, *parts: object) -> None:
        self.random = _hashes(parts) if any(map(_is_secret, parts)) else random.Random(_number(parts)).random

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.random() < probability

    def below(self, limit: int) -> int:
        """A whole number from 0 to limit - 1."""
        return int(self.random() * limit)

    def between(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + int(self.random() * (high - low + 1))

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[int(self.random() * len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """All items in another order."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = int(self.random() * (last + 1))
            result[last], result[other] = result[other], result[last]
        return result
