"""Endpoints that fail for good, that ask to wait, or that are none: when a run stops, and what it says."""

import asyncio
import gc
import socket
import threading
from pathlib import Path
from typing import Any

import pytest
from model_clients import ROLE, STEP, ask, messages, new_client, tally

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.endpoint import transport
from benchwright.benchmarks.models.responses import INVALID, ReplyError
from benchwright.scripts.servers.openai.answers import JSON, Answer
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer

V1 = "give the address that ends before /chat/completions, often …/v1"


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0.005)
    monkeypatch.setattr(transport, "_LONGEST_PAUSE", 0.01)


def answering(status: int, body: bytes, **sent: str) -> OpenAIServer:
    """A server that is no endpoint for models."""
    server = OpenAIServer()

    def answer(method: str, path: str, headers: Any, raw: bytes) -> Answer:
        server.calls += 1
        return Answer(status, body, {**JSON, **sent})

    server.answer = answer
    return server


WAITS = [
    (Fault(429, retry_after=1), 1.0),
    (Fault(429, retry_after=1.5), 1.5),
    (Fault(429, retry_after=1, as_date=True), 1.0),
    (Fault(429, retry_after_ms=1200), 1.2),
    (Fault(503, retry_after=1), 1.0),
]


def test_as_long_as_the_endpoint_says(tmp_path: Path) -> None:
    """All kinds of Retry-After at once, each at a server of its own, by the arrival times of that server."""

    async def all_at_once(clients: list[Client]) -> None:
        await asyncio.gather(*(client.chat(ROLE, messages(), step=STEP) for client in clients))

    servers = [OpenAIServer(["31"], faults=[fault]).__enter__() for fault, _ in WAITS]
    clients = [new_client(server.url, tmp_path / f"{number}.sqlite") for number, server in enumerate(servers)]
    asyncio.run(all_at_once(clients))
    for server, client, (fault, seconds) in zip(servers, clients, WAITS, strict=True):
        client.close()
        server.__exit__()
        first, second = server.requests
        assert second.at - first.at >= seconds - 0.005, fault


def test_a_429_holds_all_requests_back(tmp_path: Path) -> None:
    with OpenAIServer(["31"], faults=[Fault(429, retry_after=1)]) as server:
        with new_client(server.url, tmp_path / "c.sqlite") as client:

            async def two() -> None:
                first = asyncio.create_task(client.chat(ROLE, messages("one"), step=STEP))
                while not sum(costs.retries for costs in client.ledger.by_step.values()):
                    await asyncio.sleep(0.01)
                await asyncio.gather(first, client.chat(ROLE, messages("two"), step=STEP))

            asyncio.run(two())
        arrived = [request.at - server.requests[0].at for request in server.requests]
    assert len(arrived) == 3 and min(arrived[1:]) >= 0.99


def test_ten_failures_in_a_row_stop_the_run(tmp_path: Path) -> None:
    with OpenAIServer(["31"], faults=[None]) as server, new_client(server.url, tmp_path / "c.sqlite") as client:
        ask(client, "before")
        server.fault_for = lambda _: Fault(500)
        for number in range(9):
            with pytest.raises(ReplyError, match=r"^no reply: .*, 5 times$"):
                ask(client, f"question {number}")
        with pytest.raises(StopError) as stopped:
            ask(client, "the tenth")
        assert str(stopped.value) == (
            f"{server.url} failed 10 requests in a row (the endpoint answered 500: The server had an error while "
            "processing your request): what came before is kept, start again later"
        )
        assert (server.calls, tally(client).calls, tally(client).retries) == (51, 51, 40)


def test_a_success_ends_a_row_of_failures(tmp_path: Path) -> None:
    with OpenAIServer(["31"]) as server, new_client(server.url, tmp_path / "c.sqlite") as client:
        for number in range(12):
            server.fault_for = (lambda _: Fault(500)) if number % 4 else None
            if number % 4:
                with pytest.raises(ReplyError):
                    ask(client, f"question {number}")
            else:
                ask(client, f"question {number}")
        assert server.calls == 3 + 9 * 5


def test_rejected_requests_stop_nothing(tmp_path: Path) -> None:
    with OpenAIServer(["31"]) as server, new_client(server.url, tmp_path / "c.sqlite") as client:
        server.fault_for = lambda _: Fault(400)
        for number in range(11):
            with pytest.raises(ReplyError, match=r"^no reply: the endpoint answered 400"):
                ask(client, f"question {number}")
        assert server.calls == 11


def error_at(url: str, folder: Path) -> str:
    with new_client(url, folder / "replies.sqlite", timeout=5.0) as client, pytest.raises(StopError) as stopped:
        ask(client)
    assert "\n" not in str(stopped.value)
    return str(stopped.value)


