"""When a request may leave: so many in any span of time, tokens spread evenly, rests that the other side asks for."""

import threading
import time
from collections import deque

from benchwright.benchmarks.errors import StopError


class RateLimit:
    """At most `most` requests in any span of `seconds`, and `tokens_per_minute`. Threads and event loops may share it.

    Code that runs in threads calls `wait`; code in an event loop calls `take` and sleeps as long as that says.
    """

    def __init__(self, most: int | None = None, seconds: float = 60.0, tokens_per_minute: float | None = None) -> None:
        self._sent: deque[float] = deque(maxlen=most)
        """When the last requests left."""
        self._most, self._seconds = most, seconds
        self._token_gap = 60.0 / tokens_per_minute if tokens_per_minute else 0.0
        self._next_tokens = self._paused_until = 0.0
        self._lock = threading.Lock()
        self._stopped = threading.Event()

    def take(self, tokens: int = 0) -> float:
        """Counts a request that leaves now and returns 0; where none may leave yet, the seconds until one may."""
        with self._lock:
            now = time.monotonic()
            due = max(self._paused_until, self._next_tokens)
            if self._most is not None and len(self._sent) == self._most:
                due = max(due, self._sent[0] + self._seconds)
            if due > now:
                return due - now
            if self._most is not None:
                self._sent.append(now)
            if self._token_gap:
                self._next_tokens = max(now, self._next_tokens) + tokens * self._token_gap
            return 0.0

    def wait(self) -> None:
        """Blocks the thread until a request may leave, and counts it.

        Raises:
            StopError: `stop` was called.
        """
        while seconds := self.take():
            if self._stopped.wait(seconds):
                raise StopError("stopped while a request waited for its turn")

    def used(self, estimated: int, tokens: int) -> None:
        """Corrects the tokens of a request that has left, once it is known how many it took."""
        with self._lock:
            self._next_tokens += (tokens - estimated) * self._token_gap

    def pause(self, seconds: float) -> None:
        """Nothing leaves for so long."""
        with self._lock:
            self._paused_until = max(self._paused_until, time.monotonic() + seconds)

    def stop(self) -> None:
        """Whoever blocks in `wait`, now or later, gets a StopError."""
        self._stopped.set()
