"""What endpoints take is learned from one request, remembered with address and model, and looked at anew when asked."""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from model_clients import KEY, ROLE, STEP, ask, hold, messages, new_client, tally

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.endpoint.abilities import Abilities, EndpointAbilities, read_note
from benchwright.benchmarks.models.responses import Reply, ReplyError
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.remote.response_store import ResponseStore
from benchwright.scripts.servers.openai.faults import PROSE, Fault
from benchwright.scripts.servers.openai.server import OpenAIServer, Received

Body = Mapping[str, Any]


@dataclass(frozen=True)
class Height:
    """A height."""

    metres: int


FITS = '{"metres": 31}'


def mode_of(body: Body) -> str:
    return body.get("response_format", {}).get("type") or ("tools" if "tools" in body else "text")


def modes(server: OpenAIServer) -> list[str]:
    return [mode_of(request.body) for request in server.requests]


def ignores(*ignored: str) -> Callable[[Body], Any]:
    """The replies of an endpoint that takes these modes, and answers in prose as if it had not been asked so."""

    def reply(body: Body) -> Any:
        mode = mode_of(body)
        return {"content": PROSE} if mode in ignored else {"tool_arguments" if mode == "tools" else "content": FITS}

    return reply


async def many(client: Client, count: int, *roles: str, what: str = "first", **options: Any) -> list[Reply[Height]]:
    return await asyncio.gather(
        *(
            client.chat(role, messages(f"{what} {role} {n}"), step=STEP, reply=Height, **options)
            for role in roles or (ROLE,)
            for n in range(count)
        )
    )


