"""The OpenAI server that tests and people talk to, seen through the real SDK and a bare socket."""

import asyncio
import base64
import json
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
import urllib.request
from collections import deque
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import openai
import pytest
from model_clients import hold
from openai import AsyncOpenAI, DefaultAioHttpClient, OpenAI
from support import ROOT, Run

from benchwright.scripts.servers.openai import stand_in
from benchwright.scripts.servers.openai.checks import strict_problem
from benchwright.scripts.servers.openai.command import start_process
from benchwright.scripts.servers.openai.faults import CHAT_FAULTS, TRANSPORT_FAULTS, Fault
from benchwright.scripts.servers.openai.server import OpenAIServer, Received

SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string"}, "sure": {"type": "boolean"}},
    "required": ["answer", "sure"],
    "additionalProperties": False,
}
FORMAT: Any = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA}}
TOOL: Any = {"type": "function", "function": {"name": "record", "parameters": SCHEMA}}
NAMED: Any = {"type": "function", "function": {"name": "record"}}
PASSAGES = """Sable Point was built of granite. It has a height of 24 metres! Is it seen from afar?
Old Hook has a keeper, and a height of 18 metres.

Question: What is the height of Old Hook?
Answer:"""


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(["31 metres"]) as running:
        yield running


def client(server: OpenAIServer, **options: Any) -> OpenAI:
    return OpenAI(**{"base_url": server.url, "api_key": "any", "max_retries": 0, **options})


def ask(server: OpenAIServer, text: str = "How tall?", **options: Any) -> Any:
    """The raw completion of one question."""
    with client(server) as sdk:
        return sdk.chat.completions.create(model="m", messages=[{"role": "user", "content": text}], **options)


def raw(server: OpenAIServer, data: bytes) -> bytes:
    """What comes back for bytes, until the server closes."""
    with socket.create_connection(("127.0.0.1", int(server.url.split(":")[2].split("/")[0]))) as connection:
        connection.settimeout(5)
        connection.sendall(data)
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
        return b"".join(parts)


def chat_body(**options: Any) -> bytes:
    return json.dumps({"model": "m", "messages": [{"role": "user", "content": "Hi"}], **options}).encode()


def test_a_completion_has_the_fields_of_one(server: OpenAIServer) -> None:
    before = time.time()
    got = ask(server, "x" * 41, n=2)
    assert before - 1 <= got.created <= time.time()
    assert got.model_dump(exclude_unset=True, exclude={"created"}) == {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "m",
        "choices": [
            {
                "index": i,
                "message": {"role": "assistant", "content": "31 metres", "refusal": None},
                "logprobs": None,
                "finish_reason": "stop",
            }
            for i in range(2)
        ],
        "usage": {
            "prompt_tokens": 10,
            "completion_tokens": 4,
            "total_tokens": 14,
            "prompt_tokens_details": {"cached_tokens": 0},
        },
    }
    assert got._request_id == "req_1"


def test_requests_are_recorded_in_order_of_arrival(server: OpenAIServer) -> None:
    before = time.monotonic()
    ask(server, "one")
    ask(server, "two", temperature=0)
    first, second = server.requests
    assert (first.method, first.path) == ("POST", "/v1/chat/completions")
    assert first.headers["authorization"] == "Bearer any"
    assert second.body == {"model": "m", "messages": [{"role": "user", "content": "two"}], "temperature": 0}
    assert before < first.at < second.at < time.monotonic()
    assert (server.calls, server.most_at_once, server.refused) == (2, 1, 0)


def test_many_at_once_over_aiohttp_with_latency() -> None:
    async def run(url: str) -> list[str | None]:
        async with AsyncOpenAI(base_url=url, api_key="k", http_client=DefaultAioHttpClient()) as sdk:
            one = [
                sdk.chat.completions.create(model="m", messages=[{"role": "user", "content": str(i)}])
                for i in range(40)
            ]
            return [completion.choices[0].message.content for completion in await asyncio.gather(*one)]

    with OpenAIServer(lambda body: f"of {body['messages'][0]['content']}") as server:
        hold(server, 40)
        assert asyncio.run(run(server.url)) == [f"of {i}" for i in range(40)]
    assert (server.calls, server.most_at_once, server.in_flight) == (40, 40, 0)


