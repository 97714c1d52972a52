"""How long work says how far it is, and how long it took."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

log = logging.getLogger("benchwright")

Progress = Callable[[str, int, int], None]
"""Is told what is done, how much of it, and of how much; 0 where that is not known."""


def silent(what: str, done: int, total: int) -> None:
    """Tells nobody."""


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Logs how long work took, in seconds and in those of the processor: `--verbose` shows it."""
    began, worked = time.perf_counter(), time.process_time()
    yield
    taken = time.perf_counter() - began, time.process_time() - worked
    log.info("%s: %.2f s, %.2f s of the processor", what, *taken)
