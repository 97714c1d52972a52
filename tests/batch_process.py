"""A process that asks a judge many questions in a batch, for tests that kill it or stop it.

    python -m batch_process URL CACHE COUNT batch|alone

What a person would see is on stderr, with the account as its last line.
"""

import logging
import sys
from pathlib import Path

from model_clients import STEP, ask_to_the_end, messages

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import Reply
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings


def main(url: str, cache: str, count: str, how: str) -> int:
    """Asks, and returns the exit code."""
    logging.basicConfig(format="%(message)s")
    endpoint = Endpoint("m", url, "sk-test-0123456789", (1.0, 1.0))
    client = Client(ModelSettings({"judge": endpoint}, cache=Path(cache), batch=how == "batch"))

    async def ask(number: int) -> Reply[str]:
        return await client.chat("judge", messages(f"question {number}"), step=STEP)

    def check(number: int, reply: object) -> None:
        assert isinstance(reply, Reply) and reply.text == f"QUESTION {number}", (number, reply)

    return ask_to_the_end(client, range(int(count)), ask, check)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
