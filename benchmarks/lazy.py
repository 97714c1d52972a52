"""Attributes that are found when they are first looked at, and then kept."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Found = TypeVar("Found")


class Once(Generic[Found]):
    """`functools.cached_property` without its lock, which in Python 3.11 costs more than much of what is found here.

    Two threads may find the same thing twice, and keep either.
    """

    def __init__(self, find: Callable[[Any], Found]) -> None:
        self.find, self.name, self.__doc__ = find, find.__name__, find.__doc__

    def __get__(self, instance: object, owner: type | None = None) -> Found:
        # Python looks into an instance's dictionary first: what is put there is found without coming here again.
        found = instance.__dict__[self.name] = self.find(instance)
        return found
