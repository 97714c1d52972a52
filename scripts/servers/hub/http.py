"""HTTP: requests with bodies read in pieces, answers with ranges of files, routes, and connections that are cut."""

import contextlib
import io
import json
import re
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote

from benchwright.scripts.servers.hub.accounts import Token
from benchwright.scripts.servers.hub.blobs import PIECE
from benchwright.scripts.servers.hub.errors import Refused
from benchwright.scripts.servers.hub.faults import Kind, Received
from benchwright.scripts.servers.hub.repository import CLOCK

if TYPE_CHECKING:
    from benchwright.scripts.servers.hub.server import Hub

    Body = io.BufferedReader[Any]
else:
    Body = io.BufferedReader

Headers = Message
_UNASKED = ("/api/telemetry/", "/api/agent-harnesses")
"""What clients ask once in a while of their own accord: it would make counts of requests depend on their caches."""


class _Raw(io.RawIOBase):
    """A request's body: as long as it says, or in chunks."""

    def __init__(self, source: Any, headers: Headers) -> None:
        self._source = source
        self._is_chunked = "chunked" in headers.get("Transfer-Encoding", "").lower()
        self._left = 0 if self._is_chunked else int(headers.get("Content-Length") or 0)
        self._is_done = not self._is_chunked and not self._left

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Reads what is there, at most what fits."""
        if self._is_done:
            return 0
        if self._is_chunked and not self._left:
            self._left = int(self._source.readline().split(b";")[0].strip() or b"0", 16)
            if not self._left:
                self._is_done = True
                while self._source.readline().strip():
                    pass
                return 0
        piece = self._source.read(min(len(buffer), self._left))
        buffer[: len(piece)] = piece
        self._left -= len(piece)
        if not piece:
            self._is_done = True
            raise ConnectionError("the body is shorter than it should be")
        if not self._left:
            if self._is_chunked:
                self._source.readline()
            else:
                self._is_done = True
        return len(piece)


@dataclass(frozen=True)
class Request:
    """What a handler is given."""

    method: str
    parts: Mapping[str, str]
    """What the route's places in braces stand for, decoded."""
    query: Mapping[str, list[str]]
    headers: Headers
    body: Body
    caller: Token | None

    def json(self) -> Any:
        """The body as JSON; an empty one is an empty mapping."""
        text = self.body.read()
        try:
            return json.loads(text) if text else {}
        except ValueError as error:
            raise Refused(400, f"The body is not JSON: {error}") from error

    def asks(self, name: str) -> bool:
        """Whether the query switches something on."""
        return self.query.get(name, ["0"])[-1].lower() in ("1", "true")


@dataclass(frozen=True)
class Content:
    """A file that an answer is made of."""

    path: Path
    size: int


@dataclass
class Reply:
    """An answer."""

    content: bytes | Content = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


