"""The file of kept replies: several processes at once, kill and Ctrl-C, damage, and a full disk."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from command_server import Started
from lighthouses import make_release
from model_clients import ask, new_client
from support import ROOT, Run, Start

from benchwright.benchmarks.errors import BenchwrightError, StopError
from benchwright.benchmarks.remote import response_store
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer

Begin = Callable[..., Started]


@pytest.fixture
def begin(start: Start) -> Begin:
    """Starts a process that asks questions; see `model_process`."""

    def call(
        server: OpenAIServer, cache: Path, first: int, last: int, *, at_once: int = 16, limits: Mapping[str, int] = {}
    ) -> Started:
        arguments = (server.url, cache, first, last, at_once)
        return start("-m", "model_process", *arguments, env={"PYTHONPATH": str(ROOT / "tests")}, limits=limits)

    return call


def end(process: Started) -> tuple[int, list[int], str]:
    """Exit code, the numbers of the questions whose replies have come, and what was said."""
    out, said = process.communicate(timeout=60)
    return process.wait(), [int(line) for line in out.split()], said


def asked(server: OpenAIServer) -> Counter[int]:
    """How often each question was sent."""
    return Counter(int(request.body["messages"][0]["content"].split()[1]) for request in server.requests)


def kept(cache: Path) -> int:
    connection = sqlite3.connect(cache)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return connection.execute("SELECT count(*) FROM replies").fetchone()[0]
    finally:
        connection.close()


def read_numbers(process: Started, count: int) -> list[int]:
    """The first numbers, once there are so many."""
    while len(lines := process.output()[0].split("\n")) <= count:
        assert process.poll() is None, process.output()
        time.sleep(0.005)
    return [int(line) for line in lines[:count]]


def nothing_comes(server: OpenAIServer) -> None:
    """Waits until a server has read all that a process had sent before it ended."""
    while server.connections:
        time.sleep(0.005)


def test_killed_and_started_again(begin: Begin, tmp_path: Path) -> None:
    """No reply that the first process had got is paid for twice."""
    cache = tmp_path / "replies.sqlite"
    with OpenAIServer(["31"], latency=0.05) as server:
        server.fault_for = lambda _: Fault("slow", seconds=3600) if server.calls > 100 else None
        process = begin(server, cache, 0, 200)
        received = set(read_numbers(process, 50))
        process.send_signal(signal.SIGKILL)
        code, more, _ = end(process)
        assert code == -signal.SIGKILL
        received |= set(more)
        nothing_comes(server)
        server.release()
        first = asked(server)
        assert 50 <= len(received) <= 100 and max(first.values()) == 1
        code, numbers, said = end(begin(server, cache, 0, 200))
        assert (code, sorted(numbers)) == (0, list(range(200)))
        sent = asked(server)
        assert not [number for number in received if sent[number] != 1]
        again = [number for number in sent if sent[number] == 2]
        assert set(again) <= set(first) - received and len(again) <= 32, "those in flight, and those not yet kept"
        assert sum(sent.values()) == 200 + len(again) and kept(cache) == 200
        assert said.startswith(f"{sum(sent.values()) - sum(first.values()):,} calls, ")


def test_ctrl_c_waits_for_what_is_in_flight(begin: Begin, tmp_path: Path) -> None:
    cache = tmp_path / "replies.sqlite"
    with OpenAIServer(["31"], latency=0.3) as server:
        process = begin(server, cache, 0, 2000)
        read_numbers(process, 20)
        process.send_signal(signal.SIGINT)
        code, _, said = end(process)
        assert (code, said) == (1, "error: KeyboardInterrupt\n")
        sent = asked(server)
        assert 20 <= len(sent) < 2000 and server.in_flight == 0
        assert kept(cache) == len(sent) == server.calls, "everything that was sent is kept, and nothing more is sent"
        server.release()
        code, numbers, _ = end(begin(server, cache, 0, len(sent) + 40))
        assert (code, sorted(numbers)) == (0, list(range(len(sent) + 40)))
        assert max(asked(server).values()) == 1


NOBODY = "no-such-host.invalid"
STOPPABLE = ("score-system", "lights", "openai:m", "--cache", "replies.sqlite", "--at-once", "5", "--base-url")


def in_flight(server: OpenAIServer, process: Started, count: int) -> None:
    """Waits until so many requests are on their way."""
    while server.in_flight < count and process.poll() is None:
        time.sleep(0.005)


def waits_for_replies(process: Started) -> None:
    """Waits until a command has said that it stops."""
    while "waiting" not in process.output()[1] and process.poll() is None:
        time.sleep(0.005)


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_command_waits_as_long_as_its_time_limit(
    sent: signal.Signals, code: int, start: Start, tmp_path: Path
) -> None:
    make_release(tmp_path / "releases")
    with OpenAIServer(["31 metres"]) as server:
        server.fault_for = lambda _: Fault("slow", seconds=3600) if server.calls > 1 else None
        process = start(*STOPPABLE, server.url, "--timeout", 77)
        in_flight(server, process, 5)
        process.send_signal(sent)
        waits_for_replies(process)
        server.release()
        out, said = process.communicate(timeout=60)
        assert (process.returncode, out) == (code, ""), said
        assert said == (
            "stopping: 5 replies are on their way, waiting at most 77 s; Ctrl-C again leaves them\n"
            "error: stopped after 6 calls; the same command goes on from there\n"
        )
        assert (server.calls, kept(tmp_path / "replies.sqlite")) == (6, 6)


def test_ctrl_c_again_leaves_at_once(start: Start, tmp_path: Path) -> None:
    """Two replies have arrived and are kept; the endpoint would take an hour for the others."""
    make_release(tmp_path / "releases")
    with OpenAIServer(["31 metres"]) as server:
        server.fault_for = lambda _: Fault("slow", seconds=3600) if server.calls > 2 else None
        process = start(*STOPPABLE, server.url, "--timeout", 3600)
        in_flight(server, process, 5)
        process.send_signal(signal.SIGINT)
        waits_for_replies(process)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert (process.returncode, said.splitlines()[1:]) == (
            130,
            [
                "error: stopped after 7 calls, 5 of them left on their way, which may be billed; the same command "
                "goes on from there"
            ],
        ), said
        assert (server.calls, kept(tmp_path / "replies.sqlite")) == (7, 2)


def test_a_run_without_an_answer_goes_on_at_another_address(run: Run, tmp_path: Path) -> None:
    """A wrong address, a wrong key, then the right one; once there are answers, another address is another run."""
    make_release(tmp_path / "releases")
    command = ("score-system", "lights", "openai:m", "--cache", "replies.sqlite", "-q", "--base-url")
    with OpenAIServer(["31 metres"]) as server, OpenAIServer(key="right") as locked, OpenAIServer() as other:
        nowhere = f"http://{NOBODY}/v1"
        assert run(*command, nowhere).stderr.startswith(
            f"error: {nowhere} cannot be reached: the name {NOBODY} is not found"
        )
        assert "does not accept the key" in run(*command, locked.url).stderr
        right = run(*command, server.url)
        assert (right.returncode, right.stdout, right.stderr) == (0, "runs/lights/1.0.0/openai-m\n", "")
        assert server.calls == 10
        another = run(*command, other.url)
        assert (another.returncode, other.calls) == (1, 0)
        assert "is another run: its settings were base_url=" in another.stderr


def test_ctrl_c_of_a_build(start: Start, tmp_path: Path) -> None:
    """What was on its way is kept: the next start asks for the rest alone."""
    command = ["build-benchmark", "aurp", "--set", "size=10", "--set", "documents=model", "--cache", "replies.sqlite"]
    with OpenAIServer(["no document"], latency=3600) as server:
        process = start(*command, "--model", "writer=m", "--at-once", "4", "--base-url", server.url)
        in_flight(server, process, 1)
        process.send_signal(signal.SIGINT)
        waits_for_replies(process)
        server.release()
        _, said = process.communicate(timeout=60)
        assert process.returncode == 130 and said.startswith("stopping: "), said
        assert server.calls == kept(tmp_path / "replies.sqlite") > 0


def test_four_processes_share_a_file(begin: Begin, tmp_path: Path) -> None:
    """200 questions each, half of them those of the next process; the file does not exist before."""
    cache = tmp_path / "replies.sqlite"
    with OpenAIServer(["31"]) as server:
        processes = [begin(server, cache, first, first + 200) for first in (0, 100, 200, 300)]
        for first, process in zip((0, 100, 200, 300), processes, strict=True):
            code, numbers, said = end(process)
            assert (code, sorted(numbers)) == (0, list(range(first, first + 200))), said
        assert kept(cache) == server.calls == 500
    assert claims(cache) == (0, 0)


def claims(cache: Path) -> tuple[int, int]:
    """How many claims there are, and of how many owners."""
    connection = sqlite3.connect(cache)
    try:
        return connection.execute("SELECT (SELECT count(*) FROM claims), (SELECT count(*) FROM owners)").fetchone()
    finally:
        connection.close()


def test_two_processes_with_the_same_questions_share_them(begin: Begin, tmp_path: Path) -> None:
    """Both ask: each has half as many in flight as the endpoint sees."""
    cache = tmp_path / "replies.sqlite"
    with OpenAIServer(["31"], latency=3600) as server:
        processes = [begin(server, cache, 0, 200) for _ in range(2)]
        in_flight(server, processes[0], 17)
        server.release()
        for process in processes:
            code, numbers, said = end(process)
            assert (code, sorted(numbers)) == (0, list(range(200))), said
        assert kept(cache) == server.calls == 200
        assert server.most_at_once > 16


def test_what_a_killed_process_had_claimed_is_free_at_once(begin: Begin, tmp_path: Path) -> None:
    """The endpoint would take an hour for what the first process was killed over; the second waits for it until then."""
    cache = tmp_path / "replies.sqlite"
    with OpenAIServer(["31"]) as server:
        server.fault_for = lambda _: Fault("slow", seconds=3600) if server.calls <= 16 else None
        first = begin(server, cache, 0, 16)
        in_flight(server, first, 16)
        second = begin(server, cache, 0, 40)
        while (kept(cache) < 24 or claims(cache) != (16, 2)) and second.poll() is None:
            time.sleep(0.01)
        assert server.calls == 40
        first.send_signal(signal.SIGKILL)
        code, numbers, said = end(second)
        assert (code, sorted(numbers), kept(cache)) == (0, list(range(40)), 40), said
        assert server.calls == 56


def test_claims_of_a_process_that_hangs_end(begin: Begin, tmp_path: Path) -> None:
    """Nothing is known of a process elsewhere but until when it said that it lives."""
    cache = tmp_path / "replies.sqlite"
    with OpenAIServer(["31"]) as server:
        server.fault_for = lambda _: Fault("slow", seconds=3600) if server.calls <= 1 else None
        first = begin(server, cache, 0, 1)
        in_flight(server, first, 1)
        first.send_signal(signal.SIGSTOP)
        connection = sqlite3.connect(cache, isolation_level=None)
        connection.execute("UPDATE owners SET place = 'another machine', until = ?", (time.time() + 0.5,))
        code, numbers, said = end(begin(server, cache, 0, 1))
        assert (code, numbers, server.calls) == (0, [0], 2), said
        connection.close()
        first.send_signal(signal.SIGKILL)


def test_many_open_a_new_file_at_the_same_moment(tmp_path: Path) -> None:
    code = """
