"""Stands before a wiki: counts what is asked, and spoils what is to be spoiled."""

from __future__ import annotations

import http.client
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast
from urllib.parse import parse_qsl, urlsplit

_PASSED = ("Content-Type", "Retry-After", "X-Database-Lag", "MediaWiki-API-Error")
"""Headers of the wiki's replies."""


@dataclass(frozen=True, slots=True)
class Fault:
    """How a request fails: `status` is answered, or `body` as JSON; or it is `slow`, `cut` or `dropped`."""

    kind: str
    """status, json, slow, cut, dropped, html."""
    status: int = 503
    retry_after: str = ""
    seconds: float = 0.0
    body: str = "{}"


@dataclass(slots=True)
class Asked:
    """A request."""

    number: int
    query: Mapping[str, str]
    agent: str
    begun: float
    """Seconds of a clock that only goes forward."""
    ended: float = 0.0
    status: int = 0
    """0 while it is under way, and where nothing was answered."""
    spoiled: bool = False

    @property
    def kind(self) -> str:
        """about, log, revisions, random, first, names, pinned, content or other."""
        query = self.query
        if "siteinfo" in query.get("meta", ""):
            return "about"
        if listed := {"logevents": "log", "allrevisions": "revisions"}.get(query.get("list", "")):
            return listed
        if "titles" in query or query.get("list") == "allpages":
            return "names"
        if "generator" in query:
            return query["generator"]
        if query.get("rvdir") == "newer":
            return "first"
        return "pinned" if "revids" in query else "content" if "pageids" in query else "other"


@dataclass
class Front:
    """A server before another, on a free port."""

    behind: str
    """The address of the wiki's folder."""
    spoil: Callable[[Asked], Fault | None] = lambda asked: None
    """Which requests are spoiled."""
    before: Callable[[Asked], Any] = lambda asked: None
    """Called with each request before it is passed on."""
    asked: list[Asked] = field(default_factory=list)
    lock: Any = field(default_factory=threading.Lock)

    def __enter__(self) -> Self:
        self._server = _Server(self)
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}{urlsplit(self.behind).path}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def plan(self, *faults: Fault | None) -> None:
        """The next requests meet these, in order; None lets one pass."""
        todo, lock = list(faults), threading.Lock()

        def spoil(asked: Asked) -> Fault | None:
            with lock:
                return todo.pop(0) if todo else None

        self.spoil = spoil

    def counts(self, since: int = 0) -> dict[str, int]:
        """Requests by kind."""
        return dict(Counter(asked.kind for asked in self.asked[since:]))


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, front: Front) -> None:
        self.front = front
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away, or is killed, is no error."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Passes a request on, or spoils it."""
        front = self._front
        with front.lock:
            asked = Asked(
                len(front.asked), dict(parse_qsl(urlsplit(self.path).query)), self.headers.get("User-Agent", ""),
                time.monotonic(),
            )  # fmt: skip
            front.asked.append(asked)
        front.before(asked)
        fault = front.spoil(asked)
        asked.spoiled = fault is not None and fault.kind != "slow"
        status, headers, body = 0, dict[str, str](), b""
        if fault is None or fault.kind in ("slow", "cut"):
            status, headers, body = self._pass_on()
        match fault:
            case Fault(kind="status"):
                given = {"Retry-After": fault.retry_after} if fault.retry_after else {}
                self._answer(fault.status, {"Content-Type": "text/plain", **given}, b"spoiled")
                status = fault.status
            case Fault(kind="html"):
                page = b"<!doctype html><html><body>Down for maintenance</body></html>"
                self._answer(200, {"Content-Type": "text/html"}, page)
                status = 200
            case Fault(kind="json"):
                self._answer(200, {"Content-Type": "application/json"}, fault.body.encode())
                status = 200
            case Fault(kind="dropped"):
                self.close_connection = True
            case Fault(kind="cut"):
                self._answer(status, headers, body, keep=len(body) // 2)
                self.close_connection = True
            case _:
                time.sleep(fault.seconds if fault else 0)
                self._answer(status, headers, body)
        asked.ended, asked.status = time.monotonic(), status

    @property
    def _front(self) -> Front:
        return cast(_Server, self.server).front

    def _pass_on(self) -> tuple[int, dict[str, str], bytes]:
        behind = urlsplit(self._front.behind)
        connection = http.client.HTTPConnection(behind.hostname or "", behind.port, timeout=60)
        try:
            connection.request("GET", self.path, headers={"Host": behind.netloc, "User-Agent": "front"})
            reply = connection.getresponse()
            headers = {name: value for name in _PASSED if (value := reply.getheader(name))}
            return reply.status, headers, reply.read()
        finally:
            connection.close()

    def _answer(self, status: int, headers: Mapping[str, str], body: bytes, keep: int | None = None) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        # One write for all, lest the network waits between two small ones
        self._headers_buffer.append(b"\r\n" + body[:keep])  # type: ignore[attr-defined]
        self.flush_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""