def at_once(server: OpenAIServer, cache: Path, roles: tuple[str, ...] = (ROLE,), limit: int = 20) -> int:
    """How many of 60 requests, of whatever roles, a new process has in flight."""
    endpoint = Endpoint("m", server.url, KEY)
    settings = ModelSettings(dict.fromkeys(roles, endpoint), cache=cache, at_once=limit)
    with Client(settings) as client:
        assert [reply.value for reply in asyncio.run(many(client, 60 // len(roles), *roles))] == [Height(31)] * 60
    return server.most_at_once


@pytest.mark.parametrize("roles", [(ROLE,), ("writer", "system", "judge")], ids=["a role", "three roles"])
def test_one_request_learns_and_the_others_go_together(roles: tuple[str, ...], tmp_path: Path) -> None:
    with OpenAIServer([{"metres": 31}]) as server:
        hold(server, 20, lambda _: server.calls > 1)
        assert at_once(server, tmp_path / "c.sqlite", roles) == 20
        assert modes(server) == ["json_schema"] * 60


def test_what_learning_costs_is_paid_once(tmp_path: Path) -> None:
    with OpenAIServer([FITS], supports=()) as server:
        hold(server, 20, lambda _: server.calls > 4)
        assert at_once(server, tmp_path / "c.sqlite") == 20
        assert modes(server) == ["json_schema", "tools", "json_object", *["text"] * 60]


IGNORED: list[tuple[tuple[str, ...], list[str]]] = [
    (("json_schema",), ["json_schema", "tools"]),
    (("json_schema", "tools"), ["json_schema", "tools", "json_object"]),
]


@pytest.mark.parametrize(("ignored", "tried"), IGNORED, ids=["schemas", "schemas and tools"])
def test_a_mode_that_is_taken_and_ignored(ignored: tuple[str, ...], tried: list[str], tmp_path: Path) -> None:
    """The item that finds it out is asked again in the next mode; all others, and all later ones, are asked once."""
    cache = tmp_path / "c.sqlite"
    with OpenAIServer(ignores(*ignored)) as server:
        with new_client(server.url, cache) as client:
            first = asyncio.run(many(client, 12))
            assert sorted(reply.tokens.calls for reply in first) == [1] * 11 + [len(tried)]
            assert tally(client).invalid == len(tried) - 1
        with new_client(server.url, cache) as client:
            later = asyncio.run(many(client, 12, what="later"))
            assert [reply.tokens.calls for reply in later] == [1] * 12
        assert modes(server) == tried + tried[-1:] * 23


def test_a_schema_that_is_not_kept_to_is_told_in_words(tmp_path: Path) -> None:
    """The mode was found to work by luck: from the first reply of another shape on, each request says it."""
    said = iter([FITS, '{"feet": 102}'])
    with OpenAIServer(lambda _: next(said, FITS)) as server:
        with new_client(server.url, tmp_path / "c.sqlite") as client:
            for n, calls in enumerate([1, 2, 1]):
                assert ask(client, f"{n}", reply=Height).tokens.calls == calls
        last = [request.body["messages"][-1]["content"] for request in server.requests]
        assert ["JSON Schema:" in text for text in last] == [False, False, True, True]
        assert modes(server) == ["json_schema"] * 4


def test_where_the_learner_fails_the_next_one_learns(tmp_path: Path) -> None:
    """Three may: with one refused, one rejected and one that is cut off, the fourth learns in their place."""
    faults = [Fault("refusal"), Fault(400, param="messages"), *[Fault("length")] * 3]
    with OpenAIServer([{"metres": 31}], faults=faults) as server:
        hold(server, 5, lambda _: server.calls > 5)
        with new_client(server.url, tmp_path / "c.sqlite") as client:
            found = asyncio.run(_gathered(client, 8))
        assert [type(item).__name__ for item in found] == ["ReplyError"] * 3 + ["Reply"] * 5
        assert modes(server) == ["json_schema"] * 10
        assert server.most_at_once == 5


async def _gathered(client: Client, count: int) -> list[Any]:
    asked = [client.chat(ROLE, messages(f"{n}"), step=STEP, reply=Height) for n in range(count)]
    return await asyncio.gather(*asked, return_exceptions=True)


def test_where_nothing_fits_all_go_in_the_end(tmp_path: Path) -> None:
    """A model that cannot do it is asked one at a time thrice; and what it cannot is not remembered of its endpoint."""
    cache = tmp_path / "c.sqlite"
    with OpenAIServer([{"content": PROSE}]) as server:
        hold(server, 5, lambda request: not any(f'"{n}"' in json.dumps(request.body) for n in range(3)))
        with new_client(server.url, cache) as client:
            found = asyncio.run(_gathered(client, 8))
        assert [type(item) for item in found] == [ReplyError] * 8
        assert server.most_at_once == 5
    assert notes(cache) == {}


def notes(cache: Path) -> dict[str, str]:
    with sqlite3.connect(cache) as file:
        return dict(file.execute("SELECT endpoint, mode FROM modes WHERE endpoint LIKE 'http%'"))


def test_a_rejection_that_gives_no_reason_changes_nothing_for_others(tmp_path: Path) -> None:
    with OpenAIServer([{"metres": 31}], faults=[Fault(400)] * 4) as server:
        with new_client(server.url, tmp_path / "c.sqlite") as client:
            with pytest.raises(ReplyError):
                ask(client, "this one is rejected in whatever mode", reply=Height)
            ask(client, reply=Height)
        assert modes(server) == ["json_schema", "tools", "json_object", "text", "json_schema"]


@pytest.mark.parametrize("is_taken", [True, False], ids=["taken", "rejected"])
def test_parameters_are_found_out_by_one_request_too(is_taken: bool, tmp_path: Path) -> None:
    async def plain(client: Client, what: str) -> None:
        asked = (client.chat(ROLE, messages(f"{what} {n}"), step=STEP, temperature=0) for n in range(30))
        await asyncio.gather(*asked)

    with OpenAIServer(["31"]) as server:
        if not is_taken:
            server.faults.append(Fault(400, param="temperature", code="unsupported_value"))
        learner = 1 if is_taken else 2
        for what, calls, alone in (("first", 29 + learner, learner), ("later", 30, 0)):
            before, server.most_at_once = server.calls, 0
            hold(server, 20, lambda _, until=before + alone: server.calls > until)
            with new_client(server.url, tmp_path / "c.sqlite", at_once=20) as client:
                asyncio.run(plain(client, what))
            assert (server.calls - before, server.most_at_once) == (calls, 20)
        assert ["temperature" in request.body for request in server.requests].count(True) == (60 if is_taken else 1)


def rejects_temperature(request: Received) -> Fault | None:
    return Fault(400, param="temperature", code="unsupported_value") if "temperature" in request.body else None


def test_what_is_learned_is_kept_beside_the_replies(tmp_path: Path) -> None:
    cache = tmp_path / "c.sqlite"
    with OpenAIServer([{"metres": 31}], supports=("tools",)) as server:
        server.fault_for = rejects_temperature
        with new_client(server.url, cache) as client:
            ask(client, reply=Height, temperature=0)
        kept = '{"mode":"tools","is_proven":true,"left_out":["temperature"]}'
        assert notes(cache) == {f"{server.url} m": kept}
        before = server.calls
        with new_client(server.url, cache) as client:
            ask(client, "later", reply=Height, temperature=0)
            ask(client, "plain", temperature=0)
        assert server.calls == before + 2


def test_it_is_looked_at_anew_where_all_is_asked_anew(tmp_path: Path) -> None:
    """An endpoint that was upgraded: `--no-cache` finds out what it takes now."""
    cache = tmp_path / "c.sqlite"
    with OpenAIServer([{"metres": 31}], supports=("tools",)) as server:
        with new_client(server.url, cache) as client:
            ask(client, reply=Height)
        server.supports = frozenset(("json_schema", "tools"))
        for is_fresh, asked in ((False, "tools"), (True, "json_schema"), (False, "json_schema")):
            with new_client(server.url, cache, fresh=is_fresh) as client:
                ask(client, f"{is_fresh} {asked}", reply=Height)
        assert modes(server)[-3:] == ["tools", "json_schema", "json_schema"]


def test_a_note_of_the_first_version(tmp_path: Path) -> None:
    assert read_note("tools") == Abilities("tools", is_proven=True)
    assert read_note(None) == read_note("{") == read_note('{"mode": "telepathy"}') == Abilities()
    store = ResponseStore(tmp_path / "c.sqlite", elsewhere="")
    store.set_note("http://127.0.0.1/v1 m", "text")
    with_note = EndpointAbilities(store)
    endpoint = Endpoint("m", "http://127.0.0.1/v1")
    assert with_note.of(endpoint) == with_note.of(Endpoint("m", "http://127.0.0.1/v1", rates=(1, 1)))
    assert with_note.of(endpoint) == Abilities("text", is_proven=True)
    store.close()


def test_a_limit_of_tokens_under_its_other_name(tmp_path: Path) -> None:
    """Learned once, though several are in flight; where that is not taken either, it is left out."""

    def newer(request: Received) -> Fault | None:
        return Fault(400, param="max_tokens", code="unsupported_parameter") if "max_tokens" in request.body else None

    cache = tmp_path / "c.sqlite"
    with OpenAIServer([{"metres": 31}]) as server:
        server.fault_for = newer
        with new_client(server.url, cache) as client:
            asyncio.run(many(client, 8, max_tokens=90))
        with new_client(server.url, cache) as client:
            ask(client, max_tokens=90)
        sent = [
            (request.body.get("max_tokens"), request.body.get("max_completion_tokens")) for request in server.requests
        ]
        assert sent == [(90, None), *[(None, 90)] * 9]
        server.fault_for = lambda request: (
            newer(request)
            or (Fault(400, param="max_completion_tokens") if "max_completion_tokens" in request.body else None)
        )
        with new_client(server.url, cache) as client:
            assert ask(client, "none at all", max_tokens=90).text
        assert [name for name in server.requests[-1].body if name.startswith("max")] == []
