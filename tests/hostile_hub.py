"""A Hub that serves one right release, but for what a case makes of single answers."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

COMMIT = "a" * 40


class Answer(BaseHTTPRequestHandler):
    """One request, with ways to answer it."""

    server: "HostileHub"  # pyright: ignore[reportIncompatibleVariableOverride]
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Lets the case answer, or answers rightly."""
        self.close_connection = True
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.tokens.append(self.headers.get("Authorization"))
        with suppress(OSError):
            for part, twist in self.server.twists.items():
                if part in self.path:
                    twist(self)
                    return
            self.right()

    do_HEAD = do_POST = do_GET

    def right(self, **headers: str) -> None:
        """The right answer, with further headers, whose _ are -."""
        paths = self.server.paths
        if self.path.startswith("/api/"):
            self.send(json.dumps({"id": "alice/evil", "sha": COMMIT, "siblings": [{"rfilename": p} for p in paths]}))
            return
        file = self.server.folder / self.path.partition("/resolve/")[2].partition("/")[2]
        if file.is_file():
            self.send(file.read_bytes(), 200, **headers)
        else:
            self.send("", 404, X_Error_Code="EntryNotFound")

    def send(self, content: bytes | str, status: int = 200, **headers: str) -> None:
        """An answer with its length, unless that is given."""
        body = content.encode() if isinstance(content, str) else content
        self.send_response(status)
        for name, value in {"Content_Length": str(len(body)), "Connection": "close", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def raw(self, *pieces: bytes, pause: float = 0) -> None:
        """Bytes as they are, a moment between them."""
        for piece in pieces:
            self.wfile.write(piece)
            self.wfile.flush()
            time.sleep(pause)

    def endless(self, head: bytes, piece: bytes, pause: float = 0) -> None:
        """A head, and then the same until nobody reads."""
        self.wfile.write(head)
        while not self.server.ended.wait(pause):
            self.wfile.write(piece)
            self.wfile.flush()
            self.server.sent += len(piece)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


Twist = Callable[[Answer], object]


class HostileHub(ThreadingHTTPServer):
    """The server."""

    daemon_threads = True

    def __init__(self, folder: Path, twists: Mapping[str, Twist], paths: list[str] | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.folder, self.twists = folder, dict(twists)
        files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
        self.paths = files if paths is None else paths
        self.sent = 0
        self.tokens: list[str | None] = []
        self.ended = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}"

    def server_bind(self) -> None:
        """Binds with a small buffer, so that what is sent was read."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
        super().server_bind()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing: connections end in many ways here."""


@contextmanager
def hostile_hub(folder: Path, twists: Mapping[str, Twist], paths: list[str] | None = None) -> Iterator[HostileHub]:
    """Serves the files of a folder as the repository `alice/evil`.

    Args:
        folder: of a release.
        twists: part of an address → what answers there.
        paths: the files that the Hub names; none: those of the folder.
    """
    with HostileHub(folder, twists, paths) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield server
        finally:
            server.ended.set()
            server.shutdown()
