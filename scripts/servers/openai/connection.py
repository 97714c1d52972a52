"""HTTP/1.1 on one connection of the server that speaks the OpenAI protocol."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Mapping
from http import HTTPStatus
from typing import Protocol

from benchwright.scripts.servers.openai.answers import Answer, Problem

MOST_HEAD, MOST_BODY = 1 << 16, 1 << 28
"""Bytes of a request."""
_REASONS = {status.value: status.phrase for status in HTTPStatus}


class Answering(Protocol):
    """What a connection needs of its server."""

    loop: asyncio.AbstractEventLoop
    connections: set[asyncio.Transport]
    in_flight: int
    most_at_once: int

    def answer(self, method: str, path: str, headers: Mapping[str, str], raw: bytes) -> Answer: ...

    def count_sent(self, answer: Answer) -> None: ...


class Connection(asyncio.Protocol):
    """HTTP/1.1 on one connection: one request at a time, kept alive."""

    transport: asyncio.Transport

    def __init__(self, server: Answering) -> None:
        self.server = server
        self.buffer = bytearray()
        self.head: tuple[str, str, dict[str, str]] | None = None
        """Method, path and headers of a request whose body is awaited."""
        self.waiting: asyncio.TimerHandle | None = None
        self.late: Answer | None = None
        """What it waits with."""
        self.keep = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.server.connections.add(self.transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.server.connections.discard(self.transport)
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
        return method, target, headers

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
            self.late = answer
            self.waiting = server.loop.call_later(answer.delay, self._send_late, answer)
            return
        server.in_flight -= answer.counted
        self._send(answer)

    def send_now(self) -> None:
        """Sends what waits for its time."""
        if self.waiting and self.late:
            self.waiting.cancel()
            self._send_late(self.late)

    def _send_late(self, answer: Answer) -> None:
        self.waiting = None
        self.server.in_flight -= answer.counted
        self._send(answer)
        self._advance()

    def _send(self, answer: Answer) -> None:
        if not self.transport.is_closing():
            self.server.count_sent(answer)
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
