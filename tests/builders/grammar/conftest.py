"""What tests of GRAMMAR's models share: a small database, and a model that replies as a test says."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from clubs import CLUB, Replies, client_of
from support import make_sqlite

from benchwright.benchmarks.models.client import Client
from benchwright.scripts.servers.openai.server import OpenAIServer


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """Two clubs and two players; no value of a row can be mistaken for anything else."""
    return make_sqlite(tmp_path / "club.sqlite", CLUB)


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[Callable[[Replies], tuple[Client, OpenAIServer]]]:
    """Starts a server with a function that replies; gives a client for it, and the server."""
    opened: list[Any] = []

    def start(replies: Replies) -> tuple[Client, OpenAIServer]:
        server = OpenAIServer(replies).__enter__()
        client = client_of(server, tmp_path / "replies.sqlite")
        opened.extend([client, server])
        return client, server

    yield start
    for one in opened:
        one.__exit__(None, None, None)
