"""A server that speaks the OpenAI protocol over real HTTP, with scripted or stand-in replies, limits and faults.

In a test: `with OpenAIServer(replies=…) as server:` and `server.url`. By hand and in its own process: `command.py`.
Pure standard library; one event loop, so a callable that replies must not block.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Self
from urllib.parse import unquote

from benchwright.scripts.servers.openai.answers import JSON, Answer, Problem, completion, embeddings, ranking
from benchwright.scripts.servers.openai.checks import ALL, Feature, check_chat, check_embeddings, check_ranking
from benchwright.scripts.servers.openai.faults import CHAT_FAULTS, Fault, spoil, status_answer
from benchwright.scripts.servers.openai.stand_in import Replies, scripted, wanted

MOST_HEAD, MOST_BODY = 1 << 16, 1 << 28
_REASONS = {status.value: status.phrase for status in HTTPStatus}


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it came."""

    path: str
    """Without the query."""
    headers: Mapping[str, str]
    """Names in lower case."""
    body: Any
    """Parsed JSON; None if there is none or it cannot be parsed."""
    at: float
    """When it was complete, in `time.monotonic()` seconds."""
    method: str = "POST"


class OpenAIServer:
    """The server: a daemon thread with its own event loop while the `with` block lasts.

    Raises, on entering:
        OSError: the port is in use.
    """

    def __init__(
        self,
        replies: Replies | None = None,
        *,
        key: str | None = None,
        models: Sequence[str] | None = None,
        latency: float = 0.0,
        supports: Iterable[Feature] = ALL,
        faults: Iterable[Fault | None] = (),
        rpm: int | None = None,
        minute: float = 60.0,
        capacity: int | None = None,
        record: bool = True,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        self.reply = scripted(replies)
        self.key, self.models, self.latency, self.supports = key, models, latency, frozenset(supports)
        self.faults: deque[Fault | None] = deque(faults)
        """One for each request, in order of arrival; None lets one pass."""
        self.fault_for: Callable[[Received], Fault | None] | None = None
        """Asked once `faults` is empty."""
        self.requests: list[Received] = []
        """In order of arrival, whatever they got; empty without `record`."""
        self.calls = self.most_at_once = self.in_flight = self.refused = 0
        """Requests that came; the most of them, and those now, that wait for a reply; those over rpm or capacity."""
        self.connections: set[_Connection] = set()
        self._rpm, self._minute, self._capacity, self._record = rpm, minute, capacity, record
        self._taken: deque[float] = deque()
        self._host, self._port = host, port

    @property
    def url(self) -> str:
        """The base URL, as the SDK takes it."""
        return f"http://{self._host}:{self._port}/v1"

    def __enter__(self) -> Self:
        listening = socket.create_server((self._host, self._port), backlog=1024)
        self._port = listening.getsockname()[1]
        self.loop, self._stopping = asyncio.new_event_loop(), asyncio.Event()
        serving = self._serve(listening)
        self._thread = threading.Thread(target=self.loop.run_until_complete, args=(serving,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join()
        self.loop.close()

    async def _serve(self, listening: socket.socket) -> None:
        server = await self.loop.create_server(lambda: _Connection(self), sock=listening, backlog=1024)
        await self._stopping.wait()
        server.close()
        for connection in list(self.connections):
            connection.transport.abort()
        await asyncio.sleep(0)  # in which the connections hear that they are lost

    def answer(self, method: str, path: str, headers: Mapping[str, str], raw: bytes) -> Answer:
        """What a request gets; a defect of a reply's function is a 500 that says so, and a traceback on stderr."""
        if path.endswith("/stats"):
            stats = {"calls": self.calls, "most_at_once": self.most_at_once}
            return Answer(200, json.dumps(stats).encode(), JSON, counted=False)
        now = time.monotonic()
        try:
            body = json.loads(raw) if raw else None
        except ValueError:
            body = None
        received = Received(path, headers, body, now, method)
        self.calls += 1
        if self._record:
            self.requests.append(received)
        try:
            return self._answer(received, self._fault(received))
        except Problem as problem:
            return problem.answer()
        except Exception as error:
            traceback.print_exc()
            message = f"the test server's reply failed: {type(error).__name__}: {error}"
            return Problem(500, message, "reply_failed", headers={"x-should-retry": "false"}).answer()

    def _fault(self, received: Received) -> Fault | None:
        if self.faults:
            return self.faults.popleft()
        return self.fault_for(received) if self.fault_for else None

    def _answer(self, received: Received, fault: Fault | None) -> Answer:
        delay = self.latency + (fault.seconds if fault else 0)
        kind = fault.kind if fault else None
        if fault and isinstance(kind, int):
            return status_answer(fault, delay)
        if kind == "html":
            page = b"<!doctype html><title>Welcome</title><p>It works.</p>"
            return Answer(200, page, {"Content-Type": "text/html"}, delay)
        if kind == "invalid_json":
            return Answer(200, b'{"id": "chatcmpl-1", "choices": [', JSON, delay)
        if kind == "reset":
            return Answer(0, b"", {}, delay, "reset")
        self._check_key(received.headers.get("authorization", ""))
        made = self._respond(received, kind)
        body = json.dumps(made, ensure_ascii=False).encode("utf-8", "surrogatepass")
        headers = {**JSON, "x-request-id": f"req_{self.calls}"}
        return Answer(200, body, headers, delay, "cut" if kind == "cut" else "keep")

    def _check_key(self, authorization: str) -> None:
        if self.key is not None and authorization != f"Bearer {self.key}":
            given = authorization.removeprefix("Bearer ")
            message = f"Incorrect API key provided: {given[:3]}***." if given else "You didn't provide an API key."
            raise Problem(401, message, "invalid_api_key")

    def _respond(self, received: Received, fault: int | str | None) -> dict[str, Any]:
        path, method = received.path, received.method
        known: Sequence[str] = ["stand-in"] if self.models is None else self.models
        if method == "GET" and path.endswith("/models"):
            return {"object": "list", "data": [_model(name) for name in known]}
        if method == "GET" and "/models/" in path:
            return _model(self._known(unquote(path.partition("/models/")[2])))
        chat = path.endswith("/chat/completions")
        if not chat and not path.endswith(("/embeddings", "/rerank")):
            raise Problem(404, f"Invalid URL ({method} {path})")
        if method != "POST":
            raise Problem(405, f"Not allowed to {method} on {path}.")
        body = received.body
        if not isinstance(body, Mapping):
            raise Problem(400, "We could not parse the JSON body of your request.")
        if not isinstance(body.get("model"), str) or not body["model"]:
            raise Problem(400, "you must provide a model parameter")
        self._known(body["model"])
        self._limit(received.at)
        if not chat:
            if fault in CHAT_FAULTS:
                raise Problem(400, f"The test server's fault {fault} is for chat requests only.", "unfit_fault")
            if path.endswith("/rerank"):
                return ranking(body, check_ranking(body))
            return embeddings(body, check_embeddings(body))
        check_chat(body, self.supports)
        asked = wanted(body)
        made = completion(body, self.reply(body), asked, self.calls)
        if fault in CHAT_FAULTS:
            spoil(fault, made, asked)
        return made

    def _known(self, model: str) -> str:
        if self.models is not None and model not in self.models:
            message = f"The model `{model}` does not exist or you do not have access to it."
            raise Problem(404, message, "model_not_found")
        return model

    def _limit(self, now: float) -> None:
        """Turns a request down that is over the limits; such a one does not count towards them."""
        if self._rpm is not None:
            while self._taken and self._taken[0] <= now - self._minute:
                self._taken.popleft()
            if len(self._taken) >= self._rpm:
                self.refused += 1
                wait = f"{max(self._taken[0] + self._minute - now, 0.001):.3f}"
                message = f"Rate limit reached on requests per min (RPM): Limit {self._rpm}. Try again in {wait}s."
                raise Problem(429, message, "rate_limit_exceeded", headers={"Retry-After": wait})
        if self._capacity is not None and self.in_flight >= self._capacity:
            self.refused += 1
            raise Problem(429, "Too many requests at once.", "rate_limit_exceeded")
        if self._rpm is not None:
            self._taken.append(now)


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "benchwright"}


class _Connection(asyncio.Protocol):
    """HTTP/1.1 on one connection: one request at a time, kept alive."""

    transport: asyncio.Transport

    def __init__(self, server: OpenAIServer) -> None:
        self.server = server
        self.buffer = bytearray()
        self.head: tuple[str, str, dict[str, str]] | None = None
        """Method, path and headers of a request whose body is awaited."""
        self.waiting: asyncio.TimerHandle | None = None
        self.keep = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.server.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.server.connections.discard(self)
        if self.waiting:
            self.waiting.cancel()
            self.server.in_flight -= 1
            self.waiting = None

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        self._advance()

    def _advance(self) -> None:
        """Answers the requests that have come, until one is incomplete or waits for its reply."""
        while not self.waiting and not self.transport.is_closing():
            try:
                if self.head is None:
                    self.head = self._read_head()
                body = None if self.head is None else self._read_body(self.head[2])
            except ValueError as error:
                self.keep = False
                self._send(Problem(400, f"Bad request: {error}").answer())
                return
            if self.head is None or body is None:
                return
            method, path, headers = self.head
            self.head, self.keep = None, headers.get("connection", "").lower() != "close"
            self._take(self.server.answer(method, path, headers, body))

    def _read_head(self) -> tuple[str, str, dict[str, str]] | None:
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self.buffer) > MOST_HEAD:
                raise ValueError("the head is too long")
            return None
        first, *lines = self.buffer[:end].decode("latin-1").split("\r\n")
        del self.buffer[: end + 4]
        method, target, _ = first.split(" ")
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        if headers.get("expect", "").lower() == "100-continue":
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        return method, target.partition("?")[0], headers

    def _read_body(self, headers: Mapping[str, str]) -> bytes | None:
        if "chunked" in headers.get("transfer-encoding", "").lower():
            return self._read_chunks()
        length = int(headers.get("content-length", 0))
        if not 0 <= length <= MOST_BODY:
            raise ValueError("the length of the body is out of range")
        if len(self.buffer) < length:
            return None
        body = bytes(self.buffer[:length])
        del self.buffer[:length]
        return body

    def _read_chunks(self) -> bytes | None:
        """The body once it is complete; until then the chunks stay in the buffer."""
        at, parts = 0, []
        while (end := self.buffer.find(b"\r\n", at)) >= 0:
            size = int(self.buffer[at:end].partition(b";")[0], 16)
            at = end + 2 + size + 2
            if size < 0 or at > MOST_BODY:
                raise ValueError("the length of a chunk is out of range")
            if not size:
                finish = self.buffer.find(b"\r\n\r\n", end)  # trailers may come before it
                if finish < 0:
                    return None
                del self.buffer[: finish + 4]
                return b"".join(parts)
            if len(self.buffer) < at:
                return None
            parts.append(bytes(self.buffer[end + 2 : at - 2]))
        return None

    def _take(self, answer: Answer) -> None:
        server = self.server
        if answer.counted:
            server.in_flight += 1
            server.most_at_once = max(server.most_at_once, server.in_flight)
        if answer.delay:
            self.waiting = server.loop.call_later(answer.delay, self._send_late, answer)
            return
        server.in_flight -= answer.counted
        self._send(answer)

    def _send_late(self, answer: Answer) -> None:
        self.waiting = None
        self.server.in_flight -= answer.counted
        self._send(answer)
        self._advance()

    def _send(self, answer: Answer) -> None:
        if answer.end == "reset":
            opened = self.transport.get_extra_info("socket")
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()
            return
        lines = "".join(f"{name}: {value}\r\n" for name, value in answer.headers.items())
        close = "" if self.keep else "Connection: close\r\n"
        head = f"HTTP/1.1 {answer.status} {_REASONS.get(answer.status, 'Status')}\r\n{lines}{close}"
        body = answer.body[: len(answer.body) // 2] if answer.end == "cut" else answer.body
        self.transport.write(f"{head}Content-Length: {len(answer.body)}\r\n\r\n".encode("latin-1") + body)
        if answer.end == "cut" or not self.keep:
            self.transport.close()
