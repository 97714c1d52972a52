"""Profiles of the OpenAI server: what endpoints that differ from OpenAI's say, byte for byte where it matters."""

import json
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any

import pytest

from benchwright.scripts.servers.openai.faults import THOUGHTS, Fault
from benchwright.scripts.servers.openai.profiles import PROFILES
from benchwright.scripts.servers.openai.server import OpenAIServer

KEY = "sk-of-this-test"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"metres": {"type": "integer"}},
    "required": ["metres"],
    "additionalProperties": False,
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "height", "schema": SCHEMA, "strict": True}}
TOOLS = [{"type": "function", "function": {"name": "height", "parameters": SCHEMA}}]


def post(server: OpenAIServer, key: str = KEY, url: str = "", path: str = "/chat/completions", **body: Any) -> Any:
    """Status, and what the body says."""
    place, _, query = (url or server.url).partition("?")
    sent = {"model": "m", "messages": [{"role": "user", "content": "How tall, as JSON?"}], **body}
    headers = {server.profile.key: key if server.profile.key == "api-key" else f"Bearer {key}"}
    request = urllib.request.Request(f"{place}{path}?{query}", json.dumps(sent).encode(), headers)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def serve(name: str, **options: Any) -> OpenAIServer:
    return OpenAIServer(["31 metres"], profile=name, key=KEY, models=["m"], **options)


def error_of(name: str, **request: Any) -> Any:
    with serve(name) as server:
        return post(server, **request)


@pytest.mark.parametrize("name", PROFILES)
def test_each_profile_answers_a_plain_request(name: str) -> None:
    with serve(name) as server:
        status, body = post(server)
        assert status == 200
        message = body["choices"][0]["message"]
        assert message["content"].removeprefix(f"<think>\n{THOUGHTS}\n</think>\n\n") == "31 metres"
        assert body["usage"]["total_tokens"] == body["usage"]["prompt_tokens"] + body["usage"]["completion_tokens"]
        assert server.sent["ok"].output_tokens == body["usage"]["completion_tokens"]


def test_a_wrong_key_is_refused_in_the_words_of_the_endpoint() -> None:
    wrong = "sk-wrong"
    assert error_of("vllm", key=wrong) == (401, {"error": "Unauthorized"})
    assert error_of("openrouter", key=wrong) == (
        401,
        {"error": {"message": "No auth credentials found", "code": 401}},
    )
    assert error_of("llamacpp", key=wrong) == (
        401,
        {"error": {"message": "Invalid API Key", "type": "authentication_error", "code": 401}},
    )
    assert error_of("azure", key=wrong)[1]["error"]["code"] == "401"
    assert error_of("anthropic", key=wrong)[1]["error"]["type"] == "authentication_error"
    assert error_of("ollama", key=wrong)[0] == 200


def test_azure_wants_its_header_its_path_and_its_version() -> None:
    with serve("azure") as server:
        assert server.url.endswith("/openai/deployments/m?api-version=2024-06-01")
        assert post(server, model="ignored")[0] == 200
        assert post(server, url=server.url.partition("?")[0])[1]["error"]["message"] == "Resource not found"
        other = server.url.replace("/m?", "/n?")
        status, body = post(server, url=other)
        assert (status, body["error"]["code"]) == (404, "DeploymentNotFound")
        server.faults.append(Fault("prompt_filter"))
        status, body = post(server)
        assert (status, body["error"]["code"], body["error"]["param"]) == (400, "content_filter", "prompt")
        assert body["error"]["innererror"]["code"] == "ResponsibleAIPolicyViolation"


def test_parameters_are_refused_with_and_without_their_name() -> None:
    for name, param in (("openai", "temperature"), ("litellm", "None"), ("anthropic", None)):
        status, body = error_of(name, temperature=0)
        assert (status, body["error"]["param"]) == (400, param)
        assert error_of(name, temperature=1)[0] == 200
    assert error_of("openai", max_tokens=5)[1]["error"]["code"] == "unsupported_parameter"
    assert error_of("openai", max_completion_tokens=5)[0] == 200
    assert error_of("anthropic", n=2)[0] == error_of("llamacpp", n=2)[0] == 400
    assert len(error_of("ollama", n=2)[1]["choices"]) == 1
    assert len(error_of("vllm", n=2)[1]["choices"]) == 2


@pytest.mark.parametrize(
    ("name", "of_schema", "of_tools"),
    [
        ("openai", "json", "json"),
        ("azure", 400, "json"),
        ("openrouter", "prose", 404),
        ("vllm", "json", 400),
        ("ollama", "json", 400),
        ("llamacpp", 400, 500),
        ("litellm", 400, 400),
        ("anthropic", "prose", "json"),
    ],
)
def test_structured_output_is_kept_to_ignored_or_refused(name: str, of_schema: Any, of_tools: Any) -> None:
    def got(**request: Any) -> Any:
        with OpenAIServer(profile=name, key=KEY, models=["m"]) as server:
            status, body = post(server, **request)
        if status != 200:
            return status
        message = body["choices"][0]["message"]
        said = message["tool_calls"][0]["function"]["arguments"] if message.get("tool_calls") else message["content"]
        return "json" if said.startswith("{") else "prose"

    named = {"type": "function", "function": {"name": "height"}}
    assert got(response_format=FORMAT) == of_schema
    assert got(tools=TOOLS, tool_choice=named) == of_tools


def test_what_was_sent_is_counted_by_kind() -> None:
    faults = [None, Fault(500), Fault("busy"), Fault("cut"), Fault("missing_usage"), Fault("length"), Fault("html")]
    with serve("openrouter", faults=[*faults, Fault("reset")]) as server:
        for _ in range(len(faults) + 1):
            try:
                post(server)
            except (OSError, ValueError, HTTPException):
                continue
        sent = {kind: (counts.answers, counts.output_tokens > 0) for kind, counts in server.sent.items()}
        assert sent == {
            "ok": (1, True), "500": (1, False), "busy": (1, False), "cut": (1, True), "missing_usage": (1, False),
            "length": (1, True), "html": (1, False), "reset": (1, False),
        }  # fmt: skip


def test_embeddings_are_not_everywhere() -> None:
    for name in PROFILES:
        status, _ = error_of(name, path="/embeddings", input=["a"])
        assert status == (404 if name == "anthropic" else 200)
