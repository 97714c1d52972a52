"""How `--max-cost` is kept with many calls in flight, whatever an endpoint uses."""

import asyncio
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from model_clients import FREE, ROLE, STEP, ask, messages, new_client

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.money.budget import FIRST, Budget, most_output
from benchwright.benchmarks.models.money.costs import Ledger, StepCosts
from benchwright.benchmarks.models.money.spread import Spread, Weights
from benchwright.benchmarks.models.money.tokens import guess_tokens
from benchwright.benchmarks.models.responses import Reply, Tokens
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.scripts.measure.budget import KINDS, Kind, run
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "ten times" not in kind.name], ids=lambda kind: kind.name)
def test_a_limit_is_exceeded_by_a_twentieth_at_most(kind: Kind) -> None:
    """With 128 in flight, and as much spent as fits: what a reply may cost more than it says is set aside."""
    found = run(kind, calls=150, at_once=128, seed=1, latency=0.02)
    assert 0.75 < found.share <= 1.05, found


def test_the_largest_reply_seen_is_set_aside() -> None:
    tail = next(kind for kind in KINDS if "ten times" in kind.name)
    found = run(tail, calls=400, at_once=128, seed=2, latency=0.02)
    assert 0.9 < found.share <= 1.05, found


def arrivals(tmp_path: Path, count: int, given: Mapping[str, Any], **settings: Any) -> list[int]:
    """The calls that are in flight when each arrives, itself included."""
    in_flight: list[int] = []

    def reply(_: Mapping[str, Any]) -> Any:
        in_flight.append(server.in_flight + 1)
        return "31"

    async def question(number: int) -> Reply[str]:
        return await client.chat(ROLE, messages(f"question {number}"), step=STEP, **given)

    server = OpenAIServer(reply, latency=0.2)
    with server, new_client(server.url, tmp_path / "c", rates=(1.0, 1.0), **settings) as client:
        client._requests.abilities.took(client.settings.endpoints[ROLE], given)  # or else the first call finds that out
        assert len(list(client.each(range(count), question))) == count
    return in_flight


def test_the_first_calls_of_a_step_are_few(tmp_path: Path) -> None:
    """Until one has said what it used; then as many leave as may be in flight."""
    in_flight = arrivals(tmp_path, 60, {}, max_cost=10.0, at_once=64)
    assert in_flight[:FIRST] == list(range(1, FIRST + 1))
    assert in_flight[FIRST] <= FIRST, "the fifth call waits for the first reply"
    assert max(in_flight) > 2 * FIRST


def test_a_stated_limit_lets_more_calls_go(tmp_path: Path) -> None:
    """Of replies of which nothing is known, 4,000 tokens more are set aside: too many for two; not with a limit."""
    assert arrivals(tmp_path / "1", 3, {}, max_cost=0.006)[1] == 1
    assert arrivals(tmp_path / "2", 3, {"max_tokens": 30}, max_cost=0.006) == [1, 2, 3]


def test_a_limit_below_one_call_says_so(tmp_path: Path) -> None:
    with (
        new_client(FREE, tmp_path / "c", rates=(1000.0, 1000.0), max_cost=0.01) as client,
        pytest.raises(StopError, match=r"^--max-cost 0\.01 is less than one call of m may cost, \$0\.\d{4}: ") as wrong,
    ):
        ask(client)
    assert str(wrong.value).endswith("nothing was asked, give more")


def test_a_call_that_may_be_billed_stays_set_aside(tmp_path: Path) -> None:
    """No answer arrived in time: the endpoint may have written one, as long as the request lets it."""
    with (
        OpenAIServer(["31"], faults=[Fault("slow", seconds=20)]) as server,
        new_client(server.url, tmp_path / "c", rates=(1e3, 1e3), max_cost=1.0, timeout=0.2) as client,
    ):
        with pytest.raises(StopError, match=r"up to \$4\.0\d{3} may be billed for calls without an answer in time"):
            ask(client)
        assert server.calls == 1

    async def late(budget: Budget, costs: StepCosts) -> None:
        for _ in range(100):
            call = await budget.reserve(endpoint, Tokens(10, 30), costs, 30, waits=False)
            costs.calls += 1
            budget.release(call, Tokens(), Tokens(), is_late=True)

    endpoint, ledger = Endpoint("m", FREE, None, (1e3, 1e3)), Ledger()
    budget = Budget(ModelSettings({ROLE: endpoint}, max_cost=1.0), ledger)
    with pytest.raises(StopError, match=r"\$0\.9\d{3} may be billed for calls without an answer in time"):
        asyncio.run(late(budget, ledger.costs_of(STEP, ROLE, endpoint)))
    assert ledger.calls == 22, "15 tokens in and 30 out are set aside for each, as long as none has said what it used"


def test_the_limit_that_a_request_states() -> None:
    assert most_output({}) == math.inf
    assert most_output({"max_tokens": 20}) == 20
    assert most_output({"max_completion_tokens": 20, "n": 3}) == 60
    assert most_output({"max_output_tokens": 5, "max_tokens": 9}) == 5


def test_what_many_may_take_together() -> None:
    same = Spread()
    same.add(10.0)
    three = Weights().plus(1).plus(1).plus(1)
    assert same.most(three) == pytest.approx(90.0), "of one value nobody knows how others differ"
    for _ in range(99):
        same.add(10.0)
    assert same.most(three) == pytest.approx(30.0, rel=0.01)
    same.add(100.0)
    assert same.most(Weights().plus(1)) == pytest.approx(100.0, rel=0.01), "one alone may be the largest"
    many = Weights()
    for _ in range(128):
        many = many.plus(1)
    assert 128 * 11 < same.most(many) < 128 * 25, "many are not the largest each"
    assert three.minus(1).minus(1).minus(1) == Weights()
    with pytest.raises(ValueError):
        Spread().most(three)


def test_what_was_not_counted_is_guessed() -> None:
    said = {
        "choices": [
            {"message": {"content": "word " * 100, "reasoning_content": "thought " * 100}},
            None,
            {"message": 1},
        ]
    }
    assert 150 < guess_tokens(Tokens(7, 30), said).output < 600
    assert guess_tokens(Tokens(7, 30), {"choices": None}) == Tokens(8, 33, calls=1)
    called = {"choices": [{"message": {"tool_calls": [{"function": {"arguments": "word " * 400}}, 5]}}]}
    assert guess_tokens(Tokens(7, 30), called).output > 300
