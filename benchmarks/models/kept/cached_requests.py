"""From a request to its reply: from the response cache, else from the endpoint, and then cached before it is used."""

import asyncio
import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.batches.asking import Batches
from benchwright.benchmarks.models.batches.notes import BatchedRequest, is_in_batch
from benchwright.benchmarks.models.endpoint.abilities import EndpointAbilities
from benchwright.benchmarks.models.endpoint.http_errors import CHAT
from benchwright.benchmarks.models.endpoint.transport import Transport
from benchwright.benchmarks.models.kept.cache import ResponseCache
from benchwright.benchmarks.models.kept.claims import ClaimedElsewhere, Claims
from benchwright.benchmarks.models.kept.left_over import LeftOver
from benchwright.benchmarks.models.kept.space import Space
from benchwright.benchmarks.models.kept.tries import KeptTry, NewTry, key_of_try, read_try, tries_of
from benchwright.benchmarks.models.many import ItemsInFlight
from benchwright.benchmarks.models.money.budget import Budget
from benchwright.benchmarks.models.money.costs import BATCH_SHARE, Ledger, StepCosts
from benchwright.benchmarks.models.money.expected_calls import ExpectedCalls
from benchwright.benchmarks.models.money.samples import Samples, is_asked, is_imagined
from benchwright.benchmarks.models.money.usage_notes import Purpose, UsageNotes
from benchwright.benchmarks.models.responses import ESTIMATED, FAILED, ReplyError, Tokens, read_tokens
from benchwright.benchmarks.models.settings import IN_BATCHES, Endpoint, ModelSettings


@dataclass(frozen=True, slots=True)
class _WantedTry:
    """A try that is to be made."""

    endpoint: Endpoint
    item: bytes
    number: int
    key: bytes
    """Under which it is kept."""
    path: str
    body: Mapping[str, Any]
    costs: StepCosts
    expected: Tokens
    """About what it will take."""
    prompt: str
    """SHA-256 of it, for whoever reads the cache's file."""
    is_alone: bool
    """It goes into no batch."""


