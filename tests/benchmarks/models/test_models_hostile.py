"""Endpoints that mean harm, or are broken in ways that look so: over raw sockets, by what they and the accounts count."""

import asyncio
import json
import threading
import zlib
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from model_clients import ROLE, STEP, ask, messages, new_client, tally

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.endpoint import bounded, connection_errors, transport
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.scripts.servers.openai.answers import JSON, Answer
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer

Write = Callable[[asyncio.StreamWriter], Awaitable[None]]
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0.005)
    monkeypatch.setattr(transport, "_LONGEST_PAUSE", 0.01)


@contextmanager
def raw(write: Write) -> Iterator[tuple[str, list[int]]]:
    """A server that writes what it likes once a request's head is there; its address, and a list with one entry each."""
    loop, asked, ready = asyncio.new_event_loop(), list[int](), threading.Event()
    address: list[str] = []

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            asked.append(1)
            await write(writer)
            writer.close()
        except (OSError, asyncio.IncompleteReadError):
            pass

    async def serve() -> None:
        server = await asyncio.start_server(meet, "127.0.0.1", 0)
        address.append(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
        ready.set()

    def run() -> None:
        loop.create_task(serve())
        loop.run_forever()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait()
    try:
        yield address[0], asked
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


def answering(body: bytes, status: int = 200, sent: Mapping[str, str] = MappingProxyType({})) -> OpenAIServer:
    """A server that gives each request the same."""
    server = OpenAIServer()

    def answer(method: str, path: str, headers: Mapping[str, str], raw: bytes) -> Answer:
        server.calls += 1
        return Answer(status, body, {**JSON, **sent})

    server.answer = answer
    return server


def completion(content: Any, usage: Any = None) -> bytes:
    counted = {"prompt_tokens": 5, "completion_tokens": 3} if usage is None else usage
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    return json.dumps({"choices": [choice], "usage": counted}).encode()


async def drip(writer: asyncio.StreamWriter, sent: bytes) -> None:
    writer.write(sent)
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.02)


async def drip_body(writer: asyncio.StreamWriter) -> None:
    await drip(writer, HEAD + b"Content-Length: 1000000\r\n\r\n{")


async def drip_stream(writer: asyncio.StreamWriter) -> None:
    await drip(writer, HEAD.replace(b"application/json", b"text/event-stream") + b"\r\ndata: {")


async def drip_error(writer: asyncio.StreamWriter) -> None:
    await drip(writer, HEAD.replace(b"200 OK", b"500 Error") + b"Content-Length: 1000000\r\n\r\n{")


async def drip_headers(writer: asyncio.StreamWriter) -> None:
    await drip(writer, HEAD + b"X-Long: a")


def test_what_comes_byte_by_byte_ends_with_the_time_limit(tmp_path: Path) -> None:
    """Four endpoints at once, each with a client of its own."""
    writes = (drip_body, drip_stream, drip_error, drip_headers)
    with ExitStack() as opened:
        servers = [opened.enter_context(raw(write)) for write in writes]
        clients = [
            opened.enter_context(new_client(url, tmp_path / f"{number}.sqlite", timeout=1.0))
            for number, (url, _) in enumerate(servers)
        ]

        async def ask_all() -> list[Any]:
            asked = [client.chat(ROLE, messages(), step=STEP) for client in clients]
            return await asyncio.gather(*asked, return_exceptions=True)

        failed = asyncio.run(ask_all())
        counted = [(len(asked), tally(client).timed_out) for (_, asked), client in zip(servers, clients, strict=True)]
    assert counted == [(2, 2)] * 4
    for error in failed:
        assert isinstance(error, StopError) and "does not answer (no answer within the time limit, 2" in str(error)


async def no_end_of_headers(writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD)
    while True:
        writer.write(b"X-Padding: " + b"a" * 4096 + b"\r\n")
        await writer.drain()


