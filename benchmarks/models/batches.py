"""Requests that an endpoint answers within a day, at half the price: collected, sent as one file, and waited for.

What is asked for is collected until nobody has anything more to ask. A batch is noted in the file of kept replies in
each of its stages (see `batch_notes`), so that one that was paid for is never sent twice: a later start waits for what
an earlier one has sent, and for what another process has.
"""

import asyncio
import json
import logging
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.batch_calls import RUNNING, BatchCalls, NotTakenError, NotThereError
from benchwright.benchmarks.models.batch_lines import MOST_BYTES, MOST_REQUESTS, Outcome, read_outcome, request_line
from benchwright.benchmarks.models.batch_notes import BatchedRequest, BatchNotes, NotedBatch
from benchwright.benchmarks.models.budget import Budget, ReservedCost, most_output
from benchwright.benchmarks.models.costs import Ledger, StepCosts
from benchwright.benchmarks.models.http_errors import CHAT, RequestFailure
from benchwright.benchmarks.models.responses import Tokens, read_tokens, shown
from benchwright.benchmarks.models.transport import Transport
from benchwright.benchmarks.models.tries import NewTry, read_try
from benchwright.benchmarks.remote.response_store import ResponseStore

if TYPE_CHECKING:
    from openai.types import Batch

log = logging.getLogger("benchwright")
_QUIET = 0.1
"""Seconds without a new request after which what is collected is sent."""
_LONGEST_QUIET = 5.0
"""The same where there are more items to ask about, but nobody comes to do so."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 30.0
"""Seconds between two looks at a batch."""
_TOLD = 60.0
"""Seconds between two lines about how far a batch is."""
_TOGETHER = 200
"""Replies that are committed together."""


@dataclass
class _Waiting:
    """A request whose reply is waited for."""

    request: BatchedRequest
    done: asyncio.Future[RequestFailure | None]
    sent: Collection[str]
    """Names in the request's body."""
    call: ReservedCost | None = None
    """What is set aside for it; nothing where it is part of a batch that was sent before."""
    used: Tokens | None = field(default_factory=Tokens)
    """What it took."""
    name: str | None = None
    """Of the batch that asks for it, once one does."""
    is_uncounted: bool = False
    """It does not count as a call yet."""


@dataclass
class _Collected:
    """What the next batch asks for; its lines lie on the disk."""

    lines: IO[bytes]
    requests: list[BatchedRequest] = field(default_factory=list[BatchedRequest])
    size: int = 0