import sys, time
from pathlib import Path
from benchwright.benchmarks.models.kept.cache import ResponseCache
for folder in sys.argv[2:]:
    while time.time() < float(sys.argv[1]):
        pass
    ResponseCache(Path(folder) / "replies.sqlite").close()
"""
    folders = [str(tmp_path / str(number)) for number in range(40)]
    command = [sys.executable, "-c", code, str(time.time() + 1.5), *folders]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(6)]
    assert [process.communicate(timeout=60)[1] for process in processes] == [""] * 6


def filled(begin: Begin, cache: Path, count: int = 300) -> None:
    """Makes a file with replies, and leaves nothing in its log."""
    with OpenAIServer(["31" * 200]) as server:
        assert end(begin(server, cache, 0, count))[0] == 0
    connection = sqlite3.connect(cache)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def error_of(cache: Path, questions: int = 1) -> str:
    """What is said when a damaged file is used."""
    with pytest.raises(BenchwrightError) as stopped, OpenAIServer(["31"]) as server, new_client(server.url, cache) as client:  # fmt: skip
        for number in range(questions):
            ask(client, f"question {number}")
    assert "\n" not in str(stopped.value)
    return str(stopped.value)


def test_a_file_of_something_else(tmp_path: Path) -> None:
    cache = tmp_path / "replies.sqlite"
    cache.write_bytes(bytes(range(256)) * 64)
    assert error_of(cache) == (
        f"the kept replies {cache} are damaged or no such file (file is not a database): move the file away, or choose "
        "another file with --cache"
    )
    assert cache.read_bytes() == bytes(range(256)) * 64, "a file that is not ours stays as it is"


def test_a_database_of_something_else(tmp_path: Path) -> None:
    cache = tmp_path / "replies.sqlite"
    connection = sqlite3.connect(cache)
    connection.execute("CREATE TABLE replies (number INTEGER)")
    connection.close()
    assert error_of(cache) == (
        f"the kept replies {cache} are damaged or no such file (no such column: key): move the file away, or choose "
        "another file with --cache"
    )


def test_a_truncated_file(begin: Begin, tmp_path: Path) -> None:
    cache = tmp_path / "replies.sqlite"
    filled(begin, cache)
    whole = cache.read_bytes()
    for size in (100, 5000, len(whole) // 2):
        cache.write_bytes(whole[:size])
        said = error_of(cache, 300)
        assert said.startswith(f"the kept replies {cache} are damaged or no such file (")
        assert said.endswith("): move the file away, or choose another file with --cache")


def test_random_bytes_in_the_middle(begin: Begin, tmp_path: Path) -> None:
    cache = tmp_path / "replies.sqlite"
    filled(begin, cache)
    damaged = bytearray(cache.read_bytes())
    damaged[8192:] = b"\xa5" * (len(damaged) - 8192)
    cache.write_bytes(damaged)
    assert error_of(cache, 300).startswith(f"the kept replies {cache} are damaged or no such file (")


def test_an_empty_file_is_a_new_one(tmp_path: Path) -> None:
    cache = tmp_path / "replies.sqlite"
    cache.touch()
    with OpenAIServer(["31"]) as server, new_client(server.url, cache) as client:
        assert ask(client).text == "31"


def test_where_no_file_can_be(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    assert error_of(tmp_path / "folder") == (
        f"replies cannot be kept in {tmp_path}/folder: it is not a file; choose another file with --cache"
    )
    assert error_of(tmp_path / "file" / "replies.sqlite") == (
        f"replies cannot be kept in {tmp_path}/file/replies.sqlite: File exists; choose another file with --cache"
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_where_one_may_not_write(begin: Begin, tmp_path: Path) -> None:
    cache = tmp_path / "replies.sqlite"
    filled(begin, cache, 1)
    cache.chmod(0o400)
    assert error_of(cache) == (
        f"replies cannot be kept in {cache}: attempt to write a readonly database; choose another file with --cache"
    )


def test_a_full_disk(begin: Begin, tmp_path: Path) -> None:
    """Files may not grow over 512 KiB: nothing leaves whose reply could not be kept; with more room it goes on."""
    cache = tmp_path / "replies.sqlite"
    with OpenAIServer(["31" * 2000], latency=0.02) as server:
        code, numbers, said = end(begin(server, cache, 0, 200, limits={"FSIZE": 512 * 1024}))
        assert code == 1 and said.startswith(f"error: the disk is nearly full under the kept replies {cache} ("), said
        assert said.endswith(" MB are free): free some space and start again\n")
        assert 0 < len(numbers) == kept(cache) == server.calls < 200
        code, again, said = end(begin(server, cache, 0, 200))
        assert (code, sorted(again)) == (0, list(range(200))), said
        assert kept(cache) == server.calls == 200


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_small_disk(begin: Begin, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    if subprocess.run(mounting, capture_output=True, check=False).returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        with OpenAIServer(["31" * 500], latency=0.02) as server:
            code, numbers, said = end(begin(server, disk / "c.sqlite", 0, 3000, at_once=32))
            assert (code, "the disk is nearly full under the kept replies" in said) == (1, True), said
            assert 0 < len(numbers) == kept(disk / "c.sqlite") == server.calls < 3000
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_from_the_start(begin: Begin, tmp_path: Path) -> None:
    cache = tmp_path / "replies.sqlite"
    with OpenAIServer(["31"]) as server:
        code, numbers, said = end(begin(server, cache, 0, 10, limits={"FSIZE": 0}))
        full = f"error: the disk is full under the kept replies {cache}: free some space and start again\n"
        assert (code, numbers, said, server.calls) == (1, [], full, 0)


def test_another_process_holds_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "replies.sqlite"
    monkeypatch.setattr(response_store, "_WAIT", 0.1)
    with OpenAIServer(["31"]) as server, new_client(server.url, cache) as client:
        other = sqlite3.connect(cache, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StopError) as stopped:
            ask(client)
        other.close()
        assert str(stopped.value) == (
            f"another process holds the kept replies {cache}: wait for it, or choose another file with --cache"
        )
        assert server.calls == 0, "what could not be kept is not asked for"


def test_a_body_is_kept_as_it_came(tmp_path: Path) -> None:
    """Letters of all kinds, and marks that JSON writes in another way."""
    said = '31 m — 高さ \U0001f6a8 \\ " \n\t\x7f'
    cache = tmp_path / "replies.sqlite"
    with OpenAIServer([said]) as server:
        for is_kept in (False, True):
            with new_client(server.url, cache) as client:
                reply = ask(client, "高さ \U0001f6a8?")
                assert (reply.text, reply.is_cached) == (said, is_kept)
    connection = sqlite3.connect(cache)
    assert json.loads(connection.execute("SELECT body FROM replies").fetchone()[0])["choices"]
    connection.close()