def test_replies_in_turn_with_the_last_one_repeating() -> None:
    with OpenAIServer(["a", {"content": "b"}, lambda body: body["model"]]) as server:
        assert [ask(server).choices[0].message.content for _ in range(4)] == ["a", "b", "m", "m"]


def test_replies_by_rule_and_else_by_the_stand_in() -> None:
    rules = [(r"height", "31 metres"), (r"^Who\b", lambda body: ["Ada", "Ben"]), ("empty", "")]
    with OpenAIServer(rules) as server:
        assert ask(server, "What height?").choices[0].message.content == "31 metres"
        assert [c.message.content for c in ask(server, "Who?", n=3).choices] == ["Ada", "Ben", "Ben"]
        assert ask(server, "empty").choices[0].message.content == ""
        assert ask(server, "Something else").choices[0].message.content == "I don't know."


def test_a_block_may_be_as_short_as_can_be() -> None:
    server = OpenAIServer()
    for _ in range(50):
        with server:
            pass
    with pytest.raises(openai.APIConnectionError):
        ask(server)


def test_no_replies_is_an_error() -> None:
    for wrong in ([], "text"):
        with pytest.raises(ValueError, match="replies must be a function, or a list that is not empty"):
            OpenAIServer(wrong)


def test_a_reply_that_says_more() -> None:
    usage = {"prompt_tokens": 100, "prompt_tokens_details": {"cached_tokens": 64}}
    with OpenAIServer([{"content": None, "refusal": "No.", "finish_reason": "length", "usage": usage}]) as server:
        got = ask(server)
    message = got.choices[0].message
    assert (message.content, message.refusal, got.choices[0].finish_reason) == (None, "No.", "length")
    assert got.usage.prompt_tokens_details.cached_tokens == 64
    assert (got.usage.prompt_tokens, got.usage.completion_tokens, got.usage.total_tokens) == (100, 1, 101)


def test_a_reply_that_fails_is_a_500_that_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    with OpenAIServer(lambda body: body["nothing"]) as server:
        with pytest.raises(openai.InternalServerError) as caught:
            client(server, max_retries=5).chat.completions.create(
                model="m", messages=[{"role": "user", "content": "x"}]
            )
        assert server.calls == 1, "it is not asked again"
    assert caught.value.body == {
        "message": "the test server's reply failed: KeyError: 'nothing'",
        "type": "server_error",
        "param": None,
        "code": "reply_failed",
    }
    assert "KeyError: 'nothing'" in capfd.readouterr().err


def test_a_limit_of_tokens_cuts() -> None:
    with OpenAIServer(["abcd" * 10]) as server:
        limits: list[dict[str, Any]] = [{"max_tokens": 3}, {"max_completion_tokens": 3}]
        for limit in limits:
            (choice,) = ask(server, **limit).choices
            assert (choice.message.content, choice.finish_reason) == ("abcdabcdabcd", "length")
        assert ask(server, max_tokens=10).choices[0].finish_reason == "stop"


def test_structured_output() -> None:
    with OpenAIServer(
        [{"answer": "31 metres", "sure": True}, '{"answer": "é"}', {"content": {"content": 1}}]
    ) as server:
        contents = [ask(server, response_format=FORMAT).choices[0].message.content for _ in range(3)]
    assert contents == ['{"answer": "31 metres", "sure": true}', '{"answer": "é"}', '{"content": 1}']


@pytest.mark.parametrize(
    ("choice", "reply", "arguments", "content", "reason"),
    [
        (NAMED, {"answer": "A"}, '{"answer": "A"}', None, "stop"),
        ("required", {"answer": "A"}, '{"answer": "A"}', None, "tool_calls"),
        ("auto", {"answer": "A"}, '{"answer": "A"}', None, "tool_calls"),
        ("auto", {"tool_arguments": "not JSON"}, "not JSON", None, "tool_calls"),
        ("required", "not JSON", "not JSON", None, "tool_calls"),
        ("auto", "a text", None, "a text", "stop"),
        ("none", {"answer": "A"}, None, '{"answer": "A"}', "stop"),
        (NAMED, {"content": "a text"}, None, "a text", "stop"),
    ],
)
def test_tools(choice: Any, reply: Any, arguments: str | None, content: str | None, reason: str) -> None:
    with OpenAIServer([reply]) as server:
        (got,) = ask(server, tools=[TOOL], tool_choice=choice).choices
    assert (got.message.content, got.finish_reason) == (content, reason)
    calls = [(call.id, call.function.name, call.function.arguments) for call in got.message.tool_calls or ()]
    assert calls == ([("call_0", "record", arguments)] if arguments else [])


