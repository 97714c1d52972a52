"""Attributes that are computed when they are first looked at, and then kept."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class CachedProperty(Generic[Value]):
    """`functools.cached_property` without its lock, which in Python 3.11 costs more than much of what is computed here.

    Two threads may compute the same value twice, and keep either.
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self.compute, self.name, self.__doc__ = compute, compute.__name__, compute.__doc__

    def __get__(self, instance: object, owner: type | None = None) -> Value:
        # Python looks into an instance's dictionary first: what is put there is found without coming here again.
        value = instance.__dict__[self.name] = self.compute(instance)
        return value
