"""What an endpoint sends is unpacked here and read only so far: a reply that does not end must not fill the memory."""

import asyncio
import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2

MOST_BYTES = 1 << 26
"""Of a reply, unpacked: 256 vectors of 4,096 numbers in words take a third of it."""
PACKINGS = ("gzip", "deflate")
"""What replies may be packed with."""
_AT_A_TIME = 1 << 20
_FILE = "/content"
"""The end of the path of a batch's output, which may be of any size and is read line by line."""


class TooLargeError(httpx2.DecodingError):
    """A reply, or a line of a batch's output, is larger than it may be."""


class PackedOtherwiseError(httpx2.DecodingError):
    """A reply is packed in a way that was not asked for, or not as it says."""


async def bound(response: httpx2.Response) -> None:
    """Has the body of a response unpacked and counted while it is read, and taken for UTF-8, as JSON is."""
    packing = [name.strip().lower() for name in response.headers.get("content-encoding", "").split(",")]
    packing = [name for name in packing if name not in ("", "identity")]
    most = None if response.request.url.path.endswith(_FILE) else MOST_BYTES
    response.stream = _Bounded(response.stream, packing, most)
    response.headers.pop("content-encoding", None)
    response.headers["content-type"] = f"{response.headers.get('content-type', '').partition(';')[0]}; charset=utf-8"


async def lines_of(chunks: AsyncIterator[bytes], seconds: float) -> AsyncIterator[str]:
    """The lines that bytes make: they end with a line break, and with nothing else that Unicode takes for one.

    Of a line that is too long the beginning is given, which is no JSON.

    Args:
        chunks: as they come.
        seconds: that a line may take.

    Raises:
        ReadTimeout: one took longer.
    """
    parts, size = list[bytes](), 0
    until = asyncio.get_running_loop().time() + seconds
    while True:
        try:
            async with asyncio.timeout_at(until):
                chunk = await anext(chunks, b"")
        except TimeoutError:
            raise httpx2.ReadTimeout("a line took too long") from None
        if not chunk:
            break
        *whole, rest = chunk.split(b"\n")
        for line in whole:
            held = parts if size > MOST_BYTES else [*parts, line]  # its end behind a gap might make JSON of it
            yield b"".join(held).decode("utf-8", "replace")
            parts, size = [], 0
        if size <= MOST_BYTES:
            parts.append(rest)
        size += len(rest)
        if whole:
            until = asyncio.get_running_loop().time() + seconds
    yield b"".join(parts).decode("utf-8", "replace")


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: Any, packing: list[str], most: int | None) -> None:
        self._stream, self._packing, self._most = stream, packing, most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if len(self._packing) > 1 or not set(self._packing) <= set(PACKINGS):
            raise PackedOtherwiseError(f"the answer is packed as {', '.join(self._packing)}")
        unpack = _Unpacking(self._packing[0]) if self._packing else None
        size = 0
        async for chunk in self._stream:
            for part in unpack.parts(chunk) if unpack else [chunk]:
                size += len(part)
                if self._most is not None and size > self._most:
                    raise TooLargeError(f"the answer is larger than {self._most >> 20} MB")
                yield part

    async def aclose(self) -> None:
        await self._stream.aclose()


class _Unpacking:
    """Unpacks a little at a time: a thousandfold may be packed into what comes."""

    def __init__(self, packing: str) -> None:
        self._is_raw = packing == "deflate"
        """Some send it without the header that it should have."""
        self._object = zlib.decompressobj(zlib.MAX_WBITS | (16 if packing == "gzip" else 0))

    def parts(self, chunk: bytes) -> Iterator[bytes]:
        """What a chunk holds, piece by piece."""
        while chunk:
            try:
                part = self._object.decompress(chunk, _AT_A_TIME)
            except zlib.error as error:
                if not self._is_raw:
                    raise PackedOtherwiseError(f"the answer cannot be unpacked ({error})") from None
                self._object, self._is_raw = zlib.decompressobj(-zlib.MAX_WBITS), False
                continue
            self._is_raw = False
            if part:
                yield part
            chunk = self._object.unconsumed_tail