def as_json(value: Any, status: int = 200, **headers: str) -> Reply:
    """An answer in JSON."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(json.dumps(value).encode(), status, {"Content-Type": "application/json; charset=utf-8", **named})


def as_error(refused: Refused) -> Reply:
    """An answer that says what was wrong, where clients look for it."""
    headers = {"X-Error-Message": " ".join(refused.message.split()).encode("ascii", "replace").decode()}
    headers.update({"X-Error-Code": refused.code} if refused.code else {})
    headers.update({"X-Repo-Commit": refused.commit} if refused.commit else {})
    reply = as_json({"error": refused.message, **refused.body}, refused.status)
    reply.headers.update(headers)
    return reply


Handler = Callable[["Hub", Request], Reply]


class Routes:
    """Which handler answers what. `{name}` is one segment, `{name*}` the rest, `{repo}` and `{kinds}` are known."""

    _KNOWN: Mapping[str, str] = {
        "kinds": "(?P<kinds>models|datasets|spaces)",
        "repo": "(?P<repo>(?!api/|static/|lfs/)[^/]+/[^/]+)",
        "prefix": "(?P<prefix>(?:datasets/|spaces/|models/)?)",
    }

    def __init__(self) -> None:
        self._all: list[tuple[str, re.Pattern[str], Handler]] = []

    def add(self, method: str, path: str) -> Callable[[Handler], Handler]:
        """Registers a handler."""

        def place(match: re.Match[str]) -> str:
            name = match[1]
            return self._KNOWN.get(name) or (f"(?P<{name[:-1]}>.*)" if name.endswith("*") else f"(?P<{name}>[^/]+)")

        pattern = re.compile(re.sub(r"\{(\w+\*?)\}", place, path.replace(".", r"\.")))

        def register(handler: Handler) -> Handler:
            self._all.append((method, pattern, handler))
            return handler

        return register

    def include(self, other: "Routes") -> None:
        """Adds another's routes behind one's own."""
        self._all += other._all

    def find(self, method: str, path: str) -> tuple[Handler, dict[str, str]] | None:
        """The handler of a request and what its places stand for."""
        wanted = "GET" if method == "HEAD" else method
        for its, pattern, handler in self._all:
            match = pattern.fullmatch(path) if its == wanted else None
            if match:
                return handler, {name: unquote(text) for name, text in match.groupdict().items()}
        return None


def make_handler(hub: "Hub") -> type[BaseHTTPRequestHandler]:
    """The class whose objects serve one connection each."""

    class Connection(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        server_version = "TestHub"
        sys_version = ""
        disable_nagle_algorithm = True
        wbufsize = 1 << 16

        def setup(self) -> None:
            super().setup()
            hub.connections.add(self.connection)

        def finish(self) -> None:
            hub.connections.discard(self.connection)
            with contextlib.suppress(OSError):  # the client is gone
                super().finish()

        def handle(self) -> None:
            try:
                super().handle()
            except OSError:
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            if hub.log:
                hub.log(f"{self.command} {self.path} {args[1] if len(args) > 1 else ''}".strip())

        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            body = io.BufferedReader(_Raw(self.rfile, self.headers), PIECE)
            if path.startswith(_UNASKED):
                return self._send(as_error(Refused(404, "Not here")), body, None)
            try:
                caller, wrong = hub.accounts.caller(self.headers.get("Authorization")), None
            except Refused as refused:
                caller, wrong = None, refused
            received, fault = hub.faults.receive(self.command, path, query, caller.user if caller else None)
            if fault == "cut":
                return self._cut(body)
            try:
                if wrong:
                    raise wrong
                if fault and fault.isdigit():
                    raise Refused(int(fault), f"a fault that was asked for: {fault}")
                reply = hub.answer(self.command, path, parse_qs(query), self.headers, body, caller)
            except Refused as refused:
                reply = as_error(refused)
                reply.headers.update({"Retry-After": "0"} if refused.status == 429 else {})
            return self._cut(body) if fault == "cut_after" else self._send(reply, body, received, fault)  # pyright: ignore[reportArgumentType]  (the same class, by two paths)

        do_HEAD = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_GET

        def date_time_string(self, timestamp: float | None = None) -> str:
            """The Hub's time, for the header Date."""
            return super().date_time_string(CLOCK.moment().timestamp() if timestamp is None else timestamp)

        def _send(self, reply: Reply, body: Body | None, received: Received | None, fault: Kind | None = None) -> None:
            _drain(body)
            size = reply.content.size if isinstance(reply.content, Content) else len(reply.content)
            ranged = _range(self.headers.get("Range"), size) if reply.status == 200 else None
            start, end = ranged or (0, size)
            headers = {"Access-Control-Allow-Origin": "*", "Accept-Ranges": "bytes", **reply.headers}
            if ranged:
                reply.status = 206 if start < end else 416
                headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}" if start < end else f"bytes */{size}"
            headers.update({"X-Request-Id": str(received.number)} if received else {})
            self.send_response(reply.status)
            for name, text in {**headers, "Content-Length": str(end - start)}.items():
                self.send_header(name, text)
            self.end_headers()
            if fault == "cut_halfway":
                end = start + (end - start) // 2
            if self.command != "HEAD":
                self._write(reply.content, start, end)
            if fault == "cut_halfway":
                self._cut(None)

        def _write(self, content: bytes | Content, start: int, end: int) -> None:
            if isinstance(content, bytes):
                self.wfile.write(content[start:end])
                return
            with content.path.open("rb") as file:
                file.seek(start)
                while start < end and (piece := file.read(min(PIECE, end - start))):
                    self.wfile.write(piece)
                    start += len(piece)

        def _cut(self, body: Body | None) -> None:
            """Closes the connection."""
            _drain(body)
            self.close_connection = True
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)

    return Connection


def _drain(body: Body | None) -> None:
    """Reads what no handler wanted, so that the next request on the connection begins where it should."""
    while body and body.read(PIECE):
        pass


def _range(header: str | None, size: int) -> tuple[int, int] | None:
    """Where a header `Range` begins and ends (both at the end where it asks for more); nothing for none."""
    match = re.fullmatch(r"bytes=(\d*)-(\d*)", header or "")
    if not match or match[0] == "bytes=-":
        return None
    if not match[1]:
        return max(0, size - int(match[2])), size
    start, end = int(match[1]), min(int(match[2]) + 1 if match[2] else size, size)
    return (start, end) if start < end else (end, end)