def test_embeddings_in_both_formats(server: OpenAIServer) -> None:
    given = ["The height of Old Hook", "how tall Old Hook's height is", "grain exports", "!"]
    with client(server) as sdk:
        default = sdk.embeddings.create(model="m", input=given)
        plain = sdk.embeddings.create(model="m", input=given, encoding_format="float", dimensions=256)
        tokens = sdk.embeddings.create(model="m", input=[[1, 2], [3]], dimensions=8)
    assert [request.body.get("encoding_format") for request in server.requests] == ["base64", "float", "base64"]
    a, b, c, d = (item.embedding for item in plain.data)
    assert [len(item.embedding) for item in default.data] == [1536] * 4
    assert [sum(x * x for x in one) for one in (a, b, c, d)] == pytest.approx([1] * 4)
    assert sum(x * y for x, y in zip(a, b, strict=True)) == pytest.approx(0.787, abs=0.001)  # 3 words of 3 and 5
    assert abs(sum(x * y for x, y in zip(a, c, strict=True))) < 0.2
    assert a == stand_in.vector("THE HEIGHT of old hook!", 256)
    assert default.data[0].embedding == pytest.approx(stand_in.vector(given[0], 1536), abs=1e-6)
    assert (default.usage.prompt_tokens, default.usage.total_tokens, default.model) == (5 + 7 + 3 + 1, 16, "m")
    assert [(item.index, item.object) for item in default.data] == [(i, "embedding") for i in range(4)]
    assert [len(item.embedding) for item in tokens.data] == [8, 8]


def test_base64_is_little_endian_floats(server: OpenAIServer) -> None:
    body = json.dumps({"model": "m", "input": "hook", "encoding_format": "base64", "dimensions": 4}).encode()
    request = urllib.request.Request(f"{server.url}/embeddings", body)
    data = json.loads(urllib.request.urlopen(request).read())["data"]
    assert struct.unpack("<4f", base64.b64decode(data[0]["embedding"])) == pytest.approx(stand_in.vector("hook", 4))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"input": ""}, "'$.input' is invalid: it is missing, or a text of it is empty."),
        ({"input": []}, "'$.input' is invalid: it is missing, or a text of it is empty."),
        ({"input": ["a", ""]}, "'$.input' is invalid: it is missing, or a text of it is empty."),
        ({"input": ["a"] * 2049}, "Invalid 'input': array too long, the maximum length is 2048."),
        ({"input": "abcd" * 8193}, "Invalid 'input': maximum context length is 8192 tokens."),
        ({"input": "a", "dimensions": 0}, "Invalid 'dimensions': expected an integer of at least 1."),
    ],
)
def test_embeddings_that_are_turned_down(server: OpenAIServer, given: dict[str, Any], message: str) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        client(server).embeddings.create(model="m", **given)
    assert isinstance(caught.value.body, dict)
    assert caught.value.body["message"] == message


def test_models_and_unknown_ones() -> None:
    with OpenAIServer(models=["small", "org/large"]) as server, client(server) as sdk:
        assert [model.id for model in sdk.models.list()] == ["small", "org/large"]
        assert sdk.models.retrieve("org/large").id == "org/large"
        for call in (lambda: sdk.models.retrieve("none"), lambda: sdk.embeddings.create(model="none", input="a")):
            with pytest.raises(openai.NotFoundError) as caught:
                call()
            assert caught.value.code == "model_not_found"
            assert "The model `none` does not exist or you do not have access to it." in caught.value.message
    with OpenAIServer() as server, client(server) as sdk:
        assert [model.id for model in sdk.models.list()] == ["stand-in"]


def test_the_key_is_asked_for() -> None:
    with OpenAIServer(["x"], key="sk-right") as server:
        with pytest.raises(openai.AuthenticationError) as caught:
            client(server, api_key="sk-wrong").models.list()
        assert caught.value.body == {
            "message": "Incorrect API key provided: sk-***.",
            "type": "invalid_request_error",
            "param": None,
            "code": "invalid_api_key",
        }
        assert [model.id for model in client(server, api_key="sk-right").models.list()] == ["stand-in"]
        assert b'"You didn\'t provide an API key."' in raw(
            server, b"GET /v1/models HTTP/1.1\r\nConnection: close\r\n\r\n"
        )


