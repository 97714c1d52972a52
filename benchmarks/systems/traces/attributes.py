"""What the attributes of a span say: what it is, what was asked, answered, found and used."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchwright.benchmarks.systems.frameworks import plain_reply
from benchwright.benchmarks.systems.messages import field_of, message_text
from benchwright.benchmarks.systems.traces.spans import Span, attribute_names, role_names

RETRIEVAL, RERANKING, MODEL, TOOL, OTHER = "retrieval", "reranking", "model", "tool", "other"
_USER = ("user", "human")
_DEPTH = 4
_MOST = 50
"""Texts of one attribute that are looked at for a question."""
_ASKED = ("question", "query", "user_input", "input", "prompt", "content", "text")
"""Keys that most likely hold a question."""


def said(span: Span, what: str) -> Any:
    """The first attribute that says something, also of the span's events; None where none does."""
    for name in attribute_names()[what]:
        if span.attributes.get(name) is not None:
            return span.attributes[name]
        for _, fields in span.events:
            if fields.get(name) is not None:
                return fields[name]
    return None


def role_of(span: Span) -> str | None:
    """What a span is; None where it is a chain, an agent, or does not say."""
    roles = role_names()
    for name in roles["names"]:
        value = str(span.attributes.get(name) or "").lower()
        for role in (RETRIEVAL, RERANKING, MODEL, TOOL, OTHER):
            if value in roles[role]:
                return role
        if value:
            return None
    if listed(span, "documents"):
        return RETRIEVAL
    return MODEL if said(span, "input_tokens") is not None or said(span, "output_tokens") is not None else None


def listed(span: Span, what: str) -> list[Any]:
    """The items of a list, whether it is one, JSON, or written out as NAME.0.FIELD, NAME.1.FIELD."""
    for name in attribute_names()[what]:
        value = _loaded(span.attributes.get(name))
        if isinstance(value, list):
            return [_loaded(each) for each in value]
        items = _numbered(span.attributes, name)
        if items:
            return items
    for _, fields in span.events:
        for name in attribute_names()[what]:
            value = _loaded(fields.get(name))
            if isinstance(value, list):
                return [_loaded(each) for each in value]
    return []


