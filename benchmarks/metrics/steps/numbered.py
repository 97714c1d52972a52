"""Verdicts on numbered things: a reply that leaves one out, or judges one twice, does not fit and is asked for anew."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, TypeVar, cast


class HasVerdicts(Protocol):
    """A reply with verdicts on several things."""

    @property
    def verdicts(self) -> Sequence[Any]:
        """One on each."""
        ...


T = TypeVar("T", bound=HasVerdicts)


@cache
def one_on_each(reply: type[T], count: int, what: str, number: str = "number") -> type[T]:
    """The replies of a kind that have one verdict on each of so many things; others are asked for anew.

    What is asked for is the same for all numbers: the name and the documentation of the kind, both of which are sent.

    Args:
        reply: the kind, a frozen dataclass.
        count: how many things there are.
        what: what is judged, in the plural: for the message.
        number: the field of a verdict that says which thing it is of, from 1.
    """

    def refuse_others(self: T) -> None:
        refuse_other_numbers([getattr(each, number) for each in self.verdicts], count, what)

    counted = type(reply.__name__, (reply,), {"__doc__": reply.__doc__, "__post_init__": refuse_others})
    return cast("type[T]", dataclass(frozen=True)(counted))


def refuse_other_numbers(numbers: Sequence[int], count: int, what: str) -> None:
    """Refuses the numbers of verdicts that are not 1 to `count`, each once, in whatever order.

    Args:
        numbers: of the verdicts, as they came.
        count: how many things there are.
        what: what is judged, in the plural: for the message.

    Raises:
        ValueError: one is missing, doubled, or of nothing.
    """
    found = sorted(numbers)
    if found != list(range(1, count + 1)):
        raise ValueError(f"there are {count} {what}, and verdicts on {', '.join(map(str, found)) or 'none'}")
