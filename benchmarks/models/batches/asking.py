"""Requests that an endpoint answers within a day, at half the price: collected, sent as one file, and waited for.

What is asked for is collected until nobody has anything more to ask. A batch is noted in the file of kept replies in
each of its stages (see `notes`), so that one that was paid for is never sent twice: a later start waits for what
an earlier one has sent, and for what another process has.
"""

import asyncio
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import IO, Any

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.batches.lines import MOST_BYTES, MOST_REQUESTS, request_line
from benchwright.benchmarks.models.batches.notes import BatchedRequest, BatchNotes
from benchwright.benchmarks.models.batches.work import Awaited, AwaitedReplies, BatchWork
from benchwright.benchmarks.models.endpoint.http_errors import RequestFailure
from benchwright.benchmarks.models.endpoint.transport import Transport
from benchwright.benchmarks.models.kept.tries import read_try
from benchwright.benchmarks.models.money.budget import Budget, most_output
from benchwright.benchmarks.models.money.costs import Ledger, StepCosts
from benchwright.benchmarks.models.responses import Tokens
from benchwright.benchmarks.remote.response_store import ResponseStore

_QUIET = 0.1
"""Seconds without a new request after which what is collected is sent."""
_LONGEST_QUIET = 5.0
"""The same where there are more items to ask about, but nobody comes to do so."""


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
        self._transport, self._store, self._budget = transport, store, budget
        self._is_busy, self._is_fed = is_busy, is_fed
        self._notes = BatchNotes(store, transport.endpoint)
        self._awaited = AwaitedReplies()
        self._work = BatchWork(transport, self._notes, self._awaited, budget, ledger)
        self.made = self._work.made
        """Keys of what was received now, and by nobody else."""
        self._collected: _Collected | None = None
        self._asked = 0
        self._watcher: asyncio.Task[None] | None = None
        self._noting: set[asyncio.Task[None]] = set()

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
        waiting = Awaited(request, asyncio.get_running_loop().create_future(), body)
        try:
            if name is None:
                waiting.call = await self._budget.reserve(
                    self._transport.endpoint, expected, costs, most_output(body), in_batch=True
                )
                waiting.is_uncounted = True
                self._budget.in_batches += 1
                self._collect(request, body)
            self._awaited[request.key] = waiting
            if name is not None:
                waiting.name = name
                self._work.begin(name)
            return await waiting.done
        finally:
            self._awaited.pop(request.key, None)
            self._budget.in_batches -= waiting.is_uncounted
            if waiting.call is not None:
                self._budget.release(waiting.call, waiting.used, expected)

    def _collect(self, request: BatchedRequest, body: Mapping[str, Any]) -> None:
        line = request_line(request.key, self._work.path, body)
        collected = self._collected
        if collected and (len(collected.requests) == MOST_REQUESTS or collected.size + len(line) > MOST_BYTES):
            self._send(collected)
            collected = None
        if collected is None:
            collected = self._collected = _Collected(_new_file())
        try:
            collected.lines.write(line)
        except OSError as error:
            raise _no_room(error) from None
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
        self._noting.add(task)
        task.add_done_callback(self._noting.discard)

    async def _begin(self, collected: _Collected) -> None:
        """Notes a batch and sends it, without what another process has asked for meanwhile."""
        try:
            noted, ours = await asyncio.to_thread(self._notes.begin, collected.requests)
            for request in collected.requests:
                waiting = self._awaited.get(request.key)
                if waiting is None:
                    continue
                waiting.name = noted.name if request.key in ours else self._notes.find(request.key)
                if waiting.name is None:
                    self._awaited.settle(request.key, None)
                elif waiting.name != noted.name:
                    self._work.begin(waiting.name)
            if not ours:
                self._notes.end(noted.name)
                return
            if len(ours) < len(collected.requests):
                collected.lines = await asyncio.to_thread(_only, collected, ours)
            self._work.begin(noted.name, collected.lines)
        except Exception as error:
            failure = _no_room(error) if isinstance(error, OSError) else error
            self._awaited.fail([request.key for request in collected.requests], failure)

    def _is_kept(self, request: BatchedRequest) -> bool:
        return read_try(self._store, request.item, request.number, request.key) is not None

    @property
    def sending(self) -> int:
        """Batches on their way to the endpoint, which should be noted before everything ends."""
        return len(self._noting) + self._work.sending

    @property
    def left(self) -> list[str]:
        """What is said of batches that go on without this process."""
        return self._work.left


def _no_room(error: OSError) -> StopError:
    return StopError(
        f"the requests of a batch cannot be collected in {tempfile.gettempdir()} ({error.strerror}): free some space "
        "there, or name another folder in TMPDIR; nothing was sent"
    )


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
