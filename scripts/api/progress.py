"""How far a call is: told to a function, or on one line that is written over, in a terminal as in a notebook."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from benchwright.benchmarks.progress import Progress, silent

SECONDS = 0.2
"""Between two lines, at least."""


@contextmanager
def told(progress: bool | Progress) -> Iterator[Progress]:
    """Who is told: nobody, whoever is given, or with True whoever reads stderr."""
    if progress is not True:
        yield progress or silent
        return
    written, width, what_was = -SECONDS, 0, ""

    def write(what: str, done: int, total: int) -> None:
        nonlocal written, width, what_was
        now = time.monotonic()
        if what == what_was and now - written < SECONDS and done != total:
            return
        text = f"{what}: {done:,} of {total:,}" if total else f"{what}: {done:,}"
        sys.stderr.write(f"\r{text.ljust(width)}")
        sys.stderr.flush()
        written, width, what_was = now, len(text), what

    try:
        yield write
    finally:
        if width:
            sys.stderr.write("\n")
