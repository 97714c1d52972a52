"""Batches: collected, sent, waited for, taken up again after a stop at any moment, and paid for once."""

import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from command_server import Started
from model_clients import STEP, messages
from support import ROOT, Start

from benchwright.benchmarks.errors import BenchwrightError, StopError
from benchwright.benchmarks.models.batches import asking as batches
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated, StepCosts
from benchwright.benchmarks.models.responses import Reply
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings, read_settings
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer, Received


def answer(body: Mapping[str, Any]) -> str:
    """The reply to a question: the same in capitals."""
    return str(body["messages"][-1]["content"]).upper()


def new_client(server: OpenAIServer, cache: Path, **settings: Any) -> Client:
    """A client of a judge and a system that costs a dollar a million tokens, with batches."""
    endpoint = Endpoint("m", server.url, "sk-test-0123456789", (1.0, 1.0))
    return Client(ModelSettings({"judge": endpoint, "system": endpoint}, cache=cache, **{"batch": True, **settings}))


def ask_all(client: Client, count: int = 30, role: str = "judge") -> list[Any]:
    """What comes of so many questions."""

    async def ask(number: int) -> Reply[str]:
        return await client.chat(role, messages(f"question {number}"), step=STEP)

    return [result for _, result in client.each(range(count), ask)]


def texts(results: list[Any]) -> list[str]:
    return [result.text for result in results]


ANSWERS = [f"QUESTION {number}" for number in range(30)]


def costs(client: Client, role: str = "judge") -> StepCosts:
    ledger = client.expected_ledger if client.settings.estimate else client.ledger
    return ledger.by_step[STEP, role]


def sent(server: OpenAIServer) -> list[str]:
    """The requests that came, without those that only look."""
    return [f"{request.method} {request.path}" for request in server.requests if request.method == "POST"]


def test_what_is_asked_together_is_one_file_at_half_the_price(tmp_path: Path) -> None:
    with OpenAIServer(answer) as server:
        with new_client(server, tmp_path / "c.sqlite") as client:
            replies = ask_all(client)
            assert texts(replies) == ANSWERS
            spent = costs(client)
            assert (spent.calls, spent.usable, spent.reused, spent.unjudged) == (30, 30, 0, 0)
            tokens = spent.input_tokens + spent.output_tokens
            assert spent.cost == pytest.approx(tokens * 0.5e-6)
            assert sum(reply.cost for reply in replies) == pytest.approx(spent.cost)
            assert all(reply.latency is None and not reply.is_cached for reply in replies)
        assert sent(server) == ["POST /v1/files", "POST /v1/batches"]
        with new_client(server, tmp_path / "c.sqlite", batch=False) as client:
            again = ask_all(client)
            assert (texts(again), costs(client).calls, costs(client).reused) == (ANSWERS, 0, 30)
            assert [reply.cost for reply in again] == [reply.cost for reply in replies]  # at what was paid for them
        assert len(sent(server)) == 2
        assert server.batches.counts == {"batches": 1, "batched": 30}


def test_a_system_is_asked_alone(tmp_path: Path) -> None:
    with OpenAIServer(answer) as server, new_client(server, tmp_path / "c.sqlite") as client:
        assert texts(ask_all(client, role="system")) == ANSWERS
        assert sent(server) == ["POST /v1/chat/completions"] * 30


def test_steps_of_a_conversation_take_a_batch_each(tmp_path: Path) -> None:
    with OpenAIServer(answer) as server, new_client(server, tmp_path / "c.sqlite") as client:

        async def ask(number: int) -> str:
            first = await client.chat("judge", messages(f"first {number}"), step="first")
            return (await client.chat("judge", messages(first.text.lower() + " then"), step="second")).text

        assert [each for _, each in client.each(range(9), ask)] == [f"FIRST {number} THEN" for number in range(9)]
        assert server.batches.counts == {"batches": 2, "batched": 18}


@pytest.mark.parametrize(
    ("fault", "made", "calls"),
    [
        ("expired", 2, 30),
        ("twice", 1, 30),
        ("missing", 2, 30),
        ("foreign", 1, 30),
        ("errors", 2, 40),
        ("garbage", 1, 30),
    ],
)
def test_what_a_batch_does_not_answer_is_asked_again(tmp_path: Path, fault: Any, made: int, calls: int) -> None:
    with OpenAIServer(answer, batches={"faults": [fault]}) as server:
        with new_client(server, tmp_path / "c.sqlite") as client:
            assert texts(ask_all(client)) == ANSWERS
            assert (costs(client).calls, costs(client).usable, costs(client).unjudged) == (calls, 30, 0)
        assert server.batches.counts == {"batches": made, "batched": 30}
        assert max(server.batches.answered.values()) == 1


