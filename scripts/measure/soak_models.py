"""Soaks the model client: all faults at once on one endpoint, kills and Ctrl-C, and then the accounts are compared.

    python -m benchwright.scripts.measure.soak_models [--minutes N] [--seed N]

The endpoint counts what it sends; each start of the work counts what it paid for, and the file of kept replies holds
what was paid for in all of them. Ends with exit code 1 where an item is lost, an answer is another one's, or a count
does not add up.
"""

import json
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from benchwright.scripts.measure.made_soak_endpoint import Count, Faults, count, reply_to
from benchwright.scripts.measure.soak_worker import RATES
from benchwright.scripts.servers.openai.server import OpenAIServer

AT_ONCE = 64
TIMEOUT = 2.0
"""Seconds that a request may take; `stall` takes longer."""
TWICE = "two at once"
ENDS = ("finished", "killed", "killed", "Ctrl-C", TWICE)
"""How a start ends: by itself, by a signal, or by itself beside another one with the same work."""
_SIGNALS = {"killed": signal.SIGKILL, "Ctrl-C": signal.SIGINT}


@dataclass(frozen=True)
class Start:
    """One start of the work."""

    end: str
    """`finished`, `stopped` by the endpoint's faults, or one of ENDS."""
    server: Count
    """What the endpoint did meanwhile."""
    kept: int
    """Replies that came into the file."""
    printed: Sequence[Mapping[str, Any]]
    """What the work said in the end, of each of its processes; nothing where it was killed."""

    def of_ledger(self, name: str) -> float:
        """A sum over the steps of the account."""
        return sum(costs[name] for printed in self.printed for costs in printed["ledger"])

    def differences(self) -> Iterator[str]:
        """Where the work's account is not that of the endpoint."""
        replies = self.server.states["replies"]
        if not self.printed:
            if not 0 <= replies - self.kept <= AT_ONCE:
                yield f"killed: {replies} replies were sent, and {self.kept} kept"
            return
        cost = (self.server.input_tokens * RATES[0] + self.server.output_tokens * RATES[1]) / 1e6
        judged = sum(self.of_ledger(name) for name in ("usable", "refused", "invalid", "cut"))
        pairs = {
            "calls": (self.of_ledger("calls"), self.server.calls),
            "tokens in": (self.of_ledger("input_tokens"), self.server.input_tokens),
            "tokens out": (self.of_ledger("output_tokens"), self.server.output_tokens),
            "dollars": (round(self.of_ledger("cost"), 9), round(cost, 9)),
            "replies kept": (self.kept, replies),
            "replies judged": (judged - self.server.states["filtered"], replies),
        } | {name: (self.of_ledger(name), self.server.states[name]) for name in ("failed", "lost", "timed_out")}
        for name, (ours, theirs) in pairs.items():
            if ours != theirs and not (name == "replies judged" and self.end != "finished" and ours < theirs):
                yield f"{self.end}: {name}: {ours:g} in the account, {theirs:g} at the endpoint"


@dataclass
class Soak:
    """All starts of a soak, and what became of the items."""

    items: int = 0
    starts: list[Start] = field(default_factory=list)
    with_faults: Counter[str] = field(default_factory=Counter)
    """Outcomes of the items in the last start with faults, and then in one without."""
    without: Counter[str] = field(default_factory=Counter)
    faults: Mapping[str, int] = field(default_factory=dict)
    file: Mapping[str, int] = field(default_factory=dict)
    """What the file of kept replies holds: replies, and the tokens that they say."""

    @property
    def server(self) -> Count:
        """All that the endpoint did."""
        return sum((start.server for start in self.starts), Count())

    def problems(self) -> list[str]:
        """What must not be."""
        found = [f"start {number}: {text}" for number, s in enumerate(self.starts, 1) for text in s.differences()]
        for name, outcomes in (("with faults", self.with_faults), ("without", self.without)):
            if sum(outcomes.values()) != self.items:
                found.append(f"{name}: {self.items - sum(outcomes.values())} of {self.items} items are lost")
            if outcomes["wrong"]:
                found.append(f"{name}: {outcomes['wrong']} items have the answer of another one, or none that fits")
        unanswered = self.items - self.without["answer"] - self.without["cut"] - self.without["wrong"]
        if unanswered:
            found.append(f"{unanswered} items have no answer though no fault is left: {dict(self.without)}")
        return found

    def table(self) -> str:
        """The figures, as Markdown."""
        ends = Counter(start.end for start in self.starts)
        whole = [start for start in self.starts if start.printed]
        killed = [start for start in self.starts if not start.printed]
        lines = ["| | account | endpoint |", "|---|---|---|"]
        for name, ours in (("calls", "calls"), ("tokens in", "input_tokens"), ("tokens out", "output_tokens")):
            theirs = sum(getattr(start.server, ours) for start in whole)
            lines.append(f"| {name} | {sum(start.of_ledger(ours) for start in whole):,} | {theirs:,} |")
        for name in ("failed", "lost", "timed_out"):
            theirs = sum(start.server.states[name] for start in whole)
            lines.append(f"| {name.replace('_', ' ')} | {sum(s.of_ledger(name) for s in whole):,} | {theirs:,} |")
        judged = {name: sum(s.of_ledger(name) for s in whole) for name in ("usable", "refused", "invalid", "cut")}
        said = ", ".join(f"{number:,} {name}" for name, number in judged.items())
        theirs = sum(start.server.states["replies"] for start in whole)
        filtered = sum(start.server.states["filtered"] for start in whole)
        lines.append(
            f"| replies and what a filter stopped | {sum(judged.values()):,} ({said}) | {theirs + filtered:,} |"
        )
        sent = sum(start.server.states["replies"] for start in killed)
        lines.append(f"| replies of killed starts | {sum(s.kept for s in killed):,} kept | {sent:,} |")
        kept = self.server.states["replies"]
        lines.append(f"| replies in the file | {self.file['replies']:,} | {kept:,} |")
        lines.append(
            f"| tokens in the file | {self.file['tokens']:,} | "
            f"{self.server.input_tokens + self.server.output_tokens:,} |"
        )
        starts = ", ".join(f"{number} {end}" for end, number in ends.items())
        met = ", ".join(f"{number:,} {kind}" for kind, number in sorted(self.faults.items()))
        return "\n".join(
            [
                f"{self.items:,} items, {len(self.starts)} starts ({starts}), {self.server.calls:,} calls",
                f"faults: {met}",
                f"items in the last start with faults: {dict(self.with_faults)}; then without: {dict(self.without)}",
                *lines,
            ]
        )


