"""Files of kept replies that somebody has changed, or another version made; and addresses that are none."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from model_clients import ask, new_client

from benchwright.benchmarks.errors import BenchwrightError, StopError, UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.settings import read_settings
from benchwright.scripts.servers.openai.server import OpenAIServer


def changed(cache: Path, by: str) -> None:
    with sqlite3.connect(cache) as writer:
        writer.executescript(by)
    writer.close()


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A file with one reply."""
    cache = tmp_path / "replies.sqlite"
    with OpenAIServer(["31"]) as server, new_client(server.url, cache) as client:
        ask(client)
    return cache


DAMAGED = {
    "half a JSON": "UPDATE replies SET body = '{\"choices\": ['",
    "nested": f"UPDATE replies SET body = '{'[' * 100_000}'",
    "bytes": "UPDATE replies SET body = x'fffe00'",
    "a number that is none": "UPDATE tries SET number = 'x'",
}


@pytest.mark.parametrize("change", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_reply_is_said_in_one_line(change: str, tmp_path: Path) -> None:
    cache = tmp_path / "replies.sqlite"
    with OpenAIServer(["31"]) as server, new_client(server.url, cache) as client:
        ask(client)
        changed(cache, change)
        with pytest.raises(StopError) as stopped:
            ask(client)
        assert server.calls == 1
    assert "are damaged or no such file" in str(stopped.value) and "\n" not in str(stopped.value)


@pytest.mark.parametrize("body", ["null", "[1]", "5"])
def test_a_reply_that_is_no_object_is_asked_for_anew(body: str, tmp_path: Path) -> None:
    cache = tmp_path / "replies.sqlite"
    with OpenAIServer(["31"]) as server:
        with new_client(server.url, cache) as client:
            ask(client)
        changed(cache, f"UPDATE replies SET body = '{body}'")
        with new_client(server.url, cache) as client:
            assert ask(client).text == "31"
        assert server.calls == 2


def opened(cache: Path) -> Callable[[], None]:
    def again() -> None:
        with OpenAIServer(["31"]) as server, new_client(server.url, cache) as client:
            ask(client)

    return again


def test_a_file_of_another_version(kept: Path) -> None:
    """What it has besides is left alone; what cannot be written is found out before anything is paid for."""
    changed(kept, "ALTER TABLE replies ADD COLUMN more TEXT; ALTER TABLE tries ADD COLUMN more TEXT DEFAULT 'x'")
    opened(kept)()
    changed(kept, "ALTER TABLE tries RENAME COLUMN latency TO seconds")
    with pytest.raises(BenchwrightError, match=r"were made by another version of Benchwright: choose another file"):
        opened(kept)()


def test_a_file_of_another_version_that_wants_more(kept: Path) -> None:
    changed(kept, "DROP TABLE tries; CREATE TABLE tries (item, number, reply, arrived, latency, fault, more NOT NULL)")
    with pytest.raises(BenchwrightError, match="were made by another version"):
        opened(kept)()


NONE = [
    "", "127.0.0.1:8080/v1", "file:///etc/passwd", "unix:///run/model.sock", "http://", "http:///v1", "http://[::1/v1",
    "http://::1/v1", "http://host:99999/v1", "http://host:0/v1", "http://host:8o80/v1", "http://two words/v1",
    "http://a..b/v1", f"http://{'a' * 300}/v1", "http://host/\x00v1", "http://\ud800/v1", "http://host/v1\n/x",
]  # fmt: skip


@pytest.mark.parametrize("url", NONE, ids=range(len(NONE)))
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_settings(["system=m"], [url], environment={})
    assert str(refused.value).isprintable()


SECRET = [
    "http://user:PASS@host/v1", "user:PASS@host/v1", "http:/user:PASS@host/v1", "http:\\\\user:PASS@host/v1",
    "https://user:PA/PASS@host/v1", "user:PASS?x@host", "https://user:PASS#x@host/v1", "http://user:PASS%40host/v1",
    "htp://host/v1?key=PASS",
]  # fmt: skip


@pytest.mark.parametrize("url", SECRET)
def test_a_password_in_an_address_is_said_nowhere(url: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_settings(["system=m"], [url], environment={})
    assert "PASS" not in str(refused.value)


def test_a_name_that_no_address_can_have(tmp_path: Path) -> None:
    settings = read_settings(["system=m"], ["http://\uff45.invalid/v1"], environment={}, cache=tmp_path / "c.sqlite")
    with Client(settings) as client, pytest.raises(StopError, match=r"is no address: .*; check --base-url"):
        ask(client)


def test_a_model_name_of_other_characters() -> None:
    for name in ("a\x00b", "a\ud800", "a\u202eb"):
        with pytest.raises(UsageError, match="a name has no such characters"):
            read_settings([f"system={name}"], environment={"OPENAI_API_KEY": "sk-x"})
