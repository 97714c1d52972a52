"""Faults that are put in on purpose: statuses, connections that break, and completions that do not fit."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from email.utils import formatdate
from typing import Any

from benchwright.scripts.servers.openai.answers import Problem, said_in
from benchwright.scripts.servers.openai.stand_in import Wanted

TRANSPORT_FAULTS = ("slow", "cut", "reset", "invalid_json", "html", "error_body")
ENDPOINT_FAULTS = ("busy", "prompt_filter")
"""In the words of the server's profile: it is asked too much; its filter stops the prompt."""
CHAT_FAULTS = (
    "wrong_schema",
    "not_json_content",
    "refusal",
    "content_filter",
    "empty_choices",
    "missing_usage",
    "length",
    "empty_content",
    "thoughts",
    "unasked_tool",
)
THOUGHTS = 'They ask for something, maybe as {"a": 1}. Then {it} has to be short.'
"""What a model thinks before it answers; the braces are there to mislead who looks for JSON."""
PROSE = "Here is what you asked for. I hope that it helps."
REFUSAL = "I'm sorry, I cannot help with that."
_CODES = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}
_MESSAGES = {
    429: "Rate limit reached: slow down.",
    500: "The server had an error while processing your request.",
    503: "The engine is currently overloaded, please try again later.",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that goes wrong with one request.

    Raises:
        ValueError: there is no such kind.
    """

    kind: int | str
    """A status from 400 to 599, one of TRANSPORT_FAULTS or ENDPOINT_FAULTS, or, for chat requests, of CHAT_FAULTS."""
    seconds: float = 0.0
    """What is waited before it, over the server's latency: all that `slow` does."""
    message: str = ""
    """Of a status; so are the next ones. Empty: as OpenAI puts it."""
    code: str | None = None
    type: str | None = None
    param: str | None = None
    retry_after: float | str | None = None
    """The header `Retry-After`: seconds, or a text that is sent as it is."""
    as_date: bool = False
    """Whether `Retry-After` says the seconds as a date, rounded up."""
    retry_after_ms: float | None = None
    """The header `retry-after-ms`, which the SDK looks at first."""

    def __post_init__(self) -> None:
        if isinstance(self.kind, int) and 400 <= self.kind <= 599:
            return
        if self.kind not in TRANSPORT_FAULTS + ENDPOINT_FAULTS + CHAT_FAULTS:
            known = ", ".join(TRANSPORT_FAULTS + ENDPOINT_FAULTS + CHAT_FAULTS)
            raise ValueError(f"there is no fault {self.kind!r}: choose a status from 400 to 599, or from {known}")
        if self.kind == "slow" and self.seconds <= 0:
            raise ValueError("the fault slow needs its seconds")


def status_problem(fault: Fault, delay: float) -> Problem:
    """The refusal of a fault whose kind is a status."""
    status = int(fault.kind)
    message = fault.message or _MESSAGES.get(status, f"The request failed with status {status}.")
    problem = Problem(
        status, message, fault.code or _CODES.get(status), fault.param, fault.type, retry_headers(fault, delay)
    )
    problem.delay, problem.is_counted, problem.is_own = delay, True, bool(fault.message or fault.code)
    return problem


def retry_headers(fault: Fault, delay: float) -> dict[str, str]:
    """When to try again, as a fault says it."""
    headers: dict[str, str] = {}
    if isinstance(fault.retry_after, str):
        headers["Retry-After"] = fault.retry_after
    elif fault.retry_after is not None and fault.as_date:
        headers["Retry-After"] = formatdate(math.ceil(time.time() + delay + fault.retry_after), usegmt=True)
    elif fault.retry_after is not None:
        headers["Retry-After"] = f"{fault.retry_after:g}"
    if fault.retry_after_ms is not None:
        headers["retry-after-ms"] = f"{fault.retry_after_ms:g}"
    return headers


def spoil(kind: int | str, completion: dict[str, Any], asked: Wanted) -> None:
    """Puts a fault of CHAT_FAULTS into a completion."""
    if kind == "missing_usage":
        del completion["usage"]
    elif kind == "empty_choices":
        completion["choices"] = []
    for choice in completion["choices"]:
        message = choice["message"]
        if kind == "refusal":
            message.pop("tool_calls", None)
            message.update(content=None, refusal=REFUSAL)
            choice["finish_reason"] = "stop"
        elif kind == "content_filter":
            message.pop("tool_calls", None)
            message["content"] = ""
            choice["finish_reason"] = "content_filter"
        elif kind == "length":
            said = said_in(message)
            _say(message, said[: len(said) // 2])
            choice["finish_reason"] = "length"
        elif kind == "not_json_content":
            _say(message, PROSE)
        elif kind == "empty_content":
            _say(message, "")
        elif kind == "thoughts":
            _say(message, f"<think>\n{THOUGHTS}\n</think>\n\n{said_in(message)}")
        elif kind == "unasked_tool":
            function = {"name": "look_up", "arguments": '{"unexpected": "nobody asked for this"}'}
            message.update(content=None, tool_calls=[{"id": "call_0", "type": "function", "function": function}])
            choice["finish_reason"] = "tool_calls"
        elif kind == "wrong_schema":
            misses = bool(asked.schema and asked.schema.get("required"))
            _say(message, '{"unexpected": "this does not fit"}' if misses else '["this does not fit"]')


def _say(message: dict[str, Any], text: str) -> None:
    if calls := message.get("tool_calls"):
        calls[0]["function"]["arguments"] = text
    else:
        message["content"] = text
