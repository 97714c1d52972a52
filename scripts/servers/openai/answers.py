"""What the protocol's requests get: completions, vectors, and problems in OpenAI's shape of an error."""

from __future__ import annotations

import base64
import json
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from benchwright.scripts.servers.openai.stand_in import Wanted, texts, to_json, vector

REPLY_KEYS = frozenset(("content", "refusal", "tool_arguments", "finish_reason", "usage"))
DIMENSIONS = 1536
"""Of a vector, if the request does not say."""
_TYPES = {401: "invalid_request_error", 403: "permission_error", 429: "requests"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request gets."""

    status: int
    body: bytes
    headers: Mapping[str, str]
    """All but the length."""
    delay: float = 0.0
    """Seconds before it is sent."""
    end: Literal["keep", "cut", "reset"] = "keep"
    """What comes of the connection: `cut` sends half the body and closes it, `reset` sends nothing."""
    counted: bool = True
    """Whether the request is in flight until then; what is turned down never is."""
    kind: str = "ok"
    """What it is: a fault's kind, or a status."""
    usage: tuple[int, int] = (0, 0)
    """Tokens in and out that the body says."""


@dataclass(slots=True)
class Sent:
    """What was sent of one kind: answers, and the tokens that they say."""

    answers: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


JSON = {"Content-Type": "application/json"}


class Problem(Exception):
    """A request that is turned down, in OpenAI's shape of an error."""

    def __init__(
        self,
        status: int,
        message: str,
        code: str | None = None,
        param: str | None = None,
        kind: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.headers = {**JSON, **(headers or {})}
        kind = kind or _TYPES.get(status, "invalid_request_error" if status < 500 else "server_error")
        self.error: dict[str, Any] = {"message": message, "type": kind, "param": param, "code": code}
        self.is_own = False
        """Its words are the endpoint's, and not OpenAI's."""
        self.delay, self.is_counted = 0.0, False
        """Seconds before it is sent, and whether it is in flight until then."""
        self.kind = str(status)

    def answer(self, body: Any = None) -> Answer:
        """It as it is sent; with a body of the endpoint's own, if it has one."""
        sent = json.dumps({"error": self.error} if body is None else body).encode()
        return Answer(self.status, sent, self.headers, self.delay, counted=self.is_counted, kind=self.kind)


def said_in(message: Mapping[str, Any]) -> str:
    """What a message says: its tool's arguments, else its content, else its refusal."""
    calls = message.get("tool_calls")
    return calls[0]["function"]["arguments"] if calls else message["content"] or message["refusal"] or ""


def tokens(text: str) -> int:
    """About as many as a model would count."""
    return max(1, len(text) // 4) if text else 0


def completion(body: Mapping[str, Any], reply: Any, asked: Wanted, number: int) -> dict[str, Any]:
    """The object that a chat request gets."""
    wished = reply if isinstance(reply, list | tuple) else [reply]
    parts = [_parts(wished[min(i, len(wished) - 1)], asked) for i in range(body.get("n") or 1)]
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    choices = [_choice(i, part, asked, limit) for i, part in enumerate(parts)]
    prompt = tokens("".join(texts(body)))
    spoken = sum(tokens(said_in(choice["message"])) for choice in choices)
    usage = {
        "prompt_tokens": prompt,
        "completion_tokens": spoken,
        "prompt_tokens_details": {"cached_tokens": 0},
        **parts[0].get("usage", {}),
    }
    usage.setdefault("total_tokens", usage["prompt_tokens"] + usage["completion_tokens"])
    head = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": body["model"],
    }
    return {**head, "choices": choices, "usage": usage}


def _parts(reply: Any, asked: Wanted) -> Mapping[str, Any]:
    """A reply under REPLY_KEYS."""
    if isinstance(reply, Mapping) and reply and REPLY_KEYS.issuperset(reply):
        return reply
    if not isinstance(reply, str | Mapping):
        raise TypeError(f"a reply must be a text or a mapping, not {reply!r}")
    called = asked.kind == "tool" and (isinstance(reply, Mapping) or asked.choice != "auto")
    return {"tool_arguments" if called else "content": reply}


def _choice(index: int, parts: Mapping[str, Any], asked: Wanted, limit: int | None) -> dict[str, Any]:
    calls = asked.kind == "tool" and "tool_arguments" in parts
    said = parts.get("tool_arguments", parts.get("content"))
    said = None if said is None else to_json(said)
    reason = "tool_calls" if calls and asked.choice != "named" else "stop"  # a forced call is no decision to call
    if said and limit and tokens(said) > limit:
        said, reason = said[: 4 * limit], "length"
    message = {"role": "assistant", "content": None if calls else said, "refusal": parts.get("refusal")}
    if calls:
        function = {"name": asked.tool, "arguments": said}
        message["tool_calls"] = [{"id": f"call_{index}", "type": "function", "function": function}]
    reason = parts.get("finish_reason", reason)
    return {"index": index, "message": message, "logprobs": None, "finish_reason": reason}


def embeddings(
    body: Mapping[str, Any], given: Sequence[str], vector_for: Callable[[str], Sequence[float]] | None = None
) -> dict[str, Any]:
    """The object that a call for the embeddings of these texts gets; without `vector_for` they are made of words."""
    size = body.get("dimensions", DIMENSIONS)
    vectors: list[Any] = [vector_for(text) if vector_for else vector(text, size) for text in given]
    if body.get("encoding_format") == "base64":
        vectors = [base64.b64encode(struct.pack(f"<{len(one)}f", *one)).decode() for one in vectors]
    data = [{"object": "embedding", "index": i, "embedding": one} for i, one in enumerate(vectors)]
    used = sum(map(tokens, given))
    usage = {"prompt_tokens": used, "total_tokens": used}
    return {"object": "list", "data": data, "model": body["model"], "usage": usage}


def ranking(body: Mapping[str, Any], given: Sequence[str]) -> dict[str, Any]:
    """The object that a call for the ranking of these texts gets: by the cosine of their vectors and the query's."""
    query = vector(body["query"], DIMENSIONS)
    scored = [
        (sum(a * b for a, b in zip(query, vector(text, DIMENSIONS), strict=True)), i) for i, text in enumerate(given)
    ]
    results = [{"index": i, "relevance_score": score} for score, i in sorted(scored, key=lambda pair: -pair[0])]
    used = sum(map(tokens, given)) + len(given) * tokens(body["query"])
    return {"model": body["model"], "results": results, "usage": {"total_tokens": used}}