def test_nobody_listens(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert error_at(f"http://127.0.0.1:{port}/v1", tmp_path) == (
        f"http://127.0.0.1:{port}/v1 cannot be reached (no connection: [Errno 111] Connect call failed ('127.0.0.1', "
        f"{port}), 2 times): check --base-url"
    )


def test_no_such_host(tmp_path: Path) -> None:
    said = error_at("http://no-such-host.invalid/v1", tmp_path)
    assert said.startswith(
        "http://no-such-host.invalid/v1 cannot be reached: the name no-such-host.invalid is not found ("
    )
    assert said.endswith("); check --base-url and the network")


def test_an_endpoint_that_never_answers(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with OpenAIServer(latency=60) as server, new_client(server.url, tmp_path / "c.sqlite", timeout=0.8) as client:
        with pytest.raises(StopError) as stopped:
            ask(client)
        assert str(stopped.value) == (
            f"{server.url} does not answer (no answer within the time limit, 2 times): give it longer with --timeout, "
            "or check --base-url"
        )
        assert (server.calls, tally(client).calls, tally(client).timed_out) == (2, 2, 2)
    assert [record.message for record in caplog.records] == [
        f"{server.url} has given no whole answer within 0.8 s: such a request is sent once more, and each may be billed; --timeout "
        "gives it longer"
    ]


def test_a_late_answer_costs_one_more_request(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with OpenAIServer(["31"]) as server, new_client(server.url, tmp_path / "c.sqlite", timeout=1.5) as client:
        ask(client, "before")
        server.fault_for = lambda request: Fault("slow", seconds=60) if "slow" in str(request.body) else None
        for number in range(2):
            with pytest.raises(ReplyError, match=r"^no reply: no answer within the time limit, 2 times$"):
                ask(client, f"slow {number}")
        assert (server.calls, tally(client).timed_out, tally(client).usable) == (5, 4, 1)
    assert len(caplog.records) == 1, "said once"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(status: int, tmp_path: Path) -> None:
    """The questions, and on the same host the key, would go where the user did not say."""
    with OpenAIServer() as elsewhere, answering(status, b"", Location=f"{elsewhere.url}/chat/completions") as server:
        assert error_at(server.url, tmp_path) == (
            f"{server.url} redirects to {elsewhere.url}/chat/completions; give the address it ends at"
        )
        assert (server.calls, elsewhere.calls) == (1, 0)


def test_an_endpoint_that_says_something_else(tmp_path: Path) -> None:
    with answering(200, b'{"ok": true}') as server:
        assert error_at(server.url, tmp_path) == (
            f'{server.url} is no OpenAI-compatible endpoint: it answered with {{"ok": true}}; {V1}'
        )
        assert server.calls == 1


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            b'{"error": {"message": "Provider overloaded", "code": 502}}',
            "no reply: the endpoint answered 502: Provider overloaded",
        ),
        (b"[]", f"{INVALID}: the answer is not JSON"),
    ],
)
def test_a_success_that_is_none_is_not_kept(body: bytes, said: str, tmp_path: Path) -> None:
    """Some endpoints report an error with the status 200: kept, it would be reused for ever."""
    cache = tmp_path / "replies.sqlite"
    with answering(200, body) as server:
        with new_client(server.url, cache) as client, pytest.raises(ReplyError) as failed:
            ask(client)
        assert str(failed.value) == f"{said}, 5 times"
        assert (server.calls, failed.value.raw) == (5, body.decode())
        port = int(server.url.split(":")[2].split("/")[0])
    with OpenAIServer(["31"], port=port) as server, new_client(server.url, cache) as client:
        assert ask(client).text == "31"
        assert (server.calls, tally(client).reused) == (1, 0)


def test_no_key_where_one_is_needed(tmp_path: Path) -> None:
    with OpenAIServer(key="right") as server:
        with new_client(server.url, tmp_path / "c.sqlite", key=None) as client, pytest.raises(StopError) as stopped:
            ask(client)
        assert str(stopped.value) == (
            f"{server.url} does not accept the key: Incorrect API key provided: non***; put one in OPENAI_API_KEY"
        )


def test_two_roles_at_one_endpoint_each_with_its_key(tmp_path: Path) -> None:
    from benchwright.benchmarks.models.settings import read_settings

    keys = {"OPENAI_API_KEY": "sk-of-the-system", "OPENAI_API_KEY_JUDGE": "sk-of-the-judge"}
    with OpenAIServer(["31"]) as server:
        settings = read_settings(["m"], [server.url], (), keys, cache=tmp_path / "c.sqlite")
        with Client(settings) as client:
            for role in ("system", "judge", "writer"):
                asyncio.run(client.chat(role, messages(f"as {role}"), step=STEP))
        sent = [request.headers["authorization"] for request in server.requests]
    assert sent == ["Bearer sk-of-the-system", "Bearer sk-of-the-judge", "Bearer sk-of-the-system"]


def test_what_is_asked_while_the_client_ends_is_cancelled(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A system of another thread asks once more when all is being cancelled: no task is left without an end."""
    with OpenAIServer(["31"]) as server:
        client = new_client(server.url, tmp_path / "c.sqlite")
        begun, asked = threading.Event(), list[asyncio.Task[Any]]()

        async def ask_at_the_end() -> None:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                asked.append(asyncio.create_task(asyncio.Event().wait()))

        asyncio.run_coroutine_threadsafe(ask_at_the_end(), client._loop)
        assert begun.wait(10)
        client.close()
    assert asked.pop().cancelled()
    gc.collect()
    assert not caplog.records
