"""The work on batches that are noted: each is sent and waited for, and what it answered is kept.

It goes on from wherever an earlier start has left it. What was uploaded, and is no batch yet, is deleted: nobody knows
what of it is still asked for.
"""

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.batches.calls import FILES, RUNNING, BatchCalls, NotTakenError, NotThereError
from benchwright.benchmarks.models.batches.lines import Outcome, read_outcome
from benchwright.benchmarks.models.batches.notes import LEASE, BatchedRequest, BatchNotes, NotedBatch
from benchwright.benchmarks.models.endpoint.http_errors import CHAT, RequestFailure
from benchwright.benchmarks.models.endpoint.transport import Transport, pause_before
from benchwright.benchmarks.models.kept.tries import NewTry
from benchwright.benchmarks.models.money.budget import Budget, ReservedCost
from benchwright.benchmarks.models.money.costs import Ledger
from benchwright.benchmarks.models.responses import Tokens, read_tokens, shown

log = logging.getLogger("benchwright")
_LOOKED = 0.5
"""Seconds between two looks at a batch that another process works on."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 30.0
"""Seconds between two looks at a batch."""
_TOLD = 60.0
"""Seconds between two lines about how far a batch is."""
_TOGETHER = 200
"""Replies that are committed together."""
_READ = 5
"""Times that an output is read whose connection breaks."""


@dataclass
class Awaited:
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


class AwaitedReplies(dict[bytes, Awaited]):
    """By the keys of their requests."""

    def of(self, name: str) -> list[bytes]:
        """What is waited for of a batch."""
        return [key for key, awaited in self.items() if awaited.name == name]

    def settle(self, key: bytes, outcome: RequestFailure | None) -> None:
        """Says what became of a request: it failed, or its reply is kept if it has one."""
        awaited = self.get(key)
        if awaited is not None and not awaited.done.done():
            awaited.done.set_result(outcome)

    def fail(self, keys: Iterable[bytes], error: Exception) -> None:
        """Ends the waiting for some with an error."""
        for key in keys:
            awaited = self.get(key)
            if awaited is not None and not awaited.done.done():
                awaited.done.set_exception(error)

    def sent_names(self, key: bytes) -> Collection[str]:
        """The names in a request's body."""
        awaited = self.get(key)
        return () if awaited is None else awaited.sent


