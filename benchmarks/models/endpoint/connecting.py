"""Connections to an endpoint: the official SDK, set up."""

from typing import Any

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.endpoint.addresses import base_of, key_headers, query_of
from benchwright.benchmarks.models.responses import shown
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings

_CONNECTING = 0.8
"""Of the time for a reply, what a connection may take."""


def sdk_of(endpoint: Endpoint, settings: ModelSettings) -> Any:
    """A client of the official SDK: it repeats nothing, follows no redirect, and reads no more than it may.

    Raises:
        StopError: its address is none.
    """
    import httpx2
    import openai

    from benchwright.benchmarks.models.endpoint.bounded import PACKINGS, bound

    connections = httpx2.Limits(max_connections=settings.at_once, max_keepalive_connections=settings.at_once)
    timeout = httpx2.Timeout(settings.timeout, connect=min(10.0, _CONNECTING * settings.timeout))
    http = openai.DefaultAioHttpClient(
        limits=connections,
        timeout=timeout,
        follow_redirects=False,
        headers={"Accept-Encoding": ", ".join(PACKINGS)},
        event_hooks={"response": [bound]},
    )
    try:
        return openai.AsyncOpenAI(
            api_key=endpoint.key or "none",
            base_url=base_of(endpoint.base_url),
            default_query=query_of(endpoint.base_url),
            max_retries=0,
            timeout=timeout,
            http_client=http,
        )
    except httpx2.InvalidURL as error:
        raise StopError(f"{endpoint.address} is no address: {shown(str(error))}; check --base-url") from None


def options_of(endpoint: Endpoint) -> Any:
    """What goes with each request: the key, where it has a header of its own."""
    import openai

    headers = key_headers(endpoint.base_url, endpoint.key)
    return {"headers": {**headers, "Authorization": openai.Omit()}} if headers else {}
