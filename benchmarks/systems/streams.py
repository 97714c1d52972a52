"""Generators and streams as answers: their chunks joined.

A chunk is a text; a message or a part of one (LangChain, LlamaIndex, Haystack, the `openai` package, by their
attributes); or a mapping, such as a LangChain chain's, whose values add up over the chunks.
"""

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from typing import Any, TypeGuard

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.systems.messages import message_text

MOST = 1_000_000
"""Characters of a stream that are read: one that does not end must not fill the memory."""
_TEXT_EVENT = "response.output_text.delta"
"""The events of OpenAI's responses that are text; their other events have a `type` that begins alike."""


def is_stream(value: Any) -> TypeGuard[Iterator[Any]]:
    """Whether a value is a generator or another iterator."""
    return isinstance(value, Iterator)


def async_stream(reply: Any) -> AsyncIterator[Any] | None:
    """The asynchronous iterator that a reply is, or streams its answer with; None where there is none."""
    for value in (reply, reply.get("answer") if isinstance(reply, Mapping) else getattr(reply, "response_gen", None)):
        if isinstance(value, AsyncIterable):
            return aiter(value)
    return None


async def read_stream(stream: AsyncIterator[Any]) -> list[Any]:
    """The chunks of an asynchronous iterator, no more of them than are read of any."""
    chunks: list[Any] = []
    length = 0
    async for chunk in stream:
        chunks.append(chunk)
        length += len(chunk) if isinstance(chunk, str) else 1
        if length > MOST:
            break
    return chunks


def joined(chunks: Iterable[Any]) -> Any:
    """The reply that chunks make together: a text, or a mapping.

    Raises:
        BenchwrightError: one of them is none.
    """
    texts: list[str] = []
    fields: dict[str, Any] = {}
    length = 0
    for chunk in chunks:
        if isinstance(chunk, tuple) and chunk:
            chunk = chunk[0]  # LangGraph: message and metadata
        if isinstance(chunk, Mapping) and "choices" not in chunk:
            for name, value in chunk.items():
                fields[name] = _sum(fields[name], value) if name in fields else value
            continue
        text = _text_of_chunk(chunk)
        texts.append(text)
        length += len(text)
        if length > MOST:
            break
    text = "".join(texts)
    if not fields:
        return text
    return {**fields, "answer": text} if text else fields


def _sum(before: Any, value: Any) -> Any:
    try:
        return before + value
    except TypeError:
        return value


def _text_of_chunk(chunk: Any) -> str:
    if chunk is None:
        return ""
    if isinstance(chunk, str):
        return chunk
    kind = getattr(chunk, "type", None)
    if isinstance(kind, str) and kind.startswith("response.") and kind != _TEXT_EVENT:
        return ""
    delta = getattr(chunk, "delta", None)
    text = delta if isinstance(delta, str) else message_text(chunk)
    if text is None:
        raise BenchwrightError(f"returned a stream with an object of type {type(chunk).__name__}: it must be of texts")
    return text