@pytest.mark.parametrize(
    ("supports", "asked", "param"),
    [
        ({"tools", "json_object"}, {"response_format": FORMAT}, "response_format"),
        ({"tools", "json_schema"}, {"response_format": {"type": "json_object"}}, "response_format"),
        ({"json_schema", "json_object"}, {"tools": [TOOL]}, "tools"),
    ],
)
def test_what_is_not_supported(supports: Any, asked: Mapping[str, Any], param: str) -> None:
    with OpenAIServer([{"answer": "A"}], supports=supports) as server:
        with pytest.raises(openai.BadRequestError) as caught:
            ask(server, **asked)
        assert (caught.value.code, caught.value.param) == ("unsupported_parameter", param)
        assert ask(server).choices[0].message.content == '{"answer": "A"}'


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"messages": []}, "Missing required parameter: 'messages'."),
        ({"model": ""}, "you must provide a model parameter"),
        ({"extra_body": {"stream": True}}, "This server does not stream."),
        ({"tool_choice": "auto"}, "'tool_choice' is only allowed when 'tools' are specified."),
        (
            {"tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "other"}}},
            "Tool choice 'other' not found in 'tools' parameter.",
        ),
        (
            {"response_format": {"type": "json_schema", "json_schema": {"name": "a"}}},
            "Missing required parameter: 'response_format.json_schema.schema'.",
        ),
        ({"response_format": {"type": "xml"}}, "Invalid value: 'xml'."),
        (
            {"response_format": {"type": "json_object"}},
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        ),
        (
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "a", "strict": True, "schema": {"type": "object"}},
                }
            },
            "Invalid schema for response_format 'a': 'additionalProperties' is required to be supplied and to be false.",
        ),
    ],
)
def test_requests_that_openai_turns_down(server: OpenAIServer, asked: Any, message: str) -> None:
    given = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], **asked}
    with pytest.raises(openai.BadRequestError) as caught:
        client(server).chat.completions.create(**given)
    assert isinstance(caught.value.body, dict)
    assert caught.value.body["message"] == message


def test_strict_schemas_are_looked_at_in_depth() -> None:
    open_item = {
        "type": "object",
        "properties": {"x": {"type": "string"}},
        "additionalProperties": False,
        "required": [],
    }
    whole = {
        **SCHEMA,
        "properties": {"answer": {"$ref": "#/$defs/i"}, "sure": {"type": "null"}},
        "$defs": {"i": open_item},
    }
    assert strict_problem(SCHEMA) == ""
    assert strict_problem(whole) == "'required' is required to include every key in properties. Missing 'x'"


# faults


def test_faults_are_taken_one_per_request_in_order(server: OpenAIServer) -> None:
    server.faults.extend([Fault(503), None, Fault(400, message="Bad.", code="bad", type="odd", param="messages")])
    with pytest.raises(openai.InternalServerError) as overloaded:
        ask(server)
    assert ask(server).choices[0].message.content == "31 metres"
    with pytest.raises(openai.BadRequestError) as bad:
        ask(server)
    assert ask(server).choices[0].message.content == "31 metres"
    assert overloaded.value.body == {
        "message": "The engine is currently overloaded, please try again later.",
        "type": "server_error",
        "param": None,
        "code": None,
    }
    assert bad.value.body == {"message": "Bad.", "type": "odd", "param": "messages", "code": "bad"}


def test_a_function_may_choose_the_fault(server: OpenAIServer) -> None:
    def choose(received: Received) -> Fault | None:
        return Fault(500) if "two" in received.body["messages"][0]["content"] else None

    server.fault_for = choose
    assert ask(server, "one").choices[0].message.content == "31 metres"
    with pytest.raises(openai.InternalServerError, match="The server had an error while processing your request"):
        ask(server, "two")


