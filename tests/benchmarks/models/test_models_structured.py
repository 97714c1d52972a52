"""Structured replies: how an endpoint is asked, how that is found out, and what it does not take."""

import asyncio
import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from model_clients import ROLE, STEP, ask, messages, new_client, tally

from benchwright.benchmarks.models.endpoint.structured import InvalidReply, shape
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.scripts.servers.openai.checks import Feature
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer, Received


@dataclass(frozen=True)
class Part:
    """A part of a verdict."""

    claim: str
    holds: bool


@dataclass(frozen=True)
class JudgeVerdict:
    """A verdict."""

    verdict: Literal["right", "wrong"]
    parts: tuple[Part, ...] = ()
    note: str | None = None


@dataclass(frozen=True)
class Height:
    """A height."""

    metres: int


def test_a_schema_that_strict_endpoints_take() -> None:
    part = {
        "type": "object",
        "properties": {"claim": {"type": "string"}, "holds": {"type": "boolean"}},
        "required": ["claim", "holds"],
        "additionalProperties": False,
    }
    verdict = shape(JudgeVerdict)
    assert verdict.name == "judge_verdict"
    schema = json.loads(json.dumps(verdict.schema))
    assert schema["$defs"]["Part"].pop("description", None) in (None, "A part of a verdict.")
    assert schema.pop("description", None) in (None, "A verdict.")
    assert schema == {
        "$defs": {"Part": part},
        "type": "object",
        "properties": {
            "verdict": {"enum": ["right", "wrong"], "type": "string"},
            "parts": {"items": {"$ref": "#/$defs/Part"}, "type": "array"},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["verdict", "parts", "note"],
        "additionalProperties": False,
    }


READ = [
    '{"metres": 31}',
    '```json\n{"metres": 31}\n```',
    '```\n{"metres": 31}\n```\n',
    'Here it is:\n\n{"metres": 31}\n\nI hope that helps.',
    'Sure!\n```json\n{\n  "metres": 31\n}\n```\nAnything else?',
    ' \n{"metres": "31"}',
]


@pytest.mark.parametrize("text", READ)
def test_json_is_found_in_what_is_around_it(text: str) -> None:
    assert shape(Height).parse(text) == Height(31)


NOT_READ = [
    ("31 metres", "it holds no JSON object"),
    ("} {", "it holds no JSON object"),
    ("[31]", "it holds no JSON object"),
    ('{"metres": "tall"}', "metres: Input should be a valid integer, unable to parse string as an integer"),
    ('{"metres": 31, "feet": 102}', "feet: Unexpected keyword argument"),
    ('{"metres": 31', "it holds no JSON object"),
    ("{metres: 31}", "Invalid JSON: key must be a string at line 1 column 2"),
]


@pytest.mark.parametrize(("text", "problem"), NOT_READ)
def test_what_is_wrong_is_said(text: str, problem: str) -> None:
    with pytest.raises(InvalidReply) as wrong:
        shape(Height).parse(text)
    assert str(wrong.value) == problem


def mode_of(body: dict[str, Any]) -> str:
    return body.get("response_format", {}).get("type") or ("tools" if "tools" in body else "text")


WORDS = 'Sure:\n```json\n{"metres": 31}\n```\nThat is all.'


SUPPORTED: list[tuple[tuple[Any, ...], Any, list[str]]] = [
    (("json_schema", "tools"), {"metres": 31}, ["json_schema"]),
    (("tools",), {"metres": 31}, ["json_schema", "tools"]),
    (("json_object",), {"metres": 31}, ["json_schema", "tools", "json_object"]),
    ((), WORDS, ["json_schema", "tools", "json_object", "text"]),
]


@pytest.mark.parametrize(("supports", "said", "modes"), SUPPORTED, ids=["schemas", "tools", "objects", "text"])
def test_one_request_finds_out_what_an_endpoint_supports(
    supports: tuple[Any, ...], said: Any, modes: list[str], tmp_path: Path
) -> None:
    """Though 16 start at once; and the next process knows from the start."""

    async def many(client: Any, count: int, what: str) -> list[Any]:
        asked = [client.chat(ROLE, messages(f"{what} {n}"), step=STEP, reply=Height) for n in range(count)]
        return [reply.value for reply in await asyncio.gather(*asked)]

    cache = tmp_path / "replies.sqlite"
    with OpenAIServer([said], supports=supports) as server:
        with new_client(server.url, cache) as client:
            assert asyncio.run(many(client, 16, "first")) == [Height(31)] * 16
        assert [mode_of(request.body) for request in server.requests] == modes + modes[-1:] * 15
        before = server.calls
        with new_client(server.url, cache) as client:
            assert asyncio.run(many(client, 4, "second")) == [Height(31)] * 4
        assert [mode_of(request.body) for request in server.requests[before:]] == modes[-1:] * 4
        with new_client(server.url, cache) as client:
            assert asyncio.run(many(client, 16, "first")) == [Height(31)] * 16
            assert (tally(client).calls, tally(client).reused) == (0, 16)


def test_how_each_mode_asks(tmp_path: Path) -> None:
    with OpenAIServer([{"metres": 31}], supports=()) as server:
        with new_client(server.url, tmp_path / "c.sqlite") as client:
            ask(client, reply=Height, temperature=0)
        by_schema, by_tool, by_object, by_text = (request.body for request in server.requests)
    schema = dict(shape(Height).schema)
    asked = [{"role": "user", "content": "How tall?"}]
    head = {"model": "m", "temperature": 0}
    strict = {"name": "height", "schema": schema, "strict": True}
    assert by_schema == {**head, "messages": asked, "response_format": {"type": "json_schema", "json_schema": strict}}
    function = {"name": "height", "description": "Gives the reply.", "parameters": schema}
    assert by_tool == {
        **head,
        "messages": asked,
        "tools": [{"type": "function", "function": function}],
        "tool_choice": {"type": "function", "function": {"name": "height"}},
    }
    told = (
        "Reply with one JSON object and nothing else: no explanation, no Markdown. It must fit this JSON Schema:\n"
        + json.dumps(schema)
    )
    assert by_text == {**head, "messages": [{"role": "user", "content": f"How tall?\n\n{told}"}]}
    assert by_object == {**by_text, "response_format": {"type": "json_object"}}


def test_an_endpoint_that_has_lost_what_it_supported(tmp_path: Path) -> None:
    """Another server at the same address: it is found out anew, and kept."""
    cache = tmp_path / "replies.sqlite"
    with OpenAIServer([{"metres": 31}]) as server:
        with new_client(server.url, cache) as client:
            ask(client, reply=Height)
        server.supports = frozenset[Feature](["tools"])
        with new_client(server.url, cache) as client:
            assert ask(client, "And now?", reply=Height).value == Height(31)
        with new_client(server.url, cache) as client:
            assert ask(client, "And then?", reply=Height).value == Height(31)
        assert [mode_of(request.body) for request in server.requests] == ["json_schema"] * 2 + ["tools"] * 2


def test_a_rejected_prompt_says_nothing_about_modes(tmp_path: Path) -> None:
    too_long = Fault(400, param="messages", code="context_length_exceeded")
    with OpenAIServer([{"metres": 31}], faults=[too_long]) as server:
        with new_client(server.url, tmp_path / "c.sqlite") as client:
            with pytest.raises(ReplyError):
                ask(client, "a long one", reply=Height)
            ask(client, reply=Height)
        assert [mode_of(request.body) for request in server.requests] == ["json_schema"] * 2


@pytest.mark.parametrize("is_structured", [False, True], ids=["plain", "structured"])
def test_a_parameter_that_is_not_taken_is_left_out(
    is_structured: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fault(request: Received) -> Fault | None:
        return Fault(400, param="temperature", code="unsupported_value") if "temperature" in request.body else None

    async def many(client: Any) -> list[Any]:
        options: dict[str, Any] = {"reply": Height} if is_structured else {}
        first = await client.chat(ROLE, messages("first"), step=STEP, temperature=0.0, max_tokens=9, **options)
        asked = [
            client.chat(ROLE, messages(f"{n}"), step=STEP, temperature=0.0, max_tokens=9, **options) for n in range(5)
        ]
        return [first, *await asyncio.gather(*asked)]

    with OpenAIServer([{"metres": 31}]) as server, caplog.at_level(logging.WARNING, "benchwright"):
        server.fault_for = fault
        with new_client(server.url, tmp_path / "c.sqlite") as client:
            assert [reply.text for reply in asyncio.run(many(client))] == ['{"metres": 31}'] * 6
        sent = [request.body.get("temperature") for request in server.requests]
        assert sent == [0.0] + [None] * 6
        assert {request.body["max_tokens"] for request in server.requests} == {9}
    assert [record.getMessage() for record in caplog.records] == ["m does not take temperature: it is left out"]


def test_a_parameter_that_is_rejected_even_where_it_is_not(tmp_path: Path) -> None:
    with OpenAIServer(["31"]) as server:
        server.fault_for = lambda _: Fault(400, param="temperature")
        with new_client(server.url, tmp_path / "c.sqlite") as client, pytest.raises(ReplyError):
            ask(client, temperature=0)
        assert server.calls == 2


def test_several_samples_in_one_request(tmp_path: Path) -> None:
    with OpenAIServer([["one", "two", "three"]]) as server:
        with new_client(server.url, tmp_path / "c.sqlite") as client:
            for is_kept in (False, True):
                reply = ask(client, samples=3, temperature=1)
                assert (reply.text, reply.samples, reply.is_cached) == ("one", ("two", "three"), is_kept)
            assert ask(client, temperature=1).samples == ()
        assert [request.body.get("n") for request in server.requests] == [3, None]
