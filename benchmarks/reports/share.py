"""A share with what it is of."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """A count of a total; of nothing there is no value, and the reason says why."""

    value: float | None
    count: int | float
    """Whole, but of an expected count."""
    total: int
    reason: str | None = None


def share(count: int | float, total: int, reason: str | None = None) -> Share:
    """A share; `reason` says why there is none where the total is 0."""
    return Share(count / total, count, total) if total else Share(None, count, total, reason)


def share_of(outcomes: Sequence[bool], reason: str | None = None) -> Share:
    """The share of outcomes that are true."""
    return share(sum(outcomes), len(outcomes), reason)
