"""No key ever reaches a log, an error, a manifest, a cache, a trace or a report: everything written is searched for it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from lighthouses import make_release
from model_clients import KEY, ask, new_client

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer


def score(folder: Path, server: OpenAIServer, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Scores a model that answers closed book, with all that can be logged."""
    make_release(folder / "releases")
    command = ["lights", "openai:m", "--base-url", server.url, "--cache", "replies.sqlite", "-v", *arguments]
    return subprocess.run(
        [sys.executable, "-X", "dev", "-m", "benchwright.scripts.score_system", *command],
        cwd=folder,
        env={**os.environ, "OPENAI_API_KEY": KEY, "OPENAI_LOG": "debug", "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def places_of_the_key(folder: Path, result: subprocess.CompletedProcess[str]) -> list[str]:
    """Where the key, or the part of it that is secret, stands."""
    secret = KEY.removeprefix("sk-test-").encode()
    found = [name for name in ("stdout", "stderr") if secret in getattr(result, name).encode()]
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) > 5
    return found + [str(path) for path in files if secret in path.read_bytes()]


def echo(body: Mapping[str, Any]) -> str:
    return f"31 metres, said the key {KEY}"


def test_where_the_key_is_not_accepted(tmp_path: Path) -> None:
    said = f"Incorrect API key provided: {KEY}. You sent 'Bearer {KEY}'."
    with OpenAIServer(echo) as server:
        server.fault_for = lambda _: Fault(401, message=said)
        result = score(tmp_path, server)
        assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {KEY}"}
        assert result.returncode == 1 and "Traceback" not in result.stderr
        assert (
            f"error: {server.url} does not accept the key: Incorrect API key provided: [key]. You sent 'Bearer [key]'; "
            "put a right one in OPENAI_API_KEY\n"
        ) in result.stderr
    assert places_of_the_key(tmp_path, result) == []


def test_where_it_is_in_the_replies(tmp_path: Path) -> None:
    """In those that are used, in those that are rejected, and in an answer that is none."""
    faults = [None, Fault(400, message=f"bad {KEY}"), Fault("invalid_json"), Fault(500, message=KEY), Fault("refusal")]
    with OpenAIServer(echo, faults=faults) as server:
        result = score(tmp_path, server)
        assert server.calls == 12
    assert result.returncode == 0, result.stderr
    run = tmp_path / "runs" / "lights" / "1.0.0" / "openai-m"
    predictions = [json.loads(line) for line in (run / "predictions.jsonl").read_text().splitlines()]
    assert sum(str(one["answer"]).endswith("said the key [key]") for one in predictions) == 8
    assert sum("bad [key]" in str(one) for one in predictions) == 1
    assert "[key]" in (run / "report.html").read_text()
    assert (tmp_path / "replies.sqlite").is_file()
    assert places_of_the_key(tmp_path, result) == []


@pytest.mark.parametrize(
    "fault",
    [Fault(kind, message=f"no model {KEY}", param=KEY, code=KEY, type=KEY) for kind in (400, 403, 404, 422, 429)],
    ids=lambda fault: str(fault.kind),
)
def test_in_no_part_of_an_error(fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from benchwright.benchmarks.models.endpoint import transport

    monkeypatch.setattr(transport, "TRIES_AT_LIMIT", 1)
    with OpenAIServer(echo) as server:
        server.fault_for = lambda _: fault
        with new_client(server.url, tmp_path / "c.sqlite") as client:
            with pytest.raises((ReplyError, StopError)) as failed:
                ask(client)
            assert "[key]" in str(failed.value)
            assert KEY not in str(failed.value) + repr(vars(failed.value))
            assert KEY not in repr(client.settings) + repr(client.ledger)


def test_a_short_word_is_no_key(tmp_path: Path) -> None:
    """Local endpoints take any key, and a reply with the word `none` in it stays as it is."""
    with OpenAIServer(["none of them"]) as server, new_client(server.url, tmp_path / "c.sqlite", key="none") as client:
        assert ask(client).text == "none of them"


def test_while_a_file_is_open_too(tmp_path: Path) -> None:
    """The log beside the file of kept replies, before it is merged."""
    with OpenAIServer(echo) as server, new_client(server.url, tmp_path / "c.sqlite") as client:
        assert ask(client).text.endswith("said the key [key]")
        names = sorted(path.name for path in tmp_path.iterdir() if path.is_file())
        assert names == ["c.sqlite", "c.sqlite-shm", "c.sqlite-wal"]
        assert not [name for name in names if KEY.encode() in (tmp_path / name).read_bytes()]
