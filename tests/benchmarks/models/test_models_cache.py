"""Kept replies: what is asked again and what is not, replay, and requests that are in flight together."""

import asyncio
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from model_clients import FREE, ROLE, STEP, ask, messages, new_client, tally

from benchwright.benchmarks.errors import StopError, UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.kept.cache import default_path
from benchwright.benchmarks.models.prompts import Messages
from benchwright.benchmarks.models.responses import ReplyError, Tokens
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer


def rows(cache: Path) -> int:
    connection = sqlite3.connect(cache)
    try:
        return connection.execute("SELECT count(*) FROM replies").fetchone()[0]
    finally:
        connection.close()


def counts(client: Client) -> tuple[int, int]:
    """Requests sent, and replies reused."""
    return tally(client).calls, tally(client).reused


def test_a_kept_reply_costs_nothing(tmp_path: Path) -> None:
    cache = tmp_path / "new" / "folder" / "replies.sqlite"
    with OpenAIServer(["31 metres"]) as server:
        with new_client(server.url, cache, rates=(1.0, 2.0)) as client:
            first = ask(client)
            assert (first.text, first.is_cached, first.tokens, first.cost) == (
                "31 metres",
                False,
                Tokens(2, 2, 0, 1),
                6e-6,
            )
            assert (counts(client), client.ledger.cost) == ((1, 0), 6e-6)
            again = ask(client)
            assert (again.text, again.is_cached, again.tokens, again.cost) == (
                "31 metres",
                True,
                Tokens(2, 2, 0, 1),
                6e-6,
            )
            assert (counts(client), client.ledger.cost) == ((1, 1), 6e-6)
        with new_client(server.url, cache, rates=(1.0, 2.0)) as client:
            assert ask(client) == again
            assert (counts(client), client.ledger.cost, tally(client).input_tokens) == ((0, 1), 0.0, 0)
            assert client.ledger.summary() == [
                "answers: 0 calls of m, 1 replies reused, 0 tokens in (0 cached), 0 out, $0.0000"
            ]
        assert server.calls == 1


def test_everything_that_a_reply_depends_on_counts(tmp_path: Path) -> None:
    cache = tmp_path / "replies.sqlite"
    other_prompt = Messages("question", "1" * 64, messages().messages, 30)
    other_estimate = Messages("another name", "0" * 64, messages().messages, 99)
    with OpenAIServer(["31"]) as server, OpenAIServer(["31"]) as elsewhere:
        with new_client(server.url, cache) as client:
            different: list[dict[str, Any]] = [
                {}, {"temperature": 0.0}, {"temperature": 1.0}, {"samples": 2}, {"repeat": 1}, {"seed": 1},
            ]  # fmt: skip
            for options in different:
                ask(client, **options)
                ask(client, **options)
            ask(client, "Another question?")
            asyncio.run(client.chat(ROLE, other_prompt, step=STEP))
            assert (server.calls, counts(client)) == (8, (8, 6))
            asyncio.run(client.chat(ROLE, other_estimate, step="another step"))
            assert server.calls == 8
        with new_client(server.url, cache, model="another") as client:
            ask(client)
        with new_client(elsewhere.url, cache) as client:
            ask(client)
        with new_client(server.url, cache, key="sk-another-key-0123456789") as client:
            ask(client)
            assert counts(client) == (0, 1)
        assert (server.calls, elsewhere.calls, rows(cache)) == (9, 1, 10)


def test_requests_in_flight_together_are_sent_once(tmp_path: Path) -> None:
    async def twenty(client: Client) -> list[Any]:
        return await asyncio.gather(*(client.chat(ROLE, messages(), step=STEP) for _ in range(20)))

    with OpenAIServer(["31"], latency=0.2) as server, new_client(server.url, tmp_path / "c.sqlite") as client:
        replies = asyncio.run(twenty(client))
        assert ({reply.text for reply in replies}, sum(reply.is_cached for reply in replies)) == ({"31"}, 19)
        assert (server.calls, counts(client)) == (1, (1, 19))


def test_a_failure_is_shared_by_those_who_wait_and_not_kept(tmp_path: Path) -> None:
    async def both(client: Client) -> list[Any]:
        return await asyncio.gather(
            *(client.chat(ROLE, messages(), step=STEP) for _ in range(2)), return_exceptions=True
        )

    fault = Fault(400, seconds=0.2)
    with OpenAIServer(["31"], faults=[fault]) as server, new_client(server.url, tmp_path / "c.sqlite") as client:
        assert [type(result) for result in asyncio.run(both(client))] == [ReplyError, ReplyError]
        assert server.calls == 1
        assert ask(client).text == "31"


def test_who_no_longer_waits_takes_nothing_from_the_others(tmp_path: Path) -> None:
    """A question that is given up has been sent all the same: its reply is kept, and others get it."""

    async def one_gives_up(client: Client) -> str:
        first = asyncio.create_task(client.chat(ROLE, messages(), step=STEP))
        while not server.calls:
            await asyncio.sleep(0.01)
        second = asyncio.create_task(client.chat(ROLE, messages(), step=STEP))
        await asyncio.sleep(0.1)
        first.cancel()
        server.release()
        return (await second).text

    cache = tmp_path / "c.sqlite"
    with OpenAIServer(["31"], latency=3600) as server:
        with new_client(server.url, cache) as client:
            assert asyncio.run(one_gives_up(client)) == "31"
        with new_client(server.url, cache) as client:

            async def all_give_up() -> None:
                task = asyncio.create_task(client.chat(ROLE, messages("another"), step=STEP))
                while server.calls < 2:
                    await asyncio.sleep(0.01)
                task.cancel()

            asyncio.run(all_give_up())
        assert (server.calls, rows(cache)) == (2, 2)


