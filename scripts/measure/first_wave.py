"""Measures the first requests to an endpoint: of text and of structured replies, when nothing is known of it and later.

    python -m benchwright.scripts.measure.first_wave

As many requests as may be in flight, or more, to the local server in a process of its own: `cold` with a new file of
kept replies, `warm` with one that knows the endpoint and none of the replies. Then a build of Aurp whose documents a
model writes, by its command. Ratios are between figures of the same run on the same machine.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from benchwright.scripts.servers.openai.command import start_process

LATENCY = 0.2
"""Seconds that the server takes for each reply."""
SLOW = 1.0
"""The same for the command."""
AT_ONCE = (32, 128, 512)
CALLS = 512


@dataclass(frozen=True)
class Named:
    """A structured reply."""

    metres: int


def wave(url: str, cache: Path, at_once: int, first: int, *, structured: bool) -> float:
    """Seconds of one wave, in a process of its own that has sent requests before."""
    code = "from benchwright.scripts.measure.first_wave import run_wave; run_wave()"
    given = json.dumps([url, str(cache), at_once, first, structured])
    done = subprocess.run([sys.executable, "-c", code, given], capture_output=True, text=True, check=True)
    return float(done.stdout)


def run_wave() -> None:
    """Sends it, and prints the seconds."""
    url, cache, at_once, first, structured = json.loads(sys.argv[1])
    _ask(url, f"{cache}.other", at_once, range(at_once), structured=False)  # imports are not what is measured
    started = time.perf_counter()
    _ask(url, cache, at_once, range(first, first + CALLS), structured=structured)
    sys.stdout.write(str(time.perf_counter() - started))


def _ask(url: str, cache: str, at_once: int, numbers: range, *, structured: bool) -> None:
    from benchwright.benchmarks.models.client import Client
    from benchwright.benchmarks.models.prompts import Messages
    from benchwright.benchmarks.models.responses import Reply
    from benchwright.benchmarks.models.settings import read_settings

    wanted: dict[str, Any] = {"reply": Named} if structured else {}
    settings = read_settings(["measured"], [url], environment={}, cache=Path(cache), at_once=at_once)
    with Client(settings) as client:

        async def ask(number: int) -> Reply[Any]:
            said = {"role": "user", "content": f"Question {number}: how tall is the lighthouse?"}
            return await client.chat("system", Messages("measured", "0" * 64, (said,), 30), step="measured", **wanted)

        for _, result in client.each(numbers, ask):
            if not isinstance(result, Reply):
                raise result


def build(url: str, folder: Path) -> tuple[float, Any]:
    """Seconds of a build whose documents a model writes, and what the server counted."""
    program = Path(sys.executable).with_name("build-benchmark")
    arguments = ["aurp", "--quiet", "--set", "documents=model", "--set", "size=10", "--cache", folder / "build.sqlite"]
    environment = {**os.environ, "OPENAI_API_KEY": "none", "OPENAI_BASE_URL": url}
    started = time.perf_counter()
    subprocess.run(
        [program, *arguments, "--model", "writer=measured"],
        cwd=folder,
        env=environment,
        check=True,
        capture_output=True,
    )
    taken = time.perf_counter() - started
    with urllib.request.urlopen(f"{url}/stats") as response:
        return taken, json.load(response)


@click.command()
def main() -> None:
    """Prints the table."""
    with tempfile.TemporaryDirectory() as name, start_process(LATENCY) as url:
        for at_once in AT_ONCE:
            ideal = math.ceil(CALLS / at_once) * LATENCY
            seconds = {}
            for structured in (False, True):
                cache = Path(name) / f"{at_once}-{structured}.sqlite"
                for first in (0, CALLS):
                    seconds[structured, first > 0] = wave(url, cache, at_once, first, structured=structured)
            cold, warm = seconds[True, False], seconds[True, True]
            click.echo(
                f"{CALLS} calls, {at_once} in flight, {LATENCY} s each: text {seconds[False, False]:.1f} s cold, "
                f"{seconds[False, True]:.1f} s warm; structured {cold:.1f} s cold, {warm:.1f} s warm; "
                f"cold / warm {cold / warm:.2f}, structured / text cold {cold / seconds[False, False]:.2f}, "
                f"cold / latency alone {cold / ideal:.1f}"
            )
    with tempfile.TemporaryDirectory() as name, start_process(SLOW) as url:
        taken, stats = build(url, Path(name))
        one_by_one = stats["calls"] * SLOW
        click.echo(
            f"build-benchmark aurp, documents by a model, {SLOW} s a reply: {stats['calls']} calls in {taken:.1f} s, "
            f"at most {stats['most_at_once']} in flight; {one_by_one / taken:.1f} times as fast as one by one"
        )


if __name__ == "__main__":
    main()