def _numbered(attributes: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for key, value in attributes.items():
        if key.startswith(f"{name}."):
            number, _, rest = key[len(name) + 1 :].partition(".")
            if number.isdecimal() and rest and len(number) < 7:
                found.setdefault(int(number), {})[rest] = value
    return [found[number] for number in sorted(found)]


def _loaded(value: Any) -> Any:
    """What a text holds, where it is JSON of an object or a list; else the value."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def questions_in(span: Span) -> list[str]:
    """Texts that may be the question, the surest first."""
    found: dict[str, None] = {}
    for name in attribute_names()["question"]:
        found |= dict.fromkeys(_texts(span.attributes.get(name), _DEPTH))
    messages = [*listed(span, "input_messages"), *_of_events(span, "user")]
    asked = [text for each in messages if _role(each) in _USER and (text := _message(each))]
    if not asked:
        whole = said(span, "input_messages")
        asked = [whole] if isinstance(whole, str) and not messages else []
    return list(found | dict.fromkeys(reversed(asked)))[:_MOST]


def _texts(value: Any, depth: int) -> Iterator[str]:
    """The texts within a value, those under the keys of questions first."""
    value = _loaded(value)
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping) and depth:
        keys = [*(key for key in _ASKED if key in value), *(key for key in value if key not in _ASKED)]
        for key in keys[:_MOST]:
            yield from _texts(value[key], depth - 1)
    elif isinstance(value, list) and depth:
        for each in value[:_MOST]:
            yield from _texts(each, depth - 1)


def _of_events(span: Span, who: str) -> list[Any]:
    """Messages as the conventions once had them: an event for each."""
    found: list[Any] = []
    for name, fields in span.events:
        if name == f"gen_ai.{who}.message" or (who == "assistant" and name == "gen_ai.choice"):
            inner = _loaded(fields.get("message"))
            found.append(
                {"role": who, **(inner if isinstance(inner, Mapping) else {"content": inner} if inner else fields)}
            )
    return found


def _role(message: Any) -> str:
    role = field_of(message, "role") or field_of(message, "message.role") or field_of(message, "type")
    return str(role or "").lower()


def _message(message: Any) -> str | None:
    """The text of a message: with `parts` (GenAI), `content`, or as OpenInference writes it out."""
    if isinstance(message, str):
        return message
    if not isinstance(message, Mapping):
        return None
    parts = message.get("parts")
    if isinstance(parts, list):
        texts = [each.get("content") for each in parts if isinstance(each, Mapping) and each.get("type") == "text"]
        return "\n".join(text for text in texts if isinstance(text, str)) or None
    content = message.get("message.content")
    if isinstance(content, str):
        return content
    blocks = _numbered(message, "message.contents")
    texts = [each.get("message_content.text") for each in blocks]
    return "\n".join(text for text in texts if isinstance(text, str)) or message_text(message) or None


def answer_in(span: Span) -> tuple[str | None, Sequence[Any]]:
    """What a span says as an answer, and the contexts that it says it by the way."""
    for message in reversed([*listed(span, "output_messages"), *_of_events(span, "assistant")]):
        if _role(message) not in ("user", "human", "tool", "system") and (text := _message(message)):
            return text, ()
    whole = span.attributes.get("gen_ai.completion")
    if isinstance(whole, str) and not isinstance(_loaded(whole), list):
        return whole, ()
    for name in attribute_names()["answer"]:
        value = _loaded(span.attributes.get(name))
        text, contexts = _reply(value)
        if text:
            return text, contexts
    return None, ()


def _reply(value: Any) -> tuple[str | None, Sequence[Any]]:
    """A text, or the reply of a framework as JSON."""
    if isinstance(value, str):
        return value, ()
    if not isinstance(value, Mapping):
        return None, ()
    constructed = value.get("kwargs")  # LangChain's messages, as it writes them
    if isinstance(constructed, Mapping) and isinstance(constructed.get("content"), str):
        return constructed["content"], ()
    try:
        reply = plain_reply(value)
    except Exception:  # whatever a program wrote into its traces
        return None, ()
    if isinstance(reply, str):
        return reply, ()
    if not isinstance(reply, Mapping):
        return None, ()
    answer, contexts = reply.get("answer"), reply.get("contexts")
    return answer if isinstance(answer, str) else None, contexts if isinstance(contexts, list) else ()


def documents_in(span: Span) -> list[Any]:
    """The documents that were found or re-ranked, as contexts are written."""
    return [_document(each) for each in listed(span, "documents") if each]


def _document(found: Any) -> Any:
    if not isinstance(found, Mapping):
        return {"text": str(found)}
    plain = {key.removeprefix("document."): value for key, value in found.items()}
    metadata = _loaded(plain.get("metadata"))
    if metadata is not None:
        plain["metadata"] = metadata if isinstance(metadata, Mapping) else {}
    return plain


def tool_documents(span: Span) -> list[Any]:
    """What a tool found, where that is a list of documents."""
    value = _loaded(said(span, "tool_result"))
    if isinstance(value, Mapping):
        value = next(
            (value[name] for name in ("documents", "results", "chunks") if isinstance(value.get(name), list)), None
        )
    if not isinstance(value, list):
        return []
    texts = ("text", "content", "page_content", "snippet")
    return [
        each for each in value if isinstance(each, Mapping) and any(isinstance(each.get(name), str) for name in texts)
    ]


def count_in(span: Span, what: str) -> int | None:
    """A number of tokens; None where it is not said."""
    value = said(span, what)
    if isinstance(value, str) and value.isdecimal():
        value = int(value)
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e12 else None