def test_closing_waits_for_what_is_in_flight_and_keeps_it(tmp_path: Path) -> None:
    cache = tmp_path / "c.sqlite"
    with OpenAIServer(["31"], latency=3600) as server:
        client = new_client(server.url, cache, at_once=4, timeout=3600.0)
        result: list[Any] = []

        async def eight() -> None:
            asked = (client.chat(ROLE, messages(f"{number}"), step=STEP) for number in range(8))
            result.extend(await asyncio.gather(*asked, return_exceptions=True))

        thread = threading.Thread(target=asyncio.run, args=(eight(),))
        thread.start()
        while server.in_flight < 4:
            time.sleep(0.005)
        client.close(lambda _count, _seconds: server.release())
        thread.join()
    assert (server.calls, rows(cache)) == (4, 4)
    assert sum(isinstance(one, StopError) for one in result) == 4


def test_closing_waits_for_the_file(tmp_path: Path) -> None:
    """Another process writes just when the last reply has come."""
    cache = tmp_path / "c.sqlite"
    with OpenAIServer(["31"], latency=0.5) as server:
        client = new_client(server.url, cache)
        other = sqlite3.connect(cache, isolation_level=None, check_same_thread=False)
        threads = [threading.Thread(target=ask, args=(client, f"question {number}")) for number in range(4)]
        for thread in threads:
            thread.start()
        while server.calls < 4:
            time.sleep(0.005)
        other.execute("BEGIN IMMEDIATE")
        while server.in_flight:
            time.sleep(0.005)
        threading.Timer(0.5, other.execute, ["ROLLBACK"]).start()
        client.close()
        for thread in threads:
            thread.join()
        other.close()
    assert rows(cache) == 4


def test_fresh_asks_anew_and_keeps(tmp_path: Path) -> None:
    cache = tmp_path / "replies.sqlite"
    with OpenAIServer(["first", "second"]) as server:
        with new_client(server.url, cache) as client:
            assert ask(client).text == "first"
        with new_client(server.url, cache, fresh=True) as client:
            reply = ask(client)
            assert (reply.text, reply.is_cached, counts(client)) == ("second", False, (1, 0))
        with new_client(server.url, cache) as client:
            reply = ask(client)
            assert (reply.text, reply.tokens.calls) == ("second", 1), "the first one was no failed try"
        assert (server.calls, rows(cache)) == (2, 2), "both were paid for"


def test_replay_needs_neither_key_nor_endpoint(tmp_path: Path) -> None:
    cache = tmp_path / "replies.sqlite"
    with OpenAIServer([{"content": None, "refusal": "I will not."}, "31"], key="sk-right") as server:
        with new_client(server.url, cache, key="sk-right") as client:
            with pytest.raises(ReplyError, match=r"^refusal: I will not\.$"):
                ask(client, "Harm?")
            assert ask(client).text == "31"
        url = server.url
    with new_client(url, cache, key=None, replay=True) as client:
        reply = ask(client)
        assert (reply.text, reply.is_cached) == ("31", True)
        with pytest.raises(ReplyError, match=r"^refusal: I will not\.$"):
            ask(client, "Harm?")
        with pytest.raises(StopError) as stopped:
            ask(client, "How wide?")
        assert str(stopped.value) == (
            f"--replay: a reply of m is not among those kept in {cache}; run it with the model once, or check that the "
            "settings are the same"
        )
        assert (counts(client), tally(client).refused) == ((0, 1), 0)


def test_replay_of_replies_that_took_several_requests(tmp_path: Path) -> None:
    from test_models_faults import Height

    cache = tmp_path / "replies.sqlite"
    with OpenAIServer(["tall", {"metres": 31}]) as server:
        with new_client(server.url, cache) as client:
            first = ask(client, reply=Height)
        url = server.url
    with new_client(url, cache, replay=True) as client:
        again = ask(client, reply=Height)
        assert (again.value, again.tokens, again.is_cached) == (Height(31), first.tokens, True)
        assert (counts(client), tally(client).invalid) == ((0, 1), 0)


def test_the_users_own_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert default_path() == tmp_path / "caches" / "benchwright" / "replies.sqlite"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert default_path() == tmp_path / "home" / ".cache" / "benchwright" / "replies.sqlite"


def test_prompt_and_model_stand_beside_each_reply(tmp_path: Path) -> None:
    cache = tmp_path / "replies.sqlite"
    with OpenAIServer(["31"]) as server, new_client(server.url, cache, model="gpt-4o-mini") as client:
        ask(client)
    connection = sqlite3.connect(cache)
    (key, model, prompt, body), = connection.execute("SELECT key, model, prompt, body FROM replies")  # fmt: skip
    connection.close()
    assert (len(key), model, prompt) == (32, "gpt-4o-mini", "0" * 64)
    assert body.startswith('{"id": "chatcmpl-1"')


def test_a_client_for_nothing_sends_nothing(tmp_path: Path) -> None:
    with new_client(FREE, tmp_path / "c.sqlite") as client:
        assert client.ledger.summary() == ["no model was asked"]
        assert client.ledger.short == "0 calls, $0.0000"
    client.close()  # a second time, which does nothing
    with pytest.raises(UsageError):
        new_client(FREE, tmp_path / "c.sqlite", max_cost=1.0)
