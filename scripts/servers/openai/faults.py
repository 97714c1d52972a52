"""The objects of the OpenAI protocol, and what goes wrong with them: requests that are turned down, and faults put in on
purpose."""

from __future__ import annotations

import base64
import json
import math
import struct
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import formatdate
from typing import Any, Literal

from benchwright.scripts.servers.openai.stand_in import Wanted, texts, to_json, vector

Feature = Literal["json_schema", "json_object", "tools"]
ALL: frozenset[Feature] = frozenset(("json_schema", "json_object", "tools"))
"""What a full endpoint supports."""
TRANSPORT_FAULTS = ("slow", "cut", "reset", "invalid_json", "html")
CHAT_FAULTS = (
    "wrong_schema",
    "not_json_content",
    "refusal",
    "content_filter",
    "empty_choices",
    "missing_usage",
    "length",
)
REPLY_KEYS = frozenset(("content", "refusal", "tool_arguments", "finish_reason", "usage"))
DIMENSIONS = 1536
"""Of a vector, if the request does not say."""
MOST_INPUTS = 2048
"""Of a call for embeddings, as OpenAI limits it."""
MOST_INPUT_TOKENS = 8192
"""Of one text of a call for embeddings."""
PROSE = "Here is what you asked for. I hope that it helps."
REFUSAL = "I'm sorry, I cannot help with that."
_TYPES = {401: "invalid_request_error", 403: "permission_error", 429: "requests"}
_CODES = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}
_MESSAGES = {
    429: "Rate limit reached: slow down.",
    500: "The server had an error while processing your request.",
    503: "The engine is currently overloaded, please try again later.",
}


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
        self.error = {"message": message, "type": kind, "param": param, "code": code}

    def answer(self, delay: float = 0.0, *, counted: bool = False) -> Answer:
        """It as it is sent."""
        return Answer(self.status, json.dumps({"error": self.error}).encode(), self.headers, delay, counted=counted)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that goes wrong with one request.

    Raises:
        ValueError: there is no such kind.
    """

    kind: int | str
    """A status from 400 to 599, one of TRANSPORT_FAULTS, or, for chat requests, one of CHAT_FAULTS."""
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
        if self.kind not in TRANSPORT_FAULTS + CHAT_FAULTS:
            known = ", ".join(TRANSPORT_FAULTS + CHAT_FAULTS)
            raise ValueError(f"there is no fault {self.kind!r}: choose a status from 400 to 599, or from {known}")
        if self.kind == "slow" and self.seconds <= 0:
            raise ValueError("the fault slow needs its seconds")


def status_answer(fault: Fault, delay: float) -> Answer:
    """The answer of a fault whose kind is a status."""
    status = int(fault.kind)
    message = fault.message or _MESSAGES.get(status, f"The request failed with status {status}.")
    headers = {}
    if isinstance(fault.retry_after, str):
        headers["Retry-After"] = fault.retry_after
    elif fault.retry_after is not None and fault.as_date:
        headers["Retry-After"] = formatdate(math.ceil(time.time() + delay + fault.retry_after), usegmt=True)
    elif fault.retry_after is not None:
        headers["Retry-After"] = f"{fault.retry_after:g}"
    if fault.retry_after_ms is not None:
        headers["retry-after-ms"] = f"{fault.retry_after_ms:g}"
    code = fault.code or _CODES.get(status)
    return Problem(status, message, code, fault.param, fault.type, headers).answer(delay, counted=True)


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
        elif kind == "wrong_schema":
            misses = bool(asked.schema and asked.schema.get("required"))
            _say(message, '{"unexpected": "this does not fit"}' if misses else '["this does not fit"]')


def said_in(message: Mapping[str, Any]) -> str:
    """What a message says: its tool's arguments, else its content, else its refusal."""
    calls = message.get("tool_calls")
    return calls[0]["function"]["arguments"] if calls else message["content"] or message["refusal"] or ""


def _say(message: dict[str, Any], text: str) -> None:
    if calls := message.get("tool_calls"):
        calls[0]["function"]["arguments"] = text
    else:
        message["content"] = text


def check_chat(body: Mapping[str, Any], supports: frozenset[Feature]) -> None:
    """Turns down what OpenAI turns down of a chat request, and what the endpoint does not support."""
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise Problem(400, "Missing required parameter: 'messages'.", "missing_required_parameter", "messages")
    if not all(isinstance(message, Mapping) for message in messages):
        raise Problem(400, "Invalid type for 'messages': expected objects.", "invalid_type", "messages")
    if body.get("stream"):
        raise Problem(400, "This server does not stream.", "unsupported_parameter", "stream")
    _check_format(body, supports)
    _check_tools(body, supports)


