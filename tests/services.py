"""Services over real HTTP for tests: a function says what each request gets."""

import contextlib
import gzip
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Asked:
    """A request as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any
    number: int
    """From 1."""


@dataclass
class Say:
    """What a request gets."""

    body: Any = b""
    """Bytes and texts as they are; anything else as JSON."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    """Half the body is sent, and the connection closed."""
    reset: bool = False
    """Nothing is sent."""
    seconds: float = 0.0
    """Before anything is sent."""
    is_packed: bool = False
    """Packed with gzip."""


Responder = Callable[[Asked], Any]


class Service(ThreadingHTTPServer):
    """A service on a port of its own."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, respond: Responder) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.respond = respond
        self.asked: list[Asked] = []
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Service  # pyright: ignore[reportIncompatibleVariableOverride]
    disable_nagle_algorithm = True

    def _do(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = json.loads(raw) if raw else None
        except ValueError:
            body = raw.decode("utf-8", "replace")
        with self.server.lock:
            asked = Asked(self.command, self.path, dict(self.headers), body, len(self.server.asked) + 1)
            self.server.asked.append(asked)
        said = self.server.respond(asked)
        self._send(said if isinstance(said, Say) else Say(said))

    def _send(self, say: Say) -> None:
        time.sleep(say.seconds)
        self.close_connection = say.cut or say.reset
        if say.reset:
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        is_json = not isinstance(say.body, bytes | str)
        body = (
            json.dumps(say.body).encode() if is_json else say.body if isinstance(say.body, bytes) else say.body.encode()
        )
        if say.is_packed:
            body = gzip.compress(body)
        self.send_response(say.status)
        for name, value in {
            "Content-Type": "application/json" if is_json else "text/plain",
            "Content-Length": str(len(body)),
            **({"Content-Encoding": "gzip"} if say.is_packed else {}),
            **say.headers,
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if say.cut else body)

    do_GET = do_POST = do_PUT = _do

    def handle(self) -> None:
        with contextlib.suppress(OSError):  # who hangs up
            super().handle()

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@contextmanager
def serving(respond: Responder, tls: ssl.SSLContext | None = None) -> Iterator[Service]:
    """A service while the context lasts."""
    service = Service(respond)
    if tls is not None:
        service.socket = tls.wrap_socket(service.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=service.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.shutdown()
        service.server_close()
        thread.join()
