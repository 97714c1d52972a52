"""Files and batches at an endpoint, by the official SDK: each call repeated where that can help, none made twice."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import IO, Any, TypeVar
from urllib.parse import urlsplit

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.endpoint.http_errors import RequestFailure
from benchwright.benchmarks.models.endpoint.transport import Transport, pause_before
from benchwright.benchmarks.models.responses import shown

FILES, BATCHES = "/files", "/batches"
RUNNING = ("validating", "in_progress", "finalizing", "cancelling")
"""States of a batch that has not ended."""
ENDED = ("completed", "failed", "expired", "cancelled")
_TRIES = 5
_LISTED = 5_000
"""Files or batches that are looked through, the newest first."""
_UPLOAD = 900.0
"""Seconds that sending a file may take."""


_ID = re.compile(r"(?!.*\.\.)\w[\w.:=~/+-]{0,511}")
"""Of a file or a batch, as they go into addresses."""
T = TypeVar("T")


class NotTakenError(StopError):
    """The endpoint has not taken a file or a batch, and said so."""


class NotThereError(StopError):
    """The endpoint has no such file or batch."""


class BatchCalls:
    """The calls about files and batches of one endpoint."""

    def __init__(self, transport: Transport) -> None:
        self._transport, self._sdk = transport, transport.sdk
        self._more: dict[str, Any] = {"extra_headers": transport.options.get("headers", {})}
        host = urlsplit(transport.endpoint.base_url).hostname or ""
        self.prefix = "" if host.endswith(".azure.com") else "/v1"
        """Before the path of a batch's requests."""

    async def upload(self, name: str, content: IO[bytes]) -> str:
        """Uploads the file of a batch; returns its id.

        Raises:
            StopError: the endpoint has no batches, or does not take it.
        """

        async def create() -> str:
            content.seek(0)
            made = await self._sdk.files.create(file=(name, content), purpose="batch", timeout=_UPLOAD, **self._more)
            while made.status in ("pending", "running"):  # of Azure, which makes no batch of a file before it is read
                await asyncio.sleep(1.0)
                made = await self._sdk.files.retrieve(made.id, **self._more)
            return id_of(made)

        async def find() -> str | None:
            return next(iter(await self.uploaded(name)), None)

        return await self._repeat(FILES, create, find)

    async def uploaded(self, name: str) -> list[str]:
        """The ids of files of a name."""

        async def find() -> list[str]:
            pages = self._sdk.files.list(purpose="batch", order="desc", **self._more)
            return [id_of(file) async for file in _newest(pages) if file.filename == name]

        return await self._repeat(FILES, find)

    async def delete(self, file: str) -> None:
        """Deletes a file of which no batch was made; where that fails it stays, and costs nothing."""
        try:
            await self._sdk.files.delete(file, **self._more)
        except Exception as error:
            await self._transport.failure_of(error, FILES)

    async def create(self, file: str, path: str, name: str) -> str:
        """Makes a batch of an uploaded file; returns its id.

        Raises:
            StopError: the endpoint has no batches, or does not take it.
        """

        async def create() -> str:
            made = await self._sdk.batches.create(
                input_file_id=file,
                endpoint=f"{self.prefix}{path}",
                completion_window="24h",
                metadata={"name": name},
                **self._more,
            )
            return id_of(made)

        return await self._repeat(BATCHES, create, lambda: self.find(file))

    async def find(self, file: str) -> str | None:
        """The id of the batch that was made of a file."""

        async def find() -> str | None:
            async for batch in _newest(self._sdk.batches.list(limit=100, **self._more)):
                if batch.input_file_id == file:
                    return id_of(batch)
            return None

        return await self._repeat(BATCHES, find)

    async def read(self, batch: str) -> Any:
        """A batch as it is now.

        Raises:
            StopError: it cannot be read, or is in no state that is known.
        """
        found = await self._repeat(f"{BATCHES}/{batch}", lambda: self._sdk.batches.retrieve(batch, **self._more))
        if getattr(found, "status", None) not in (*RUNNING, *ENDED):
            said = shown(repr(getattr(found, "status", found)))
            where = self._transport.endpoint.address
            raise StopError(f"{where} says of the batch {batch} what is no state: {said}; start again later")
        return found

    @asynccontextmanager
    async def lines(self, file: str) -> AsyncIterator[AsyncIterator[str]]:
        """The lines of a file as they come: none of it is held but the line that is read.

        Raises:
            StopError: it cannot be read.
        """

        from benchwright.benchmarks.models.endpoint.bounded import lines_of

        async def open_file() -> tuple[Any, Any]:
            checked_id(file)
            opened = self._sdk.files.with_streaming_response.content(file, **self._more)
            return opened, await opened.__aenter__()

        opened, response = await self._repeat(f"{FILES}/{file}/content", open_file)
        try:
            yield lines_of(response.iter_bytes(), self._transport.timeout)
        finally:
            await opened.__aexit__(None, None, None)

    async def _repeat(
        self, path: str, call: Callable[[], Awaitable[T]], find: Callable[[], Awaitable[T | None]] | None = None
    ) -> T:
        """What a call returns; after one that failed, `find` looks first whether it was heard all the same."""
        tried, is_unread = 0, False
        while True:
            try:
                return await call()
            except (AttributeError, TypeError, ValueError) as error:  # which the SDK leaves to whoever reads it
                failure, is_unread = RequestFailure(f"its answer cannot be read ({shown(str(error))})"), True
            except Exception as error:
                failure = await self._transport.failure_of(error, path)
            tried += 1
            where = f"{self._transport.endpoint.address}{path}"
            if failure.is_elsewhere and path in (FILES, BATCHES):
                raise NotTakenError(f"{where} answered {failure.status}: there are no batches, leave --batch out")
            if failure.is_elsewhere:
                raise NotThereError(f"{where} answered {failure.status}")
            if not failure.again or tried >= _TRIES:
                advice = failure.advice or "what was answered is kept, start again later"
                said = self._transport.clean(f"{where} failed: {failure.text}; {advice}")
                raise StopError(said) if failure.again or is_unread else NotTakenError(said)
            await asyncio.sleep(pause_before(tried) if failure.pause is None else failure.pause)
            if find is not None and (found := await find()) is not None:
                return found


def id_of(found: Any) -> str:
    """The id of a file or a batch.

    Raises:
        ValueError: it has none.
    """
    return checked_id(found.id)


def checked_id(value: object) -> str:
    """An id, as it goes into an address.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise ValueError(f"{shown(repr(value))} is no id")
    return value


async def _newest(pages: Any) -> AsyncIterator[Any]:
    seen = 0
    async for each in pages:
        yield each
        seen += 1
        if seen >= _LISTED:
            return
