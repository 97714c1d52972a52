"""Batches at an endpoint whose files, batches and lines are not what they should be: what is paid, and what is said."""

import asyncio
import json
import resource
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from model_clients import STEP, messages

from benchwright.benchmarks.errors import BenchwrightError, StopError
from benchwright.benchmarks.models.batches import asking as batches
from benchwright.benchmarks.models.batches import notes as batch_notes
from benchwright.benchmarks.models.batches import work as batch_work
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.endpoint import bounded, transport
from benchwright.benchmarks.models.endpoint.bounded import lines_of
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.scripts.servers.openai.answers import Answer
from benchwright.scripts.servers.openai.server import OpenAIServer

Change = Callable[[str, str, bytes], bytes]
"""Method, path and body of an answer → the body that is sent."""
COUNT = 6


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0.005)
    monkeypatch.setattr(transport, "_LONGEST_PAUSE", 0.01)
    monkeypatch.setattr(batch_work, "_FIRST_PAUSE", 0.02)
    monkeypatch.setattr(batch_work, "_LONGEST_PAUSE", 0.02)
    monkeypatch.setattr(batches, "_QUIET", 0.02)


def reply(body: Mapping[str, Any]) -> str:
    return str(body["messages"][-1]["content"]).upper()


@contextmanager
def changing(change: Change) -> Iterator[OpenAIServer]:
    """A server of which what it says of files and batches is changed on the way."""
    server = OpenAIServer(reply)
    plain = server.answer

    def answer(method: str, path: str, headers: Mapping[str, str], raw: bytes) -> Answer:
        made = plain(method, path, headers, raw)
        is_batch = "/files" in path or "/batches" in path
        return replace(made, body=change(method, path, made.body)) if is_batch else made

    server.answer = answer
    with server:
        yield server


def ask_all(server: OpenAIServer, cache: Path) -> list[Any]:
    endpoint = Endpoint("m", server.url, "sk-test-0123456789", (1.0, 1.0))
    settings = ModelSettings({"judge": endpoint}, cache=cache, batch=True, timeout=5.0)
    with Client(settings) as client:

        async def ask(number: int) -> str:
            return (await client.chat("judge", messages(f"question {number}"), step=STEP)).text

        return [str(result) for _, result in client.each(range(COUNT), ask)]


def made(server: OpenAIServer) -> int:
    """How many batches were made."""
    return sum(one.method == "POST" and one.path.endswith("/batches") for one in server.requests)


ANSWERS = [f"QUESTION {number}" for number in range(COUNT)]


def setting(of: str, **values: Any) -> Change:
    """Other values in what is said of files, or of batches."""

    def change(method: str, path: str, body: bytes) -> bytes:
        is_meant = of in path and not path.endswith("/content")
        return json.dumps({**json.loads(body), **values}).encode() if is_meant else body

    return change


def in_lines(change: Callable[[bytes], bytes]) -> Change:
    return lambda method, path, body: change(body) if path.endswith("/content") else body


def in_each(**values: Any) -> Change:
    """Other values in each line of an output."""

    def change(body: bytes) -> bytes:
        lines = [json.loads(line) for line in body.splitlines() if line.strip()]
        return b"".join(json.dumps({**line, **values}).encode() + b"\n" for line in lines)

    return in_lines(change)


IDS = [None, 5, "", "../../x", [1], {"a": 1}, "x" * 1000, "a b", "a?b"]


@pytest.mark.parametrize("value", IDS, ids=range(len(IDS)))
def test_a_file_without_an_id(value: Any, tmp_path: Path) -> None:
    with changing(setting("/files", id=value)) as server:
        with pytest.raises(StopError, match=r"/files failed: its answer cannot be read"):
            ask_all(server, tmp_path / "c.sqlite")
        assert made(server) == 0


@pytest.mark.parametrize("value", IDS, ids=range(len(IDS)))
def test_a_batch_without_an_id_is_not_made_twice(value: Any, tmp_path: Path) -> None:
    """It may be there and be paid for: the next start looks for it before it sends anything."""
    with changing(setting("/batches", id=value)) as server:
        with pytest.raises(StopError, match=r"/batches failed: its answer cannot be read"):
            ask_all(server, tmp_path / "c.sqlite")
        server.answer = OpenAIServer.answer.__get__(server)
        assert ask_all(server, tmp_path / "c.sqlite") == ANSWERS
        assert made(server) == 1


@pytest.mark.parametrize("body", [b"[]", b"null", b'"x"', b"nonsense", b""])
def test_what_is_said_of_files_is_no_object(body: bytes, tmp_path: Path) -> None:
    with changing(lambda method, path, sent: body) as server:
        with pytest.raises(BenchwrightError, match="/files failed: its answer cannot be read"):
            ask_all(server, tmp_path / "c.sqlite")
        assert made(server) == 0


@pytest.mark.parametrize("state", [None, 5, [], "haunted"])
def test_a_state_that_is_none(state: Any, tmp_path: Path) -> None:
    """It is not known whether the batch has ended, so that nothing is asked anew: the next start looks again."""
    with changing(setting("/batches", status=state)) as server:
        with pytest.raises(StopError, match="says of the batch batch_2 what is no state"):
            ask_all(server, tmp_path / "c.sqlite")
        server.answer = OpenAIServer.answer.__get__(server)
        assert ask_all(server, tmp_path / "c.sqlite") == ANSWERS
        assert made(server) == 1


