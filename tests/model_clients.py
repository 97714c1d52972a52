"""Clients of models for tests: over real HTTP to the local server, with replies kept in a file of the test's own."""

import asyncio
import subprocess
import sys
import time
import urllib.request
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import StepCosts
from benchwright.benchmarks.models.prompts import Messages
from benchwright.benchmarks.models.responses import Reply
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer, Received

KEY = "sk-test-SECRET-0123456789abcdef"
ROLE, STEP = "system", "answers"
FREE = "http://127.0.0.1:9/v1"
"""An address where nobody listens."""


def new_client(url: str, cache: Path, **settings: Any) -> Client:
    """A client whose roles `system` and `embedder` have a model at an address; see `ModelSettings`."""
    rates = settings.pop("rates", None)
    key = settings.pop("key", KEY)
    model = settings.pop("model", "m")
    endpoint = Endpoint(model, url, key, rates)
    return Client(ModelSettings({ROLE: endpoint, "embedder": endpoint}, cache=cache, **settings))


def messages(text: str = "How tall?") -> Messages:
    """A prompt of one message, whose reply takes about 30 tokens."""
    return Messages("question", "0" * 64, ({"role": "user", "content": text},), 30)


def ask(client: Client, text: str = "How tall?", **options: Any) -> Reply[Any]:
    """The reply to one question."""
    return asyncio.run(client.chat(ROLE, messages(text), step=STEP, **options))


def tally(client: Client) -> StepCosts:
    """What the questions have taken so far."""
    return client.ledger.by_step[STEP, ROLE]


def hold(server: OpenAIServer, count: int, is_held: Callable[[Received], bool] = lambda _: True) -> None:
    """Holds replies back until so many requests wait for theirs: how fast a machine is does not change who meets whom.

    Args:
        is_held: which requests; others are answered at once.
    """

    def fault(request: Received) -> Fault | None:
        if not is_held(request):
            return None
        if server.in_flight + 1 >= count:
            server.release()
        return Fault("slow", seconds=3600)

    server.fault_for = fault


def ask_to_the_end(
    client: Client,
    numbers: Iterable[int],
    ask: Callable[[int], Awaitable[Reply[Any]]],
    check: Callable[[int, object], None],
) -> int:
    """Asks for all numbers with `each`, closes the client, says on stderr what a person would see: the exit code."""
    try:
        for number, reply in client.each(numbers, ask):
            check(number, reply)
    except (BenchwrightError, KeyboardInterrupt) as error:
        client.close()
        sys.stderr.write(f"error: {str(error) or type(error).__name__}\n")
        return 1
    client.close()
    sys.stderr.write(f"{client.ledger.short}\n")
    return 0


def wait_for_server(url: str, process: "subprocess.Popen[bytes]") -> None:
    """Returns once a server that a test has started answers."""
    until = time.monotonic() + 180
    while time.monotonic() < until and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError(f"{url} does not answer: the server's log is in the test's folder")
