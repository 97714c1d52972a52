"""How fast requests to one endpoint leave: requests and tokens per minute, and as many at once as it bears."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from benchwright.benchmarks.remote.rate_limit import RateLimit

_SPACING = 1.005
"""Times the exact distance of two requests, so that an endpoint that counts a minute never counts one too many."""


@dataclass(frozen=True, slots=True)
class Permit:
    """A request that may leave."""

    started: float
    """On the monotonic clock, in seconds."""
    tokens: int
    """As they were estimated."""


class EndpointLimit:
    """The limits of one endpoint. Requests leave in the order in which they came; belongs to one event loop.

    Requests and tokens are spread evenly over the minute. After a 429 the number at once is halved, once for all
    requests that were in flight together; each success gives back a part of one, so that a full round of successes adds
    one.
    """

    def __init__(
        self, at_once: int, requests_per_minute: int | None = None, tokens_per_minute: int | None = None
    ) -> None:
        self.most = at_once
        self.at_once = float(at_once)
        """How many may be in flight now; its whole part counts."""
        self.running = 0
        self._rate = RateLimit(
            1 if requests_per_minute else None,
            60.0 / requests_per_minute * _SPACING if requests_per_minute else 0.0,
            tokens_per_minute / _SPACING if tokens_per_minute else None,
        )
        self._halved = 0.0
        self._turn = asyncio.Lock()
        self._freed = asyncio.Event()

    @asynccontextmanager
    async def permit(self, tokens: int) -> AsyncIterator[Permit]:
        """Waits until a request of so many tokens may leave, and holds its place while it is on its way."""
        async with self._turn:
            while True:
                if self.running >= max(1, int(self.at_once)):
                    self._freed.clear()
                    await self._freed.wait()
                elif seconds := self._rate.take(tokens):
                    await asyncio.sleep(seconds)
                else:
                    break
            self.running += 1
        try:
            yield Permit(time.monotonic(), tokens)
        finally:
            self.running -= 1
            self._freed.set()

    def used(self, permit: Permit, tokens: int) -> None:
        """Corrects the estimate once the endpoint has said how many tokens a request took."""
        self._rate.used(permit.tokens, tokens)

    def succeeded(self) -> None:
        """A response came: a little more at once."""
        if self.at_once < self.most:
            self.at_once = min(self.most, self.at_once + 1.0 / self.at_once)

    def refused(self, permit: Permit, pause: float | None) -> None:
        """A 429 came: half as many at once, and nobody leaves before the pause is over.

        Args:
            permit: of the request that was refused.
            pause: seconds, as the endpoint said; None where it did not.
        """
        if permit.started >= self._halved:
            self.at_once = max(1.0, self.at_once / 2)
            self._halved = time.monotonic()
        if pause is not None:
            self._rate.pause(pause)
