"""Measures the model client against the local server in a process of its own: rates, CPU, kept replies, memory.

    python -m benchwright.scripts.measure.models [--calls N] [--peers DIR]

Every figure is of this run on this machine; ratios are between lines of the same table. With `--peers` (the folder that
`scripts/peers ragas` made) the same number of requests is sent with ragas too.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

ROOT = Path(__file__).resolve().parents[2]
LATENCY = 0.05
"""Seconds that the server takes for each reply."""
_TEXT = "Halden Marine built the quay wall at Oslo in the autumn of 2022, with two cranes and a crew of forty. " * 23
"""A passage, so that a request has some 2.3 kB, as those with contexts have."""

_REPLIES = (
    (r'"TP"', {"content": {"TP": [{"statement": "It is so.", "reason": "said"}], "FP": [], "FN": []}}),
    (r'"verdict"', {"content": {"statements": [{"statement": "It is so.", "reason": "said", "verdict": 1}]}}),
    (r'"statements"', {"content": {"statements": ["Halden Marine built it.", "It was finished in 2022."]}}),
    (".", "Halden Marine"),
)
"""What the server replies: to the prompts of ragas what they want, to all others a name."""


def _messages(number: int) -> Any:
    from benchwright.benchmarks.models.prompts import Messages

    said = {"role": "user", "content": f"{_TEXT}\nQuestion {number}: who built the quay wall?"}
    return Messages("measured", "0" * 64, (said,), 30)


@contextmanager
def _server(latency: float) -> Iterator[str]:
    from benchwright.scripts.servers.openai.command import start_process

    with start_process(latency, replies=_REPLIES) as url:
        yield url


def _ours(url: str, at_once: int, calls: int, cache: str) -> Iterator[None]:
    from benchwright.benchmarks.models.client import Client
    from benchwright.benchmarks.models.settings import read_settings

    settings = read_settings(["measured"], [url], environment={}, cache=Path(cache), at_once=at_once)
    with Client(settings) as client:

        async def ask(number: int) -> str:
            return (await client.chat("system", _messages(number), step="measured")).text

        for _ in client.each(range(calls), ask):
            yield


def _bare(url: str, at_once: int, calls: int) -> Iterator[None]:
    """The SDK as its documentation shows it, with the same transport and as many tasks as are in flight."""
    import openai

    async def run() -> None:
        client = openai.AsyncOpenAI(api_key="none", base_url=url, http_client=openai.DefaultAioHttpClient())
        numbers = iter(range(calls))

        async def work() -> None:
            for number in numbers:
                messages: Any = list(_messages(number).messages)
                reply = await client.chat.completions.create(model="measured", messages=messages)
                assert reply.choices[0].message.content

        await asyncio.gather(*(work() for _ in range(at_once)))
        await client.close()

    asyncio.run(run())
    yield from range(calls)  # type: ignore[misc]


def _measure(kind: str, url: str, at_once: int, calls: int, cache: str) -> dict[str, float]:
    """Runs one program in a process of its own."""
    code = "from benchwright.scripts.measure.models import _run; _run()"
    given = json.dumps([kind, url, at_once, calls, cache])
    done = subprocess.run([sys.executable, "-c", code, given], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def _run() -> None:
    kind, url, at_once, calls, cache = json.loads(sys.argv[1])
    for _ in _ours(url, at_once, at_once, f"{cache}.warm") if kind == "ours" else _bare(url, at_once, at_once):
        pass  # imports and connections are not what is measured
    marks = []
    started, cpu = time.perf_counter(), time.process_time()
    for number, _ in enumerate(_ours(url, at_once, calls, cache) if kind == "ours" else _bare(url, at_once, calls)):
        if number in (calls // 10, calls - 1):
            marks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    taken, worked = time.perf_counter() - started, time.process_time() - cpu
    json.dump(
        {"rate": calls / taken, "cpu_ms": worked / calls * 1000, "early_mb": marks[0], "late_mb": marks[-1]}, sys.stdout
    )


def _ragas(python: Path, url: str, workers: int, samples: int) -> float:
    """Calls a second of ragas, by the server's count."""
    done = subprocess.run(
        [str(python), str(ROOT / "scripts" / "measure" / "peers_ragas.py"), url, str(workers), str(samples)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OPENAI_API_KEY": "none", "OPENAI_BASE_URL": url, "RAGAS_DO_NOT_TRACK": "true"},
    )
    return float(done.stdout.split()[-1])


@click.command()
@click.option("--calls", default=4000, show_default=True, help="Calls of a measurement at 128 in flight.")
@click.option("--many", default=100_000, show_default=True, help="Calls for kept replies and for memory.")
@click.option("--peers", type=click.Path(path_type=Path, exists=True), help="The environments of peers.")
def main(calls: int, many: int, peers: Path | None) -> None:
    """Prints the table."""
    with tempfile.TemporaryDirectory() as folder, _server(LATENCY) as url:
        for at_once in (8, 32, 128):
            number = max(200, calls * at_once // 128)
            found = _measure("ours", url, at_once, number, f"{folder}/{at_once}.sqlite")
            bare = _measure("bare", url, at_once, number, "")
            ideal = at_once / LATENCY
            click.echo(
                f"{at_once:4d} in flight: {found['rate']:7,.0f} calls/s ({found['rate'] / ideal:.0%} of {ideal:,.0f}), "
                f"{found['cpu_ms']:.2f} ms CPU a call; bare SDK {bare['rate']:,.0f} calls/s, {bare['cpu_ms']:.2f} ms; "
                f"CPU ratio {found['cpu_ms'] / bare['cpu_ms']:.2f}"
            )
        if peers:
            for workers in (16, 128):
                theirs = _ragas(peers / "ragas" / "bin" / "python", url, workers, 200)
                click.echo(
                    f"{workers:4d} workers of ragas: {theirs:,.0f} calls/s; "
                    f"ours at 128 in flight {found['rate'] / theirs:.1f} times as many"
                )
    with tempfile.TemporaryDirectory() as folder, _server(0.0) as url:
        first = _measure("ours", url, 128, many, f"{folder}/many.sqlite")
        click.echo(
            f"{many:,} calls without latency: {first['rate']:,.0f}/s, peak {first['early_mb']:.0f} MB after a tenth, "
            f"{first['late_mb']:.0f} MB in the end"
        )
        again = _measure("ours", url, 128, many, f"{folder}/many.sqlite")
        click.echo(f"{many:,} kept replies: {again['rate']:,.0f}/s, peak {again['late_mb']:.0f} MB")


if __name__ == "__main__":
    main()
