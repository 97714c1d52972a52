"""A request as it is and its reply as it is: for endpoints that say more than a model does, such as what they read."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from benchwright.benchmarks.models.kept.cached_requests import CachedRequests
from benchwright.benchmarks.models.kept.keys import request_key
from benchwright.benchmarks.models.kept.tries import KeptTry
from benchwright.benchmarks.models.money.costs import StepCosts
from benchwright.benchmarks.models.money.tokens import count_tokens
from benchwright.benchmarks.models.money.usage_notes import Purpose
from benchwright.benchmarks.models.one_usable import one_usable
from benchwright.benchmarks.models.responses import WholeReply, was_cut
from benchwright.benchmarks.models.settings import Endpoint

_EXPECTED = 200
"""Tokens of an answer, about, for limits and estimates."""


async def fetch_whole(
    requests: CachedRequests,
    endpoint: Endpoint,
    path: str,
    request: Mapping[str, Any],
    costs: StepCosts,
    repeat: int = 0,
    check: Callable[[Mapping[str, Any]], object] | None = None,
) -> WholeReply:
    """The reply to a request; see `Client.ask_whole`."""
    key = request_key(endpoint, path, {"request": request, "repeat": repeat})
    counted = count_tokens([json.dumps(request, ensure_ascii=False)])
    purpose = Purpose(requests.ledger.place_of(costs)[0], output_tokens=_EXPECTED, counted=counted)
    whole = {"model": endpoint.model, **request}

    async def ask(number: int) -> KeptTry:
        return await requests.fetch(endpoint, key, path, whole, purpose, costs, number=number)

    def read(body: Mapping[str, Any]) -> Mapping[str, Any]:
        if check is not None:
            check(body)
        return body

    found = await one_usable(requests, endpoint, key, costs, ask, read, reuse=False)
    return WholeReply(found.value, found.tokens, found.cost, found.made.latency, was_cut(found.value))
