"""A process that asks a model many questions, for tests that kill it, stop it or run several at once.

    python -m model_process URL CACHE FIRST LAST AT_ONCE

Asks the questions FIRST to LAST - 1 with `each`, and prints the number of each once its reply has come. What a person
would see is the last line of stderr.
"""

import sys
from pathlib import Path

from model_clients import ROLE, STEP, ask_to_the_end, messages, new_client

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.models.responses import Reply


def main(url: str, cache: str, first: str, last: str, at_once: str) -> int:
    """Asks, and returns the exit code."""
    try:
        client = new_client(url, Path(cache), at_once=int(at_once))
    except BenchwrightError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1

    async def ask(number: int) -> Reply[str]:
        reply = await client.chat(ROLE, messages(f"question {number}"), step=STEP)
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()
        return reply

    return ask_to_the_end(client, range(int(first), int(last)), ask, lambda number, reply: None)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
