"""Which items an estimate asks about really: a few of each step, ever farther apart, with all that follows from them.

What belongs to an item is asked in one task, so that the task knows whether its item is one of them, and whether what
it asks next rests on a reply that there is not.
"""

import math
from collections import Counter
from contextvars import ContextVar
from typing import Literal

_State = Literal["asked", "estimated", "imagined"]
_GOLDEN = (math.sqrt(5) - 1) / 2
_state: ContextVar[_State | None] = ContextVar("sampled", default=None)


class Samples:
    """Chooses items; see `ModelSettings.estimate_with`."""

    def __init__(self, wanted: int) -> None:
        """Args:
        wanted: of each step, at most.
        """
        self._places = frozenset(_place(number) for number in range(wanted))
        self.is_over = False
        """What follows rests on replies that there are not, and is not asked."""
        self._seen = Counter[str]()

    def choose(self, step: str) -> None:
        """Decides about the item of this task, where that is not done."""
        if _state.get() is not None:
            return
        number = self._seen[step]
        self._seen[step] += 1
        is_one = number in self._places and not self.is_over
        _state.set("asked" if is_one else "estimated")


def _place(number: int) -> int:
    """That of a sample among the items: between a square and the next, at no regular distance, since forms and kinds of
    questions come in turn.
    """
    return number**2 + int(number * _GOLDEN % 1 * (2 * number + 1))


def decide(*, is_asked: bool) -> None:
    """Decides about the item of this task."""
    _state.set("asked" if is_asked else "estimated")


def imagine() -> None:
    """What this task asks from now on rests on a reply that there is not: it is only estimated."""
    _state.set("imagined")


def is_asked() -> bool:
    """Whether the item of this task is asked about really."""
    return _state.get() == "asked"


def is_imagined() -> bool:
    """Whether what this task asks rests on a reply that there is not."""
    return _state.get() == "imagined"
