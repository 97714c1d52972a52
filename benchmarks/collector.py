"""Python's garbage collector, spared what it would find nothing in."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_THRESHOLDS = (100_000, 10, 10)


@contextmanager
def settled_memory() -> Iterator[None]:
    """Spares the collector what is in memory now, and walks new objects seldom: for loops over many small records.

    Questions and predictions hold no circles; walking them again and again took a quarter of the time.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
