"""The client: a request goes to the kept replies first, then to its endpoint, and its reply is kept before it is used.

All of it runs in one thread of its own with an event loop, whoever asks: `chat` and `embed` may be awaited in any loop,
and `each` asks for many items from plain code.
"""

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, TypeVar, overload

import numpy as np

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.cache import default_path
from benchwright.benchmarks.models.cached_request import Exchange
from benchwright.benchmarks.models.chat import Chat
from benchwright.benchmarks.models.costs import Estimated, Tally
from benchwright.benchmarks.models.keys import request_key
from benchwright.benchmarks.models.prompts import Messages, Prompt, load_prompt
from benchwright.benchmarks.models.responses import (
    ESTIMATED,
    INVALID,
    Reply,
    ReplyError,
    Tokens,
    Vectors,
    count_tokens,
    encodable,
    read_vectors,
)
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.models.structured import InvalidReply

GRACE = 20.0
"""Seconds that requests on their way may take to end when everything stops."""
EMBEDDED_AT_ONCE = 256
"""Texts in one request for embeddings."""

T = TypeVar("T")
Item = TypeVar("Item")
Result = TypeVar("Result")


class Client:
    """Asks models; see `ModelSettings`. Close it, or use it in a `with`."""

    def __init__(self, settings: ModelSettings) -> None:
        """Opens the kept replies.

        Raises:
            BenchwrightError: they cannot be opened, or a limit of the settings cannot be kept.
        """
        self.settings = settings
        self._exchange = Exchange(settings, settings.cache or default_path())
        self.ledger = self._exchange.ledger
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="models", daemon=True)
        self._thread.start()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def has(self, role: str) -> bool:
        """Whether a model plays a role."""
        return role in self.settings.endpoints

    def prompt(self, name: str) -> Prompt:
        """A prompt, or the one that the user puts in its place."""
        return load_prompt(name, self.settings.prompts)

    def described(self, role: str, prompts: Sequence[str]) -> list[dict[str, str | None]]:
        """What a manifest or run.json says of a role's model: a row for each prompt that it was asked with."""
        endpoint = self.settings.endpoints[role]
        return [
            {"role": role, **endpoint.described, "prompt": name, "prompt_sha256": self.prompt(name).sha256}
            for name in prompts
        ]

    @overload
    async def chat(
        self,
        role: str,
        messages: Messages,
        *,
        step: str,
        reply: None = ...,
        samples: int = ...,
        repeat: int = ...,
        **parameters: Any,
    ) -> Reply[str]: ...
    @overload
    async def chat(
        self,
        role: str,
        messages: Messages,
        *,
        step: str,
        reply: type[T],
        samples: int = ...,
        repeat: int = ...,
        **parameters: Any,
    ) -> Reply[T]: ...
    async def chat(
        self,
        role: str,
        messages: Messages,
        *,
        step: str,
        reply: type[Any] | None = None,
        samples: int = 1,
        repeat: int = 0,
        **parameters: Any,
    ) -> Reply[Any]:
        """Asks for a chat completion.

        Args:
            role: whose model is asked.
            messages: a filled prompt.
            step: what it is for, in accounts.
            reply: a frozen dataclass that the reply must fit; none: any text.
            samples: so many replies in one request.
            repeat: another number asks anew where the request is the same.
            parameters: such as `temperature` and `max_tokens`, as the endpoint knows them.

        Raises:
            ReplyError: there is no reply that could be used: no answer, a refusal, or the wrong shape each time.
            StopError: a limit of the run is reached, or no request would go better.
        """
        job = Chat(
            self._exchange, self.settings.endpoints[role], role, messages, step, reply, samples, repeat, parameters
        )
        return await self._in_loop(job.ask())

    async def embed(self, role: str, texts: Sequence[str], *, step: str) -> Vectors:
        """The vectors of some texts, one a row, of length 1; asked for in batches, which are kept as they are.

        Raises:
            ReplyError: there is no reply that could be used.
            StopError: a limit of the run is reached, or no request would go better.
        """
        return await self._in_loop(self._embed(self.settings.endpoints[role], role, texts, step))

    async def _in_loop(self, work: Coroutine[Any, Any, T]) -> T:
        if asyncio.get_running_loop() is self._loop:
            return await work
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def each(
        self,
        items: Iterable[Item],
        ask: Callable[[Item], Awaitable[Result]],
        *,
        at_once: int | None = None,
        must_answer: bool = False,
    ) -> Iterator[tuple[Item, Result | ReplyError]]:
        """Asks for many items at once; yields each with its result, in their order.

        Items are taken as they are needed: memory holds four times as many as are in flight. With `must_answer` an item
        that the endpoint failed to answer ends it, so that what is made of the replies does not depend on such a day.
        Leaving it early stops the client: nothing more is sent.

        Raises:
            StopError: from the first item that met it; what came before is yielded, what was in flight is kept.
            Estimated: after the last item, where nothing is to be asked and not all replies are there already.
        """
        most = 4 * (at_once or self.settings.at_once)
        waiting, done = iter(items), queue.SimpleQueue[tuple[int, Any]]()
        started: dict[int, Item] = {}
        results: dict[int, Any] = {}
        tasks: set[asyncio.Task[None]] = set()
        following = first = estimated = 0

        async def run(number: int, item: Item) -> None:
            try:
                done.put((number, await ask(item)))
            except BaseException as error:
                done.put((number, error))
                if isinstance(error, asyncio.CancelledError):
                    raise

        def start(number: int, item: Item) -> None:
            task = self._loop.create_task(run(number, item))
            tasks.add(task)  # the loop itself holds tasks weakly
            task.add_done_callback(tasks.discard)

        try:
            while True:
                for item in waiting:
                    started[following] = item
                    self._loop.call_soon_threadsafe(start, following, item)
                    following += 1
                    if following - first >= most:
                        break
                if first == following:
                    if estimated:
                        raise Estimated
                    return
                while first not in results:
                    number, result = done.get()
                    results[number] = result
                while first in results:
                    result, item = results.pop(first), started.pop(first)
                    first += 1
                    if isinstance(result, BaseException) and not isinstance(result, ReplyError):
                        raise result
                    if must_answer and isinstance(result, ReplyError) and result.is_lost:
                        raise StopError(f"{result}; all replies are kept, the same command goes on from here")
                    estimated += isinstance(result, ReplyError) and result.reason == ESTIMATED
                    yield item, result
        finally:
            if first < following:
                self._exchange.budget.is_stopped = True

    async def _embed(self, endpoint: Endpoint, role: str, texts: Sequence[str], step: str) -> Vectors:
        tally, texts = self.ledger.tally(step, role, endpoint), [encodable(text) for text in texts]
        starts = range(0, len(texts), EMBEDDED_AT_ONCE)
        parts = await asyncio.gather(
            *(self._embed_batch(endpoint, texts[start : start + EMBEDDED_AT_ONCE], tally) for start in starts)
        )
        if not parts:
            return np.zeros((0, 0), dtype=np.float32)
        vectors = np.concatenate(parts)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)

    async def _embed_batch(self, endpoint: Endpoint, texts: Sequence[str], tally: Tally) -> Vectors:
        body = {"model": endpoint.model, "input": list(texts), "encoding_format": "base64"}
        key = request_key(endpoint, "/embeddings", {"input": list(texts)})
        expected = Tokens(count_tokens(texts), 0)
        parsed, _ = await self._exchange.fetch(endpoint, key, "/embeddings", body, expected, tally, "")
        try:
            return read_vectors(parsed, len(texts))
        except InvalidReply as error:
            tally.invalid += 1
            raise ReplyError(INVALID, str(error)) from None

    def close(self) -> None:
        """Ends what is in flight, keeps what has arrived, and closes everything."""
        if not self._thread.is_alive():
            return
        asyncio.run_coroutine_threadsafe(self._finish(), self._loop).result(timeout=GRACE + 10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=5)
        self._exchange.close_cache()
        self._loop.close()

    async def _finish(self) -> None:
        self._exchange.budget.is_stopped = True
        until = self._loop.time() + GRACE
        while self._exchange.in_flight and self._loop.time() < until:
            await asyncio.sleep(0.02)  # what is on its way will be paid for
        left = asyncio.all_tasks(self._loop) - {asyncio.current_task()}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=5)
        await self._exchange.close()
