"""Samples, vectors, wrong keys and wrong models at each profile of the server, with the server's count of calls."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from model_clients import KEY, ask, new_client

from benchwright.benchmarks.errors import StopError
from benchwright.scripts.servers.openai.profiles import PROFILES
from benchwright.scripts.servers.openai.server import OpenAIServer

SAMPLES = {  # further replies to a request of two, and the calls of the first such request
    "openai": (1, 1),
    "azure": (1, 1),
    "openrouter": (1, 1),
    "vllm": (1, 1),
    "ollama": (0, 1),
    "llamacpp": (0, 2),
    "litellm": (1, 1),
    "anthropic": (0, 2),
}
OPEN, ANY_MODEL = ("ollama",), ("llamacpp",)
"""Those that look at no key, and at no model's name."""


@dataclass(frozen=True)
class Height:
    metres: int


def serve(name: str) -> OpenAIServer:
    return OpenAIServer(profile=name, key=KEY, models=["m"])


@pytest.mark.parametrize("name", PROFILES)
def test_samples_are_taken_as_they_come(name: str, tmp_path: Path) -> None:
    others, calls = SAMPLES[name]
    with serve(name) as server, new_client(server.url, tmp_path / "c.sqlite") as client:
        assert len(ask(client, samples=2).samples) == others
        assert server.calls == client.ledger.calls == calls
        assert len(ask(client, "And how old?", samples=2).samples) == others
        assert server.calls == calls + 1


@pytest.mark.parametrize("name", PROFILES)
def test_the_stand_in_fits_what_is_asked_for_in_each_way(name: str, tmp_path: Path) -> None:
    with serve(name) as server, new_client(server.url, tmp_path / "c.sqlite") as client:
        assert ask(client, reply=Height).value == Height(1)
        first = server.calls
        assert ask(client, "And how old?", reply=Height).value == Height(1)
        assert server.calls == first + 1


@pytest.mark.parametrize("name", PROFILES)
def test_a_wrong_key_ends_the_run_at_once(name: str, tmp_path: Path) -> None:
    with serve(name) as server, new_client(server.url, tmp_path / "c.sqlite", key="sk-wrong-0123456789") as client:
        if name in OPEN:
            assert ask(client).text
        else:
            with pytest.raises(StopError, match=r"does not accept the key: .*; put a right one in OPENAI_API_KEY$"):
                ask(client)
        assert server.calls == 1


@pytest.mark.parametrize("name", PROFILES)
def test_a_wrong_model_ends_the_run_at_once(name: str, tmp_path: Path) -> None:
    with serve(name) as server:
        url = server.url.replace("/m?", "/other?")  # where the address names the model
        with new_client(url, tmp_path / "c.sqlite", model="other") as client:
            if name in ANY_MODEL:
                assert ask(client).text
            else:
                with pytest.raises(StopError, match=r"has no model other: .*; name another$"):
                    ask(client)
        assert server.calls == 1
