"""Many items at once, from plain code: asked about in an event loop elsewhere, with results in the items' order."""

import asyncio
import queue
from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class ItemsInFlight(Generic[Item, Result]):
    """Items that were started and not taken yet. Belongs to one thread, which must not be that of the event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, ask: Callable[[Item], Awaitable[Result]]) -> None:
        self._loop, self._ask = loop, ask
        self._items: dict[int, Item] = {}
        self._results: dict[int, Result | BaseException] = {}
        self._done = queue.SimpleQueue[tuple[int, Result | BaseException]]()
        self._tasks: set[asyncio.Task[None]] = set()
        self._first = self._following = 0
        self.is_waiting = False
        """For a result: until one has come, no further item is started."""

    def __len__(self) -> int:
        return self._following - self._first

    def start(self, item: Item) -> None:
        """Begins to ask about an item."""
        self._items[self._following] = item
        self._loop.call_soon_threadsafe(self._create_task, self._following, item)
        self._following += 1

    def take(self) -> tuple[Item, Result | BaseException]:
        """The item that was started first of those that are left, with its result or what was raised; waits for it."""
        while self._first not in self._results:
            self.is_waiting = self._done.empty()
            number, result = self._done.get()
            self.is_waiting = False
            self._results[number] = result
        number, self._first = self._first, self._first + 1
        return self._items.pop(number), self._results.pop(number)

    def _create_task(self, number: int, item: Item) -> None:
        task = self._loop.create_task(self._run(number, item))
        self._tasks.add(task)  # the loop itself holds tasks weakly
        task.add_done_callback(self._tasks.discard)

    async def _run(self, number: int, item: Item) -> None:
        try:
            result: Any = await self._ask(item)
        except BaseException as error:
            self._done.put((number, error))
            if isinstance(error, asyncio.CancelledError):
                raise
        else:
            self._done.put((number, result))