def test_headers_without_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_errors, "_HANDSHAKE", 0.1)
    with (
        raw(no_end_of_headers) as (url, _),
        new_client(url, tmp_path / "c.sqlite") as client,
        pytest.raises(StopError, match="cannot be reached"),
    ):
        ask(client)


@pytest.mark.parametrize("status", [200, 500])
def test_a_body_without_an_end(status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "MOST_BYTES", 1 << 20)

    async def write(writer: asyncio.StreamWriter) -> None:
        writer.write(f"HTTP/1.1 {status} X\r\n\r\n".encode())
        while True:
            writer.write(b" " * 65536)
            await writer.drain()

    with raw(write) as (url, asked), new_client(url, tmp_path / "c.sqlite") as client:
        with pytest.raises(StopError, match="the answer is larger than"):
            ask(client)
        assert (len(asked), tally(client).failed) == (2, 2)


def packed(text: bytes, kind: str) -> bytes:
    bits = {"gzip": zlib.MAX_WBITS | 16, "deflate": zlib.MAX_WBITS, "raw": -zlib.MAX_WBITS}[kind]
    packing = zlib.compressobj(9, zlib.DEFLATED, bits)
    return packing.compress(text) + packing.flush()


@pytest.mark.parametrize("status", [200, 503])
def test_a_bomb_is_not_unpacked(status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """20 MB in 20 kB, where 2 MB are read."""
    monkeypatch.setattr(bounded, "MOST_BYTES", 1 << 21)
    bomb = packed(b'{"choices": "' + b" " * 20_000_000, "gzip")
    with answering(bomb, status, {"Content-Encoding": "gzip"}) as server:
        with (
            new_client(server.url, tmp_path / "c.sqlite") as client,
            pytest.raises(StopError, match=r"the answer is larger than 2 MB, 2 times"),
        ):
            ask(client)
        assert server.calls == 2


@pytest.mark.parametrize("kind", ["gzip", "deflate", "raw"])
def test_packed_answers_are_read(kind: str, tmp_path: Path) -> None:
    sent = {"Content-Encoding": "deflate" if kind == "raw" else kind}
    with (
        answering(packed(completion("31 m"), kind), sent=sent) as server,
        new_client(server.url, tmp_path / "c.sqlite") as client,
    ):
        assert ask(client).text == "31 m"


@pytest.mark.parametrize("packing", ["br", "gzip, gzip", "nonsense", "gzip"])
def test_packed_otherwise(packing: str, tmp_path: Path) -> None:
    with (
        answering(completion("31 m"), sent={"Content-Encoding": packing}) as server,
        new_client(server.url, tmp_path / "c.sqlite") as client,
        pytest.raises(StopError, match="pack"),
    ):
        ask(client)


@pytest.mark.parametrize("charset", ["utf-16", "hex", "undefined", "idna", "nonsense"])
def test_json_is_utf_8_whatever_is_said(charset: str, tmp_path: Path) -> None:
    sent = {"Content-Type": f"application/json; charset={charset}"}
    with (
        answering(b"\xef\xbb\xbf" + completion("31 m"), sent=sent) as server,
        new_client(server.url, tmp_path / "c.sqlite") as client,
    ):
        assert ask(client).text == "31 m"


async def all_at_once(client: Client, count: int) -> list[Any]:
    asked = [client.chat(ROLE, messages(f"question {number}"), step=STEP) for number in range(count)]
    return await asyncio.gather(*asked, return_exceptions=True)


def test_one_asks_again_where_nothing_answers(tmp_path: Path) -> None:
    """32 in flight and 20 more that wait: 33 requests, before 64 and more."""
    with OpenAIServer(latency=600) as server, new_client(server.url, tmp_path / "c.sqlite", timeout=2.0) as client:
        failed = asyncio.run(all_at_once(client, 52))
        assert server.calls <= 33 and tally(client).calls == tally(client).timed_out <= 33
        assert tally(client).retries == 1
    assert all(isinstance(error, StopError) and "does not answer" in str(error) for error in failed)


def test_one_asks_again_where_an_endpoint_fell_silent(tmp_path: Path) -> None:
    with OpenAIServer(["31"]) as server, new_client(server.url, tmp_path / "c.sqlite", timeout=2.0) as client:
        ask(client, "before")
        server.latency = 600
        failed = asyncio.run(all_at_once(client, 52))
        assert tally(client).timed_out < 2 * 32
    stopped = [error for error in failed if isinstance(error, StopError)]
    assert len(stopped) == 52 - 9 and "in a row (no answer within the time limit)" in str(stopped[-1])


def test_all_ask_again_where_one_is_answered(tmp_path: Path) -> None:
    """The first eight get nothing; then all goes well: each of them was sent again, and none is lost."""
    faults = [Fault("slow", seconds=600)] * 8
    with (
        OpenAIServer(["31"], faults=faults) as server,
        new_client(server.url, tmp_path / "c.sqlite", timeout=2.0, at_once=8) as client,
    ):
        replies = asyncio.run(all_at_once(client, 12))
        costs = tally(client)
        assert (server.calls - costs.timed_out, costs.usable) == (12, 12) and costs.timed_out >= 8
    assert [reply.text for reply in replies] == ["31"] * 12


COUNTS = [
    ({"prompt_tokens": -5, "completion_tokens": 3}, None),
    ({"prompt_tokens": 5, "completion_tokens": -3}, None),
    ({"prompt_tokens": 10**400, "completion_tokens": 3}, None),
    ({"prompt_tokens": 5, "completion_tokens": 10**18}, None),
    ({"prompt_tokens": float("nan"), "completion_tokens": float("inf")}, None),
    ({"prompt_tokens": "5", "completion_tokens": "3"}, None),
    ({"prompt_tokens": True, "completion_tokens": True}, None),
    ({"prompt_tokens": 5}, None),
    ({"total_tokens": 10**400}, None),
    ([5, 3], None),
    ({"prompt_tokens": 5.0, "completion_tokens": 3.0}, 8.0),
    ({"prompt_tokens": 5, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 10**30}}, 8.0),
]


