"""A streamed reply, whole: the chunks of a chat completion, or the events of a response, as the object they make."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchwright.benchmarks.remote.events import looks_like_events, server_sent

_TEXT = "response.output_text.delta"


def whole_reply(text: str) -> Mapping[str, Any] | None:
    """The reply that a stream holds, as an endpoint that does not stream would give it; None where it is no stream."""
    return whole_of_chunks(list(_chunks(text))) if looks_like_events(text) else None


def whole_of_chunks(chunks: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The reply that chunks make together; None where they are of another sort."""
    for chunk in reversed(chunks):
        if isinstance(chunk.get("response"), Mapping):  # `response.completed`, which has all of it
            return chunk["response"]
        if chunk.get("error"):
            return {"error": chunk["error"]}
    if not any("choices" in chunk for chunk in chunks):
        return _of_response(chunks)
    whole: dict[str, Any] = {}
    choices: dict[int, dict[str, Any]] = {}
    for chunk in chunks:
        said = chunk.get("choices")
        for choice in said if isinstance(said, list) else ():
            if isinstance(choice, Mapping):
                index = choice.get("index")
                _add_choice(choices.setdefault(index if isinstance(index, int) else 0, {}), choice)
        _add(whole, {name: value for name, value in chunk.items() if name != "choices"})
    return {**whole, "choices": [choices[index] for index in sorted(choices)]}


def _chunks(text: str) -> Iterator[Mapping[str, Any]]:
    for _, data in server_sent(text):
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, Mapping):
            yield value


def _add_choice(choice: dict[str, Any], chunk: Mapping[str, Any]) -> None:
    """Adds what a chunk says of a choice, in which `delta` is a part of `message`."""
    message = choice.setdefault("message", {})
    for name in ("delta", "message"):
        part = chunk.get(name)
        if isinstance(part, Mapping):
            content = part.get("content")
            if isinstance(content, str):
                before = message.get("content")
                message["content"] = (before if isinstance(before, str) else "") + content
            _add(message, {key: value for key, value in part.items() if key != "content" or not isinstance(value, str)})
    _add(choice, {name: value for name, value in chunk.items() if name not in ("delta", "message")})


def _add(whole: dict[str, Any], part: Mapping[str, Any]) -> None:
    """Adds what a chunk says beside the text: lists go on, unless they begin anew with all that was there."""
    for name, value in part.items():
        before = whole.get(name)
        if value is None or value == before:
            continue
        if isinstance(before, list) and isinstance(value, list):
            whole[name] = value if value[: len(before)] == before else [*before, *value]
        elif isinstance(before, dict) and isinstance(value, Mapping):
            _add(before, value)
        else:
            whole[name] = dict(value) if isinstance(value, Mapping) else value


def _of_response(chunks: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """A response of which the last event is missing: what its texts say."""
    texts = [chunk["delta"] for chunk in chunks if chunk.get("type") == _TEXT and isinstance(chunk.get("delta"), str)]
    content = [{"type": "output_text", "text": "".join(texts)}]
    return {"output": [{"type": "message", "content": content}]} if texts else None
