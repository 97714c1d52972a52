"""Measures how far `--max-cost` is kept by endpoints of several kinds: what they would bill, over the limit.

    python -m benchwright.scripts.measure.budget [--runs N]

What is billed is counted by the local server, also where its replies do not say it. A limit is as many times what a
call of the kind costs on average. `before full` is how many replies had come when as many were in flight as may be.
"""

import random
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

RATES = 1.0, 4.0
"""US dollars for a million tokens in and out."""
LATENCY = 0.25
"""Seconds that the server takes for each reply."""
_INPUT, _OUTPUT = 600, 30
"""Tokens of a usual call."""
_STEPS = 3
"""Steps that run side by side, where several do."""

Draw = Callable[[random.Random], tuple[int, int]]


@dataclass(frozen=True)
class Kind:
    """A kind of endpoint."""

    name: str
    draw: Draw
    """The tokens in and out of a call."""
    mean: float
    """US dollars of a call, on average."""
    steps: int = 1
    says_usage: bool = True


def _cost(taken: float, given: float) -> float:
    return (taken * RATES[0] + given * RATES[1]) / 1e6


KINDS = (
    Kind("as expected", lambda _: (_INPUT, _OUTPUT), _cost(_INPUT, _OUTPUT)),
    Kind("400 tokens of thought", lambda _: (_INPUT, _OUTPUT + 400), _cost(_INPUT, _OUTPUT + 400)),
    Kind(
        "thought of 0 to 4,000 tokens",
        lambda chance: (_INPUT, _OUTPUT + round(4000 * chance.random() ** 3)),
        _cost(_INPUT, _OUTPUT + 1000),
    ),
    Kind(
        "one in a hundred ten times as long",
        lambda chance: (_INPUT, 4000 if chance.random() < 0.01 else 400),
        _cost(_INPUT, 436),
    ),
    Kind("usage missing", lambda _: (_INPUT, _OUTPUT), _cost(_INPUT, _OUTPUT), says_usage=False),
    Kind("three steps side by side", lambda _: (_INPUT, _OUTPUT + 400), _cost(_INPUT, _OUTPUT + 400), steps=_STEPS),
    Kind("twice the tokens in", lambda _: (2 * _INPUT, _OUTPUT), _cost(2 * _INPUT, _OUTPUT)),
)


@dataclass(frozen=True)
class Outcome:
    """What came of one run."""

    share: float
    """Of the limit, what is billed."""
    calls: int
    before_full: int | None
    """Replies that had come when as many calls were in flight as may be; None where so many never were."""


def run(kind: Kind, calls: int, at_once: int, seed: int, latency: float = LATENCY) -> Outcome:
    """One run whose limit is as many calls of the mean cost."""
    from benchwright.benchmarks.errors import StopError
    from benchwright.benchmarks.models.client import Client
    from benchwright.benchmarks.models.prompts import Messages
    from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
    from benchwright.scripts.servers.openai.faults import Fault
    from benchwright.scripts.servers.openai.server import OpenAIServer

    chance, billed, limit = random.Random(seed), list[float](), calls * kind.mean
    before_full: list[int] = []

    def reply(_: Mapping[str, Any]) -> Any:
        taken, given = kind.draw(chance)
        billed.append(_cost(taken, given))
        if server.in_flight + 1 >= at_once:
            before_full.append(server.calls - server.in_flight - 1)
        said = "x" * 110 if kind.says_usage else "word " * given
        return {"content": said, "usage": {"prompt_tokens": taken, "completion_tokens": given}}

    def messages(number: int) -> Messages:
        said = f"{number} " + "word " * (_INPUT - 10)
        return Messages("measured", "0" * 64, ({"role": "user", "content": said},), _OUTPUT)

    with tempfile.TemporaryDirectory() as folder, OpenAIServer(reply, latency=latency) as server:
        if not kind.says_usage:
            server.fault_for = lambda _: Fault("missing_usage")
        endpoint = Endpoint("m", server.url, None, RATES)
        settings = ModelSettings({"system": endpoint}, cache=Path(folder) / "c", max_cost=limit, at_once=at_once)
        with Client(settings) as client:

            async def ask(number: int) -> str:
                step = f"step {number % kind.steps}"
                return (await client.chat("system", messages(number), step=step)).text

            try:
                for _ in client.each(range(4 * calls), ask):
                    pass
            except StopError:
                pass
    return Outcome(sum(billed) / limit, len(billed), before_full[0] if before_full else None)


@click.command()
@click.option("--runs", default=20, show_default=True, help="Runs of each line.")
@click.option("--kind", "only", default="", help="Lines whose kind has this in its name.")
def main(runs: int, only: str) -> None:
    """Prints the table."""
    click.echo("| kind of endpoint | limit, in calls | in flight | least | mean | most | calls | before full |")
    click.echo("|---|---|---|---|---|---|---|---|")
    for kind in KINDS:
        if only not in kind.name:
            continue
        for calls, at_once in ((50, 32), (50, 128), (300, 32), (300, 128), (1500, 128)):
            found = [run(kind, calls, at_once, seed) for seed in range(runs)]
            shares = [one.share for one in found]
            full = [one.before_full for one in found if one.before_full is not None]
            click.echo(
                f"| {kind.name} | {calls:,} | {at_once} | {min(shares):.3f} | {sum(shares) / runs:.3f} | "
                f"{max(shares):.3f} | {sum(one.calls for one in found) / runs:,.0f} | "
                + (f"{sum(full) / len(full):,.0f} |" if full else "never |")
            )


if __name__ == "__main__":
    main()