@pytest.mark.parametrize(("usage", "microdollars"), COUNTS, ids=range(len(COUNTS)))
def test_counts_of_tokens_that_cannot_be(usage: Any, microdollars: float | None, tmp_path: Path) -> None:
    """They are unknown, and the text is counted against the limit; not free of charge, and no end of the run."""
    with (
        answering(completion("31 m", usage)) as server,
        new_client(server.url, tmp_path / "c.sqlite", rates=(1.0, 1.0), max_cost=1.0) as client,
    ):
        reply = ask(client)
        costs = tally(client)
    assert (costs.unpriced, costs.known_cost) == ((1, None) if microdollars is None else (0, microdollars / 1e6))
    assert reply.cost == (None if microdollars is None else microdollars / 1e6)


STREAMS = [
    (b'data: {"choices":[{"index":0,"delta":{"content":"a\\ud800b"}}]}\n\ndata: [DONE]\n\n', "a?b"),
    (b'data: {"choices":[{"index":[1],"delta":{"content":"31"}}]}\n\n', "31"),
    (b'data: {"choices":[{"index":"a","delta":{"content":"31"}},{"delta":{"content":" m"}}]}\n\n', "31 m"),
    (b'data: {"choices":5}\n\ndata: {"choices":[{"delta":{"content":"31"}}]}\n\n', "31"),
    (b'data: {"choices":[{"delta":{"content":["x"]}}]}\n\ndata: {"choices":[{"delta":{"content":"y"}}]}\n\n', "y"),
]


@pytest.mark.parametrize(("body", "text"), STREAMS, ids=range(len(STREAMS)))
def test_streams_of_another_make(body: bytes, text: str, tmp_path: Path) -> None:
    """Half a surrogate pair made the file of replies fail, and what waited for it waited for ever."""
    with answering(body) as server, new_client(server.url, tmp_path / "c.sqlite") as client:
        assert ask(client).text == text
    with new_client(server.url, tmp_path / "c.sqlite", replay=True) as client:
        assert ask(client).text == text


