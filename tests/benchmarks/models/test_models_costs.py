"""What calls cost, and the limits that a run keeps."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from genai_prices import Usage, calc_price
from model_clients import FREE, ROLE, STEP, ask, messages, new_client, tally

from benchwright.benchmarks.errors import StopError, UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.endpoint import transport
from benchwright.benchmarks.models.money.costs import Ledger, StepCosts, price, price_of
from benchwright.benchmarks.models.responses import Reply, Tokens, read_tokens
from benchwright.benchmarks.models.settings import OPENAI, Endpoint
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer

USED = {"content": "31", "usage": {"prompt_tokens": 1000, "completion_tokens": 100}}
"""A reply that costs a dollar at RATES."""
RATES = (500.0, 5000.0)


def stop_of(client: Client, count: int, first: int = 0) -> tuple[list[int], str]:
    """The numbers of the questions with a reply, and why the run stopped."""

    async def question(number: int) -> Reply[str]:
        return await client.chat(ROLE, messages(f"question {number}"), step=STEP)

    answered = []
    try:
        for number, _ in client.each(range(first, first + count), question):
            answered.append(number)
    except StopError as error:
        return answered, str(error)
    return answered, ""


@pytest.mark.parametrize("cached", [0, 800])
def test_prices_are_those_of_genai_prices(cached: int) -> None:
    usage = Usage(input_tokens=1000, output_tokens=100, cache_read_tokens=cached)
    expected = float(calc_price(usage, "gpt-4o-mini", provider_id="openai").total_price)
    assert price("gpt-4o-mini", OPENAI, 1000, 100, cached) == expected == pytest.approx(2.1e-4 - cached * 7.5e-8)
    assert price_of(Endpoint("gpt-4o-mini"), Tokens(1000, 100, cached)) == expected


def test_an_unknown_price_is_none() -> None:
    assert price("no-such-model", OPENAI, 1, 1) is None
    assert price("gpt-4o-mini", FREE, 1000, 100) is None, "who knows what another endpoint takes for it"
    assert price_of(Endpoint("m", FREE, rates=(2.0, 10.0)), Tokens(1000, 100)) == pytest.approx(0.003)
    assert price_of(Endpoint("m", FREE, rates=(0.0, 0.0)), Tokens(1000, 100)) == 0.0


def test_an_unknown_cost_is_said_to_be(tmp_path: Path) -> None:
    with OpenAIServer(["31 metres"]) as server, new_client(server.url, tmp_path / "c.sqlite") as client:
        assert ask(client).cost is None
        assert client.ledger.summary() == [
            "answers: 1 calls of m, 0 replies reused, 2 tokens in (0 cached), 2 out, cost unknown"
        ]
        assert client.ledger.short == "1 calls, cost unknown"
        assert client.ledger.rows()[0]["cost"] is None


def test_cached_tokens_are_counted(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 100, "prompt_tokens_details": {"cached_tokens": 800}}
    said = {"content": "31", "usage": usage}
    with OpenAIServer([said]) as server, new_client(server.url, tmp_path / "c.sqlite", rates=(1.0, 1.0)) as client:
        assert ask(client).tokens == Tokens(1000, 100, 800, 1)
        assert client.ledger.rows() == [
            {
                "step": "answers",
                "role": "system",
                "model": "m",
                "calls": 1,
                "kept": 0,
                "input_tokens": 1000,
                "output_tokens": 100,
                "cached_tokens": 800,
                "cost": pytest.approx(0.0011),
                "retries": 0,
                "usable": 1,
                "refused": 0,
                "invalid": 0,
                "cut": 0,
                "failed": 0,
                "lost": 0,
                "timed_out": 0,
                "unjudged": 0,
            }
        ]


COUNTS: list[tuple[Any, Tokens | None]] = [
    ({}, None),
    ({"usage": None}, None),
    ({"usage": {}}, None),
    ({"usage": {"prompt_tokens": None, "completion_tokens": None}}, None),
    ({"usage": {"prompt_tokens": 5}}, Tokens(5, 0, 0, 1)),
    ({"usage": {"prompt_tokens": 5, "completion_tokens": None}}, Tokens(5, 0, 0, 1)),
    ({"usage": {"prompt_tokens": 5, "completion_tokens": 2, "prompt_tokens_details": None}}, Tokens(5, 2, 0, 1)),
]


@pytest.mark.parametrize(("body", "tokens"), COUNTS)
def test_what_is_not_counted_is_not_nothing(body: Any, tokens: Tokens | None) -> None:
    assert read_tokens(body) == tokens


def test_the_summary_names_what_went_wrong() -> None:
    costs = StepCosts(
        "m", 1200, 3, 10_000, 500, 7, 1.5, 0, retries=4,
        usable=1180, refused=2, invalid=1, cut=5, failed=6, lost=1, timed_out=3,
    )  # fmt: skip
    assert Ledger({("answers", "system"): costs}).summary() == [
        "answers: 1,200 calls of m, 3 replies reused, 10,000 tokens in (7 cached), 500 out, $1.5000, 4 retries, "
        "2 refused, 1 invalid, 5 cut off at the limit of tokens, 6 failed, 1 lost on the way, "
        "3 without an answer in time (they may be billed), 2 broken off"
    ]


def test_max_calls_to_the_number(tmp_path: Path) -> None:
    cache = tmp_path / "c.sqlite"
    with OpenAIServer(["31"], latency=0.02) as server:
        with new_client(server.url, cache, max_calls=25, at_once=8) as client:
            answered, said = stop_of(client, 100)
            assert said == (
                "stopped at --max-calls 25: all replies are kept; the same command with a higher limit goes on from here"
            )
        assert (server.calls, len(answered), client.ledger.calls) == (25, 25, 25)
        with new_client(server.url, cache, max_calls=75, at_once=8) as client:
            assert stop_of(client, 100) == (list(range(100)), "")
            assert (tally(client).calls, tally(client).reused) == (75, 25)
        assert server.calls == 100
        with new_client(server.url, cache, max_calls=0) as client:
            assert stop_of(client, 101)[0] == list(range(100))


def test_tries_count_as_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0.005)
    with OpenAIServer(["31"], faults=[Fault(500)] * 4) as server:
        with new_client(server.url, tmp_path / "c.sqlite", max_calls=3) as client:
            assert stop_of(client, 1)[1].startswith("stopped at --max-calls 3: ")
        assert server.calls == 3


def test_max_cost_is_not_exceeded(tmp_path: Path) -> None:
    """Each reply costs a dollar and is estimated at less: with the first one known, the others are held to it."""
    cache = tmp_path / "c.sqlite"
    with OpenAIServer([USED], latency=0.02) as server:
        with new_client(server.url, cache, rates=RATES, max_cost=20.5, at_once=8) as client:
            ask(client, "question 0")
            answered, said = stop_of(client, 100)
            assert (server.calls, client.ledger.cost, len(answered)) == (20, pytest.approx(20.0), 20)
            assert said.startswith("stopped before --max-cost 20.5: $")
            assert " and the next call may cost $1.0" in said
            assert said.endswith("; all replies are kept, the same command with a higher limit goes on from here")
        with new_client(server.url, cache, rates=RATES, max_cost=1000.0, at_once=8) as client:
            assert stop_of(client, 100) == (list(range(100)), "")
            assert (tally(client).calls, tally(client).reused, client.ledger.cost) == (80, 20, pytest.approx(80.0))
        assert server.calls == 100


def test_max_cost_counts_what_is_in_flight(tmp_path: Path) -> None:
    """Each call is estimated at (6 + 30) tokens, as much as it takes; eight at once, room for five."""
    used = {"content": "31", "usage": {"prompt_tokens": 7, "completion_tokens": 29}}
    with OpenAIServer([used], latency=0.1) as server:
        with new_client(server.url, tmp_path / "c.sqlite", rates=(1e6, 1e6), max_cost=200, at_once=8) as client:
            answered, said = stop_of(client, 50)
        assert (server.calls, client.ledger.cost, len(answered)) == (5, 180.0, 5)
        assert said.startswith("stopped before --max-cost 200: $")


def test_what_has_no_count_is_taken_for_its_estimate(tmp_path: Path) -> None:
    with OpenAIServer(["31"]) as server:
        server.fault_for = lambda _: Fault("missing_usage")
        with new_client(server.url, tmp_path / "c.sqlite", rates=(1e6, 1e6), max_cost=200, at_once=1) as client:
            answered, said = stop_of(client, 50)
        assert (server.calls, client.ledger.cost, answered) == (4, 0.0, [0, 1, 2, 3])
        assert said.startswith(
            "stopped before --max-cost 200: $0.0000 are spent, up to $1"  # 4 times 45 tokens, about
        )


def test_max_cost_needs_a_price(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as wrong:
        new_client(FREE, tmp_path / "c.sqlite", max_cost=1.0)
    assert str(wrong.value) == (
        "--max-cost cannot be kept: the price of m (system) is not known; give it with --price m=IN/OUT, or use "
        "--max-calls"
    )


def test_an_estimate_sends_nothing_and_counts_what_is_missing(tmp_path: Path) -> None:
    cache = tmp_path / "c.sqlite"
    with OpenAIServer(["31"]) as server:
        with new_client(server.url, cache, rates=(1.0, 1.0)) as client:
            ask(client, "question 0")
        with new_client(server.url, cache, rates=(1.0, 2.0), estimate=True) as client:

            async def all_twice() -> None:
                asked = [client.chat(ROLE, messages(f"question {n % 10}"), step=STEP) for n in range(20)]
                await asyncio.gather(*asked, return_exceptions=True)

            asyncio.run(all_twice())
            assert client.expected_ledger.summary(is_estimate=True) == [
                "about answers: 9 calls of m, 11 replies reused, 18 tokens in (0 cached), 9 out, $0.0000"
            ]
        assert server.calls == 1
    with new_client(FREE, tmp_path / "new.sqlite", estimate=True) as client:
        with pytest.raises(Exception, match=r"^estimated$"):
            ask(client)
        assert client.expected_ledger.summary(is_estimate=True)[0].endswith(" out, cost unknown")
