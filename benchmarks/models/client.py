"""The client: a request goes to the response cache, then to its endpoint, and its reply is cached before it is used.

All of it runs in one thread of its own with an event loop, whoever asks: `chat` and `embed` may be awaited in any loop,
and `each` asks for many items from plain code, also where that runs inside an event loop, as in a notebook.
"""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar, overload

from benchwright.benchmarks.errors import BenchwrightError, StopError
from benchwright.benchmarks.models.chat import ChatRequest
from benchwright.benchmarks.models.embedding.embeddings import embed_texts
from benchwright.benchmarks.models.embedding.folder import EmbeddingFolder, open_folder
from benchwright.benchmarks.models.embedding.reranking import Fitting, rerank_texts
from benchwright.benchmarks.models.kept.cache import default_path
from benchwright.benchmarks.models.kept.cached_requests import CachedRequests
from benchwright.benchmarks.models.many import Item, ItemsInFlight, Result
from benchwright.benchmarks.models.money.costs import Estimated, Ledger
from benchwright.benchmarks.models.money.samples import imagine
from benchwright.benchmarks.models.prompts import Messages, Prompt, load_prompt
from benchwright.benchmarks.models.responses import ESTIMATED, Reply, ReplyError, Vectors, WholeReply
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.models.stopping import KEPT_WITHIN, Tell, say_in_log, wait_for_replies
from benchwright.benchmarks.models.waiting import waiting
from benchwright.benchmarks.models.whole import fetch_whole

T = TypeVar("T")
IN_BATCH = 20_000
"""Items that are asked about together where they go into batches."""
log = logging.getLogger("benchwright")


