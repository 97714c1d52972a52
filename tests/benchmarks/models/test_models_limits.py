"""How fast requests leave: a minute's requests and tokens, and as many at once as the endpoint bears."""

import asyncio
import time
from pathlib import Path

import pytest
from model_clients import ROLE, STEP, messages, new_client, tally

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.endpoint import rate_limit, transport
from benchwright.benchmarks.models.endpoint.http_errors import retry_after
from benchwright.benchmarks.models.endpoint.rate_limit import EndpointLimit
from benchwright.benchmarks.models.responses import Reply
from benchwright.benchmarks.remote import rate_limit as remote_rate_limit
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer, Received


def ask_all(client: Client, count: int) -> list[str]:
    async def ask(number: int) -> Reply[str]:
        return await client.chat(ROLE, messages(f"question {number}"), step=STEP)

    return [result.text for _, result in client.each(range(count), ask)]  # type: ignore[union-attr]


def test_requests_per_minute_are_spread(tmp_path: Path) -> None:
    """1,200 a minute are one each 50 ms; the server, which allows 40 in each second, turns none down."""
    started = time.monotonic()
    with OpenAIServer(["31"], rpm=40, minute=1.0) as server:
        with new_client(server.url, tmp_path / "c.sqlite", requests_per_minute=1200) as client:
            assert ask_all(client, 50) == ["31"] * 50
        times = [request.at for request in server.requests]
    assert (server.calls, server.refused) == (50, 0)
    assert times[-1] - started >= 49 * 0.05


def test_without_limits_of_ours_those_of_the_server_are_kept(tmp_path: Path) -> None:
    """It allows 20 a second and says how long to wait: all succeed, and few are sent in vain."""
    cache = tmp_path / "c.sqlite"
    with OpenAIServer(["31"], rpm=20, minute=1.0) as server, new_client(server.url, cache, at_once=16) as client:
        assert ask_all(client, 60) == ["31"] * 60
        assert tally(client).calls == server.calls == 60 + server.refused
        seconds = int(server.requests[-1].at - server.requests[0].at)
    assert tally(client).retries == server.refused <= 16 * max(seconds, 2), "at most those at once, each full second"


def test_tokens_per_minute_are_spread(tmp_path: Path) -> None:
    """Each request is estimated at 37 tokens and takes 4: what it did not take is given back."""
    started = time.monotonic()
    with OpenAIServer(["31 metres"]) as server:
        with new_client(server.url, tmp_path / "c.sqlite", tokens_per_minute=6000, at_once=1) as client:
            ask_all(client, 20)
            taken = tally(client).input_tokens + tally(client).output_tokens
        times = [request.at for request in server.requests]
    assert taken == 20 * 4
    assert times[-1] - started >= 19 * 0.04, "4 tokens take 40 ms"
    started = time.monotonic()
    with OpenAIServer([{"content": "31", "usage": {"prompt_tokens": 10, "completion_tokens": 50}}]) as server:
        with new_client(server.url, tmp_path / "c.sqlite", tokens_per_minute=6000, at_once=1) as client:
            ask_all(client, 3)
        times = [request.at for request in server.requests]
    assert times[2] - started >= 2 * 0.6, "60 tokens, as the endpoint counted them, take 600 ms"


