"""A server that speaks the OpenAI protocol over real HTTP, with scripted or stand-in replies, limits and faults.

In a test: `with OpenAIServer(replies=…) as server:` and `server.url`. By hand and in its own process: `command.py`.
Pure standard library; one event loop, so a callable that replies must not block.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
import traceback
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Self
from urllib.parse import unquote

from benchwright.scripts.servers.openai.answers import JSON, Answer, Problem, Sent, completion, embeddings, ranking
from benchwright.scripts.servers.openai.batches import BatchServer
from benchwright.scripts.servers.openai.checks import ALL, Feature, check_chat, check_embeddings, check_ranking
from benchwright.scripts.servers.openai.connection import Connection
from benchwright.scripts.servers.openai.faults import (
    CHAT_FAULTS,
    ENDPOINT_FAULTS,
    Fault,
    retry_headers,
    spoil,
    status_problem,
)
from benchwright.scripts.servers.openai.profiles import FULL, PROFILES
from benchwright.scripts.servers.openai.stand_in import Replies, scripted, wanted


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
    query: str = ""


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
        profile: str | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
        batches: Mapping[str, Any] | None = None,
    ) -> None:
        self.reply = scripted(replies)
        are_served = profile in (None, "openai") or batches is not None
        self.batches = BatchServer(self._answer_line, **{"is_served": are_served, **(batches or {})})
        self.line_fault_for: Callable[[Mapping[str, Any]], Fault | None] | None = None
        """Asked with the body of each request of a batch."""
        self.key, self.models, self.latency, self.supports = key, models, latency, frozenset(supports)
        self.faults: deque[Fault | None] = deque(faults)
        """One for each request, in order of arrival; None lets one pass."""
        self.fault_for: Callable[[Received], Fault | None] | None = None
        """Asked once `faults` is empty."""
        self.vector_for: Callable[[str], Sequence[float]] | None = None
        """Asked for the vector of a text; None: it is made of the text's words."""
        self.requests: list[Received] = []
        """In order of arrival, whatever they got; empty without `record`."""
        self.calls = self.most_at_once = self.in_flight = self.refused = 0
        """Requests that came; the most of them, and those now, that wait for a reply; those over rpm or capacity."""
        self.connections: set[asyncio.Transport] = set()
        self._rpm, self._minute, self._capacity, self._record = rpm, minute, capacity, record
        self.sent: defaultdict[str, Sent] = defaultdict(Sent)
        """What was sent, by kind: `ok`, a fault, or a status."""
        self.profile = FULL if profile is None else PROFILES[profile]
        self._is_strict = profile is not None
        self._taken: deque[float] = deque()
        self._host, self._port = host, port

    @property
    def url(self) -> str:
        """The base URL, as the SDK takes it."""
        query = f"?{self.profile.query}" if self.profile.query else ""
        return f"http://{self._host}:{self._port}{self._path}{query}"

    @property
    def _path(self) -> str:
        return self.profile.path.replace("{model}", (self.models or ["stand-in"])[0])

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
        server = await self.loop.create_server(lambda: Connection(self), sock=listening, backlog=1024)
        await self._stopping.wait()
        server.close()
        for connection in list(self.connections):
            connection.abort()
        await asyncio.sleep(0)  # in which the connections hear that they are lost

    def release(self) -> None:
        """Sends each reply that waits for its time; from now on there is no latency, and `fault_for` is not asked."""
        self.loop.call_soon_threadsafe(self._release)

    def _release(self) -> None:
        self.latency, self.fault_for = 0.0, None
        for transport in list(self.connections):
            connection = transport.get_protocol()
            assert isinstance(connection, Connection)
            connection.send_now()

    def answer(self, method: str, path: str, headers: Mapping[str, str], raw: bytes) -> Answer:
        """What a request gets; a defect of a reply's function is a 500 that says so, and a traceback on stderr."""
        if path.partition("?")[0].endswith("/stats"):
            sent = {kind: asdict(counts) for kind, counts in self.sent.items()}
            stats = {"calls": self.calls, "most_at_once": self.most_at_once, "sent": sent, **self.batches.counts}
            return Answer(200, json.dumps(stats).encode(), JSON, counted=False)
        now = time.monotonic()
        try:
            body = json.loads(raw) if raw else None
        except ValueError:
            body = None
        path, _, query = path.partition("?")
        received = Received(path, headers, body, now, method, query)
        self.calls += 1
        if self._record:
            self.requests.append(received)
        try:
            return self._answer(received, self._fault(received), raw)
        except Problem as problem:
            return problem.answer(self.profile.error(problem))
        except Exception as error:
            traceback.print_exc()
            message = f"the test server's reply failed: {type(error).__name__}: {error}"
            return Problem(500, message, "reply_failed", headers={"x-should-retry": "false"}).answer()

    def _fault(self, received: Received) -> Fault | None:
        if self.faults:
            return self.faults.popleft()
        return self.fault_for(received) if self.fault_for else None

    def _answer_line(self, path: str, body: Mapping[str, Any]) -> Answer:
        """What a request of a batch gets."""
        fault = self.line_fault_for(body) if self.line_fault_for else None
        try:
            if fault and isinstance(fault.kind, int):
                raise status_problem(fault, 0)
            if fault and fault.kind in ENDPOINT_FAULTS:
                raise self._turned_down(fault, 0)
            if not path.endswith("/chat/completions"):
                raise Problem(404, f"Invalid URL (POST {path})")
            self._known(body["model"])
            made = self._complete(body, fault.kind if fault else None)
        except Problem as problem:
            return problem.answer(self.profile.error(problem))
        return Answer(200, json.dumps(made, ensure_ascii=False).encode("utf-8", "surrogatepass"), JSON)

    def _answer(self, received: Received, fault: Fault | None, raw: bytes) -> Answer:
        delay = self.latency + (fault.seconds if fault else 0)
        kind = fault.kind if fault else None
        if fault and isinstance(kind, int):
            raise status_problem(fault, delay)
        if fault and kind in ENDPOINT_FAULTS:
            raise self._turned_down(fault, delay)
        if kind == "html":
            page = b"<!doctype html><title>Welcome</title><p>It works.</p>"
            return Answer(200, page, {"Content-Type": "text/html"}, delay, kind="html")
        if kind == "invalid_json":
            return Answer(200, b'{"id": "chatcmpl-1", "choices": [', JSON, delay, kind="invalid_json")
        if kind == "error_body":
            body = b'{"error": {"message": "The model failed while it wrote.", "code": 502}}'
            return Answer(200, body, JSON, delay, kind="error_body")
        if kind == "reset":
            return Answer(0, b"", {}, delay, "reset", kind="reset")
        if self._is_strict:
            self._check_address(received)
        self._check_key(received.headers.get(self.profile.key, ""))
        if self.batches.serves(received.path):
            answer = self.batches.answer(received.method, received.path, received.headers, raw)
            return replace(
                answer, delay=delay, end="cut" if kind == "cut" else "keep", kind="cut" if kind == "cut" else "batch"
            )
        made = self._respond(received, kind)
        body = json.dumps(made, ensure_ascii=False).encode("utf-8", "surrogatepass")
        headers = {**JSON, "x-request-id": f"req_{self.calls}"}
        usage = made.get("usage", {})
        used = usage.get("prompt_tokens", usage.get("total_tokens", 0)), usage.get("completion_tokens", 0)
        return Answer(200, body, headers, delay, "cut" if kind == "cut" else "keep", kind=str(kind or "ok"), usage=used)

    def _turned_down(self, fault: Fault, delay: float) -> Problem:
        """What its profile says of a fault of ENDPOINT_FAULTS."""
        refusal = self.profile.limit if fault.kind == "busy" else self.profile.filter
        if refusal is None:
            status, code = (429, "rate_limit_exceeded") if fault.kind == "busy" else (400, "content_filter")
            problem = Problem(status, f"The test server's fault {fault.kind}.", code)
        else:
            problem = refusal.problem()
        problem.headers |= retry_headers(fault, delay)
        problem.delay, problem.is_counted, problem.kind = delay, True, str(fault.kind)
        return problem

    def _check_address(self, received: Received) -> None:
        """Turns down what has not the path and the query of the profile."""
        if received.path.startswith(f"{self._path}/") and self.profile.query in received.query:
            return
        at_model = received.path.startswith(self.profile.path.partition("{")[0]) and "{" in self.profile.path
        if at_model and self.profile.query in received.query and self.profile.wrong_model:
            raise self.profile.wrong_model.problem(received.path)
        raise Problem(404, "Resource not found")

    def _check_key(self, given: str) -> None:
        given = given.removeprefix("Bearer ")
        if self.key is not None and given != self.key:
            if self._is_strict:
                if self.profile.wrong_key:
                    raise self.profile.wrong_key.problem()
                return
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
        others = ("/embeddings", "/rerank") if self.profile.has_embeddings else ("/rerank",)
        if not chat and not path.endswith(others):
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
            return embeddings(body, check_embeddings(body), self.vector_for)
        return self._complete(body, fault)

    def _complete(self, body: Mapping[str, Any], fault: int | str | None) -> dict[str, Any]:
        """A chat completion."""
        body = self.profile.taken(body)
        check_chat(body, self.supports)
        asked = wanted(body)
        made = completion(body, self.reply(body), asked, self.calls)
        self.profile.dress(made, asked.kind == "text")
        if fault in CHAT_FAULTS:
            spoil(fault, made, asked)
        return made

    def _known(self, model: str) -> str:
        if self.models is not None and model not in self.models and "{" not in self.profile.path:
            if self._is_strict:
                if self.profile.wrong_model:
                    raise self.profile.wrong_model.problem(model)
                return model
            message = f"The model `{model}` does not exist or you do not have access to it."
            raise Problem(404, message, "model_not_found")
        return model

    def count_sent(self, answer: Answer) -> None:
        """Counts what goes out."""
        counts = self.sent[answer.kind]
        counts.answers += 1
        counts.input_tokens += answer.usage[0]
        counts.output_tokens += answer.usage[1]

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
