"""How a wiki is asked without being a burden: so many requests a minute, so many at once, and waiting when it says so.

The limits are the Wikimedia Foundation's for clients that name themselves (https://www.mediawiki.org/wiki/API:Etiquette).
"""

import logging
import threading
import time
from collections import deque
from typing import Any, Self

from requests import PreparedRequest, Response
from requests.adapters import HTTPAdapter
from urllib3 import BaseHTTPResponse, Retry

from benchwright.benchmarks.errors import StopError

log = logging.getLogger("benchwright")

LONGEST_WAIT = 600.0
"""Seconds. A wiki that asks for a longer rest gets it: the work stops, and is taken up by a later start."""
_BUSY = (429, 500, 502, 503, 504)
_FIRST_WAIT = 0.5
"""Seconds before a busy wiki that does not say how long is asked again; twice that the next time."""


class Pace:
    """At most `most` requests in any span of `seconds`, across threads; and what was asked is counted."""

    def __init__(self, most: int, seconds: float = 60.0) -> None:
        self.seconds = seconds
        self._sent: deque[float] = deque(maxlen=most)
        self._lock = threading.Lock()
        self._resumes = 0.0
        self._given_up = threading.Event()
        self._mine = threading.local()
        self.requests = 0
        """All requests so far, those included that failed and were sent again."""

    @property
    def by_this_thread(self) -> int:
        """Requests that the calling thread has sent."""
        return getattr(self._mine, "requests", 0)

    def take(self) -> None:
        """Waits for the next request's turn, and counts it."""
        while True:
            with self._lock:
                now = time.monotonic()
                full = len(self._sent) == self._sent.maxlen
                due = max(self._resumes, self._sent[0] + self.seconds if full else 0.0)
                if due <= now:
                    self._sent.append(now)
                    self.requests += 1
                    self._mine.requests = self.by_this_thread + 1
                    return
            if self._given_up.wait(due - now):
                raise StopError("given up while waiting for the wiki")

    def pause(self, seconds: float) -> None:
        """Nothing is sent for a while, by no thread."""
        with self._lock:
            self._resumes = max(self._resumes, time.monotonic() + seconds)

    def give_up(self) -> None:
        """Whoever waits, now or later, stops with an error."""
        self._given_up.set()


class Patience(Retry):
    """A busy wiki is asked again after the time that it names: urllib3's rules, in step with the pace."""

    pace: Pace

    @classmethod
    def within(cls, pace: Pace, times: int) -> Self:
        """Asks a busy wiki `times` more."""
        patience = cls(
            total=None, connect=0, read=0, redirect=5, other=0, status=times,
            status_forcelist=_BUSY, allowed_methods=None, backoff_factor=_FIRST_WAIT,
        )  # fmt: skip
        patience.pace = pace
        return patience

    def new(self, **kw: Any) -> Self:
        """The same with other counts, as urllib3 makes one after each reply."""
        patience = super().new(**kw)
        patience.pace = self.pace
        return patience

    def sleep(self, response: BaseHTTPResponse | None = None) -> None:
        """Rests as long as the wiki asks for, else twice as long as the last time."""
        named = self.get_retry_after(response) if response is not None else None
        status = response.status if response is not None else 0
        if named and named > LONGEST_WAIT:
            raise StopError(
                f"the wiki asks for {named:.0f} seconds of rest (HTTP {status}): start again after that; "
                "what has arrived is kept"
            )
        seconds = named or max(self.get_backoff_time(), _FIRST_WAIT)
        log.log(
            logging.WARNING if seconds >= 5 else logging.INFO,
            "the wiki is busy (HTTP %d): waiting %.0f s",
            status,
            seconds,
        )
        self.pace.pause(seconds)
        self.pace.take()


class PacedAdapter(HTTPAdapter):
    """Sends requests in their turn, over as many connections as may be open at once."""

    def __init__(self, pace: Pace, at_once: int, times: int) -> None:
        self._pace = pace
        self._open = threading.BoundedSemaphore(at_once)
        super().__init__(pool_maxsize=at_once, pool_block=True, max_retries=Patience.within(pace, times))

    def send(self, request: PreparedRequest, *arguments: Any, **options: Any) -> Response:
        """One request, and its repetitions while the wiki is busy."""
        with self._open:
            self._pace.take()
            return super().send(request, *arguments, **options)