class CachedRequests:
    """The response cache of a client, and the endpoints behind it. Belongs to one event loop."""

    def __init__(self, settings: ModelSettings, cache: Path) -> None:
        """Opens the cache.

        Raises:
            BenchwrightError: it cannot be opened, or a limit of the settings cannot be kept.
        """
        self.settings, self.ledger = settings, Ledger()
        self.budget = Budget(settings, self.ledger)
        self._cache = ResponseCache(cache)
        self._claims, self._space = Claims(self._cache.store), Space(cache, self._cache.store.shrink)
        self._transports: dict[tuple[Endpoint, str | None], Transport] = {}
        self._running: dict[bytes, asyncio.Task[KeptTry]] = {}
        self._asked: set[bytes] = set()
        self.usage = UsageNotes(self._cache.store, settings.prompts)
        self.expected, self.samples = ExpectedCalls(self.usage), Samples(settings.estimate_with)
        self._batches: dict[tuple[Endpoint, str | None], Batches] = {}
        self._first: set[int] = set()
        """Steps and roles of which one request was sent alone; by the identity of their costs."""
        self.feeders: set[ItemsInFlight[Any, Any]] = set()
        """Where many items are asked about: more requests may come while one of them does not wait."""
        self.left_over = LeftOver(self._cache.store, settings.command)
        self._saver: asyncio.Task[None] | None = None
        self.refused: str | None = None
        """Why no model is asked anything, where that is so."""
        self.abilities = EndpointAbilities(self._cache.store, is_fresh=settings.fresh)

    def tries(self, item: bytes) -> Sequence[KeptTry]:
        """What was paid for an item until now, in its order, usable or not.

        Raises:
            StopError: the cache cannot be read.
        """
        return tries_of(self._cache.store, item)

    def was_asked(self, item: bytes) -> bool:
        """Whether this process has asked for an item: then it has the last word on it until the next start."""
        return item in self._asked

    def note_fault(self, item: bytes, unusable: KeptTry, fault: str) -> None:
        """Notes why a try at an item cannot be used."""
        if unusable.fault != fault:
            self._cache.note_fault(item, replace(unusable, fault=fault))

    def ended(self, item: bytes, error: ReplyError | None) -> None:
        """Notes that an item has a usable reply, or why it has none, for the next start."""
        settings = self.settings
        is_only_estimated = settings.estimate and not is_asked()
        if settings.replay or is_only_estimated or (error is not None and error.reason == ESTIMATED):
            return
        self.left_over.ended(item, None if error is None else "no reply" if error.reason == FAILED else "unusable")
        if self.left_over.has_changed and (self._saver is None or self._saver.done()):
            self._saver = asyncio.create_task(self.left_over.save_soon())
            self._saver.add_done_callback(_see)

    async def fetch(
        self,
        endpoint: Endpoint,
        item: bytes,
        path: str,
        body: Mapping[str, Any],
        purpose: Purpose,
        costs: StepCosts,
        *,
        number: int = 0,
        key: bytes | None = None,
        is_first: bool = False,
    ) -> KeptTry:
        """One try at an item: kept, on its way already, or made now and committed before it is returned.

        Whoever waits may be cancelled; what is on its way is kept all the same. Whether the reply can be used is for
        the caller to judge, who asks for the next number where it cannot; see `tries`.

        Args:
            endpoint: who is asked.
            item: the key of what is asked for; see `request_key`.
            path: `/chat/completions`, `/embeddings` or `/rerank`.
            body: the request.
            purpose: what it is for, and what is known of it.
            costs: where it is counted.
            number: of the try, from 0: those before it are kept, and none of them could be used.
            key: under which its body is kept, where the first version of the program may have kept it.
            is_first: others wait for it, so that it goes into no batch.

        Raises:
            ReplyError: there is no reply, or nothing is to be asked.
            StopError: no further request would go better, or a limit of the run is reached.
        """
        key = key or key_of_try(item, number)
        if (found := read_try(self._cache.store, item, number, key)) is not None:
            return found
        if (running := self._running.get(key)) is not None:
            return replace(await asyncio.shield(running), is_kept=True)
        if self.settings.replay:
            raise StopError(
                f"--replay: a reply of {endpoint.model} is not among those kept in {self._cache.store.path}; "
                "run it with the model once, or check that the settings are the same"
            )
        if self.settings.estimate and not is_asked():
            self._expect(endpoint, item, key, path, purpose, costs)
            raise ReplyError(ESTIMATED, "")
        if self.refused is not None:
            raise StopError(self.refused)
        self._asked.add(item)
        expected, is_alone = self.usage.expected(endpoint, purpose), is_first or self.settings.estimate
        wanted = _WantedTry(endpoint, item, number, key, path, body, costs, expected, purpose.sha256, is_alone)
        coming = self._running[key] = asyncio.create_task(self._get(wanted))
        coming.add_done_callback(lambda task: self._end(key, task))
        made = await asyncio.shield(coming)
        if not made.is_kept and (used := read_tokens(made.body)) is not None:
            self.usage.learn(endpoint, purpose, used)
        return made

    async def _get(self, wanted: _WantedTry) -> KeptTry:
        """A try, from a batch or alone; where another process makes it, that one's."""
        while True:
            with contextlib.suppress(ClaimedElsewhere):
                return await self._get_by_batch(wanted) or await self._send(wanted)
            await self._claims.wait(wanted.key)
            if (found := self._kept(wanted)) is not None:
                return found

    def _end(self, key: bytes, task: asyncio.Task[KeptTry]) -> None:
        del self._running[key]
        _see(task)

    def _kept(self, wanted: _WantedTry) -> KeptTry | None:
        return read_try(self._cache.store, wanted.item, wanted.number, wanted.key)

    async def _claim(self, wanted: _WantedTry) -> None:
        """Claims a try for this process.

        Raises:
            ClaimedElsewhere: another one makes it, or has made it.
        """
        if not await self._claims.take(wanted.key) or self._kept(wanted) is not None:
            raise ClaimedElsewhere

    async def _send(self, wanted: _WantedTry) -> KeptTry:
        """A try that is made alone."""
        held = 0

        async def admit() -> None:
            nonlocal held
            held = held or await self._space.hold(wanted.expected.output)
            await self._claim(wanted)

        transport, text = self._transport(wanted.endpoint), ""
        try:
            text, parsed, latency = await transport.post(wanted.path, wanted.body, wanted.expected, wanted.costs, admit)
            place = wanted.item, wanted.number, wanted.key
            await self._keep(NewTry(*place, wanted.endpoint.model, wanted.prompt, text, time.time(), latency))
            return KeptTry(wanted.number, wanted.key, parsed, latency, is_kept=False)
        finally:
            self._space.free(held, len(text))
            self._claims.give_back(wanted.key)

    async def _get_by_batch(self, wanted: _WantedTry) -> KeptTry | None:
        """A try of a batch that is on its way already, or goes into one; None where it is to be made alone."""
        if wanted.path != CHAT:
            return None
        made = await self._ask_batch(wanted, sends=False)
        is_sent = not wanted.is_alone and self._is_batched(wanted.path, wanted.costs)
        if made or not is_sent or not self._is_known(wanted.costs):
            return made
        try:
            await self._claim(wanted)
            return await self._ask_batch(wanted, sends=True)
        finally:
            self._claims.give_back(wanted.key)

    async def _ask_batch(self, wanted: _WantedTry, *, sends: bool) -> KeptTry | None:
        """A try that a batch has made; None where there is none."""
        place = self.ledger.place_of(wanted.costs)
        request = BatchedRequest(wanted.key, wanted.item, wanted.number, wanted.prompt, *place)
        batches = self._batches_of(wanted.endpoint)
        if not await batches.ask(request, wanted.body, wanted.expected, wanted.costs, sends=sends):
            return None
        found = self._kept(wanted)
        if found is None or wanted.key not in batches.made:
            return found
        batches.made.discard(wanted.key)
        return replace(found, is_kept=False)

    async def _keep(self, new: NewTry) -> None:
        """Keeps a try; where that fails, nothing more is sent, since it could not be kept either."""
        try:
            await self._cache.put(new)
        except StopError:
            self.budget.is_stopped = True
            raise

    def _expect(
        self, endpoint: Endpoint, item: bytes, key: bytes, path: str, purpose: Purpose, costs: StepCosts
    ) -> None:
        """Notes what would be asked, once; what its task asks from now on rests on a reply that there is not."""
        place = self.ledger.place_of(costs)
        share = BATCH_SHARE if self._is_batched(path, costs) else 1.0
        is_held = path == CHAT and is_in_batch(self._cache.store, key)
        is_new = self.expected.add(
            item, place, endpoint, purpose, share, is_imagined=is_imagined() or self.samples.is_over, is_held=is_held
        )
        costs.reused += not is_new

    def _is_batched(self, path: str, costs: StepCosts) -> bool:
        """Whether such a request goes into a batch."""
        return self.settings.batch and path == CHAT and self.ledger.place_of(costs)[1] in IN_BATCHES

    def _is_known(self, costs: StepCosts) -> bool:
        """Whether a limit in dollars can be kept with what is known of a step: one request at once tells the others."""
        if self.settings.max_cost is None or self.budget.knows(costs) or id(costs) in self._first:
            return True
        self._first.add(id(costs))
        return False

    def _batches_of(self, endpoint: Endpoint) -> Batches:
        place = endpoint, endpoint.key
        if place not in self._batches:
            transport = self._transport(endpoint)
            self._batches[place] = Batches(
                transport, self._cache.store, self.budget, self.ledger, lambda: self._is_busy, lambda: self._is_fed
            )
        return self._batches[place]

    @property
    def _is_busy(self) -> bool:
        """Whether single requests are on their way, of which more may follow."""
        running = any(transport.limits.running for transport in list(self._transports.values()))
        return running or self._cache.uncommitted > 0

    @property
    def _is_fed(self) -> bool:
        """Whether there are more items to ask about."""
        return not all(feeder.is_waiting for feeder in tuple(self.feeders))

    @property
    def left(self) -> list[str]:
        """What is said of batches that go on without this process."""
        return [line for batches in list(self._batches.values()) for line in batches.left]

    def _transport(self, endpoint: Endpoint) -> Transport:
        """The connections to an endpoint."""
        place = endpoint, endpoint.key  # endpoints that differ in their key alone are equal
        if place not in self._transports:
            self._transports[place] = Transport(endpoint, self.settings, self.budget)
        return self._transports[place]

    def begin_end(self) -> None:
        """From now on only what is on its way ends."""
        self.budget.is_stopped = self._claims.is_ending = True

    async def close(self) -> None:
        """Closes the connections; `close_cache` is for later, when no task is left."""
        for transport in self._transports.values():
            await transport.close()

    @property
    def in_flight(self) -> int:
        """Requests on their way, and replies that are not cached yet."""
        return sum(transport.limits.running for transport in list(self._transports.values())) + (
            self._cache.uncommitted + sum(batches.sending for batches in list(self._batches.values()))
        )

    def close_cache(self) -> None:
        """Closes the cache, after what waits to be written to it."""
        try:
            self._claims.close()
            self.usage.save()
            self.left_over.save()
        finally:
            self._cache.close()


def _see(task: asyncio.Task[Any]) -> None:
    """Looks at what a task raised, which nobody may be waiting for any more."""
    if not task.cancelled():
        task.exception()