@pytest.mark.parametrize(
    ("fault", "headers"),
    [
        (Fault(429), {}),
        (Fault(429, retry_after=2), {"retry-after": "2"}),
        (Fault(429, retry_after=0.25), {"retry-after": "0.25"}),
        (Fault(503, retry_after="soon"), {"retry-after": "soon"}),
        (Fault(429, retry_after=1, retry_after_ms=1250), {"retry-after": "1", "retry-after-ms": "1250"}),
    ],
)
def test_retry_after(server: OpenAIServer, fault: Fault, headers: dict[str, str]) -> None:
    server.faults.append(fault)
    with pytest.raises(openai.APIStatusError) as caught:
        ask(server)
    sent = caught.value.response.headers
    assert {name: value for name, value in sent.items() if name.lower().startswith("retry")} == headers
    assert caught.value.status_code == fault.kind
    assert caught.value.code == ("rate_limit_exceeded" if fault.kind == 429 else None)


def test_retry_after_as_a_date(server: OpenAIServer) -> None:
    server.faults.append(Fault(429, retry_after=30, as_date=True))
    before = time.time()
    with pytest.raises(openai.RateLimitError) as caught:
        ask(server)
    at = parsedate_to_datetime(caught.value.response.headers["retry-after"]).timestamp()
    assert before + 30 <= at <= time.time() + 31


def test_the_sdk_waits_as_long_as_it_is_told(server: OpenAIServer) -> None:
    server.faults.extend([Fault(429, retry_after_ms=800), Fault(500, retry_after=1.3), Fault("reset")])
    with client(server, max_retries=3) as sdk:
        got = sdk.chat.completions.create(model="m", messages=[{"role": "user", "content": "x"}])
    assert got.choices[0].message.content == "31 metres"
    a, b, c, _ = (request.at for request in server.requests)
    assert b - a >= 0.8, "not the SDK's own 0.5 s at most"
    assert c - b >= 1.3, "not the SDK's own 1 s at most"


def test_slow(server: OpenAIServer) -> None:
    server.faults.extend([Fault("slow", seconds=0.3), Fault(500, seconds=0.2), Fault("slow", seconds=30)])
    start = time.monotonic()
    assert ask(server).choices[0].message.content == "31 metres"
    assert 0.3 <= time.monotonic() - start < 30
    with pytest.raises(openai.InternalServerError):
        ask(server)
    assert time.monotonic() - start >= 0.5
    with pytest.raises(openai.APITimeoutError):
        ask(server, timeout=0.2)
    end = time.monotonic() + 20
    while server.in_flight and time.monotonic() < end:
        time.sleep(0.01)
    assert server.in_flight == 0, "who hangs up is in flight no more"


def test_cut_and_reset(server: OpenAIServer) -> None:
    server.faults.extend([Fault("cut"), Fault("reset"), Fault("cut"), Fault("reset")])
    for _ in range(2):
        with pytest.raises(openai.APIConnectionError):
            ask(server)
    request = b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(chat_body()) + chat_body()
    head, _, body = raw(server, request).partition(b"\r\n\r\n")
    length = int(head.split(b"Content-Length: ")[1])
    assert b"200 OK" in head
    assert len(body) == length // 2
    with pytest.raises(ConnectionResetError):
        raw(server, request)


def test_what_is_no_json(server: OpenAIServer) -> None:
    server.faults.extend([Fault("invalid_json"), Fault("html")])
    with pytest.raises(json.JSONDecodeError):
        ask(server)
    assert ask(server) == "<!doctype html><title>Welcome</title><p>It works.</p>", "the SDK gives other types as text"


@pytest.mark.parametrize(
    ("kind", "plain", "structured", "tool"),
    [
        (
            "wrong_schema",
            '["this does not fit"]',
            '{"unexpected": "this does not fit"}',
            '{"unexpected": "this does not fit"}',
        ),
        ("not_json_content", *["Here is what you asked for. I hope that it helps."] * 3),
        ("length", *['{"answer"'] * 3),
        ("content_filter", "", "", None),
        ("refusal", None, None, None),
    ],
)
def test_faults_of_the_content(kind: str, plain: str | None, structured: str | None, tool: str | None) -> None:
    reasons = {"length": "length", "content_filter": "content_filter"}
    with OpenAIServer([{"answer": "31 m"}], faults=[Fault(kind)] * 3) as server:
        (first,) = ask(server).choices
        (second,) = ask(server, response_format=FORMAT).choices
        (third,) = ask(server, tools=[TOOL], tool_choice=NAMED).choices
    assert (first.message.content, second.message.content) == (plain, structured)
    assert [choice.finish_reason for choice in (first, second, third)] == [reasons.get(kind, "stop")] * 3
    calls = third.message.tool_calls
    assert (calls[0].function.arguments if calls else None) == tool
    refusal = "I'm sorry, I cannot help with that." if kind == "refusal" else None
    assert (first.message.refusal, third.message.refusal) == (refusal, refusal)


