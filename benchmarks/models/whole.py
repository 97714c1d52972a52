"""A request as it is and its reply as it is: for endpoints that say more than a model does, such as what they read."""

import json
from collections.abc import Mapping
from typing import Any

from benchwright.benchmarks.models.cached_requests import CachedRequests
from benchwright.benchmarks.models.costs import StepCosts, price_of
from benchwright.benchmarks.models.keys import request_key
from benchwright.benchmarks.models.responses import Tokens, WholeReply, count_tokens, read_tokens
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
) -> WholeReply:
    """The reply to a request; see `Client.ask_whole`."""
    key = request_key(endpoint, path, {"request": request, "repeat": repeat})
    expected = Tokens(count_tokens([json.dumps(request, ensure_ascii=False)]), _EXPECTED)
    body, _ = await requests.fetch(
        endpoint, key, path, {"model": endpoint.model, **request}, expected, costs, "", reuse=False
    )
    tokens = read_tokens(body)
    cost = None if tokens is None else price_of(endpoint, tokens)
    return WholeReply(body, tokens or Tokens(calls=1), cost)
