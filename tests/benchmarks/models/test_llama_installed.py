"""llama.cpp itself with a model of random weights, where `scripts/peers llama` has installed it.

It says nothing of sense; what it may say is bound by a grammar, so that structured replies fit.
"""

import os
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from model_clients import KEY, ask, new_client, wait_for_server
from support import ROOT

from benchwright.benchmarks.errors import StopError

PYTHON = ROOT / ".peers" / "llama" / "bin" / "python"
pytestmark = pytest.mark.skipif(
    not PYTHON.exists() and not os.environ.get("BENCHWRIGHT_REQUIRE_LLAMA"),
    reason="llama.cpp is not installed: scripts/peers llama",
)


@dataclass(frozen=True)
class Height:
    metres: int


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Its server's address."""
    folder = tmp_path_factory.mktemp("llama")
    subprocess.run([PYTHON, ROOT / "tests" / "make_gguf.py", folder / "random.gguf"], check=True, capture_output=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    arguments = ["--model", "random.gguf", "--host", "127.0.0.1", "--port", str(port), "--n_ctx", "4096"]
    with (folder / "log").open("w") as log, subprocess.Popen(
        [PYTHON, "-m", "llama_cpp.server", *arguments, "--api_key", KEY], cwd=folder, stdout=log, stderr=log
    ) as process:  # fmt: skip
        try:
            wait_for_server(f"http://127.0.0.1:{port}/docs", process)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()


def test_structured_replies_fit_in_the_second_way_and_then_at_once(url: str, tmp_path: Path) -> None:
    """It refuses a schema with status 500, and keeps to that of a tool."""
    with new_client(url, tmp_path / "c.sqlite") as client:
        for number in range(3):
            found = ask(client, f"How tall is number {number}?", reply=Height, max_tokens=100)
            assert isinstance(found.value, Height)
        assert client.ledger.calls == 4


def test_text_samples_and_names_of_models(url: str, tmp_path: Path) -> None:
    with new_client(url, tmp_path / "c.sqlite", model="any-name") as client:
        reply = ask(client, max_tokens=20, temperature=0.0, samples=2)
        assert (reply.tokens.output, reply.samples) == (20, ())


def test_a_wrong_key_is_named(url: str, tmp_path: Path) -> None:
    wrong = new_client(url, tmp_path / "c.sqlite", key="sk-wrong-0123456789")
    with wrong as client, pytest.raises(StopError, match="does not accept the key: Invalid API key"):
        ask(client)
