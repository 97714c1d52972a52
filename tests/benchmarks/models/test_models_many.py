"""Many items and many texts: their order, the memory that they take, and what ends them."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model_clients import FREE, ROLE, STEP, messages, new_client

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.endpoint.structured import InvalidReply
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.models.responses import Reply, ReplyError, read_vectors
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer, Received
from benchwright.scripts.servers.openai.stand_in import vector

TEXTS = [f"lighthouse {number} of the {number % 7}th island" for number in range(600)]


def number_of(request: Received) -> int:
    return int(request.body["messages"][0]["content"].split()[-1])


def asker(client: Client) -> Any:
    async def ask(number: int) -> Reply[str]:
        return await client.chat(ROLE, messages(f"question {number}"), step=STEP)

    return ask


def echo(body: Any) -> str:
    return body["messages"][0]["content"]


def embed(client: Client, texts: list[str]) -> Any:
    return asyncio.run(client.embed("embedder", texts, step="vectors"))


def test_results_come_in_the_order_of_the_items(tmp_path: Path) -> None:
    with OpenAIServer(echo) as server, new_client(server.url, tmp_path / "c.sqlite", at_once=8) as client:
        server.fault_for = lambda request: Fault("slow", seconds=0.1) if number_of(request) % 10 == 0 else None
        results: list[Any] = list(client.each(range(60), asker(client)))
        assert [(number, reply.text) for number, reply in results] == [(n, f"question {n}") for n in range(60)]
        assert server.most_at_once <= 8


def test_items_are_taken_as_they_are_needed(tmp_path: Path) -> None:
    """At most four times as many as may be in flight are ahead of what was yielded."""
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for number in range(500):
            taken = number + 1
            yield number

    with OpenAIServer(["31"]) as server, new_client(server.url, tmp_path / "c.sqlite", at_once=5) as client:
        ahead = [taken - yielded for yielded, _ in enumerate(client.each(items(), asker(client)), 1)]
        assert (len(ahead), taken) == (500, 500)
        assert 15 <= max(ahead) <= 20
        ahead = [taken - yielded for yielded, _ in enumerate(client.each(items(), asker(client), at_once=2), 1)]
        assert (len(ahead), max(ahead) <= 8, server.calls) == (500, True, 500)


def test_one_without_a_reply_is_one_of_the_results(tmp_path: Path) -> None:
    with OpenAIServer(echo) as server, new_client(server.url, tmp_path / "c.sqlite") as client:
        server.fault_for = lambda request: Fault("refusal") if number_of(request) == 3 else None
        results = [result for _, result in client.each(range(6), asker(client))]
        assert [isinstance(result, ReplyError) for result in results] == [False, False, False, True, False, False]
        assert list(client.each([], asker(client))) == []


@pytest.mark.parametrize("error", [StopError("enough"), ZeroDivisionError("a defect")])
def test_what_ends_all_is_raised_after_what_came_before(error: Exception, tmp_path: Path) -> None:
    with OpenAIServer(["31"], latency=0.02) as server, new_client(server.url, tmp_path / "c.sqlite") as client:
        ask = asker(client)

        async def failing(number: int) -> Reply[str]:
            if number == 7:
                raise error
            return await ask(number)

        seen = []
        with pytest.raises(type(error), match=str(error)):
            for number, _ in client.each(range(1000), failing):
                seen.append(number)
        assert seen == list(range(7))
        client.close()
        assert server.calls < 200


def test_several_threads_ask_one_client(tmp_path: Path) -> None:
    with OpenAIServer(echo) as server, new_client(server.url, tmp_path / "c.sqlite") as client:
        found: list[list[str]] = [[] for _ in range(4)]

        def work(place: int) -> None:
            items = range(place * 50, place * 50 + 100)
            found[place] = [reply.text for _, reply in client.each(items, asker(client))]  # type: ignore[union-attr]

        threads = [threading.Thread(target=work, args=(place,)) for place in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [[f"question {place * 50 + n}" for n in range(100)] for place in range(4)]
        assert (server.calls, client.ledger.calls) == (250, 250)


def test_vectors_in_batches(tmp_path: Path) -> None:
    cache = tmp_path / "c.sqlite"
    with OpenAIServer() as server:
        server.fault_for = lambda request: Fault("slow", seconds=0.2) if TEXTS[0] in request.body["input"] else None
        with new_client(server.url, cache, rates=(10.0, 0.0)) as client:
            vectors = embed(client, TEXTS)
            counted = client.ledger.by_step["vectors", "embedder"]
            assert (counted.calls, counted.output_tokens) == (3, 0)
            used = sum(len(text) // 4 for text in TEXTS)
            assert counted.input_tokens == used and counted.cost == pytest.approx(used * 1e-5)
        assert sorted(len(request.body["input"]) for request in server.requests) == [88, 256, 256]
        assert (vectors.shape, vectors.dtype) == ((600, 1536), np.float32)
        assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() < 1e-6
        expected = np.array([vector(text, 1536) for text in TEXTS], dtype=np.float32)
        assert np.abs(vectors - expected).max() < 1e-6
        with new_client(server.url, cache, replay=True) as client:
            assert np.array_equal(embed(client, TEXTS), vectors)
            assert client.ledger.by_step["vectors", "embedder"].reused == 3
            assert embed(client, []).shape == (0, 0)
        assert server.calls == 3


def test_a_vector_of_length_0_stays_one(tmp_path: Path) -> None:
    from test_models_stopping import answering

    body = b'{"data": [{"index": 1, "embedding": [0, 0]}, {"index": 0, "embedding": [3, 4]}]}'
    with answering(200, body) as server, new_client(server.url, tmp_path / "c.sqlite") as client:
        assert embed(client, ["a", "b"]).tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [0, 0]]
        assert client.ledger.rows()[0]["cost"] is None, "there is no usage"


NO_VECTORS: list[tuple[Any, str]] = [
    ({}, "no vectors for 2 texts"),
    ({"data": [{"embedding": [1.0]}]}, "1 vectors for 2 texts"),
    ({"data": [{"embedding": [1.0]}, {"embedding": [1.0, 2.0]}]}, "a vector cannot be read: "),
    ({"data": [{"embedding": "AAAA"}, {"embedding": "AAAA"}]}, "a vector cannot be read: "),
    ({"data": [{"embedding": "no"}, {}]}, "a vector cannot be read: "),
    ({"data": ["one", "two"]}, "a vector cannot be read: "),
    ({"data": [{"embedding": None}, {"embedding": None}]}, "a vector cannot be read: "),
]


@pytest.mark.parametrize(("body", "problem"), NO_VECTORS)
def test_what_is_no_vectors(body: Any, problem: str) -> None:
    with pytest.raises(InvalidReply) as wrong:
        read_vectors(body, 2)
    assert str(wrong.value).startswith(problem)


def test_halves_of_letters_are_replaced(tmp_path: Path) -> None:
    """JSON can hold half a surrogate pair, in questions and in replies; no request and no file can."""
    from test_models_stopping import answering

    from benchwright.benchmarks.models.prompts import load_prompt

    body = rb'{"choices": [{"message": {"role": "assistant", "content": "31 \ud83d m"}}]}'
    with answering(200, body) as server, new_client(server.url, tmp_path / "c.sqlite") as client:
        asked = load_prompt("answer_closed_book").fill(question="How \ud83d tall?")
        assert asked.messages[-1]["content"] == "How ? tall?"
        reply = asyncio.run(client.chat(ROLE, asked, step=STEP))
        assert reply.text == "31 ? m"


def test_an_estimate_goes_through_all_items(tmp_path: Path) -> None:
    with new_client(FREE, tmp_path / "c.sqlite", estimate=True, rates=(1.0, 1.0)) as client:
        seen = []
        with pytest.raises(Estimated):
            for number, result in client.each(range(200), asker(client)):
                assert isinstance(result, ReplyError) and result.reason == "estimated"
                seen.append(number)
        assert seen == list(range(200)) and client.expected_ledger.calls == 200


def test_plain_code_inside_an_event_loop(tmp_path: Path) -> None:
    """As in a notebook: `each` is called where a loop is running, and `chat` is awaited in that same loop."""

    async def notebook() -> tuple[list[str], str]:
        with OpenAIServer(["31"]) as server, new_client(server.url, tmp_path / "c.sqlite") as client:

            async def ask(number: int) -> Reply[str]:
                return await client.chat(ROLE, messages(f"question {number}"), step=STEP)

            many = [reply.text for _, reply in client.each(range(20), ask) if isinstance(reply, Reply)]
            return many, (await ask(3)).text

    assert asyncio.run(notebook()) == (["31"] * 20, "31")
