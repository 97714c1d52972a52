"""Drawing without a source of chance: a page's place depends on nothing but the seed."""

import math
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from random import Random

from benchwright.benchmarks.hashing import rank

_SORTED_UP_TO = 200_000
"""How many ids are put in order at once; of more, ids are drawn one by one."""


def page_rank(seed: int, what: str, key: int | str) -> bytes:
    """A page's place in the order of a seed."""
    return rank(seed, what, key, joined_by=":", algorithm="sha256")


def in_order(seed: int, what: str, keys: Iterable[int]) -> list[int]:
    """Keys in the order of a seed: any first part of it is a uniform sample."""
    return sorted(keys, key=lambda key: page_rank(seed, what, key))


def draw_ids(seed: int, what: str, highest: int) -> Iterator[int]:
    """Numbers from 1 to `highest` in the order of a seed, each once; of very many only nearly all."""
    if highest <= _SORTED_UP_TO:
        yield from in_order(seed, what, range(1, highest + 1))
        return
    random, seen = Random(f"{seed}:{what}"), set[int]()
    for _ in range(5 * highest):
        number = 1 + math.floor(random.random() * highest)
        if number not in seen:
            seen.add(number)
            yield number


def draw_slots(seed: int, start: datetime, end: datetime, length: timedelta) -> Iterator[tuple[datetime, datetime]]:
    """All spans of a length between two times, in the order of a seed. The last one may be shorter."""
    count = math.ceil((end - start) / length)
    for index in draw_ids(seed, "slot", count):
        first = start + (index - 1) * length
        yield first, min(first + length, end)
