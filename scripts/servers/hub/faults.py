"""Failing on demand: what was asked, and which request is to fail in which way."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["cut", "cut_after", "cut_halfway", "500", "503", "429", "403"]
"""How a request fails.

cut: the connection is closed before any byte of the answer; the request is not carried out.
cut_after: it is carried out, and then the connection is closed without an answer.
cut_halfway: it is carried out, and half of the answer's body is sent.
500, 503, 429 (with Retry-After: 0), 403: that answer; the request is not carried out.
"""


@dataclass(frozen=True)
class Received:
    """A request."""

    number: int
    """From 0."""
    method: str
    path: str
    """As it was sent, without the query."""
    user: str | None
    query: str = ""


class Faults:
    """Which requests fail."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.chosen: Callable[[Received], Kind | None] | None = None
        self._planned: dict[int, Kind] = {}
        self._lock = threading.Lock()

    def plan(self, n: int, kind: Kind) -> None:
        """The `n`-th request from now, from 0, fails."""
        if kind not in get_args(Kind):
            raise ValueError(f"{kind!r} is no kind of fault: {', '.join(get_args(Kind))}")
        with self._lock:
            self._planned[len(self.received) + n] = kind

    def receive(self, method: str, path: str, query: str, user: str | None) -> tuple[Received, Kind | None]:
        """Notes a request: its record, and how it is to fail."""
        with self._lock:
            received = Received(len(self.received), method, path, user, query)
            self.received.append(received)
            kind = self._planned.pop(received.number, None)
        return received, kind or (self.chosen(received) if self.chosen else None)