class BatchWork:
    """Works on the batches of one endpoint. Belongs to one event loop."""

    def __init__(
        self, transport: Transport, notes: BatchNotes, awaited: AwaitedReplies, budget: Budget, ledger: Ledger
    ) -> None:
        self._transport, self._notes, self._awaited = transport, notes, awaited
        self._budget, self._ledger = budget, ledger
        self._calls = BatchCalls(transport)
        self._workers: dict[str, asyncio.Task[None]] = {}
        """By the name of a batch."""
        self._running: dict[str, str] = {}
        """The name of a batch → what is said of it where it is left alone."""
        self.sending = 0
        """Batches on their way to the endpoint, which should be noted before everything ends."""
        self.made: set[bytes] = set()
        """Keys of what was received now, and by nobody else."""

    @property
    def path(self) -> str:
        """Of the requests in a batch."""
        return f"{self._calls.prefix}{CHAT}"

    @property
    def left(self) -> list[str]:
        """What is said of batches that go on without this process."""
        return list(self._running.values())

    def begin(self, name: str, lines: IO[bytes] | None = None) -> None:
        """Waits for a batch, and sends it before where its lines are given; once for all who ask for it."""
        if name in self._workers:
            return
        task = self._workers[name] = asyncio.create_task(self._work(name, lines))
        task.add_done_callback(lambda _: self._workers.pop(name, None))

    async def _work(self, name: str, lines: IO[bytes] | None) -> None:
        count = len(self._notes.requests(name))
        renewer: asyncio.Task[None] | None = None
        try:
            noted = await self._taken(name)
            renewer = asyncio.create_task(self._renew(name))
            if noted is not None and noted.batch is None:
                noted = await self._sent(noted, lines, count)
            if noted is not None and noted.batch is not None:
                await self._receive(noted.name, noted.batch, count, is_new=lines is not None)
        except NotThereError as error:
            said = "give the key that it was made with, or ask anew with another --cache"
            stopped = StopError(f"a batch of an earlier start is not found ({error}): {said}")
            self._awaited.fail(self._awaited.of(name), stopped)
        except Exception as error:
            self._awaited.fail(self._awaited.of(name), error)
        else:
            for key in self._awaited.of(name):
                self._awaited.settle(key, None)
        finally:
            if renewer is not None:
                renewer.cancel()
            with contextlib.suppress(StopError):  # a full disk was said already
                self._notes.leave(name)

    async def _renew(self, name: str) -> None:
        """Says that this process is still at work on a batch."""
        while True:
            await asyncio.sleep(LEASE / 4)
            self._notes.take(name)

    async def _taken(self, name: str) -> NotedBatch | None:
        """A batch that this process is now the one to work on; None where another one has done so."""
        while (noted := self._notes.read(name)) is not None:
            if self._notes.take(name):
                return noted
            await asyncio.sleep(_LOOKED)
        return None

    async def _sent(self, noted: NotedBatch, lines: IO[bytes] | None, count: int) -> NotedBatch | None:
        """A batch that was not known to be sent; None where it was not, and is not to be.

        What an earlier start was about to send is not sent: nobody knows what of it is still asked for.
        """
        self.sending += 1
        file, batch = noted.file, None
        try:
            if lines is not None:
                file = await self._calls.upload(f"{noted.name}.jsonl", lines)
                self._notes.set_file(noted.name, file)
                if not self._notes.take(noted.name):
                    raise StopError("another process has taken over what was about to be sent: start again")
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
        ended = await self._ended(batch)
        asks_again = ended.status != "cancelled" or not is_new
        unknown, lost = 0, ""
        for file in (ended.output_file_id, ended.error_file_id):
            try:
                unknown += await self._read_all(name, batch, file, asks_again) if file is not None else 0
            except NotThereError as error:
                lost = str(error)
        answered = count - len(self._notes.requests(name))
        self._notes.end(name)
        del self._running[name]
        if unknown:
            log.warning("batch %s: %s lines are none of a request that was waited for", batch, f"{unknown:,}")
        if lost:
            said = "the same command asks anew for what it is not known to have answered"
            raise StopError(f"batch {batch} has ended, and what it answered is gone ({lost}): {said}")
        if is_new and count and not answered and ended.status == "completed":
            said = "look at it there before the same command asks anew"
            raise StopError(f"batch {batch} of {endpoint.address} answered none of its {count:,} requests: {said}")
        if ended.status == "failed":
            problems = getattr(ended.errors, "data", None)
            told = [getattr(one, "message", None) or getattr(one, "code", None) for one in problems or ()]
            said = shown("; ".join(str(each) for each in told if each)) or "no reason given"
            raise StopError(self._transport.clean(f"{endpoint.address} did not take the batch {batch}: {said}"))
        if not asks_again:
            said = "what it answered is kept, the same command asks for the rest"
            raise StopError(f"batch {batch} was cancelled: {said}")
        if ended.status == "expired":
            log.warning("batch %s expired: what it did not answer is asked again", batch)

    async def _ended(self, batch: str) -> Any:
        began = told = time.monotonic()
        pause, said = _FIRST_PAUSE, 0
        while True:
            found = await self._calls.read(batch)
            done, total = _counts(found)
            now = time.monotonic()
            has_ended = found.status not in RUNNING
            if done != said and (has_ended or now > told + _TOLD):
                told, said = now, done
                of, minutes = f"{done:,} of {total:,}", (now - began) / 60
                log.warning("batch %s: %s answered after %.0f min", batch, of, minutes)
            if has_ended:
                return found
            await asyncio.sleep(pause)
            pause = min(_LONGEST_PAUSE, 1.5 * pause)

    async def _read_all(self, name: str, batch: str, file: str, asks_again: bool) -> int:
        """As `_read`, which goes on where the connection broke."""
        tried = 0
        while True:
            try:
                return await self._read(name, batch, file, asks_again)
            except StopError:
                raise
            except Exception as error:
                failure = await self._transport.failure_of(error, FILES)
                tried += 1
                if tried >= _READ:
                    said = f"the output of batch {batch} broke off ({failure.text}, {tried} times)"
                    raise StopError(f"{said}: what came before is kept, start again later") from None
                await asyncio.sleep(pause_before(tried))

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
                outcome = read_outcome(self._transport.endpoint, batch, CHAT, text, self._awaited.sent_names)
                request = left.pop(outcome.key, None) if outcome else None
                if outcome is None or request is None:
                    unknown += 1
                    continue
                outcomes.append((request, outcome))
                if len(outcomes) == _TOGETHER:
                    await self._keep(outcomes, asks_again)
                    outcomes = []
        await self._keep(outcomes, asks_again)
        return unknown

    async def _keep(self, outcomes: Sequence[tuple[BatchedRequest, Outcome]], asks_again: bool) -> None:
        model, now = self._transport.endpoint.model, time.time()
        tries = [
            NewTry(
                request.item, request.number, request.key, model, request.prompt,
                json.dumps(outcome.body), now, None,
            )
            for request, outcome in outcomes
            if outcome.body is not None
        ]  # fmt: skip
        failed = [request.key for request, outcome in outcomes if outcome.body is None]
        await asyncio.to_thread(self._notes.keep, tries, failed)
        for request, outcome in outcomes:
            self._count(request, outcome)
            if outcome.failure is None or asks_again:
                self._awaited.settle(request.key, outcome.failure)

    def _count(self, request: BatchedRequest, outcome: Outcome) -> None:
        """Puts what a request has taken into the accounts."""
        costs = self._ledger.costs_of(request.step, request.role, self._transport.endpoint)
        waiting = self._awaited.get(request.key)
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


def _counts(found: Any) -> tuple[int, int]:
    """How many requests of a batch are answered, and of how many; zeros where the endpoint does not say."""
    named = [getattr(found.request_counts, name, None) for name in ("completed", "failed", "total")]
    completed, failed, total = (value if isinstance(value, int) else 0 for value in named)
    return completed + failed, total