@pytest.mark.parametrize(
    ("fault", "message", "answered"),
    [
        ("failed", "did not take the batch batch_2: Enqueued token limit reached.", 0),
        ("cancelled", "batch batch_2 was cancelled: what it answered is kept, the same command asks for the rest", 15),
        ("no_output", "batch batch_2 has ended, and what it answered is gone", 0),
    ],
)
def test_a_batch_that_ends_badly_stops_the_command_and_the_next_one_asks_for_the_rest(
    tmp_path: Path, fault: Any, message: str, answered: int
) -> None:
    with OpenAIServer(answer, batches={"faults": [fault]}) as server:
        with new_client(server, tmp_path / "c.sqlite") as client, pytest.raises(StopError, match=message):
            ask_all(client)
        with new_client(server, tmp_path / "c.sqlite") as client:
            assert texts(ask_all(client)) == ANSWERS
            assert (costs(client).calls, costs(client).reused) == (30 - answered, answered)


def test_an_endpoint_without_batches(tmp_path: Path) -> None:
    with OpenAIServer(answer, batches={"is_served": False}) as server:
        with new_client(server, tmp_path / "c.sqlite") as client, pytest.raises(StopError) as stopped:
            ask_all(client)
        assert str(stopped.value) == f"{server.url}/files answered 404: there are no batches, leave --batch out"
        with new_client(server, tmp_path / "c.sqlite", batch=False) as client:
            assert texts(ask_all(client)) == ANSWERS


def test_replies_that_are_lost_on_the_way_are_looked_for(tmp_path: Path) -> None:
    with OpenAIServer(answer) as server, new_client(server, tmp_path / "c.sqlite") as client:
        lost: list[str] = []

        def lose_once(received: Received) -> Fault | None:
            if received.method == "POST" and received.path not in lost:
                lost.append(received.path)
                return Fault("cut")
            return None

        server.fault_for = lose_once
        assert texts(ask_all(client)) == ANSWERS
        assert server.batches.counts == {"batches": 1, "batched": 30}


Begin = Callable[[OpenAIServer, Path, str], Started]


@pytest.fixture
def begin(start: Start) -> Begin:
    """Starts a process that asks 30 questions; see `batch_process`."""
    environment = {"PYTHONPATH": str(ROOT / "tests")}
    return lambda server, cache, how: start("-m", "batch_process", server.url, cache, 30, how, env=environment)


def killed_at(
    begin: Begin, server: OpenAIServer, cache: Path, sign: Callable[[Received], bool], number: int = signal.SIGKILL
) -> str:
    """What a process says that gets a signal while a request of it is answered."""
    process = begin(server, cache, "batch")

    def strike(received: Received) -> None:
        if sign(received):
            server.fault_for = None
            process.send_signal(number)

    server.fault_for = strike
    said = process.communicate(timeout=60)[1]
    assert process.returncode in (-number, 1), said
    return said


KILLS = {
    "while the file is uploaded": lambda one: one.method == "POST" and one.path.endswith("/files"),
    "while the batch is made": lambda one: one.method == "POST" and one.path.endswith("/batches"),
    "while it runs": lambda one: one.method == "GET" and "/batches/" in one.path,
    "while its output is read": lambda one: one.path.endswith("/content"),
}


@pytest.mark.parametrize(("moment", "how"), [*((moment, "batch") for moment in KILLS), ("while it runs", "alone")])
def test_a_killed_process_is_taken_up_again(begin: Begin, tmp_path: Path, moment: str, how: str) -> None:
    with OpenAIServer(answer) as server:
        killed_at(begin, server, tmp_path / "c.sqlite", KILLS[moment])
        was_made = len(server.batches.batches)
        assert was_made == (moment != "while the file is uploaded")
        following = begin(server, tmp_path / "c.sqlite", how)
        said = following.communicate(timeout=60)[1]
        assert (following.returncode, said.splitlines()[-1].split(",")[0]) == (0, "30 calls"), said
        alone = sum(request.path.endswith("/chat/completions") for request in server.requests)
        assert (server.batches.counts["batched"], alone) == ((30, 0) if was_made or how == "batch" else (0, 30))
        uploaded = {file.id for file in server.batches.files.values() if file.name.startswith("benchwright-")}
        assert uploaded == {batch.file for batch in server.batches.batches.values()}


