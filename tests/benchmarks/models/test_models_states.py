"""Paid and usable are two states: what cannot be used stays in the account, and the next start asks for it anew."""

import asyncio
import contextlib
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from model_clients import ROLE, STEP, ask, messages, new_client, tally
from support import ROOT, Start, in_full

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import Reply, ReplyError
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer


@dataclass(frozen=True)
class Height:
    """A structured reply."""

    metres: int


def states(client: Client) -> dict[str, int]:
    """What became of the calls, without zeros."""
    (row,) = client.ledger.rows()
    names = ("calls", "usable", "refused", "invalid", "cut", "failed", "lost", "timed_out", "unjudged")
    return {name: int(str(row[name])) for name in names if row[name]}


CASES: list[tuple[str, bool, int, dict[str, int]]] = [
    ("refusal", False, 1, {"refused": 1}),
    ("refusal", True, 1, {"refused": 1}),
    ("content_filter", False, 1, {"refused": 1}),
    ("empty_choices", False, 3, {"invalid": 3}),
    ("wrong_schema", True, 3, {"invalid": 3}),
    ("length", True, 3, {"cut": 3}),
]


@pytest.mark.parametrize(("kind", "is_structured", "tries", "state"), CASES)
def test_an_unusable_reply_is_asked_for_anew_by_the_next_start(
    kind: str, is_structured: bool, tries: int, state: dict[str, int], tmp_path: Path
) -> None:
    cache = tmp_path / "c.sqlite"
    options: dict[str, Any] = {"reply": Height} if is_structured else {}
    with OpenAIServer([{"metres": 31}], faults=[Fault(kind)] * tries) as server:
        with new_client(server.url, cache, rates=(1.0, 1.0)) as client:
            with pytest.raises(ReplyError) as failed:
                ask(client, **options)
            with pytest.raises(ReplyError, match=re.escape(str(failed.value))):  # of one start the end is the same
                ask(client, **options)
            assert states(client) == {"calls": tries, **state}
            paid = client.ledger.cost
            assert failed.value.cost == pytest.approx(paid) and failed.value.tokens.calls == tries
        with (
            new_client(server.url, cache, rates=(1.0, 1.0), replay=True) as client,
            pytest.raises(ReplyError) as again,
        ):
            ask(client, **options)
        assert (str(again.value), again.value.cost) == (str(failed.value), failed.value.cost)
        with new_client(server.url, cache, rates=(1.0, 1.0)) as client:
            reply = ask(client, **options)
            assert (states(client), reply.is_cached) == ({"calls": 1, "usable": 1}, False)
            paid += client.ledger.cost
            assert (reply.cost, reply.tokens.calls) == (pytest.approx(paid), tries + 1)
        with new_client(server.url, cache, rates=(1.0, 1.0)) as client:
            kept = ask(client, **options)
            assert (kept.cost, kept.tokens, kept.value) == (reply.cost, reply.tokens, reply.value)
            assert (kept.is_cached, states(client)) == (True, {})
        assert server.calls == tries + 1


