"""How long work says how far it is."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Is told what is done, how much of it, and of how much; 0 where that is not known."""


def silent(what: str, done: int, total: int) -> None:
    """Tells nobody."""
