"""How a wiki is asked without being a burden: so many requests a minute, so many at once, and waiting when it says so.

The limits are the Wikimedia Foundation's for clients that name themselves (https://www.mediawiki.org/wiki/API:Etiquette).
"""

import logging
import threading
from typing import Any, Self

from requests import PreparedRequest, Response
from requests.adapters import HTTPAdapter
from urllib3 import BaseHTTPResponse, Retry

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.remote.rate_limit import RateLimit

log = logging.getLogger("benchwright")

LONGEST_WAIT = 600.0
"""Seconds. A wiki that asks for a longer rest gets it: the work stops, and is taken up by a later start."""
_BUSY = (429, 500, 502, 503, 504)
_FIRST_WAIT = 0.5
"""Seconds before a busy wiki that does not say how long is asked again; twice that the next time."""


class CountedRateLimit(RateLimit):
    """A rate limit that counts what leaves."""

    def __init__(self, most: int, seconds: float) -> None:
        super().__init__(most, seconds)
        self._by_thread = threading.local()

    @property
    def sent_by_this_thread(self) -> int:
        """Requests that the calling thread has sent, those included that failed and were sent again."""
        return getattr(self._by_thread, "sent", 0)

    def wait(self) -> None:
        """Blocks the thread until a request may leave, and counts it."""
        super().wait()
        self._by_thread.sent = self.sent_by_this_thread + 1


class BusyRetry(Retry):
    """Asks a busy wiki again after the time that it names: urllib3's rules, within the rate limit."""

    rate: CountedRateLimit

    @classmethod
    def within(cls, rate: CountedRateLimit, times: int) -> Self:
        """Asks a busy wiki `times` more."""
        retry = cls(
            total=None, connect=0, read=0, redirect=5, other=0, status=times,
            status_forcelist=_BUSY, allowed_methods=None, backoff_factor=_FIRST_WAIT,
        )  # fmt: skip
        retry.rate = rate
        return retry

    def new(self, **kw: Any) -> Self:
        """The same with other counts, as urllib3 makes one after each reply."""
        retry = super().new(**kw)
        retry.rate = self.rate
        return retry

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
        self.rate.pause(seconds)
        self.rate.wait()


class LimitedAdapter(HTTPAdapter):
    """Sends requests in their turn, over as many connections as may be open at once."""

    def __init__(self, rate: CountedRateLimit, at_once: int, times: int) -> None:
        self._rate = rate
        self._open = threading.BoundedSemaphore(at_once)
        super().__init__(pool_maxsize=at_once, pool_block=True, max_retries=BusyRetry.within(rate, times))

    def send(self, request: PreparedRequest, *arguments: Any, **options: Any) -> Response:
        """One request, and its repetitions while the wiki is busy."""
        with self._open:
            self._rate.wait()
            return super().send(request, *arguments, **options)