class Batches:
    """Asks one endpoint in batches. Belongs to one event loop."""

    def __init__(
        self,
        transport: Transport,
        store: ResponseStore,
        budget: Budget,
        ledger: Ledger,
        is_busy: Callable[[], bool],
        is_fed: Callable[[], bool],
    ) -> None:
        """Args:
        transport: to the endpoint.
        store: the file of kept replies.
        budget: the limits of the run.
        ledger: its accounts.
        is_busy: whether single requests are on their way, of which further ones may follow.
        is_fed: whether further items are about to be asked about.
        """
        self._transport, self._store, self._budget, self._ledger = transport, store, budget, ledger
        self._is_busy, self._is_fed = is_busy, is_fed
        self._notes = BatchNotes(store, transport.endpoint)
        self._calls = BatchCalls(transport)
        self._waiting: dict[bytes, _Waiting] = {}
        self._collected: _Collected | None = None
        self._asked = 0
        self._watcher: asyncio.Task[None] | None = None
        self._workers: dict[str, asyncio.Task[None]] = {}
        """By the name of a batch, what sends it and waits for it."""
        self._running: dict[str, str] = {}
        """The name of a batch → what is said of it where it is left alone."""
        self.sending = 0
        """Batches on their way to the endpoint, which should be noted before everything ends."""
        self.made: set[bytes] = set()
        """Keys of what was received now, and by nobody else."""

    def holds(self, key: bytes) -> bool:
        """Whether a batch asks for something already."""
        return self._notes.find(key) is not None

    async def ask(
        self, request: BatchedRequest, body: Mapping[str, Any], expected: Tokens, costs: StepCosts, *, sends: bool
    ) -> bool:
        """Asks for a completion until it is kept.

        Args:
            request: what is asked for.
            body: of the request.
            expected: about what it will take.
            costs: where it is counted.
            sends: it may go into a new batch; else only what was sent is waited for.

        Returns:
            Whether there is one: without `sends`, there may be none.

        Raises:
            StopError: a limit of the run is reached, or the batch failed.
            ReplyError: it has no answer.
        """
        tried = 0
        while True:
            name = self._notes.find(request.key)
            if name is None and self._is_kept(request):
                return True
            if name is None and not sends:
                return False
            failure = await self._once(request, name, body, expected, costs)
            if failure is None and self._is_kept(request):
                return True
            tried += 1
            self._transport.check(failure or RequestFailure("the batch did not answer it", again=True), tried)
            costs.retries += 1
            self._budget.check_stopped()

    async def _once(
        self, request: BatchedRequest, name: str | None, body: Mapping[str, Any], expected: Tokens, costs: StepCosts
    ) -> RequestFailure | None:
        waiting = _Waiting(request, asyncio.get_running_loop().create_future(), body)
        try:
            if name is None:
                waiting.call = await self._budget.reserve(
                    self._transport.endpoint, expected, costs, most_output(body), in_batch=True
                )
                waiting.is_uncounted = True
                self._budget.in_batches += 1
                self._collect(request, body)
            self._waiting[request.key] = waiting
            if name is not None:
                waiting.name = name
                self._work_on(name)
            return await waiting.done
        finally:
            self._waiting.pop(request.key, None)
            self._budget.in_batches -= waiting.is_uncounted
            if waiting.call is not None:
                self._budget.release(waiting.call, waiting.used, expected)

    def _collect(self, request: BatchedRequest, body: Mapping[str, Any]) -> None:
        line = request_line(request.key, f"{self._calls.prefix}{CHAT}", body)
        collected = self._collected
        if collected and (len(collected.requests) == MOST_REQUESTS or collected.size + len(line) > MOST_BYTES):
            self._send(collected)
            collected = None
        if collected is None:
            collected = self._collected = _Collected(_new_file())
        collected.lines.write(line)
        collected.size += len(line)
        collected.requests.append(request)
        self._asked += 1
        if self._watcher is None or self._watcher.done():
            self._watcher = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        """Sends what is collected once nobody has anything more to ask."""
        seen, quiet = -1, 0.0
        while self._collected is not None:
            await asyncio.sleep(_QUIET)
            if self._asked != seen or self._is_busy():
                seen, quiet = self._asked, 0.0
                continue
            quiet += _QUIET
            if self._collected and (not self._is_fed() or quiet >= _LONGEST_QUIET):
                self._send(self._collected)

    def _send(self, collected: _Collected) -> None:
        self._collected = None
        task = asyncio.create_task(self._begin(collected))
        self._workers[f"{id(collected)}"] = task
        task.add_done_callback(lambda _: self._workers.pop(f"{id(collected)}", None))

    async def _begin(self, collected: _Collected) -> None:
        """Notes a batch and sends it, without what another process has asked for meanwhile."""
        self.sending += 1
        try:
            noted, ours = await asyncio.to_thread(self._notes.begin, collected.requests)
            for request in collected.requests:
                waiting = self._waiting.get(request.key)
                if waiting is None:
                    continue
                waiting.name = noted.name if request.key in ours else self._notes.find(request.key)
                if waiting.name is None:
                    self._settle(request.key, None)
                elif waiting.name != noted.name:
                    self._work_on(waiting.name)
            if not ours:
                self._notes.end(noted.name)
                return
            if len(ours) < len(collected.requests):
                collected.lines = await asyncio.to_thread(_only, collected, ours)
            self._work_on(noted.name, collected.lines)
        except StopError as error:
            self._fail([request.key for request in collected.requests], error)
        finally:
            self.sending -= 1

    def _work_on(self, name: str, lines: IO[bytes] | None = None) -> None:
        """Waits for a batch, and sends it before where its lines are given; once for all who ask for it."""
        if name in self._workers:
            return
        task = self._workers[name] = asyncio.create_task(self._work(name, lines))
        task.add_done_callback(lambda _: self._workers.pop(name, None))

    async def _work(self, name: str, lines: IO[bytes] | None) -> None:
        count = len(self._notes.requests(name))
        try:
            noted = await self._taken(name)
            if noted is not None and noted.batch is None:
                noted = await self._sent(noted, lines, count)
            if noted is not None and noted.batch is not None:
                await self._receive(noted.name, noted.batch, count, is_new=lines is not None)
        except NotThereError as error:
            said = "give the key that it was made with, or ask anew with another --cache"
            self._fail(self._keys_of(name), StopError(f"a batch of an earlier start is not found ({error}): {said}"))
        except StopError as error:
            self._fail(self._keys_of(name), error)
        else:
            for key in self._keys_of(name):
                self._settle(key, None)
        finally:
            self._notes.leave(name)

    def _keys_of(self, name: str) -> list[bytes]:
        """What is waited for of a batch."""
        return [key for key, waiting in self._waiting.items() if waiting.name == name]

    async def _taken(self, name: str) -> NotedBatch | None:
        """A batch that this process is now the one to work on; None where another one has done so."""
        while (noted := self._notes.read(name)) is not None:
            if self._notes.take(name):
                return noted
            await asyncio.sleep(_FIRST_PAUSE)
        return None

    async def _sent(self, noted: NotedBatch, lines: IO[bytes] | None, count: int) -> NotedBatch | None:
        """A batch that was not known to be sent; None where it was not, and is not to be.

        What an earlier start was about to send is not sent: nobody knows what of it is still asked for.
        """
        self.sending += 1
        try:
            file, batch = noted.file, None
            if lines is not None:
                file = await self._calls.upload(f"{noted.name}.jsonl", lines)
                self._notes.set_file(noted.name, file)
                batch = await self._calls.create(file, CHAT, noted.name)
                lines.close()
            elif file is not None:
                batch = await self._calls.find(file)
            if file is None or batch is None:
                for left in [file] if file is not None else await self._calls.uploaded(f"{noted.name}.jsonl"):
                    await self._calls.delete(left)
                self._notes.end(noted.name)
                return None
            self._notes.set_batch(noted.name, batch)
            model = self._transport.endpoint.model
            log.warning("batch %s: %s requests of %s sent, answered within a day", batch, f"{count:,}", model)
            return NotedBatch(noted.name, file, batch)
        except StopError as error:
            if lines is not None and (file is None or isinstance(error, NotTakenError)):
                self._notes.end(noted.name)  # there is no batch, so that nothing is paid for
                if file is not None:
                    await self._calls.delete(file)
            raise
        finally:
            self.sending -= 1

    async def _receive(self, name: str, batch: str, count: int, *, is_new: bool) -> None:
        """Waits for a batch and keeps what it answered.

        Raises:
            StopError: it failed, or was cancelled after this process had made it.
        """
        endpoint = self._transport.endpoint
        self._running[name] = (
            f"batch {batch} ({count:,} requests of {endpoint.model}) goes on at {endpoint.address}: the same command "
            f"takes up its replies; a POST to {endpoint.address}/batches/{batch}/cancel ends it"
        )
        if not is_new:
            log.warning("batch %s: %s requests of %s were sent by another start", batch, f"{count:,}", endpoint.model)
        ended = await self._ended(name, batch)
        asks_again = ended.status != "cancelled" or not is_new
        unknown, lost = 0, ""
        for file in (ended.output_file_id, ended.error_file_id):
            try:
                unknown += await self._read(name, batch, file, asks_again) if file is not None else 0
            except NotThereError as error:
                lost = str(error)
        self._notes.end(name)
        del self._running[name]
        if unknown:
            log.warning("batch %s: %s lines are none of a request that was waited for", batch, f"{unknown:,}")
        if lost:
            said = "the same command asks anew for what it is not known to have answered"
            raise StopError(f"batch {batch} has ended, and what it answered is gone ({lost}): {said}")
        if ended.status == "failed":
            problems = ended.errors.data if ended.errors and ended.errors.data else []
            said = shown("; ".join(problem.message or problem.code or "" for problem in problems)) or "no reason given"
            raise StopError(self._transport.clean(f"{endpoint.address} did not take the batch {batch}: {said}"))
        if not asks_again:
            said = "what it answered is kept, the same command asks for the rest"
            raise StopError(f"batch {batch} was cancelled: {said}")
        if ended.status == "expired":
            log.warning("batch %s expired: what it did not answer is asked again", batch)

    async def _ended(self, name: str, batch: str) -> "Batch":
        began = told = time.monotonic()
        pause, said = _FIRST_PAUSE, 0
        while True:
            found = await self._calls.read(batch)
            counts = found.request_counts
            done = counts.completed + counts.failed if counts else 0
            now = time.monotonic()
            has_ended = found.status not in RUNNING
            if counts and done != said and (has_ended or now > told + _TOLD):
                told, said = now, done
                of, minutes = f"{done:,} of {counts.total:,}", (now - began) / 60
                log.warning("batch %s: %s answered after %.0f min", batch, of, minutes)
            if has_ended:
                return found
            self._notes.take(name)
            await asyncio.sleep(pause)
            pause = min(_LONGEST_PAUSE, 1.5 * pause)

    async def _read(self, name: str, batch: str, file: str, asks_again: bool) -> int:
        """Keeps what a file of a batch says, and gives it to those who wait; returns how many lines say nothing."""
        left = {request.key: request for request in self._notes.requests(name)}
        unknown = 0
        outcomes: list[tuple[BatchedRequest, Outcome]] = []
        async with self._calls.lines(file) as lines:
            async for line in lines:
                if not line.strip():
                    continue
                text = self._transport.clean(line)
                outcome = read_outcome(self._transport.endpoint, batch, CHAT, text, self._sent_names)
                request = left.pop(outcome.key, None) if outcome else None
                if outcome is None or request is None:
                    unknown += 1
                    continue
                outcomes.append((request, outcome))
                if len(outcomes) == _TOGETHER:
                    await self._keep(name, outcomes, asks_again)
                    outcomes = []
        await self._keep(name, outcomes, asks_again)
        return unknown

    async def _keep(self, name: str, outcomes: Sequence[tuple[BatchedRequest, Outcome]], asks_again: bool) -> None:
        self._notes.take(name)
        model, now = self._transport.endpoint.model, time.time()
        tries = [
            NewTry(
                request.item, request.number, request.key, model, request.prompt,
                json.dumps(outcome.body, ensure_ascii=False), now, None,
            )
            for request, outcome in outcomes
            if outcome.body is not None
        ]  # fmt: skip
        failed = [request.key for request, outcome in outcomes if outcome.body is None]
        await asyncio.to_thread(self._notes.keep, tries, failed)
        for request, outcome in outcomes:
            self._count(request, outcome)
            if outcome.failure is None or asks_again:
                self._settle(request.key, outcome.failure)

    def _count(self, request: BatchedRequest, outcome: Outcome) -> None:
        """Puts what a request has taken into the accounts."""
        costs = self._ledger.costs_of(request.step, request.role, self._transport.endpoint)
        waiting = self._waiting.get(request.key)
        costs.calls += outcome.was_sent
        if waiting is not None:
            self._budget.in_batches -= waiting.is_uncounted
            waiting.is_uncounted = False
        if outcome.failure is not None:
            costs.failed += outcome.was_sent
            return
        self._transport.note_answer()
        used = read_tokens(outcome.body)
        self._transport.count(used, costs)
        self.made.add(request.key)
        if waiting is not None:
            waiting.used = used

    def _is_kept(self, request: BatchedRequest) -> bool:
        return read_try(self._store, request.item, request.number, request.key) is not None

    def _sent_names(self, key: bytes) -> Collection[str]:
        waiting = self._waiting.get(key)
        return () if waiting is None else waiting.sent

    def _settle(self, key: bytes, outcome: RequestFailure | None) -> None:
        waiting = self._waiting.get(key)
        if waiting is not None and not waiting.done.done():
            waiting.done.set_result(outcome)

    def _fail(self, keys: Iterable[bytes], error: StopError) -> None:
        for key in keys:
            waiting = self._waiting.get(key)
            if waiting is not None and not waiting.done.done():
                waiting.done.set_exception(error)

    @property
    def left(self) -> list[str]:
        """What is said of batches that go on without this process."""
        return list(self._running.values())


def _new_file() -> IO[bytes]:
    return tempfile.TemporaryFile()


def _only(collected: _Collected, keys: set[bytes]) -> IO[bytes]:
    """The lines of some requests."""
    kept = _new_file()
    collected.lines.seek(0)
    for request, line in zip(collected.requests, collected.lines, strict=True):
        if request.key in keys:
            kept.write(line)
    collected.lines.close()
    return kept