class Client:
    """Asks models; see `ModelSettings`. Close it, or use it in a `with`."""

    def __init__(self, settings: ModelSettings) -> None:
        """Opens the response cache.

        Raises:
            BenchwrightError: it cannot be opened, or a limit of the settings cannot be kept.
        """
        self.settings = settings
        self._requests = CachedRequests(settings, settings.cache or default_path())
        self.ledger = self._requests.ledger
        if (told := self._requests.left_over.told) and not (settings.replay or settings.fresh):
            log.warning("%s", told)
        self._folders: dict[Path, EmbeddingFolder] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="models", daemon=True)
        self._thread.start()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def estimated(self) -> list[str]:
        """What was asked to know more, what the rest would take by step and role, and how sure that is, as lines."""
        asked = [f"asked and kept: {line}" for line in self.ledger.summary()] if self.ledger.calls else []
        rest = self.expected_ledger.summary(is_estimate=True)
        return [*asked, *rest, *self._requests.expected.sure(is_sample=self.settings.estimate_with > 0)]

    @property
    def expected_ledger(self) -> Ledger:
        """What all that was only estimated would take."""
        return self._requests.expected.ledger(self.ledger)

    def refuse(self, why: str) -> None:
        """From now on a request whose reply is not kept ends with a StopError, instead of being paid for."""
        self._requests.refused = why

    def imagine(self) -> None:
        """Says that what follows rests on replies that there are not: it is estimated, and nothing of it is asked."""
        self._requests.samples.is_over = True

    def has(self, role: str) -> bool:
        """Whether a model plays a role."""
        return self.settings.endpoint(role) is not None

    def _endpoint(self, role: str) -> Endpoint:
        endpoint = self.settings.endpoint(role)
        if endpoint is None:
            raise BenchwrightError(f"no model plays the role {role!r}: name one with --model {role}=NAME")
        return endpoint

    def prompt(self, name: str) -> Prompt:
        """A prompt, or the one that the user puts in its place."""
        return load_prompt(name, self.settings.prompts)

    def described(self, role: str, prompts: Sequence[str]) -> list[dict[str, str | None]]:
        """What a manifest or run.json says of a role's model: a row for each prompt that it was asked with."""
        endpoint = self._endpoint(role)
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
        self._requests.samples.choose(step)
        request = ChatRequest(
            self._requests, self._endpoint(role), role, messages, step, reply, samples, repeat, parameters
        )
        return await self._in_loop(request.ask())

    async def ask_whole(
        self,
        role: str,
        path: str,
        request: Mapping[str, Any],
        *,
        step: str,
        repeat: int = 0,
        check: Callable[[Mapping[str, Any]], object] | None = None,
    ) -> WholeReply:
        """Sends a request as it is, and returns all that came back; of a stream, what it makes together.

        For endpoints that are more than a model and may have changed since: it is asked anew, but for `--replay`.

        Args:
            role: whose model is asked.
            path: `/chat/completions` or `/responses`.
            request: what is sent besides the model's name.
            step: what it is for, in accounts.
            repeat: of which repeat it is.
            check: raises InvalidReply where a body cannot be used.

        Raises:
            NotServedError: the endpoint serves nothing at the path.
            ReplyError: there is no reply.
            StopError: a limit of the run is reached, or no request would go better.
        """
        endpoint = self.settings.endpoints[role]
        costs = self.ledger.costs_of(step, role, endpoint)
        return await self._in_loop(fetch_whole(self._requests, endpoint, path, request, costs, repeat, check))

    async def embed(self, role: str, texts: Sequence[str], *, step: str, is_question: bool = False) -> Vectors:
        """The vectors of some texts, one a row, of length 1; asked for in batches, which are cached one by one.

        Args:
            role: whose model is asked.
            texts: of any number.
            step: what it is for, in accounts.
            is_question: they are questions: models in a folder may take them otherwise than passages.

        Raises:
            ReplyError: there is no reply that could be used.
            StopError: a limit of the run is reached, or no request would go better.
            BenchwrightError: the model in a folder cannot be used.
        """
        endpoint = self._endpoint(role)
        if endpoint.folder is not None:
            opened = self._folders.get(endpoint.folder) or open_folder(endpoint.folder)
            self._folders[endpoint.folder] = opened
            return await asyncio.to_thread(opened.embed, texts, is_question=is_question)
        if is_question:
            self._requests.samples.choose(step)
        costs = self.ledger.costs_of(step, role, endpoint)
        return await self._in_loop(embed_texts(self._requests, endpoint, texts, costs))

    async def rerank(self, role: str, question: str, texts: Sequence[str], *, step: str) -> Fitting:
        """How well some texts fit a question, by a cross-encoder behind the API `/rerank`.

        Raises:
            ReplyError: there is no reply that could be used.
            StopError: a limit of the run is reached, or no request would go better.
        """
        endpoint = self._endpoint(role)
        self._requests.samples.choose(step)
        costs = self.ledger.costs_of(step, role, endpoint)
        return await self._in_loop(rerank_texts(self._requests, endpoint, question, texts, costs))

    async def _in_loop(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            with waiting():
                if asyncio.get_running_loop() is self._loop:
                    return await work
                return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))
        except ReplyError as error:
            if error.reason == ESTIMATED:
                imagine()
            raise

    def each(
        self,
        items: Iterable[Item],
        ask: Callable[[Item], Awaitable[Result]],
        *,
        at_once: int | None = None,
        must_answer: bool = False,
    ) -> Iterator[tuple[Item, Result | ReplyError]]:
        """Asks for many items at once; yields each with its result, in their order.

        Items are taken as they are needed: memory holds four times as many as are in flight, or what goes into batches
        together. With `must_answer` an item that the endpoint failed to answer ends it, so that what is made of the
        replies does not depend on such a day.
        Leaving it early stops the client: nothing more is sent.

        Raises:
            StopError: from the first item that met it; what came before is yielded, what was in flight is cached.
            Estimated: after the last item, where nothing is to be asked and not all replies are cached.
        """
        most = 4 * (at_once or self.settings.at_once)
        if self.settings.batch and at_once is None:
            most = IN_BATCH
        waiting, in_flight = iter(items), ItemsInFlight(self._loop, ask)
        self._requests.feeders.add(in_flight)
        is_estimated = False
        try:
            while True:
                for item in islice(waiting, most - len(in_flight)):
                    in_flight.start(item)
                if not in_flight:
                    break
                item, result = in_flight.take()
                if isinstance(result, ReplyError):
                    if must_answer and result.is_lost:
                        raise StopError(f"{result}; all replies are kept, the same command goes on from here")
                    is_estimated |= result.reason == ESTIMATED
                elif isinstance(result, BaseException):
                    raise result
                yield item, result
        finally:
            self._requests.feeders.discard(in_flight)
            if in_flight:
                self._requests.budget.is_stopped = True
        if is_estimated:
            raise Estimated

    def forget_left_over(self) -> None:
        """Drops the note of what earlier starts had no usable reply to and this one, at its end, never asked for."""
        if not (self.settings.replay or self.settings.estimate):
            self._requests.left_over.forget_untouched()

    def close(self, tell: Tell = say_in_log) -> int:
        """Waits for what is on its way, which will be paid for, as long as the time limit of a request says, and closes
        everything; nothing more is sent. Ctrl-C while it waits leaves at once: what has arrived is kept.

        Args:
            tell: is told how many replies are awaited, and at most how many seconds.

        Returns:
            How many requests on their way were left.
        """
        if not self._thread.is_alive():
            return 0
        requests = self._requests
        requests.budget.is_stopped = True
        is_left = not wait_for_replies(lambda: requests.in_flight, self.settings.timeout, tell)
        left = requests.in_flight if is_left else 0
        for line in requests.left:
            log.error("%s", line)  # said with --quiet, too: it is paid for
        try:
            asyncio.run_coroutine_threadsafe(self._finish(), self._loop).result(timeout=2 * KEPT_WITHIN)
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(timeout=2 * KEPT_WITHIN)
            requests.close_cache()
        self._loop.close()
        return left

    def _run(self) -> None:
        """Runs the loop until it is stopped; what others have begun since the end began is cancelled, too."""
        self._loop.run_forever()
        self._loop.run_until_complete(self._cancel_all())

    async def _finish(self) -> None:
        """Cancels what is left, and closes the connections."""
        self._requests.begin_end()
        await self._cancel_all()
        await self._requests.close()

    async def _cancel_all(self) -> None:
        left = asyncio.all_tasks(self._loop) - {asyncio.current_task()}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=KEPT_WITHIN)
