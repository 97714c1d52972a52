"""Requests that failed: whether another try is worth it, when, and what a person can do."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from benchwright.benchmarks.models.endpoint.addresses import is_azure, query_of
from benchwright.benchmarks.models.endpoint.rejections import MODE_PARTS, is_filtered, rejected_part, texts_in
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
    said = shown(": ".join(texts_in(error)) or _plain(text)).rstrip(". ")
    response = _ErrorResponse(
        endpoint, status, headers, text, body, path, error, said, rejected_part(error, text, sent)
    )
    for reader in (_of_address, _of_account, _of_filter, _of_mode, _of_load, _of_key, _of_model):
        if (failure := reader(response)) is not None:
            return failure
    return RequestFailure(response.what, "", status, raw=text, parameter=response.part)


@dataclass(frozen=True, slots=True)
class _ErrorResponse:
    """A response with an error's status."""

    endpoint: Endpoint
    status: int
    headers: Mapping[str, str]
    text: str
    body: Any
    """What its JSON says."""
    path: str
    """Of the request."""
    error: Mapping[str, Any]
    """What of its JSON tells of the error."""
    said: str
    """The same in words."""
    part: str
    """What of the request is not taken."""

    @property
    def what(self) -> str:
        """What happened, in words."""
        return f"the endpoint answered {self.status}" + (f": {self.said}" if self.said else "")

    @property
    def code(self) -> str:
        """The error's name."""
        return str(self.error.get("code") or "")

    def fatal(self, text: str, advice: str = "") -> RequestFailure:
        """No request of this run would go better."""
        return RequestFailure(text, advice, self.status, is_fatal=True)


def _of_address(response: _ErrorResponse) -> RequestFailure | None:
    """Something else is asked than the endpoint, or in another way."""
    address, said, status = response.endpoint.address, response.said, response.status
    if status == 400 and _WANTS_TLS.search(said):
        return response.fatal(f"{address} speaks TLS: {said}", "give the address with https://")
    if status == 407:
        return response.fatal(
            f"a proxy before {address} asks who you are{f': {said}' if said else ''}",
            "put name and password in HTTP_PROXY, or name the host in NO_PROXY",
        )
    if status < 400:
        place = shown(response.headers.get("location", "another address"))
        return response.fatal(f"{address} redirects to {place}", "give the address it ends at")
    return None


def _of_account(response: _ErrorResponse) -> RequestFailure | None:
    """The account is used up."""
    is_unchanging = not _UNCHANGING.isdisjoint((response.code, str(response.error.get("type"))))
    if response.status == 402 or (response.status == 429 and is_unchanging):
        return response.fatal(f"the account of {response.endpoint.model} has no credit: {response.said}", "add credit")
    return None


def _of_filter(response: _ErrorResponse) -> RequestFailure | None:
    """A filter turned the request down."""
    if response.status not in (400, 403, 422) or not is_filtered(response.error, response.text):
        return None
    what = response.said or "the endpoint's content filter"
    return RequestFailure(what, "", response.status, raw=response.text, is_refusal=True, state="refused")


def _of_mode(response: _ErrorResponse) -> RequestFailure | None:
    """A structured reply is not to be had so, as llama.cpp and OpenRouter say it."""
    status, part = response.status, response.part
    if part.startswith(MODE_PARTS) and (status >= 500 or status == 404):
        return RequestFailure(response.what, "", status, raw=response.text, parameter=part)
    return None


def _of_load(response: _ErrorResponse) -> RequestFailure | None:
    """Later it may go better."""
    status = response.status
    if status not in (408, 409, 429) and status < 500:
        return None
    pause = retry_after(response.headers)
    if pause is not None and pause > LONGEST_PAUSE:
        return response.fatal(f"{response.endpoint.address} asks to wait {pause:,.0f} s", "start again then")
    return RequestFailure(response.what, "", status, again=True, is_limit=status == 429, pause=pause, raw=response.text)


def _of_key(response: _ErrorResponse) -> RequestFailure | None:
    """Who asks is not known, or may not."""
    endpoint, status, said = response.endpoint, response.status, response.said
    if status == 401 or (status == 400 and response.error.get("type") == _NO_KEYS):
        advice = f"put a right one in {KEY}" if endpoint.key else f"put one in {KEY}"
        return response.fatal(f"{endpoint.address} does not accept the key: {said}", advice)
    return response.fatal(f"{endpoint.address} does not allow {endpoint.model}: {said}") if status == 403 else None


def _of_model(response: _ErrorResponse) -> RequestFailure | None:
    """The model is not there, or nothing is."""
    endpoint, status, said = response.endpoint, response.status, response.said
    is_without = status == 404 and isinstance(response.body, dict) and _NO_MODEL.search(f"{said} {response.code}")
    if is_without or (status == 400 and _NO_SUCH_NAME.search(said)):
        return response.fatal(f"{endpoint.address} has no model {endpoint.model}: {said}", "name another")
    if status in (404, 405):
        return replace(not_compatible(endpoint, str(status), status, response.path), is_elsewhere=True)
    return None


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
    """Seconds to wait, from `retry-after-ms` or `Retry-After` in seconds or as a date; None where neither says so."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) * unit
        except ValueError:
            try:
                when = parsedate_to_datetime(value)
                when = when if when.tzinfo else when.replace(tzinfo=UTC)
                seconds = (when - datetime.now(UTC)).total_seconds()
            except (TypeError, ValueError, OverflowError):
                continue
        return seconds if seconds > 0 else None  # "at once" and the past would be asked again without a pause
    return None


def _plain(text: str) -> str:
    """An error page without its tags."""
    return re.sub(r"<[^>]*>", " ", text) if text.lstrip().startswith("<") else text
