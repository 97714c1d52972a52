"""The response cache: what was paid for once is never paid for again, whatever happens to the process.

A response is committed before anything is done with it; those that arrive together are committed together.
"""

import asyncio
from pathlib import Path

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.remote.response_store import ResponseStore, StoredResponse, users_folder


def default_path() -> Path:
    """The user's own file of responses of models."""
    return users_folder() / "replies.sqlite"


class ResponseCache:
    """Request's key → response's body. `put` belongs to one event loop."""

    def __init__(self, path: Path) -> None:
        """Opens the file, or makes it.

        Raises:
            BenchwrightError: it cannot be made, or is not such a file.
        """
        self.store = ResponseStore(path, elsewhere="choose another file with --cache")
        """Read from it directly; its notes say how an endpoint was found to give structured replies."""
        self._waiting: list[tuple[StoredResponse, asyncio.Future[None]]] = []
        self._flusher: asyncio.Task[None] | None = None

    async def put(self, key: bytes, model: str, prompt: str, body: str) -> None:
        """Keeps a body; returns once it is committed.

        Raises:
            StopError: it cannot be kept.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(((key, model, prompt, body), done))
        if self._flusher is None or self._flusher.done():
            self._flusher = asyncio.create_task(self._flush())
        await done

    async def _flush(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            error: StopError | None = None
            try:
                await asyncio.to_thread(self.store.put, [response for response, _ in batch])
            except StopError as failure:
                error = failure
            for _, done in batch:
                if done.cancelled():
                    continue
                if error:
                    done.set_exception(error)
                else:
                    done.set_result(None)

    @property
    def uncommitted(self) -> int:
        """Not 0 while bodies are on their way to the disk."""
        return len(self._waiting) + (self._flusher is not None and not self._flusher.done())

    def close(self) -> None:
        """Closes the file; what waits is committed first.

        Raises:
            StopError: that cannot be done.
        """
        waiting, self._waiting = [response for response, _ in self._waiting], []
        try:
            if waiting:
                self.store.put(waiting)
        finally:
            self.store.close()
