"""The endpoint of the soak: which of its requests meet a fault, what it says to the others, and what it has sent."""

import random
import re
import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer, Received

SHARE = 0.4
"""Of requests that meet a fault."""
EVERYWHERE: Mapping[str, Fault] = {
    "429": Fault(429),
    "429 with Retry-After": Fault(429, retry_after=0.2),
    "500": Fault(500),
    "503 with Retry-After": Fault(503, retry_after=0.2),
    "529": Fault(529),
    "reset": Fault("reset"),
    "cut": Fault("cut"),
    "slow": Fault("slow", seconds=0.2),
    "stall": Fault("slow", seconds=60.0),
    "html": Fault("html"),
    "invalid_json": Fault("invalid_json"),
    "error_body": Fault("error_body"),
}
OF_CHAT: Mapping[str, Fault] = {
    kind: Fault(kind)
    for kind in (
        "empty_choices", "empty_content", "refusal", "content_filter", "length", "wrong_schema", "not_json_content",
        "missing_usage", "thoughts", "unasked_tool",
    )
} | {"prompt_filter": Fault("prompt_filter")}  # fmt: skip
BROKEN = frozenset(("cut", "reset"))
"""Kinds of which the client gets no whole answer."""
FAILED = frozenset(("html", "invalid_json", "error_body"))
"""Kinds that are answers and no replies; statuses are such, too."""
_PROSE_IS_FINE = ("wrong_schema", "not_json_content")
"""Faults that are none where any text will do."""


class Faults:
    """Which requests meet a fault, by chance with a seed; and word once so many requests have come."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.share = SHARE
        self.met: Counter[str] = Counter()
        self.reached = threading.Event()
        self._left = 0

    def wait_for(self, calls: int) -> threading.Event:
        """Set once so many more requests have come."""
        self.reached.clear()
        self._left = calls
        return self.reached

    def __call__(self, received: Received) -> Fault | None:
        self._left -= 1
        if self._left == 0:
            self.reached.set()
        if self.random.random() >= self.share:
            return None
        kinds = dict(EVERYWHERE)
        if received.path.endswith("/chat/completions"):
            kinds |= OF_CHAT
            if number_in(received.body) % 5 == 0:
                kinds = {kind: fault for kind, fault in kinds.items() if kind not in _PROSE_IS_FINE}
        kind = self.random.choice(list(kinds))
        self.met[kind] += 1
        return kinds[kind]


def number_in(body: Any) -> int:
    """The item that a request asks for."""
    found = re.search(r"\[item (\d+)\]", str(body["messages"]))
    return int(found[1]) if found else -1


def reply_to(body: Mapping[str, Any]) -> Any:
    """What the endpoint says where nothing is wrong."""
    number = number_in(body)
    if number % 5 == 0:
        return f"item {number}"
    return {"tool_arguments" if body.get("tools") else "content": {"item": number}}


@dataclass(frozen=True)
class Count:
    """What the endpoint has received and sent until a moment, or between two."""

    calls: int = 0
    sent: Mapping[str, int] = field(default_factory=dict)
    """Kind → answers."""
    input_tokens: int = 0
    """Of whole answers, as the next."""
    output_tokens: int = 0

    def __add__(self, other: "Count") -> "Count":
        sent = Counter(self.sent) + Counter(other.sent)
        return Count(
            self.calls + other.calls,
            sent,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )

    def since(self, before: "Count") -> "Count":
        """What came after an earlier moment."""
        sent = Counter(self.sent) - Counter(before.sent)
        return Count(
            self.calls - before.calls,
            sent,
            self.input_tokens - before.input_tokens,
            self.output_tokens - before.output_tokens,
        )

    @property
    def states(self) -> Mapping[str, int]:
        """The calls as the client should have counted them."""
        failed = sum(number for kind, number in self.sent.items() if kind in FAILED or kind.isdecimal())
        lost = sum(number for kind, number in self.sent.items() if kind in BROKEN)
        answered = sum(self.sent.values())
        filtered = self.sent.get("prompt_filter", 0)
        return {
            "replies": answered - failed - lost - filtered,
            "filtered": filtered,
            "failed": failed,
            "lost": lost,
            "timed_out": self.calls - answered,
        }


def count(server: OpenAIServer) -> Count:
    """What the endpoint has done, once nothing is on its way."""
    until = time.monotonic() + 90
    while server.in_flight and time.monotonic() < until:
        time.sleep(0.01)
    whole = [sent for kind, sent in server.sent.items() if kind not in BROKEN]
    return Count(
        server.calls,
        {kind: sent.answers for kind, sent in server.sent.items()},
        sum(sent.input_tokens for sent in whole),
        sum(sent.output_tokens for sent in whole),
    )