def soak(folder: Path, seed: int, goes_on: Callable[[int], bool], items: int = 300) -> Soak:
    """Soaks.

    Args:
        folder: where the file of replies lies.
        seed: of the faults, and of when a start is stopped.
        goes_on: whether there is another start with faults, after so many.
        items: that each start has more than the one before.
    """
    faults, result = Faults(seed), Soak()
    cache = folder / "replies.sqlite"
    with OpenAIServer(reply_to, latency=0.02, record=False) as server:
        server.fault_for = faults

        def start(end: str) -> Start:
            before, kept = count(server), replies_in(cache)["replies"]
            reached = faults.wait_for(faults.random.randrange(20, 2 * items) if end in _SIGNALS else 0)
            arguments = [server.url, str(cache), str(result.items), str(AT_ONCE), str(TIMEOUT)]
            processes = [_begin(arguments) for _ in range(2 if end == TWICE else 1)]
            if end in _SIGNALS:
                threading.Thread(target=_stop, args=(processes[0], reached, end), daemon=True).start()
            printed = [json.loads(said) for said in (each.communicate()[0] for each in processes) if said]
            reached.set()
            codes = [each.returncode for each in processes]
            how = "killed" if min(codes) < 0 else end if end == TWICE or not any(codes) else "stopped"
            how = "Ctrl-C" if end == "Ctrl-C" and codes == [1] else how
            did = count(server).since(before)
            done = Start(how, did, replies_in(cache)["replies"] - kept, printed)
            result.starts.append(done)
            return done

        while goes_on(len(result.starts)):
            result.items += items
            start(ENDS[faults.random.randrange(len(ENDS))])
        result.with_faults = _outcomes(start)
        faults.share = 0.0
        result.without = _outcomes(start)
    result.faults, result.file = faults.met, replies_in(cache)
    return result


def _begin(arguments: Sequence[str]) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "benchwright.scripts.measure.soak_worker", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def _stop(process: "subprocess.Popen[str]", reached: threading.Event, end: str) -> None:
    reached.wait()
    if process.poll() is None:
        process.send_signal(_SIGNALS[end])


def _outcomes(start: Callable[[str], Start]) -> Counter[str]:
    """What became of the items in a start that goes through; the endpoint may stop one before."""
    for _ in range(20):
        done = start("finished")
        if done.end == "finished":
            return Counter(done.printed[0]["outcomes"].values())
    return Counter()


def replies_in(cache: Path) -> Mapping[str, int]:
    """What the file holds: replies, and the tokens that they say."""
    if not cache.exists():
        return {"replies": 0, "tokens": 0}
    connection = sqlite3.connect(cache)
    try:
        bodies: Sequence[str] = [body for (body,) in connection.execute("SELECT body FROM replies")]
    finally:
        connection.close()
    usages = [json.loads(body).get("usage") or {} for body in bodies]
    return {"replies": len(bodies), "tokens": sum(usage.get("total_tokens", 0) for usage in usages)}


@click.command()
@click.option("--minutes", default=10.0, show_default=True, help="How long starts with faults go on.")
@click.option("--seed", default=19, show_default=True)
def main(minutes: float, seed: int) -> None:
    """Soaks, and prints the table."""
    until = time.monotonic() + 60 * minutes
    with tempfile.TemporaryDirectory() as folder:
        result = soak(Path(folder), seed, lambda done: done < 4 or time.monotonic() < until)
    click.echo(result.table())
    for problem in result.problems():
        click.echo(problem)
    if result.problems():
        sys.exit(1)


if __name__ == "__main__":
    main()
