"""How long an answer waited for models, and how long they took: kept replies as long as they took at first."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Waiting:
    """The waiting for models of one answer, in seconds; what it asks at once counts one after the other."""

    waited: float = 0.0
    """Now, for replies that were used, with what waits for limits and repeats requests."""
    took: float = 0.0
    """The same replies, each when it was made."""
    is_known: bool = True
    """It is known of each how long it took."""

    def of(self, elapsed: float) -> float | None:
        """How long an answer takes of which so much time has passed; None where it is not known."""
        return max(0.0, elapsed - self.waited) + self.took if self.is_known else None


_current: ContextVar[Waiting | None] = ContextVar("waiting", default=None)


@contextmanager
def watched_waiting() -> Iterator[Waiting]:
    """Notes what is waited for in this block, also by tasks that are begun in it."""
    watch = Waiting()
    token = _current.set(watch)
    try:
        yield watch
    finally:
        _current.reset(token)


@contextmanager
def waiting() -> Iterator[None]:
    """A block that waits for a reply; where it ends without one, that took as long as it did."""
    watch = _current.get()
    if watch is None:
        yield
        return
    started = time.perf_counter()
    try:
        yield
    except BaseException:
        watch.took += time.perf_counter() - started
        raise
    finally:
        watch.waited += time.perf_counter() - started


def took(latency: float | None) -> None:
    """Says how long a reply took that is used in such a block."""
    watch = _current.get()
    if watch is None:
        return
    if latency is None:
        watch.is_known = False
    else:
        watch.took += latency
