"""The response cache: what was paid for once is never paid for again, whatever happens to the process.

A reply is committed before anything is done with it; those that arrive together are committed together.
"""

import asyncio
from pathlib import Path

from benchwright.benchmarks.models.batches import notes as batch_notes
from benchwright.benchmarks.models.kept import left_over, tries
from benchwright.benchmarks.models.kept.tries import KeptTry, NewTry
from benchwright.benchmarks.remote.response_store import ResponseStore, users_folder


def default_path() -> Path:
    """The user's own file of responses of models."""
    return users_folder() / "replies.sqlite"


class ResponseCache:
    """An item → its tries. `put` and `note_fault` belong to one event loop."""

    def __init__(self, path: Path) -> None:
        """Opens the file, or makes it.

        Raises:
            BenchwrightError: it cannot be made, or is not such a file.
        """
        tables = tries.TABLES + left_over.TABLES + batch_notes.TABLES
        self.store = ResponseStore(path, elsewhere="choose another file with --cache", tables=tables)
        """Read from it directly; its notes say how an endpoint was found to give structured replies."""
        self._waiting: list[tuple[NewTry, asyncio.Future[None]]] = []
        self._faults: list[tuple[bytes, KeptTry]] = []
        self._flusher: asyncio.Task[None] | None = None

    async def put(self, new: NewTry) -> None:
        """Keeps a try; returns once it is committed.

        Raises:
            StopError: it cannot be kept.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((new, done))
        if self._flusher is None or self._flusher.done():
            self._flusher = asyncio.create_task(self._flush())
        await done

    def note_fault(self, item: bytes, unusable: KeptTry) -> None:
        """Notes why a try at an item cannot be used; it is written with the next try, or when the cache is closed."""
        self._faults.append((item, unusable))

    async def _flush(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            faults, self._faults = self._faults, []
            error: Exception | None = None
            try:
                await asyncio.to_thread(tries.keep, self.store, [new for new, _ in batch], faults)
            except Exception as failure:  # whatever it is, those who wait must hear of it
                error, self._faults = failure, [*faults, *self._faults]
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
        waiting, self._waiting = [new for new, _ in self._waiting], []
        try:
            if waiting or self._faults:
                tries.keep(self.store, waiting, self._faults)
        finally:
            self.store.close()