def test_as_many_at_once_as_the_endpoint_bears(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It bears 8, and turns all others down without a word on when to come again.

    Who is on the way is counted where the requests leave, and the first is answered once 64 have left: so it does not
    depend on the machine how many are too many.
    """
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0.05)
    cache, seen = tmp_path / "c.sqlite", list[int]()
    with OpenAIServer(["31"], latency=0.02) as server, new_client(server.url, cache, at_once=64) as client:

        def limits() -> EndpointLimit:
            return next(iter(client._requests._transports.values())).limits

        def fault(_: Received) -> Fault | None:
            while server.calls == 1 and limits().running < 64:
                time.sleep(0.001)
            return Fault(429) if limits().running > 8 else None

        server.fault_for = fault

        async def ask(number: int) -> Reply[str]:
            reply = await client.chat(ROLE, messages(f"question {number}"), step=STEP)
            seen.append(int(limits().at_once))
            return reply

        results = [result for _, result in client.each(range(300), ask)]
        assert {result.text for result in results} == {"31"}  # type: ignore[union-attr]
        turned_down = server.calls - server.sent["ok"].answers
        assert (tally(client).retries, tally(client).calls) == (turned_down, server.calls)
    assert 56 <= turned_down <= 300, (
        "56 of the first 64; then the number is halved, and later one in a round is too many"
    )
    assert max(seen) <= 32 + 300 / 32, "halved once for the first 64, and each success gives back a part of one"
    assert min(seen) <= 8 and sorted(seen)[150] <= 12, "most of the time about as many as it bears"


class Clock:
    """A time that only goes on when it is told to."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


def test_the_number_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Halved by a 429, once for all that were in flight; a round of successes gives back one."""
    clock = Clock()
    for module in (rate_limit, remote_rate_limit):
        monkeypatch.setattr(module, "time", clock)

    async def run() -> None:
        one = EndpointLimit(16)
        async with one.permit(1) as first, one.permit(1) as second:
            clock.now += 1
            one.refused(first, None)
            one.refused(second, None)
            assert one.at_once == 8.0
        seen = []
        for _ in range(4):
            for _ in range(int(one.at_once)):
                one.succeeded()
            seen.append(round(one.at_once, 2))
        assert seen == [8.95, 9.81, 10.69, 11.59]
        for _ in range(200):
            one.succeeded()
        assert one.at_once == 16
        for expected in (8, 4, 2, 1, 1, 1):
            async with one.permit(1) as permit:
                one.refused(permit, None)
            clock.now += 1
            assert one.at_once == expected
        one.succeeded()
        assert one.at_once == 2

    asyncio.run(run())


def test_nobody_leaves_in_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, slept = Clock(), []

    async def sleep(seconds: float) -> None:
        slept.append(round(seconds, 3))
        clock.now += seconds

    async def run() -> None:
        one = EndpointLimit(4, requests_per_minute=60, tokens_per_minute=600)
        async with one.permit(5) as permit:
            one.refused(permit, 7.0)
            one.refused(permit, 3.0)
        async with one.permit(20):
            pass
        async with one.permit(1) as permit:
            one.used(permit, 11)
        async with one.permit(1):
            pass

    for module in (rate_limit, remote_rate_limit):
        monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(rate_limit.asyncio, "sleep", sleep)
    asyncio.run(run())
    # the pause; the 20 tokens before; then the 10 tokens more than estimated: each 0.1 s and a little
    assert slept == [7.0, 2.01, 1.105]


def test_first_come_first_served() -> None:
    async def run() -> list[int]:
        one, order = EndpointLimit(2), []

        async def go(number: int) -> None:
            async with one.permit(1):
                order.append(number)
                await asyncio.sleep(0.001)

        await asyncio.gather(*(go(number) for number in range(30)))
        assert one.running == 0
        return order

    assert asyncio.run(run()) == list(range(30))


def test_who_gives_up_waiting_frees_the_way() -> None:
    async def run() -> None:
        one = EndpointLimit(1)
        async with one.permit(1):
            waiting = [asyncio.create_task(one.permit(1).__aenter__()) for _ in range(2)]
            await asyncio.sleep(0)
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
        async with asyncio.timeout(1), one.permit(1):
            assert one.running == 1
        assert one.running == 0

    asyncio.run(run())


PAUSES = [
    ({}, None),
    ({"retry-after": "2"}, 2.0),
    ({"retry-after": "0.25"}, 0.25),
    ({"retry-after": "-3"}, None),
    ({"retry-after": "nan"}, None),
    ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
    ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
    ({"retry-after": "soon"}, None),
    ({"retry-after": ""}, None),
    ({"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}, None),
    ({"retry-after": "Fri, 31 Dec 1999 23:59:59"}, None),
    ({"retry-after": "Fri, 99 Dec 1999 23:59:59 GMT"}, None),
]


@pytest.mark.parametrize(("headers", "seconds"), PAUSES)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_retry_after_a_date_to_come() -> None:
    assert 1e9 < (retry_after({"retry-after": "Fri, 31 Dec 2100 23:59:59 GMT"}) or 0) < 4e9