def test_what_an_endpoint_says_does_not_steer_a_terminal(tmp_path: Path) -> None:
    said = "\x1b]0;title\x07\x1b[2J\u202e\u200b\ud800 no\x00"
    with (
        answering(json.dumps({"error": {"message": said}}).encode(), 400) as server,
        new_client(server.url, tmp_path / "c.sqlite") as client,
        pytest.raises(ReplyError) as failed,
    ):
        ask(client)
    assert str(failed.value).isprintable() and failed.value.raw.encode()


VECTORS: list[tuple[list[Any], str]] = [
    ([{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [2.0]}], "an index stands twice"),
    ([{"index": 0, "embedding": [10**400]}, {"index": 1, "embedding": [2.0]}], "a vector cannot be read"),
    ([{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}], "a vector cannot be read"),
    ([{"index": [], "embedding": [1.0]}, {"index": {}, "embedding": [2.0]}], "a vector cannot be read"),
    ([{"index": 0, "embedding": "!!!"}, {"index": 1, "embedding": "AAAA"}], "a vector cannot be read"),
]


@pytest.mark.parametrize(("data", "said"), VECTORS, ids=range(len(VECTORS)))
def test_vectors_that_are_none(data: list[Any], said: str, tmp_path: Path) -> None:
    with (
        answering(json.dumps({"data": data}).encode()) as server,
        new_client(server.url, tmp_path / "c.sqlite") as client,
        pytest.raises(ReplyError, match=said),
    ):
        asyncio.run(client.embed("embedder", ["one", "two"], step=STEP))


def test_vectors_of_another_length_in_another_request(tmp_path: Path) -> None:
    server = OpenAIServer()

    def answer(method: str, path: str, headers: Mapping[str, str], raw: bytes) -> Answer:
        texts = json.loads(raw)["input"]
        vectors = [{"index": at, "embedding": [1.0] * len(texts)} for at in range(len(texts))]
        return Answer(200, json.dumps({"data": vectors}).encode(), JSON)

    server.answer = answer
    with (
        server,
        new_client(server.url, tmp_path / "c.sqlite") as client,
        pytest.raises(ReplyError, match="vectors of 256 and of 44 numbers"),
    ):
        asyncio.run(client.embed("embedder", [f"text {number}" for number in range(300)], step=STEP))


@pytest.mark.parametrize("score", [10**400, True, None, "1"])
def test_scores_that_are_none(score: Any, tmp_path: Path) -> None:
    body = json.dumps({"results": [{"index": 0, "relevance_score": score}]}).encode()
    with (
        answering(body) as server,
        new_client(server.url, tmp_path / "c.sqlite") as client,
        pytest.raises(ReplyError, match="has no score"),
    ):
        asyncio.run(client.rerank("embedder", "question", ["one"], step=STEP))


def test_a_key_that_is_withdrawn_on_the_way(tmp_path: Path) -> None:
    """40 answered, then 401 for all: one clear end, nothing that was answered is lost, and no storm of requests."""
    cache = tmp_path / "c.sqlite"
    with OpenAIServer(["31"]) as server:
        server.fault_for = lambda _: Fault(401) if server.calls > 40 else None
        with new_client(server.url, cache, at_once=8) as client:
            results = client.each(range(200), lambda n: client.chat(ROLE, messages(f"q {n}"), step=STEP))
            with pytest.raises(StopError, match="does not accept the key"):
                list(results)
        assert server.calls <= 48 and tally(client).usable == 40
        calls, server.fault_for = server.calls, None
        with new_client(server.url, cache) as client:
            results = client.each(range(200), lambda n: client.chat(ROLE, messages(f"q {n}"), step=STEP))
            assert len(list(results)) == 200 and tally(client).reused == 40
        assert server.calls == calls + 160