def test_faults_of_the_completion(server: OpenAIServer) -> None:
    server.faults.extend([Fault("empty_choices"), Fault("missing_usage"), Fault("refusal")])
    assert ask(server).choices == []
    got = ask(server)
    assert (got.usage, got.choices[0].message.content) == (None, "31 metres")
    with pytest.raises(openai.BadRequestError, match="fault refusal is for chat requests only"):
        client(server).embeddings.create(model="m", input="a")


def test_every_kind_of_fault_is_known() -> None:
    assert len(TRANSPORT_FAULTS + CHAT_FAULTS) == 16
    for kind in (399, 600, "429", "slw"):
        with pytest.raises(ValueError) as caught:
            Fault(kind)
        assert str(caught.value).startswith(
            f"there is no fault {kind!r}: choose a status from 400 to 599, or from slow, "
        )
    with pytest.raises(ValueError, match="the fault slow needs its seconds"):
        Fault("slow")


def test_requests_per_minute() -> None:
    with OpenAIServer(["x"], rpm=2) as server:
        ask(server)
        ask(server)
        with pytest.raises(openai.RateLimitError) as caught:
            ask(server)
        wait = float(caught.value.response.headers["retry-after"])
        assert 0 < wait <= 60.0
        assert caught.value.code == "rate_limit_exceeded"
        client(server).models.list()
        server._taken = deque(at - wait for at in server._taken)  # as if it had been waited for
        ask(server)
    assert (server.calls, server.refused) == (5, 1)


def test_capacity() -> None:
    async def run(url: str) -> list[Any]:
        async with AsyncOpenAI(base_url=url, api_key="k", max_retries=0, http_client=DefaultAioHttpClient()) as sdk:
            calls = [
                sdk.chat.completions.create(model="m", messages=[{"role": "user", "content": "x"}]) for _ in range(9)
            ]
            return await asyncio.gather(*calls, return_exceptions=True)

    with OpenAIServer(["x"], capacity=4, latency=1.0) as server:
        got = asyncio.run(run(server.url))
    errors = [one for one in got if isinstance(one, openai.RateLimitError)]
    assert (len(got), len(errors)) == (9, 5)
    assert all("retry-after" not in error.response.headers for error in errors)
    assert (server.most_at_once, server.refused, server.calls) == (4, 5, 9)


# HTTP


def test_chunked_bodies_prefixes_and_pipelining(server: OpenAIServer) -> None:
    body = chat_body()
    chunks = (
        b"".join(b"%x;ext=1\r\n%b\r\n" % (len(part), part) for part in (body[:7], body[7:]))
        + b"0\r\nTrailer: t\r\n\r\n"
    )
    first = b"POST /api/v9/chat/completions?q=1 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks
    second = b"POST /chat/completions HTTP/1.1\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
    assert raw(server, first + second).count(b"31 metres") == 2
    assert [request.path for request in server.requests] == ["/api/v9/chat/completions", "/chat/completions"]
    assert [request.body for request in server.requests] == [json.loads(body)] * 2


def test_bytes_that_come_one_by_one(server: OpenAIServer) -> None:
    body = chat_body()
    data = b"POST /v1/chat/completions HTTP/1.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    data += b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    port = int(server.url.split(":")[2].split("/")[0])
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in data:
            connection.sendall(bytes([byte]))
        assert b"31 metres" in connection.recv(65536)


