"""Remembers what functions of texts gave, as far as the texts are not too many characters in all.

`functools.lru_cache` counts entries: a few thousand answers or contexts of megabytes would fill the memory.
"""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

Found = TypeVar("Found")

_ABSENT: Any = object()


def remembers(characters: int) -> Callable[[Callable[..., Found]], Callable[..., Found]]:
    """Makes a function of a text, and of other hashable values, remember what it gave.

    Args:
        characters: of all texts that it remembers, at the most; where they would be more it forgets all of them.
    """

    def decorate(function: Callable[..., Found]) -> Callable[..., Found]:
        kept: dict[Any, Found] = {}
        size = 0

        @functools.wraps(function)
        def remembering(text: str, *others: Any) -> Found:
            nonlocal size
            key = (text, *others) if others else text
            found: Any = kept.get(key, _ABSENT)
            if found is _ABSENT:
                found = function(text, *others)
                if len(text) <= characters:
                    if size + len(text) > characters:
                        kept.clear()
                        size = 0
                    kept[key] = found
                    size += len(text)
            return found

        return remembering

    return decorate