def test_only_what_failed_is_asked_again_and_that_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Of 24 replies 6 are useless and 2 get none: the second start makes 8 calls, and all that was paid adds up."""
    cache, texts = tmp_path / "c.sqlite", [f"question {number}" for number in range(24)]
    paid, replies, is_bad = 0.0, list[Reply[Any]](), True

    def fault(received: Any) -> Fault | None:
        number = int(received.body["messages"][0]["content"].split()[1])
        return (Fault("refusal") if number < 6 else Fault(400) if number < 8 else None) if is_bad else None

    def start() -> tuple[int, list[Reply[Any] | ReplyError]]:
        nonlocal paid
        with new_client(server.url, cache, rates=(1.0, 1.0), command="score it") as client:
            asked = client.each(texts, lambda text: client.chat(ROLE, messages(text), step=STEP))
            found = [result for _, result in asked]
            client.forget_left_over()
            paid += client.ledger.cost
            return tally(client).calls, found

    with OpenAIServer(["31"]) as server:
        server.fault_for = fault
        calls, found = start()
        assert (calls, sum(isinstance(each, ReplyError) for each in found)) == (24, 8)
        assert not caplog.messages
        calls, found = start()
        assert (calls, caplog.messages[-1]) == (
            8,
            "6 unusable replies and 2 requests without a reply are asked again",
        )
        is_bad = False
        calls, found = start()
        assert (calls, len(caplog.messages), server.calls) == (8, 2, 40)
        replies = [each for each in found if isinstance(each, Reply)]
        assert sum(each.cost or 0 for each in replies) == pytest.approx(paid) and len(replies) == 24
        caplog.clear()
        assert (start()[0], caplog.messages, server.calls) == (0, [], 40)


def test_what_a_killed_process_has_no_reply_to_is_known(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is noted while the process runs, and not only when it ends."""
    script = (
        "import sys; from pathlib import Path; from model_clients import ask, new_client\n"
        "client = new_client(sys.argv[1], Path(sys.argv[2]), command='score it')\n"
        "for text in 'one', 'two', 'three':\n"
        "    try: ask(client, text)\n"
        "    except Exception: pass\n"
        "sys.stdin.read()\n"
    )
    cache, said = tmp_path / "c.sqlite", "3 unusable replies are asked again"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with OpenAIServer() as server:
        server.fault_for = lambda _: Fault("refusal")
        command = [sys.executable, "-c", script, server.url, str(cache)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, env=environment) as process:
            until = time.monotonic() + 60
            while said not in caplog.messages and time.monotonic() < until:
                if server.calls == 3:
                    new_client(server.url, cache, command="score it").close()
                time.sleep(0.02)
            process.kill()
        caplog.clear()
        new_client(server.url, cache, command="score it").close()
    assert caplog.messages == [said]


def test_a_kept_reply_has_the_latency_of_its_first_time(tmp_path: Path) -> None:
    cache = tmp_path / "c.sqlite"
    with OpenAIServer(["31"], latency=0.2) as server:
        with new_client(server.url, cache) as client:
            first = ask(client).latency
        with new_client(server.url, cache) as client:
            assert ask(client).latency == first
    assert first is not None and first >= 0.2


def test_a_cut_reply_is_asked_for_with_more_room_and_a_text_is_marked(tmp_path: Path) -> None:
    with OpenAIServer([{"metres": 31}], faults=[Fault("length")] * 3) as server:
        with new_client(server.url, tmp_path / "c.sqlite") as client:
            assert ask(client, "Text?").is_cut
            reply = ask(client, reply=Height, max_tokens=10)
        assert reply.value == Height(31) and not reply.is_cut
        assert [request.body.get("max_tokens") for request in server.requests] == [None, 10, 20, 40]


def downgrade(cache: Path) -> None:
    """Makes a file as the first version of the program wrote it."""
    connection = sqlite3.connect(cache)
    connection.executescript("DROP TABLE tries; DROP TABLE left_over;")
    connection.close()


def test_a_file_of_the_first_version(tmp_path: Path) -> None:
    """A second try that was usable is found; three that were not are the end of an earlier start."""
    cache = tmp_path / "c.sqlite"
    bad = {"unexpected": 1}
    with OpenAIServer([bad, {"metres": 31}, bad, bad, bad, {"metres": 7}]) as server:
        with new_client(server.url, cache) as client:
            paid = ask(client, reply=Height)
            assert (paid.value, paid.tokens.calls) == (Height(31), 2)
            with pytest.raises(ReplyError):
                ask(client, "How wide?", reply=Height)
        downgrade(cache)
        with new_client(server.url, cache, replay=True) as client:
            assert ask(client, reply=Height).tokens == paid.tokens
            with pytest.raises(ReplyError, match=r"Field required, 3 times$"):
                ask(client, "How wide?", reply=Height)
        assert server.calls == 5
        with new_client(server.url, cache) as client:
            assert (ask(client, reply=Height).latency, server.calls) == (None, 5)
            reply = ask(client, "How wide?", reply=Height)
            assert (reply.value, reply.tokens.calls, tally(client).calls) == (Height(7), 4, 1)


