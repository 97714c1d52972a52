"""One endpoint: requests over HTTP with the official SDK, repeated where that can help, and nowhere else."""

import asyncio
import json
import logging
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any, NamedTuple

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.endpoint.connecting import options_of, sdk_of
from benchwright.benchmarks.models.endpoint.connection_errors import LATE, failure_of_connection
from benchwright.benchmarks.models.endpoint.http_errors import RequestFailure, failure_of_status, not_compatible
from benchwright.benchmarks.models.endpoint.rate_limit import EndpointLimit
from benchwright.benchmarks.models.endpoint.silence import Silence
from benchwright.benchmarks.models.endpoint.streamed import whole_reply
from benchwright.benchmarks.models.money.budget import Budget, most_output
from benchwright.benchmarks.models.money.costs import StepCosts, price_of
from benchwright.benchmarks.models.money.tokens import guess_tokens
from benchwright.benchmarks.models.responses import FAILED, INVALID, REFUSAL, ReplyError, Tokens, read_tokens, shown
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings

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
        self._silence = Silence()
        self._end: str | None = None
        """Why no request would go better: none is sent any more."""
        self.timeout = settings.timeout
        """Seconds that a reply may take, whole."""
        self.sdk, self.options = sdk_of(endpoint, settings), options_of(endpoint)

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
        tried, is_probe = 0, False
        try:
            while True:
                before = self._silence.answers
                failure = await self._try(path, body, expected, costs, admit, is_probe=is_probe)
                if isinstance(failure, Arrived):
                    self.note_answer()
                    return failure
                tried += 1
                self.check(failure, tried)
                self._budget.check_stopped()
                if failure.state == "timed_out":
                    self._say_late()
                    if self._silence.answers == before and not is_probe:
                        is_probe = self._silence.begin()
                        if not is_probe and not await self._silence.over():
                            raise self._given_up(failure, tried)
                costs.retries += 1
                if failure.pause is None:
                    await asyncio.sleep(pause_before(tried))
                elif not failure.is_limit:
                    await asyncio.sleep(failure.pause)
        finally:
            if is_probe:
                self._silence.end(answers=False)

    def note_answer(self) -> None:
        """The endpoint has answered: it is there."""
        self._failures, self._has_answered = 0, True
        self._silence.answered()

    def check(self, failure: RequestFailure, tried: int) -> None:
        """Raises what a failure comes to where another try is of no use, as `post` does."""
        if failure.is_fatal:
            said = self.clean(f"{failure.text}; {failure.advice}" if failure.advice else failure.text)
            if failure.is_elsewhere:
                raise NotServedError(said)
            self._end = said
            raise StopError(said)
        if not failure.again or tried >= (failure.most or (TRIES_AT_LIMIT if failure.is_limit else TRIES)):
            raise self._given_up(failure, tried)

    async def _try(
        self,
        path: str,
        body: Mapping[str, Any],
        expected: Tokens,
        costs: StepCosts,
        admit: Callable[[], Awaitable[None]] | None,
        *,
        is_probe: bool,
    ) -> Arrived | RequestFailure:
        """The answer to one request, or what went wrong."""
        async with AsyncExitStack() as held:
            while True:
                permit = await held.enter_async_context(self.limits.permit(expected.input + expected.output))
                if is_probe or not self._silence.is_on:
                    break
                await held.aclose()  # or the one that finds out would have no place
                await self._wait_for_sign()
            if self._end is not None:
                raise StopError(self._end)
            if admit is not None:
                await admit()
            call = await self._budget.reserve(self.endpoint, expected, costs, most_output(body))
            costs.calls += 1
            used: Tokens | None = Tokens()
            guessed, is_late = expected, False
            try:
                answer = await self._request(path, body)
                if isinstance(answer, RequestFailure):
                    state = "refused" if answer.is_refusal else answer.state
                    is_late = state == "timed_out"
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
                self._budget.release(call, used, guessed, is_late=is_late)

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
        time_limit = asyncio.timeout(self.timeout)
        try:
            async with time_limit:
                response = await self.sdk.post(path, cast_to=httpx2.Response, body=body, options=self.options)
            text = self.clean(response.text.removeprefix("\ufeff"))
            latency = time.perf_counter() - sent
        except TimeoutError:
            if not time_limit.expired():
                raise
            return LATE
        except (openai.APIStatusError, openai.APIConnectionError, httpx2.HTTPError, aiohttp.ClientError) as error:
            return await self.failure_of(error, path, body)
        parsed = _parsed(text)
        if parsed is None and (streamed := whole_reply(text)) is not None:
            text, parsed = json.dumps(streamed), streamed
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

    async def _wait_for_sign(self) -> None:
        """Waits until it is known whether the endpoint answers; where nothing does, nothing more is sent."""
        if await self._silence.over():
            return
        await asyncio.sleep(0)  # in which those who had sent a request hear that it has failed
        self._budget.check_stopped()
        if not self._has_answered:
            raise self._given_up(replace(LATE, again=False), 1)
        if self._failures >= FAILURES:
            raise self._all_fail(LATE)

    def _say_late(self) -> None:
        """Says, once, what a request that is sent again for want of an answer may cost."""
        if not self._is_said_late:
            log.warning(
                "%s has given no whole answer within %g s: such a request is sent once more, and each may be billed; "
                "--timeout gives it longer",
                self.endpoint.address,
                self.timeout,
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
                return self._all_fail(failure)
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

    def _all_fail(self, failure: RequestFailure) -> StopError:
        return StopError(
            f"{self.endpoint.address} failed {self._failures} requests in a row ({self.clean(failure.text)}): what "
            "came before is kept, start again later"
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


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