@pytest.mark.parametrize(
    ("request_", "status", "message"),
    [
        (b"nonsense\r\n\r\n", 400, "Bad request"),
        (b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400, "the length of the body is out of range"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400, "Bad request"),
        (b"GET /" + b"a" * 70000, 400, "the head is too long"),
        (b"POST /v1/responses HTTP/1.1\r\nConnection: close\r\n\r\n", 404, "Invalid URL (POST /v1/responses)"),
        (b"GET /v1/embeddings HTTP/1.1\r\nConnection: close\r\n\r\n", 405, "Not allowed to GET on /v1/embeddings."),
        (
            b"POST /v1/embeddings HTTP/1.1\r\nConnection: close\r\nContent-Length: 1\r\n\r\n{",
            400,
            "We could not parse the JSON body of your request.",
        ),
    ],
)
def test_requests_that_are_wrong(server: OpenAIServer, request_: bytes, status: int, message: str) -> None:
    head, _, body = raw(server, request_).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert message in json.loads(body)["error"]["message"]


# the stand-in


def user(text: str, **options: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": text}], **options}


def test_the_stand_in_answers_from_the_passages() -> None:
    assert stand_in.reply(user(PASSAGES)) == "Old Hook has a keeper, and a height of 18 metres."
    assert stand_in.reply(user("Sable Point is white. Old Hook is red.\nWhich one is red?")) == "Old Hook is red."
    assert stand_in.reply(user("Grain is dear.\nWhich one is red?")) == "I don't know."
    assert stand_in.reply(user("Which one is red?")) == "I don't know."
    parts = [{"type": "text", "text": "Old Hook is red."}, {"type": "text", "text": "Which one is red?"}]
    assert stand_in.reply({"messages": [{"role": "user", "content": parts}]}) == "Old Hook is red."


def test_the_stand_in_words_questions_with_their_placeholders() -> None:
    schema = {
        "type": "object",
        "properties": {"wordings": {"type": "array", "minItems": 25, "items": {"type": "string"}}},
    }
    form = {"type": "json_schema", "json_schema": {"name": "w", "schema": schema}}
    text = 'Word it. Not: What is recorded for [employee name] and [Year]?\nKeep [employee name]; list: ["a", [1]]'
    wordings = stand_in.reply(user(text, response_format=form))["content"]["wordings"]
    assert len(set(wordings)) == 25
    assert wordings[0] == "Tell me what is known of [employee name] and [Year]."
    assert all(one.count("[employee name]") == one.count("[Year]") == 1 for one in wordings)
    first, second = (one["content"]["wordings"] for one in stand_in.reply(user(text, response_format=form, n=2)))
    assert not {*first} & {*second}


def test_the_stand_in_conforms_to_a_schema() -> None:
    schema = {
        "type": "object",
        "properties": {
            "nodes": {"type": "array", "items": {"$ref": "#/$defs/node"}, "maxItems": 2},
            "grade": {"type": "array", "items": {"enum": ["a", "b"]}},
            "score": {"type": "number", "minimum": 0, "maximum": 1},
            "count": {"type": ["null", "integer"], "exclusiveMinimum": 4, "maximum": 6},
            "even": {"type": "array", "items": {"type": "integer", "multipleOf": 2, "minimum": 3}},
            "maybe": {"anyOf": [{"type": "null"}, {"type": "boolean"}]},
            "both": {"allOf": [{"properties": {"x": {"const": 1}}}, {"properties": {"y": {"type": "null"}}}]},
            "day": {"type": "string", "format": "date"},
            "code": {"type": "string", "minLength": 20, "maxLength": 30},
            "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
        },
        "$defs": {
            "node": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
                },
            }
        },
    }
    phrases = (f"text {number}" for number in range(1000))
    made = stand_in.instance(schema, phrases)
    first, second = made.pop("nodes")
    assert (first["id"], first["next"]["id"], second["id"]) == ("text 0", "text 1", "text 7")
    assert json.dumps(first).count('"next"') == 7, "a schema that refers to itself comes to an end"
    assert made == {
        "grade": ["a", "b"],
        "score": pytest.approx(1 / 11),
        "count": 5,
        "even": [4, 6, 8],
        "maybe": True,
        "both": {"x": 1, "y": None},
        "day": "2024-01-01",
        "code": "text 14 text 14 text 14 text 1",
        "pair": ["text 15", 2],
    }


def test_the_stand_in_through_the_sdk() -> None:
    with OpenAIServer() as server:
        structured = ask(server, PASSAGES, response_format=FORMAT).choices[0].message.content
        called = ask(server, PASSAGES, tools=[TOOL]).choices[0].message.tool_calls[0].function.arguments
        loose = (
            ask(server, f"Reply in JSON.\n{PASSAGES}", response_format={"type": "json_object"})
            .choices[0]
            .message.content
        )
    answer = "Old Hook has a keeper, and a height of 18 metres."
    assert json.loads(structured) == json.loads(called) == {"answer": answer, "sure": True}
    assert json.loads(loose) == {"answer": answer}


