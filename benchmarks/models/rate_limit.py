"""How fast requests may leave: requests and tokens per minute, and as many at once as the endpoint bears."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

_SPACING = 1.005
"""Times the exact distance of two requests, so that an endpoint that counts a minute never counts one too many."""


@dataclass
class Place:
    """A request that may leave."""

    started: float
    tokens: int
    """As they were estimated."""


class Limits:
    """The limits of one endpoint. Requests leave in the order in which they came; belongs to one event loop.

    After a 429 the number at once is halved, once for all requests that were in flight together; each success gives
    back a part of one, so that a full round of successes adds one.
    """

    def __init__(
        self, at_once: int, requests_per_minute: int | None = None, tokens_per_minute: int | None = None
    ) -> None:
        self.most = at_once
        self.at_once = float(at_once)
        """How many may be in flight now; its whole part counts."""
        self.running = 0
        self._request_gap = 60.0 / requests_per_minute * _SPACING if requests_per_minute else 0.0
        self._token_gap = 60.0 / tokens_per_minute * _SPACING if tokens_per_minute else 0.0
        self._next_request = self._next_tokens = self._paused_until = 0.0
        self._halved = 0.0
        self._turn = asyncio.Lock()
        self._freed = asyncio.Event()

    @asynccontextmanager
    async def place(self, tokens: int) -> AsyncIterator[Place]:
        """Waits until a request of so many tokens may leave, and holds its place while it is on its way."""
        async with self._turn:
            while True:
                if self.running >= max(1, int(self.at_once)):
                    self._freed.clear()
                    await self._freed.wait()
                    continue
                now = time.monotonic()
                wait = max(self._next_request, self._next_tokens, self._paused_until) - now
                if wait <= 0:
                    break
                await asyncio.sleep(wait)
            self.running += 1
            if self._request_gap:
                self._next_request = max(now, self._next_request) + self._request_gap
            if self._token_gap:
                self._next_tokens = max(now, self._next_tokens) + tokens * self._token_gap
        try:
            yield Place(now, tokens)
        finally:
            self.running -= 1
            self._freed.set()

    def used(self, place: Place, tokens: int) -> None:
        """Corrects the estimate once the endpoint has said how many tokens a request took."""
        if self._token_gap:
            self._next_tokens += (tokens - place.tokens) * self._token_gap

    def succeeded(self) -> None:
        """A reply came: a little more at once."""
        if self.at_once < self.most:
            self.at_once = min(self.most, self.at_once + 1.0 / self.at_once)

    def refused(self, place: Place, pause: float | None) -> None:
        """A 429 came: half as many at once, and nobody leaves before the pause is over.

        Args:
            place: of the request that was refused.
            pause: seconds, as the endpoint said; None where it did not.
        """
        if place.started >= self._halved:
            self.at_once = max(1.0, self.at_once / 2)
            self._halved = time.monotonic()
        if pause is not None:
            self.pause(pause)

    def pause(self, seconds: float) -> None:
        """Nobody leaves for so long."""
        self._paused_until = max(self._paused_until, time.monotonic() + seconds)
