"""Requests that failed: whether another try is worth it, when, and what a person can do."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from benchwright.benchmarks.models.addresses import is_azure, query_of
from benchwright.benchmarks.models.rejections import MODE_PARTS, is_filtered, rejected_part, texts_in
from benchwright.benchmarks.models.responses import shown
from benchwright.benchmarks.models.settings import KEY, Endpoint

CHAT = "/chat/completions"
LONGEST_PAUSE = 600.0
"""Seconds that are waited at an endpoint's word; where it asks for more, the run stops and says so."""
_NO_MODEL = re.compile("model|deployment|no endpoints found for", re.IGNORECASE)
_WANTS_TLS = re.compile(r"plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server", re.IGNORECASE)
"""What nginx and servers in Go say."""
_UNCHANGING = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}

_NO_SUCH_NAME = re.compile(r"is not a valid model|invalid model name", re.IGNORECASE)
"""How OpenRouter and LiteLLM speak of a model that they do not have, with status 400."""
_NO_KEYS = "no_db_connection"
"""What LiteLLM's proxy says of any wrong key where it has no database to look for it."""


@dataclass(frozen=True, slots=True)
class RequestFailure:
    """A request that failed."""

    text: str
    """What happened, in words."""
    advice: str = ""
    """What to do, where nothing else can help."""
    status: int | None = None
    again: bool = False
    """Another try may go better."""
    most: int | None = None
    """Tries that are made at most, where that is not as many as ever."""
    is_fatal: bool = False
    """No request of this run would go better."""
    is_limit: bool = False
    """The endpoint is asked too much at once."""
    pause: float | None = None
    """Seconds that the endpoint asks to wait."""
    raw: str = ""
    parameter: str = ""
    """What the endpoint does not take, where it says so."""
    is_refusal: bool = False
    """A filter of the endpoint turned down what was asked."""
    is_elsewhere: bool = False
    """Nothing is served at this path."""
    state: Literal["failed", "lost", "timed_out", "refused"] = "failed"
    """As what it is counted; see `StepCosts`."""


def failure_of_status(
    endpoint: Endpoint,
    status: int,
    headers: Mapping[str, str],
    text: str,
    body: Any,
    path: str = CHAT,
    sent: Collection[str] = (),
) -> RequestFailure:
    """What a response with an error's status means, to a request that had the names in `sent`."""
    error = body.get("error") if isinstance(body, dict) else None
    error = error if isinstance(error, dict) else body if isinstance(body, dict) else {}
    code = str(error.get("code") or "")
    said = shown(": ".join(texts_in(error)) or _plain(text)).rstrip(". ")
    what = f"the endpoint answered {status}" + (f": {said}" if said else "")
    if status == 400 and _WANTS_TLS.search(said):
        return RequestFailure(
            f"{endpoint.address} speaks TLS: {said}", "give the address with https://", status, is_fatal=True
        )
    if status == 407:
        return RequestFailure(
            f"a proxy before {endpoint.address} asks who you are{f': {said}' if said else ''}",
            "put name and password in HTTP_PROXY, or name the host in NO_PROXY",
            status,
            is_fatal=True,
        )
    if status < 400:
        place = shown(headers.get("location", "another address"))
        return RequestFailure(
            f"{endpoint.address} redirects to {place}", "give the address it ends at", status, is_fatal=True
        )
    if status == 402 or (status == 429 and (code in _UNCHANGING or str(error.get("type")) in _UNCHANGING)):
        return RequestFailure(
            f"the account of {endpoint.model} has no credit: {said}", "add credit", status, is_fatal=True
        )
    if status in (400, 403, 422) and is_filtered(error, text):
        return RequestFailure(
            said or "the endpoint's content filter", "", status, raw=text, is_refusal=True, state="refused"
        )
    part = rejected_part(error, text, sent)
    if part.startswith(MODE_PARTS) and (status >= 500 or status == 404):  # as llama.cpp and OpenRouter say it
        return RequestFailure(what, "", status, raw=text, parameter=part)
    if status in (408, 409, 429) or status >= 500:
        pause = retry_after(headers)
        if pause is not None and pause > LONGEST_PAUSE:
            return RequestFailure(
                f"{endpoint.address} asks to wait {pause:,.0f} s", "start again then", status, is_fatal=True
            )
        return RequestFailure(what, "", status, again=True, is_limit=status == 429, pause=pause, raw=text)
    if status == 401 or (status == 400 and error.get("type") == _NO_KEYS):
        advice = f"put a right one in {KEY}" if endpoint.key else f"put one in {KEY}"
        return RequestFailure(f"{endpoint.address} does not accept the key: {said}", advice, status, is_fatal=True)
    if status == 403:
        return RequestFailure(f"{endpoint.address} does not allow {endpoint.model}: {said}", "", status, is_fatal=True)
    if (status == 404 and isinstance(body, dict) and _NO_MODEL.search(f"{said} {code}")) or (
        status == 400 and _NO_SUCH_NAME.search(said)
    ):
        return RequestFailure(
            f"{endpoint.address} has no model {endpoint.model}: {said}", "name another", status, is_fatal=True
        )
    if status in (404, 405):
        return replace(not_compatible(endpoint, str(status), status, path), is_elsewhere=True)
    return RequestFailure(what, "", status, raw=text, parameter=part)


def not_compatible(endpoint: Endpoint, answer: str, status: int | None = None, path: str = CHAT) -> RequestFailure:
    """The failure of an address where something else is served, such as a page."""
    advice = f"give the address that ends before {path}, often …/v1"
    if is_azure(endpoint.base_url) and not query_of(endpoint.base_url):
        advice = f"give the address that ends before {path}, with its ?api-version=…"
    sought = "is no OpenAI-compatible endpoint" if path == CHAT else f"has no {path}"
    return RequestFailure(
        f"{endpoint.address} {sought}: it answered {answer}",
        advice,
        status,
        is_fatal=True,
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from `retry-after-ms` or `Retry-After` in seconds or as a date; None where neither is there."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            return max(0.0, float(value) * unit)
        except ValueError:
            pass
        try:
            when = parsedate_to_datetime(value)
        except (TypeError, ValueError):
            continue
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return max(0.0, (when - datetime.now(UTC)).total_seconds())
    return None


def _plain(text: str) -> str:
    """An error page without its tags."""
    return re.sub(r"<[^>]*>", " ", text) if text.lstrip().startswith("<") else text
