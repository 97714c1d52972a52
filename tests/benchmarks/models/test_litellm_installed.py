"""LiteLLM's proxy itself in front of the local server, where `scripts/peers litellm` has installed it."""

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from model_clients import KEY, ask, new_client, wait_for_server
from support import ROOT, Run

from benchwright.benchmarks.errors import StopError
from benchwright.scripts.servers.openai.server import OpenAIServer

PROGRAM = ROOT / ".peers" / "litellm" / "bin" / "litellm"
SETTINGS = """
model_list:
  - model_name: stand-in
    litellm_params: {{model: openai/stand-in, api_base: "{url}", api_key: anything}}
  - model_name: thinker
    litellm_params: {{model: openai/gpt-5-mini, api_base: "{url}", api_key: anything}}
general_settings:
  master_key: {key}
"""
pytestmark = pytest.mark.skipif(
    not PROGRAM.exists() and not os.environ.get("BENCHWRIGHT_REQUIRE_LITELLM"),
    reason="LiteLLM's proxy is not installed: scripts/peers litellm",
)


@dataclass(frozen=True)
class Height:
    metres: int


@dataclass(frozen=True)
class Proxy:
    """The proxy's address, and the server that it stands before."""

    url: str
    behind: OpenAIServer


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """Started once: it takes half a minute to import itself."""
    folder = tmp_path_factory.mktemp("litellm")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_TELEMETRY": "False"}
    with OpenAIServer() as behind:
        (folder / "proxy.yaml").write_text(SETTINGS.format(url=behind.url, key=KEY))
        arguments = [PROGRAM, "--config", "proxy.yaml", "--host", "127.0.0.1", "--port", str(port)]
        with (folder / "log").open("w") as log, subprocess.Popen(
            arguments, cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True
        ) as process:  # fmt: skip
            try:
                wait_for_server(f"http://127.0.0.1:{port}/health/liveliness", process)
                yield Proxy(f"http://127.0.0.1:{port}/v1", behind)
            finally:
                os.killpg(process.pid, signal.SIGTERM)


def test_text_structure_and_samples_come_through(proxy: Proxy, tmp_path: Path) -> None:
    with new_client(proxy.url, tmp_path / "c.sqlite", model="stand-in") as client:
        before = proxy.behind.calls
        assert ask(client).text == "I don't know."
        assert ask(client, "How tall is it?", reply=Height).value == Height(1)
        assert len(ask(client, "How old?", samples=2).samples) == 1
        assert proxy.behind.calls - before == client.ledger.calls == 3


def test_what_it_does_not_take_is_left_out_after_one_request(proxy: Proxy, tmp_path: Path) -> None:
    with new_client(proxy.url, tmp_path / "c.sqlite", model="thinker") as client:
        for number in range(3):
            assert ask(client, f"question {number}", temperature=0.0).text == "I don't know."
        assert client.ledger.calls == 4


def test_a_wrong_key_and_a_wrong_model_are_named(proxy: Proxy, tmp_path: Path) -> None:
    cache = tmp_path / "c.sqlite"
    wrong_key = new_client(proxy.url, cache, model="stand-in", key="sk-wrong-0123456789")
    with wrong_key as client, pytest.raises(StopError, match="does not accept the key"):
        ask(client)
    with new_client(proxy.url, cache, model="nobody") as client, pytest.raises(StopError, match="has no model nobody"):
        ask(client)


def test_commands_work_through_it(proxy: Proxy, tmp_path: Path, run: Run) -> None:
    """A run with a judge: plain requests and structured ones; the second time none."""
    env = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": proxy.url}
    cache = tmp_path / "c.sqlite"
    built = run("build-benchmark", "aurp", "--set", "size=10", "--quiet", "--cache", cache, env=env)
    assert built.returncode == 0, built.stderr
    for calls in (True, False):
        before = proxy.behind.calls
        models = ["--model", "system=stand-in", "--model", "judge=stand-in"]
        arguments = [*models, "--limit", 10, "--again", "--quiet", "--cache", cache]
        scored = run("score-system", "aurp", "bm25", *arguments, env=env)
        assert scored.returncode == 0, scored.stderr
        assert (proxy.behind.calls > before) == calls
