"""Requests that are turned down, as OpenAI turns them down: their messages, formats, tools, schemas and inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from benchwright.scripts.servers.openai.answers import Problem
from benchwright.scripts.servers.openai.stand_in import texts

Feature = Literal["json_schema", "json_object", "tools"]
ALL: frozenset[Feature] = frozenset(("json_schema", "json_object", "tools"))
"""What a full endpoint supports."""
MOST_INPUTS = 2048
"""Of a call for embeddings, as OpenAI limits it."""
MOST_INPUT_TOKENS = 8192
"""Of one text of a call for embeddings."""


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


def check_ranking(body: Mapping[str, Any]) -> list[str]:
    """The texts of a call for a ranking."""
    given = body.get("documents")
    if not isinstance(body.get("query"), str) or not body["query"]:
        raise Problem(400, "Missing required parameter: 'query'.", "missing_required_parameter", "query")
    if not isinstance(given, list) or not given or not all(isinstance(text, str) for text in given):
        raise Problem(400, "'$.documents' is invalid: it must be a list of texts.", param="documents")
    return given
