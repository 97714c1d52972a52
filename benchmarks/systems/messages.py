"""The text of a model's message, whichever library it is of: read by its attributes, so that none is needed.

LangChain's messages have `content`, Haystack's `text`, LlamaIndex's responses `message`, those of the `openai` package
`choices` or `output_text`, and its chunks a `delta` in place of the message. As mappings they have the same keys.
"""

from collections.abc import Mapping, Sequence
from typing import Any


def field_of(value: Any, name: str) -> Any:
    """A key of a mapping or an attribute of an object; None where there is none."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def message_text(message: Any) -> str | None:
    """The text of a message or of a part of one; None where it is no message."""
    if isinstance(message, str):
        return str(message)
    choices = field_of(message, "choices")
    if isinstance(choices, Sequence) and not isinstance(choices, str):
        return _of_choice(choices[0]) if choices else ""
    for name in ("output_text", "content", "text"):
        text = _of_content(field_of(message, name))
        if text is not None:
            return text
    inner = field_of(message, "message")
    return None if inner is None or isinstance(inner, str) else message_text(inner)


def _of_choice(choice: Any) -> str | None:
    for name in ("message", "delta"):
        message = field_of(choice, name)
        if message is not None:
            return message_text(message) or ""  # null where it calls a tool
    return _of_content(field_of(choice, "text"))


def _of_content(content: Any) -> str | None:
    """A text, or a list of blocks of which some are text."""
    if isinstance(content, str):
        return str(content)
    if not isinstance(content, Sequence) or isinstance(content, bytes):
        return None
    blocks = [each if isinstance(each, str) else field_of(each, "text") for each in content]
    return "".join(each for each in blocks if isinstance(each, str))


def tokens_of(message: Any) -> dict[str, int]:
    """Tokens in and out, as messages of LangChain and Haystack and the `openai` package say them."""
    usage = field_of(message, "usage_metadata") or field_of(message, "usage")
    if usage is None:
        usage = field_of(field_of(message, "meta"), "usage")
    found: dict[str, int] = {}
    for name, other in (("input_tokens", "prompt_tokens"), ("output_tokens", "completion_tokens")):
        count = field_of(usage, name) if field_of(usage, name) is not None else field_of(usage, other)
        if type(count) is int and count >= 0:
            found[name] = count
    return found