def test_what_this_version_pays_for_the_first_one_finds(tmp_path: Path) -> None:
    """It reads its table by its keys: of a first try the item's, of a second one that of its conversation."""
    cache = tmp_path / "c.sqlite"
    with OpenAIServer([{"unexpected": 1}, {"metres": 31}]) as server, new_client(server.url, cache) as client:
        ask(client, reply=Height)
        connection = sqlite3.connect(cache)
        pairs = connection.execute(
            "SELECT number, reply = item, body LIKE '%metres%' FROM tries JOIN replies ON key = reply"
        )
        assert sorted(pairs.fetchall()) == [(0, 1, 0), (1, 0, 1)]
        connection.close()


def test_a_reply_that_nobody_judged_is_judged_when_it_is_read(tmp_path: Path) -> None:
    """Who asked is gone when the reply arrives: it is kept, and the next start goes on after it."""
    cache = tmp_path / "c.sqlite"

    async def leave(client: Client, server: OpenAIServer) -> None:
        task = asyncio.create_task(client.chat(ROLE, messages(), step=STEP, reply=Height))
        while not server.in_flight:
            await asyncio.sleep(0.005)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        server.release()

    with OpenAIServer([{"unexpected": 1}, {"metres": 31}], latency=3600) as server:
        with new_client(server.url, cache) as client:
            asyncio.run(leave(client, server))
        assert (server.calls, states(client)) == (1, {"calls": 1, "unjudged": 1})
        with new_client(server.url, cache) as client:
            reply = ask(client, reply=Height)
            assert (reply.value, reply.tokens.calls, states(client)) == (Height(31), 2, {"calls": 1, "usable": 1})
        said = server.requests[1].body["messages"][-1]["content"]
        assert said.startswith("Your last reply cannot be used: metres: Field required.")


@pytest.mark.parametrize("kills", [[9, 23], *in_full([9, 9, 9, 9, 9, 9, 9, 9, 9, 9])])
def test_kills_with_eight_in_flight(kills: list[int], start: Start, tmp_path: Path) -> None:
    """The first reply to each question is empty: what was committed, usable or not, is not asked for again."""
    cache, met, received = tmp_path / "c.sqlite", Counter[int](), set[int]()

    def number_of(request: Any) -> int:
        return int(request.body["messages"][0]["content"].split()[1])

    held = 0
    """The number of the call from which on replies are held back: the process is killed while it waits for them."""

    def fault(request: Any) -> Fault | None:
        met[number_of(request)] += 1
        if held and server.calls >= held:
            return Fault("slow", seconds=3600)
        return Fault("empty_choices") if met[number_of(request)] == 1 else None

    def committed() -> Any:
        connection = sqlite3.connect(cache)
        try:
            return connection.execute("SELECT count(*) FROM tries").fetchone()[0]
        finally:
            connection.close()

    def run(*, kill_after: int | None) -> int:
        """The exit code."""
        nonlocal held
        sent = server.calls
        held = 0 if kill_after is None else sent + kill_after
        python = {"PYTHONPATH": str(ROOT / "tests")}
        process = start("-m", "model_process", server.url, cache, 0, 60, 8, env=python)
        while kill_after is not None and server.calls < sent + kill_after and process.poll() is None:
            time.sleep(0.002)
        if kill_after is not None:
            process.send_signal(signal.SIGKILL)
        out, _ = process.communicate(timeout=60)
        while server.connections:
            time.sleep(0.002)
        assert not received & {number_of(request) for request in server.requests[sent:]}
        received.update(map(int, out.split()))
        assert process.returncode is not None
        return process.returncode

    with OpenAIServer(["31"], latency=0.01) as server:
        server.fault_for = fault
        assert {run(kill_after=after) for after in kills} == {-signal.SIGKILL}
        assert run(kill_after=None) == 0 and received == set(range(60))
        assert 0 <= server.calls - committed() <= 8 * len(kills), "lost are those in flight at a kill, and nothing else"
