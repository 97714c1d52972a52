"""One endpoint: requests over HTTP with the official SDK, repeated where that can help, and nowhere else."""

import asyncio
import json
import logging
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.addresses import base_of, key_headers, query_of
from benchwright.benchmarks.models.budget import Budget, most_output
from benchwright.benchmarks.models.connection_errors import failure_of_connection
from benchwright.benchmarks.models.costs import StepCosts, price_of
from benchwright.benchmarks.models.estimates import guess_tokens
from benchwright.benchmarks.models.http_errors import RequestFailure, failure_of_status, not_compatible
from benchwright.benchmarks.models.rate_limit import EndpointLimit
from benchwright.benchmarks.models.responses import FAILED, INVALID, REFUSAL, ReplyError, Tokens, read_tokens, shown
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.models.streamed import whole_reply

TRIES = 5
"""How often a request is sent, at most, where the endpoint fails."""
TRIES_AT_LIMIT = 12
"""The same where the endpoint only says that it is asked too much."""
FAILURES = 10
"""Requests in a row that failed for good, after which the run stops."""
SHORTEST_KEY = 12
_REPLIES = ("choices", "data", "output", "results")
"""Keys of a reply that can be used: of a chat completion, of vectors, of a response, of a ranking."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
"""Seconds before the second try, doubled with each further one up to the longest; a random part is taken off."""


class Arrived(NamedTuple):
    """The answer to a request."""

    text: str
    parsed: Any
    """What its JSON says."""
    latency: float | None
    """Seconds from the request that was answered to its answer, without repetitions and waiting for limits."""


log = logging.getLogger("benchwright")


class NotServedError(StopError):
    """An endpoint serves nothing at the path of a request."""


class Transport:
    """Sends requests to one endpoint. Belongs to one event loop."""

    def __init__(self, endpoint: Endpoint, settings: ModelSettings, budget: Budget) -> None:
        self.endpoint, self._budget = endpoint, budget
        self.limits = EndpointLimit(settings.at_once, settings.requests_per_minute, settings.tokens_per_minute)
        self._failures = 0
        self._has_answered = self._is_said_late = False
        self._timeout = settings.timeout
        self.sdk, self.options = _client(endpoint, settings), _options(endpoint)

    async def post(
        self,
        path: str,
        body: Mapping[str, Any],
        expected: Tokens,
        costs: StepCosts,
        admit: Callable[[], Awaitable[None]] | None = None,
    ) -> Arrived:
        """Sends a request until it is answered.

        Args:
            path: `/chat/completions`, `/responses`, `/embeddings` or `/rerank`.
            body: the request.
            expected: about what it will take.
            costs: where it is counted.
            admit: awaited each time before it is sent, once the limits allow that; what it raises ends the request.

        Raises:
            NotServedError: nothing is served at the path.
            StopError: no further request would go better, or a limit of the run is reached.
            ReplyError: this one has no answer.
        """
        tried = 0
        while True:
            failure = await self._try(path, body, expected, costs, admit)
            if isinstance(failure, Arrived):
                self.note_answer()
                return failure
            tried += 1
            self.check(failure, tried)
            costs.retries += 1
            self._budget.check_stopped()
            if failure.state == "timed_out":
                self._say_late()
            if failure.pause is None:
                await asyncio.sleep(pause_before(tried))
            elif not failure.is_limit:
                await asyncio.sleep(failure.pause)

    def note_answer(self) -> None:
        """The endpoint has answered: it is there."""
        self._failures, self._has_answered = 0, True

    def check(self, failure: RequestFailure, tried: int) -> None:
        """Raises what a failure comes to where another try is of no use, as `post` does."""
        if failure.is_fatal:
            said = self.clean(f"{failure.text}; {failure.advice}" if failure.advice else failure.text)
            raise NotServedError(said) if failure.is_elsewhere else StopError(said)
        if not failure.again or tried >= (failure.most or (TRIES_AT_LIMIT if failure.is_limit else TRIES)):
            raise self._given_up(failure, tried)

    async def _try(
        self,
        path: str,
        body: Mapping[str, Any],
        expected: Tokens,
        costs: StepCosts,
        admit: Callable[[], Awaitable[None]] | None,
    ) -> Arrived | RequestFailure:
        """The answer to one request, or what went wrong."""
        async with self.limits.permit(expected.input + expected.output) as permit:
            if admit is not None:
                await admit()
            call = await self._budget.reserve(self.endpoint, expected, costs, most_output(body))
            costs.calls += 1
            used: Tokens | None = Tokens()
            guessed = expected
            try:
                answer = await self._request(path, body)
                if isinstance(answer, RequestFailure):
                    state = "refused" if answer.is_refusal else answer.state
                    setattr(costs, state, getattr(costs, state) + 1)
                    if answer.is_limit:
                        self.limits.refused(permit, answer.pause)
                    return answer
                self.limits.succeeded()
                used = read_tokens(answer.parsed)
                self.count(used, costs)
                if used:
                    self.limits.used(permit, used.input + used.output)
                else:
                    guessed = guess_tokens(expected, answer.parsed)
                return answer
            finally:
                self._budget.release(call, used, guessed)

    def count(self, tokens: Tokens | None, costs: StepCosts) -> None:
        """What a reply has cost, where that is known, goes into the accounts."""
        if tokens is None:
            costs.unpriced += 1
            return
        costs.input_tokens += tokens.input
        costs.output_tokens += tokens.output
        costs.cached_tokens += tokens.cached
        cost = price_of(self.endpoint, tokens)
        if cost is None:
            costs.unpriced += 1
        else:
            costs.cost += cost

    async def _request(self, path: str, body: Mapping[str, Any]) -> Arrived | RequestFailure:
        import aiohttp
        import httpx2
        import openai

        sent = time.perf_counter()
        try:
            response = await self.sdk.post(path, cast_to=httpx2.Response, body=body, options=self.options)
            text = self.clean(response.text)
            latency = time.perf_counter() - sent
        except (openai.APIStatusError, openai.APIConnectionError, httpx2.HTTPError, aiohttp.ClientError) as error:
            return await self.failure_of(error, path, body)
        parsed = _parsed(text)
        if parsed is None and (streamed := whole_reply(text)) is not None:
            text, parsed = json.dumps(streamed, ensure_ascii=False), streamed
        if isinstance(parsed, dict):
            if any(name in parsed for name in _REPLIES):
                return Arrived(text, parsed, latency)
            error = parsed.get("error")
            code = error.get("code") if isinstance(error, dict) else None
            if isinstance(code, int) and 400 <= code < 600:  # as OpenRouter says that the endpoint behind it failed
                return failure_of_status(self.endpoint, code, response.headers, text, parsed, path, body)
            if not self._has_answered and error is None:
                return not_compatible(self.endpoint, f"with {shown(text)}", path=path)
            return RequestFailure("the answer is no completion", again=True, raw=text)  # nothing that should be kept
        if isinstance(parsed, list) and path == "/rerank":
            return Arrived(text, parsed, latency)
        if not self._has_answered and text.lstrip()[:1] == "<":
            return not_compatible(self.endpoint, "with a page", path=path)
        return RequestFailure("the answer is not JSON", again=True, raw=text)

    def _say_late(self) -> None:
        """Says, once, what a request that is sent again for want of an answer may cost."""
        if not self._is_said_late:
            log.warning(
                "%s has said nothing for %g s: such a request is sent once more, and each may be billed; "
                "--timeout gives it longer",
                self.endpoint.address,
                self._timeout,
            )
        self._is_said_late = True

    async def failure_of(self, error: Exception, path: str, body: Mapping[str, Any] | None = None) -> RequestFailure:
        """What an error of the SDK or of its transport means; another one is raised again."""
        import aiohttp
        import httpx2
        import openai

        if isinstance(error, openai.APIStatusError):
            said = self.clean(error.response.text)
            headers = error.response.headers
            return failure_of_status(self.endpoint, error.status_code, headers, said, _parsed(said), path, body or {})
        if isinstance(error, openai.APIConnectionError | httpx2.HTTPError | aiohttp.ClientError):
            return await failure_of_connection(self.endpoint, error, has_answered=self._has_answered)
        raise error

    def _given_up(self, failure: RequestFailure, tried: int) -> Exception:
        """The error of a request that failed for good; where all do, that of the run."""
        times = f", {tried} times" if tried > 1 else ""
        if failure.status is None and not failure.raw and not self._has_answered:
            late = failure.state == "timed_out"
            advice = "give it longer with --timeout, or check --base-url" if late else "check --base-url"
            what = "does not answer" if late else "cannot be reached"
            return StopError(self.clean(f"{self.endpoint.address} {what} ({failure.text}{times}): {advice}"))
        if failure.again:
            self._failures += 1
            if self._failures >= FAILURES:
                why = self.clean(failure.text)
                return StopError(
                    f"{self.endpoint.address} failed {self._failures} requests in a row ({why}): what came before is "
                    "kept, start again later"
                )
        reason = INVALID if failure.raw and failure.status is None else REFUSAL if failure.is_refusal else FAILED
        is_rejected = failure.status is not None and not (failure.again or failure.is_refusal)
        rejected = failure.parameter if is_rejected else None
        return ReplyError(
            reason,
            self.clean(f"{failure.text}{times}"),
            shown(failure.raw),
            rejected=rejected,
            may_be_billed=failure.state == "timed_out",
        )

    def clean(self, text: str) -> str:
        """A text without the key, should the other side repeat it; a word such as `none` is no key."""
        key = self.endpoint.key
        return text.replace(key, "[key]") if key and len(key) >= SHORTEST_KEY else text

    async def close(self) -> None:
        """Closes all connections."""
        await self.sdk.close()


def pause_before(tried: int) -> float:
    """Seconds before another try, after so many."""
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** (tried - 1)) * (0.5 + random.random() / 2)


def _client(endpoint: Endpoint, settings: ModelSettings) -> Any:
    import httpx2
    import openai

    connections = httpx2.Limits(max_connections=settings.at_once, max_keepalive_connections=settings.at_once)
    timeout = httpx2.Timeout(settings.timeout, connect=min(10.0, settings.timeout))
    return openai.AsyncOpenAI(
        api_key=endpoint.key or "none",
        base_url=base_of(endpoint.base_url),
        default_query=query_of(endpoint.base_url),
        max_retries=0,
        timeout=timeout,
        http_client=openai.DefaultAioHttpClient(limits=connections, timeout=timeout, follow_redirects=False),
    )


def _options(endpoint: Endpoint) -> Any:
    """What goes with each request: the key, where it has a header of its own."""
    import openai

    headers = key_headers(endpoint.base_url, endpoint.key)
    return {"headers": {**headers, "Authorization": openai.Omit()}} if headers else {}


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