def _check_format(body: Mapping[str, Any], supports: frozenset[Feature]) -> None:
    form = body.get("response_format") or {"type": "text"}
    kind = form.get("type") if isinstance(form, Mapping) else None
    if kind not in ("text", "json_schema", "json_object"):
        raise Problem(400, f"Invalid value: {kind!r}.", "invalid_value", "response_format.type")
    if kind != "text" and kind not in supports:
        message = f"Invalid parameter: 'response_format' of type '{kind}' is not supported with this model."
        raise Problem(400, message, "unsupported_parameter", "response_format")
    if kind == "json_object" and not any("json" in text.lower() for text in texts(body)):
        message = (
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
        )
        raise Problem(400, message, param="messages")
    if kind == "json_schema":
        given = form.get("json_schema")
        for key in ("name", "schema"):
            if not isinstance(given, Mapping) or key not in given:
                name = f"response_format.json_schema.{key}"
                raise Problem(400, f"Missing required parameter: '{name}'.", "missing_required_parameter", name)
        if given.get("strict") and (reason := strict_problem(given["schema"])):
            message = f"Invalid schema for response_format '{given['name']}': {reason}."
            raise Problem(400, message, param="response_format")


def _check_tools(body: Mapping[str, Any], supports: frozenset[Feature]) -> None:
    tools, choice = body.get("tools"), body.get("tool_choice")
    if not tools:
        if choice not in (None, "none"):
            raise Problem(400, "'tool_choice' is only allowed when 'tools' are specified.", param="tool_choice")
        return
    if "tools" not in supports:
        raise Problem(400, "Unsupported parameter: 'tools' is not supported.", "unsupported_parameter", "tools")
    try:
        functions = {tool["function"]["name"]: tool["function"] for tool in tools}
        named = choice["function"]["name"] if isinstance(choice, Mapping) else None
    except (TypeError, KeyError):
        message = "Missing required parameter: 'tools[0].function.name'."
        raise Problem(400, message, "missing_required_parameter", "tools") from None
    if named is not None and named not in functions:
        raise Problem(400, f"Tool choice '{named}' not found in 'tools' parameter.", param="tool_choice")
    if named is None and choice not in (None, "none", "auto", "required"):
        raise Problem(400, f"Invalid value: {choice!r}.", "invalid_value", "tool_choice")
    for name, function in functions.items():
        if function.get("strict") and (reason := strict_problem(function.get("parameters") or {})):
            raise Problem(400, f"Invalid schema for function '{name}': {reason}.", param="tools")


def strict_problem(schema: Any) -> str:
    """Why a schema cannot be used strictly, as OpenAI has it: objects are closed and all of their keys are required."""
    if isinstance(schema, list):
        return next(filter(None, map(strict_problem, schema)), "")
    if not isinstance(schema, Mapping):
        return ""
    if schema.get("type") == "object" or "properties" in schema:
        if schema.get("additionalProperties") is not False:
            return "'additionalProperties' is required to be supplied and to be false"
        missing = [key for key in schema.get("properties", {}) if key not in schema.get("required", ())]
        if missing:
            return f"'required' is required to include every key in properties. Missing '{missing[0]}'"
    parts = [schema.get(key) for key in ("items", "anyOf", "allOf", "prefixItems")]
    parts += [part for key in ("properties", "$defs", "definitions") for part in schema.get(key, {}).values()]
    return strict_problem(parts)


def check_embeddings(body: Mapping[str, Any]) -> list[str]:
    """The texts of a call for embeddings; token numbers count as words. Turns down what OpenAI turns down."""
    given = body.get("input")
    if isinstance(given, list) and given and all(isinstance(item, int) for item in given):
        given = [given]
    inputs = given if isinstance(given, list) else [given]
    read = [item if isinstance(item, str) else " ".join(map(str, item or ())) for item in inputs if item is not None]
    if len(read) < len(inputs) or not read or not all(read):
        raise Problem(400, "'$.input' is invalid: it is missing, or a text of it is empty.", param="input")
    if len(read) > MOST_INPUTS:
        raise Problem(400, f"Invalid 'input': array too long, the maximum length is {MOST_INPUTS}.", param="input")
    if max(map(len, read)) // 4 > MOST_INPUT_TOKENS:
        message = f"Invalid 'input': maximum context length is {MOST_INPUT_TOKENS} tokens."
        raise Problem(400, message, "context_length_exceeded", "input")
    dimensions = body.get("dimensions", 1)
    if not isinstance(dimensions, int) or dimensions < 1:
        raise Problem(400, "Invalid 'dimensions': expected an integer of at least 1.", "invalid_value", "dimensions")
    if body.get("encoding_format", "float") not in ("float", "base64"):
        raise Problem(400, "Invalid 'encoding_format'.", "invalid_value", "encoding_format")
    return read


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


def embeddings(body: Mapping[str, Any]) -> dict[str, Any]:
    """The object that a call for embeddings gets."""
    given, size = check_embeddings(body), body.get("dimensions", DIMENSIONS)
    vectors: list[Any] = [vector(text, size) for text in given]
    if body.get("encoding_format") == "base64":
        vectors = [base64.b64encode(struct.pack(f"<{size}f", *one)).decode() for one in vectors]
    data = [{"object": "embedding", "index": i, "embedding": one} for i, one in enumerate(vectors)]
    used = sum(map(tokens, given))
    usage = {"prompt_tokens": used, "total_tokens": used}
    return {"object": "list", "data": data, "model": body["model"], "usage": usage}
