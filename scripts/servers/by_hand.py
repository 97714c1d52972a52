"""What servers that a person starts by hand have in common: how they stop, and what they say."""

import errno
import signal
import sys
import threading


def stopped_by_signals() -> threading.Event:
    """An event that is set by Ctrl-C and by SIGTERM, which then end nothing else."""
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    return stopped


def why_it_cannot_start(error: Exception, port: int) -> str:
    """Why a server cannot listen at a port, in words."""
    in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
    return f"port {port} is in use: name another with --port" if in_use else str(error)


def say(text: str) -> None:
    """Prints a line, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