# processes


def test_a_process_of_its_own() -> None:
    with start_process(0.1, replies=[["height", "31 metres"]], capacity=1) as url:
        with OpenAI(base_url=url, api_key="k") as sdk:
            got = sdk.chat.completions.create(model="m", messages=[{"role": "user", "content": "height?"}])
        assert got.choices[0].message.content == "31 metres"
        stats = json.loads(urllib.request.urlopen(f"{url}/stats").read())
        sent = stats.pop("sent")
        assert stats == {"calls": 1, "most_at_once": 1, "batches": 0, "batched": 0}
        assert sent["ok"]["answers"] == 1
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(f"{url}/stats")


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """The script in a folder whose environment is the one that runs."""
    folder = tmp_path / "copy"
    (folder / "scripts").mkdir(parents=True)
    shutil.copy(ROOT / "scripts" / "openai-server", folder / "scripts")
    (folder / "scripts" / "environment").write_text(f"#!/bin/sh\necho {sys.executable}\n")
    (folder / "scripts" / "environment").chmod(0o755)
    (folder / "tests").symlink_to(ROOT / "tests")
    return folder / "scripts" / "openai-server"


def test_by_hand(script: Path, tmp_path: Path) -> None:
    (tmp_path / "replies.jsonl").write_text('{"match": "height", "reply": "31 metres"}\n\n')
    options = [
        "--port",
        "0",
        "--key",
        "k",
        "--replies",
        "replies.jsonl",
        "--latency",
        "0.01",
        "--fault",
        "ok",
        "429:7",
        "slow:0.1",
    ]
    with subprocess.Popen([script, *options], cwd=tmp_path, stdout=-1, stderr=-1, text=True) as process:
        assert process.stdout and process.stderr
        line = process.stdout.readline()
        url = line.split()[1].rstrip(";")
        assert line == f"serving {url}; use it with OPENAI_BASE_URL={url} OPENAI_API_KEY=k; Ctrl-C stops it\n"
        with OpenAI(base_url=url, api_key="k", max_retries=0) as sdk:
            for status in (200, 429, 200):
                try:
                    got = sdk.chat.completions.create(model="m", messages=[{"role": "user", "content": "height?"}])
                    assert (status, got.choices[0].message.content) == (200, "31 metres")
                except openai.RateLimitError as error:
                    assert (status, error.response.headers["retry-after"]) == (429, "7")
        port = url.split(":")[2].split("/")[0]
        second = subprocess.run([script, "--port", port], capture_output=True, text=True, check=False)
        assert (second.returncode, second.stdout) == (1, "")
        assert second.stderr == f"error: port {port} is in use: give another one with --port, 0 for any free one\n"
        process.send_signal(signal.SIGINT)
        assert (process.wait(5), process.stdout.read(), process.stderr.read()) == (0, "", "")


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("{", (), "r.jsonl, line 1: not JSON: "),
        ('{"match": "a", "reply": "b"}\n{"match": "("}', (), "r.jsonl, line 2: match is no pattern: "),
        ('{"match": "a"}', (), 'r.jsonl, line 1: not of the form {"match": pattern, "reply": …}'),
        ("", (), "r.jsonl: there is no rule in it"),
        (None, (), "No such file or directory: 'r.jsonl'"),
        ('{"match": "a", "reply": "b"}', ("--fault", "slw"), "there is no fault 'slw': choose a status from 400"),
        ('{"match": "a", "reply": "b"}', ("--port", "99999"), "port must be 0-65535"),
    ],
)
def test_wrong_use_is_one_line(
    run: Run, tmp_path: Path, content: str | None, options: tuple[str, ...], message: str
) -> None:
    if content is not None:
        (tmp_path / "r.jsonl").write_text(content)
    got = run("-m", "benchwright.scripts.servers.openai.command", "--replies", "r.jsonl", *options)
    assert (got.returncode, got.stdout, got.stderr.count("\n")) == (1, "", 1)
    assert got.stderr.startswith("error: ")
    assert message in got.stderr