def test_ctrl_c_leaves_the_batch_running_and_says_so(begin: Begin, tmp_path: Path) -> None:
    with OpenAIServer(answer, batches={"seconds": 1.0}) as server:
        said = killed_at(begin, server, tmp_path / "c.sqlite", KILLS["while it runs"], signal.SIGINT)
        assert (
            f"batch batch_2 (30 requests of m) goes on at {server.url}: the same command takes up its replies" in said
        )
        assert f"a POST to {server.url}/batches/batch_2/cancel ends it" in said
        with new_client(server, tmp_path / "c.sqlite", estimate=True) as client:
            with pytest.raises(Estimated):
                ask_all(client, 40)
            assert costs(client).calls == 10
            assert client.estimated()[1] == "answers: 30 more are in a batch that was sent, and not counted"
        with new_client(server, tmp_path / "c.sqlite", batch=False) as client:
            assert texts(ask_all(client)) == ANSWERS
            assert costs(client).calls == 30
            assert costs(client).cost == pytest.approx(
                (costs(client).input_tokens + costs(client).output_tokens) * 0.5e-6
            )
        assert server.batches.counts == {"batches": 1, "batched": 30}


def test_two_processes_share_a_batch(begin: Begin, tmp_path: Path) -> None:
    with OpenAIServer(answer) as server:
        both = [begin(server, tmp_path / "c.sqlite", "batch") for _ in range(2)]
        said = [process.communicate(timeout=60)[1] for process in both]
        assert [process.returncode for process in both] == [0, 0], said
        assert server.batches.counts["batched"] == 30
        assert sum(int(text.splitlines()[-1].split(" ")[0]) for text in said) == 30


def test_what_is_too_much_for_a_batch_goes_into_several(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "MOST_REQUESTS", 12)
    with OpenAIServer(answer, batches={"most_requests": 12}) as server, new_client(server, tmp_path / "c") as client:
        assert texts(ask_all(client)) == ANSWERS
        assert server.batches.counts == {"batches": 3, "batched": 30}


def test_an_output_that_breaks_off_is_read_again(tmp_path: Path) -> None:
    faults = [Fault("cut"), Fault("reset"), Fault(503)]
    with OpenAIServer(answer) as server, new_client(server, tmp_path / "c.sqlite") as client:
        server.fault_for = lambda received: faults.pop() if faults and received.path.endswith("/content") else None
        assert texts(ask_all(client)) == ANSWERS
        assert (faults, costs(client).calls, costs(client).usable) == ([], 30, 30)
        assert server.batches.counts == {"batches": 1, "batched": 30}


def test_a_limit_in_dollars_is_kept(tmp_path: Path) -> None:
    with OpenAIServer(answer) as server:
        with new_client(server, tmp_path / "c.sqlite", max_cost=50e-6) as client, pytest.raises(StopError) as stopped:
            ask_all(client, 300)
        assert str(stopped.value).startswith("stopped before --max-cost 5e-05")
        assert 30e-6 < client.ledger.cost <= 50e-6
        alone = sum(request.path.endswith("/chat/completions") for request in server.requests)
        assert (alone, len(server.batches.batches) < 10) == (1, True)


def test_limits_count_what_waits_in_a_batch(tmp_path: Path) -> None:
    with OpenAIServer(answer) as server:
        with new_client(server, tmp_path / "c.sqlite", max_calls=12) as client, pytest.raises(StopError) as stopped:
            ask_all(client)
        assert str(stopped.value).startswith("stopped at --max-calls 12")
        assert server.batches.counts["batched"] <= 12
        with new_client(server, tmp_path / "c.sqlite") as client:
            assert texts(ask_all(client)) == ANSWERS
        assert server.batches.counts["batched"] == 30
        assert max(server.batches.answered.values()) == 1


def test_an_estimate_knows_the_price(tmp_path: Path) -> None:
    with OpenAIServer(answer) as server:
        found = []
        for batch in (False, True):
            with new_client(server, tmp_path / "c.sqlite", estimate=True, batch=batch) as client:
                with pytest.raises(Estimated):
                    ask_all(client)
                found.append(costs(client).cost)
        assert server.calls == 0
        assert found[1] == pytest.approx(found[0] / 2)


def test_batches_are_for_those_who_can_wait() -> None:
    with pytest.raises(
        BenchwrightError, match="--batch is for the roles writer, judge, checker, reader, and nobody plays one"
    ):
        read_settings(["system=m"], ["http://127.0.0.1:9/v1"], environment={}, batch=True)