@pytest.mark.parametrize("counts", ["x", [], None, {"total": "a", "completed": None, "failed": -5}])
def test_counts_that_are_none(counts: Any, tmp_path: Path) -> None:
    with changing(setting("/batches", request_counts=counts)) as server:
        assert ask_all(server, tmp_path / "c.sqlite") == ANSWERS


@pytest.mark.parametrize("value", [None, 5, "\ud800", "00" * 32])
def test_lines_of_other_requests_only(value: Any, tmp_path: Path) -> None:
    """Before, five batches were made and paid for, one after the other."""
    with changing(in_each(custom_id=value)) as server:
        with pytest.raises(StopError, match=r"answered none of its 6 requests: look at it there"):
            ask_all(server, tmp_path / "c.sqlite")
        assert made(server) == 1


BEFORE = {
    "bytes": b"\xff\xfe\n", "nested": b"[" * 100_000 + b"\n", "blank": b"\n\r\n \n", "nothing": b"\x00\n",
}  # fmt: skip


@pytest.mark.parametrize("before", BEFORE.values(), ids=BEFORE)
def test_lines_that_are_none_beside_those_that_are(before: bytes, tmp_path: Path) -> None:
    with changing(in_lines(lambda body: before + body)) as server:
        assert ask_all(server, tmp_path / "c.sqlite") == ANSWERS
        assert made(server) == 1


def test_a_reply_with_line_breaks_of_unicode(tmp_path: Path) -> None:
    """JSON may hold them as they are; a line that was cut there was asked for, and paid, once more."""
    said = "one\u2028two\u2029three\x85four"

    def change(body: bytes) -> bytes:
        return b"".join(
            json.dumps(_saying(json.loads(line), said), ensure_ascii=False).encode() + b"\n"
            for line in body.splitlines()
            if line.strip()
        )

    with changing(in_lines(change)) as server:
        assert ask_all(server, tmp_path / "c.sqlite") == [said] * COUNT
        assert made(server) == 1


def _saying(line: dict[str, Any], said: str) -> dict[str, Any]:
    line["response"]["body"]["choices"][0]["message"]["content"] = said
    return line


def test_half_a_surrogate_pair_and_tokens_that_cannot_be(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 10**400, "completion_tokens": -5}
    body = {"choices": [{"message": {"content": "a\ud800"}}], "usage": usage}
    with changing(in_each(response={"status_code": 200, "body": body})) as server:
        assert ask_all(server, tmp_path / "c.sqlite") == ["a?"] * COUNT


def lines(chunks: list[bytes], seconds: float = 60.0) -> list[str]:
    async def coming() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    async def read() -> list[str]:
        return [line async for line in lines_of(coming(), seconds)]

    return asyncio.run(read())


def test_lines_are_put_together() -> None:
    assert lines([b"a", b"b\nc\n\n", b"\xc3", b"\xa4\nd"]) == ["ab", "c", "", "\u00e4", "d"]


def test_a_line_that_is_too_long_is_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "MOST_BYTES", 1000)
    found = lines([b'a\n{"text": "', *[b" " * 100] * 100, b'"}\nb\n'])
    assert (found[0], found[2:]) == ("a", ["b", ""])
    assert len(found[1]) < 1200 and not found[1].endswith("}"), "its end behind a gap might make JSON of it"


def test_a_line_that_drips_ends_with_the_time_limit() -> None:
    import httpx2

    async def dripping() -> AsyncIterator[bytes]:
        while True:
            yield b" "
            await asyncio.sleep(0.01)

    async def read() -> None:
        async for _ in lines_of(dripping(), 0.1):
            raise AssertionError("there is no line")

    with pytest.raises(httpx2.ReadTimeout):
        asyncio.run(read())


def test_no_room_for_a_batch_that_is_collected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "_new_file", lambda: Path("/dev/full").open("r+b", buffering=0))  # noqa: SIM115
    with changing(lambda method, path, body: body) as server:
        with pytest.raises(StopError, match=r"No space left on device\): .*; nothing was sent"):
            ask_all(server, tmp_path / "c.sqlite")
        assert server.calls == 0


def test_no_room_for_what_a_batch_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file of kept replies may not grow while the output is read: the next start takes it up, and nothing is paid twice."""
    monkeypatch.setattr(batch_notes, "LEASE", 0.5)  # this process stays, so that it counts as still at work
    cache = tmp_path / "c.sqlite"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    def change(method: str, path: str, body: bytes) -> bytes:
        if path.endswith("/content"):
            log = cache.with_name("c.sqlite-wal")
            resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size, limits[1]))
        return body

    with changing(change) as server:
        try:
            with pytest.raises(StopError, match="the disk is full under the kept replies"):
                ask_all(server, cache)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        server.answer = OpenAIServer.answer.__get__(server)
        assert ask_all(server, cache) == ANSWERS
        assert made(server) == 1
