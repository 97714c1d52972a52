"""Requests that an endpoint turns down: which part of it the endpoint does not take, and whether a filter refused it.

OpenAI and Azure name the parameter in a field; vLLM and Mistral give pydantic's places; Anthropic, llama.cpp, Ollama,
DeepSeek, LiteLLM and OpenRouter say it in words, some of them within what another endpoint said.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

MODE_PARTS = ("response_format", "tools", "tool_choice")
"""What asks for a structured reply."""
_FILTERED = ("content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation", "invalid_prompt")
"""Codes of filters."""
_FILTER_WORDS = re.compile(
    r"content management policy|content_?policy_?violation|ResponsibleAIPolicyViolation|violating our usage polic",
    re.IGNORECASE,
)
_PLACE = re.compile(r"['\"]loc['\"]:\s*[\[(]\s*['\"]body['\"],\s*['\"](?P<name>\w+)['\"]")
_TURNED_DOWN = re.compile(
    r"n[o']t (?:\w+ )?(?:support|permit|allow|accept|taken|available|recogni)|unsupported|unrecogni[sz]ed|unavailable|"
    r"unknown (?:parameter|argument|field)|extra_forbidden|deprecated|only [\w. ]+ is allowed|enabled only|requires|"
    r"can be specified|must be one of|must be in range|must be 1\b|no endpoints found",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(r"context (?:length|window|size)|maximum context|too long|too many tokens", re.IGNORECASE)
_OTHER_WORDS = {
    "response_format": r"response[_ ]format|json_schema|json_object|json schema|structured output|grammar",
    "tool_choice": r"tool[_ ]choice",
    "n": r"n: must be|one completion choice",
    "tools": r"tools?\b(?! ?_)|function[_ -]call|tool[_ ]us",
}
"""Part of a request → the words by which endpoints speak of it. The choice of a tool is looked for before the tools."""
_SHORT = 4
"""Letters: names that are words of their own, such as `n`, `stop` or `seed`, must be quoted."""


def rejected_part(error: Mapping[str, Any], text: str, sent: Collection[str]) -> str:
    """What an endpoint does not take of a request; nothing where it does not say.

    Args:
        error: what says so, as JSON; its `param` goes first.
        text: all of the response.
        sent: the names that the request had.
    """
    parameter = error.get("param")
    if isinstance(parameter, str) and parameter not in ("", "None", "null"):
        return parameter
    said = " ".join(texts_in(error)) or text
    plain = f"{said} {text}".replace("\\", "")
    if places := [found["name"] for found in _PLACE.finditer(plain)]:
        return next((name for name in places if name in sent), places[0])
    if _TOO_LONG.search(said):
        return "messages"
    if not _TURNED_DOWN.search(said):
        return ""
    for name in sorted(sent, key=len, reverse=True):
        if name not in (*MODE_PARTS, "messages", "model") and _names(said, name):
            return name
    return next((name for name, words in _OTHER_WORDS.items() if name in sent and _in_words(said, words)), "")


def is_filtered(error: Mapping[str, Any], text: str) -> bool:
    """Whether a request was turned down for what it says."""
    inner = error.get("innererror", error.get("inner_error"))
    codes = [error.get("code"), error.get("type"), inner.get("code") if isinstance(inner, Mapping) else None]
    metadata = error.get("metadata")
    is_moderated = isinstance(metadata, Mapping) and ("flagged_input" in metadata or "reasons" in metadata)
    return is_moderated or any(code in _FILTERED for code in codes) or _FILTER_WORDS.search(text) is not None


def texts_in(error: Mapping[str, Any]) -> Iterator[str]:
    """What an error says in words, and what the endpoint behind it said, where it passes that on."""
    for name in ("message", "detail"):
        said = error.get(name)
        if said:
            yield said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
    metadata = error.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, Mapping) else None
    if isinstance(raw, str) and raw.strip():
        yield _inner(raw)


def _inner(raw: str) -> str:
    """The message of an error within an error; else all of it."""
    try:
        read = json.loads(raw)
    except (ValueError, RecursionError):
        return raw
    error = read.get("error") if isinstance(read, dict) else None
    error = error if isinstance(error, dict) else read
    said = error.get("message") if isinstance(error, dict) else None
    return said if isinstance(said, str) else raw


def _names(said: str, name: str) -> bool:
    """Whether a text speaks of a parameter."""
    if len(name) <= _SHORT:
        return re.search(rf"['\"`]{re.escape(name)}['\"`]", said) is not None
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", said) is not None


def _in_words(said: str, words: str) -> bool:
    return re.search(rf"\b(?:{words})", said, re.IGNORECASE) is not None
