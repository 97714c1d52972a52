"""How a command that asks models is stopped: Ctrl-C and SIGTERM, and what is said while replies are awaited."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import click

_REPEATED = 30
"""Seconds between two lines where stderr is no terminal."""


class Countdown:
    """Says how many replies are awaited, and how long at most: on a terminal in one line that changes."""

    def __init__(self, *, is_asked: bool) -> None:
        """Begins.

        Args:
            is_asked: a person has stopped the command, and reads it at once; else only what takes a second is said.
        """
        self._again, self._skips = " again" if is_asked else "", not is_asked
        self._said: int | None = None

    def __call__(self, count: int, seconds: int) -> None:
        """Says it."""
        if self._skips:
            self._skips = False
            return
        replies = "1 reply is on its way" if count == 1 else f"{count:,} replies are on their way"
        them = "it" if count == 1 else "them"
        line = f"stopping: {replies}, waiting at most {seconds:,} s; Ctrl-C{self._again} leaves {them}"
        if sys.stderr.isatty():
            click.echo(f"\r{line}\x1b[K", err=True, nl=False)
        elif self._said is None or seconds <= self._said - _REPEATED:
            click.echo(line, err=True)
        else:
            return
        self._said = seconds

    def end(self) -> None:
        """Ends the line."""
        if self._said is not None and sys.stderr.isatty():
            click.echo(err=True)


@contextmanager
def signal_as_ctrl_c(number: int) -> Iterator[list[int]]:
    """Makes a signal do what Ctrl-C does, where it would end the program. Yields a list that it is in once it came."""
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(number) != signal.SIG_DFL:
        yield came
        return

    def interrupt(got: int, _: FrameType | None) -> None:
        came.append(got)
        raise KeyboardInterrupt

    signal.signal(number, interrupt)
    try:
        yield came
    finally:
        signal.signal(number, signal.SIG_DFL)
