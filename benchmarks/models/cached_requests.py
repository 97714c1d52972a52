"""From a request to its reply: from the response cache, else from the endpoint, and then cached before it is used."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.abilities import EndpointAbilities
from benchwright.benchmarks.models.budget import Budget
from benchwright.benchmarks.models.cache import ResponseCache
from benchwright.benchmarks.models.costs import Ledger, StepCosts, price_of
from benchwright.benchmarks.models.responses import ESTIMATED, ReplyError, Tokens
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.models.transport import Transport


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
        self._transports: dict[tuple[Endpoint, str | None], Transport] = {}
        self._running: dict[bytes, asyncio.Task[Mapping[str, Any]]] = {}
        self._estimated: set[bytes] = set()
        self.abilities = EndpointAbilities(self._cache.store, is_fresh=settings.fresh)

    async def fetch(
        self,
        endpoint: Endpoint,
        key: bytes,
        path: str,
        body: Mapping[str, Any],
        expected: Tokens,
        costs: StepCosts,
        prompt: str,
        *,
        reuse: bool = True,
    ) -> tuple[Mapping[str, Any], bool]:
        """A request's reply, as JSON, and whether it was cached.

        What is being asked for already is not asked for twice; whoever waits may be cancelled, what is on its way is
        cached all the same.

        Args:
            endpoint: who is asked.
            key: of the request; see `request_key`.
            path: `/chat/completions`, `/embeddings` or `/rerank`.
            body: the request.
            expected: about what it will take.
            costs: where it is counted.
            prompt: SHA-256 of the prompt, for whoever reads the cache's file.
            reuse: use a kept reply where there is one; False: only where nothing is to be asked.

        Raises:
            ReplyError: there is no reply, or nothing is to be asked.
            StopError: no further request would go better, or a limit of the run is reached.
        """
        is_kept = self.settings.replay or (reuse and not self.settings.fresh)
        if is_kept and (text := self._cache.store.get(key)) is not None:
            costs.reused += 1
            return json.loads(text), True
        if (running := self._running.get(key)) is not None:
            parsed = await asyncio.shield(running)
            costs.reused += 1
            return parsed, True
        if self.settings.replay:
            raise StopError(
                f"--replay: a reply of {endpoint.model} is not among those kept in {self._cache.store.path}; "
                "run it with the model once, or check that the settings are the same"
            )
        if self.settings.estimate:
            self._estimate(endpoint, key, expected, costs)
            raise ReplyError(ESTIMATED, "")

        async def get() -> Mapping[str, Any]:
            text, parsed = await self._transport(endpoint).post(path, body, expected, costs)
            await self._cache.put(key, endpoint.model, prompt, text)
            return parsed

        def end(task: asyncio.Task[Any]) -> None:
            del self._running[key]
            if not task.cancelled():
                task.exception()  # which nobody may be waiting for any more

        coming = self._running[key] = asyncio.create_task(get())
        coming.add_done_callback(end)
        return await asyncio.shield(coming), False

    def _estimate(self, endpoint: Endpoint, key: bytes, expected: Tokens, costs: StepCosts) -> None:
        """Counts what would be asked, once."""
        if key in self._estimated:
            costs.reused += 1
            return
        self._estimated.add(key)
        costs.calls += 1
        costs.input_tokens += expected.input
        costs.output_tokens += expected.output
        cost = price_of(endpoint, expected)
        costs.cost, costs.unpriced = costs.cost + (cost or 0.0), costs.unpriced + (cost is None)

    def _transport(self, endpoint: Endpoint) -> Transport:
        """The connections to an endpoint."""
        place = endpoint, endpoint.key  # endpoints that differ in their key alone are equal
        if place not in self._transports:
            self._transports[place] = Transport(endpoint, self.settings, self.budget)
        return self._transports[place]

    async def close(self) -> None:
        """Closes the connections; `close_cache` is for later, when no task is left."""
        for transport in self._transports.values():
            await transport.close()

    @property
    def in_flight(self) -> int:
        """Requests on their way, and replies that are not cached yet."""
        return sum(transport.limits.running for transport in self._transports.values()) + self._cache.uncommitted

    def close_cache(self) -> None:
        """Closes the cache, after what waits to be written to it."""
        self._cache.close()
