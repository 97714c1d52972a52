"""Soaks the model client: all faults at once on one endpoint, kills and Ctrl-C, and then the accounts are compared.

    python -m benchwright.scripts.measure.soak_models [--minutes N] [--seed N]

The endpoint counts what it sends; each start of the work counts what it paid for, and the file of kept replies holds
what was paid for in all of them. Ends with exit code 1 where an item is lost, an answer is another one's, or a count
does not add up.
"""

import json
import random
import re
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

from benchwright.scripts.measure.soak_worker import RATES
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer, Received

AT_ONCE = 64
TIMEOUT = 2.0
"""Seconds that a request may take; `stall` takes longer."""
SHARE = 0.4
"""Of requests that meet a fault."""
EVERYWHERE: Mapping[str, Fault] = {
    "429": Fault(429),
    "429 with Retry-After": Fault(429, retry_after=0.2),
    "500": Fault(500),
    "503 with Retry-After": Fault(503, retry_after=0.2),
    "529": Fault(529),
    "reset": Fault("reset"),
    "cut": Fault("cut"),
    "slow": Fault("slow", seconds=0.2),
    "stall": Fault("slow", seconds=60.0),
    "html": Fault("html"),
    "invalid_json": Fault("invalid_json"),
    "error_body": Fault("error_body"),
}
OF_CHAT: Mapping[str, Fault] = {
    kind: Fault(kind)
    for kind in (
        "empty_choices", "empty_content", "refusal", "content_filter", "length", "wrong_schema", "not_json_content",
        "missing_usage", "thoughts", "unasked_tool",
    )
} | {"prompt_filter": Fault("prompt_filter")}  # fmt: skip
BROKEN = frozenset(("cut", "reset"))
"""Kinds of which the client gets no whole answer."""
FAILED = frozenset(("html", "invalid_json", "error_body"))
"""Kinds that are answers and no replies; statuses are such, too."""
_PROSE_IS_FINE = ("wrong_schema", "not_json_content")
"""Faults that are none where any text will do."""


class Faults:
    """Which requests meet a fault, by chance with a seed; and word once so many requests have come."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.share = SHARE
        self.met: Counter[str] = Counter()
        self.reached = threading.Event()
        self._left = 0

    def wait_for(self, calls: int) -> threading.Event:
        """Set once so many more requests have come."""
        self.reached.clear()
        self._left = calls
        return self.reached

    def __call__(self, received: Received) -> Fault | None:
        self._left -= 1
        if self._left == 0:
            self.reached.set()
        if self.random.random() >= self.share:
            return None
        kinds = dict(EVERYWHERE)
        if received.path.endswith("/chat/completions"):
            kinds |= OF_CHAT
            if number_in(received.body) % 5 == 0:
                kinds = {kind: fault for kind, fault in kinds.items() if kind not in _PROSE_IS_FINE}
        kind = self.random.choice(list(kinds))
        self.met[kind] += 1
        return kinds[kind]


def number_in(body: Any) -> int:
    """The item that a request asks for."""
    found = re.search(r"\[item (\d+)\]", str(body["messages"]))
    return int(found[1]) if found else -1


def reply_to(body: Mapping[str, Any]) -> Any:
    """What the endpoint says where nothing is wrong."""
    number = number_in(body)
    if number % 5 == 0:
        return f"item {number}"
    return {"tool_arguments" if body.get("tools") else "content": {"item": number}}


@dataclass(frozen=True)
class Count:
    """What the endpoint has received and sent until a moment, or between two."""

    calls: int = 0
    sent: Mapping[str, int] = field(default_factory=dict)
    """Kind → answers."""
    input_tokens: int = 0
    """Of whole answers, as the next."""
    output_tokens: int = 0

    def __add__(self, other: "Count") -> "Count":
        sent = Counter(self.sent) + Counter(other.sent)
        return Count(
            self.calls + other.calls,
            sent,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )

    def since(self, before: "Count") -> "Count":
        """What came after an earlier moment."""
        sent = Counter(self.sent) - Counter(before.sent)
        return Count(
            self.calls - before.calls,
            sent,
            self.input_tokens - before.input_tokens,
            self.output_tokens - before.output_tokens,
        )

    @property
    def states(self) -> Mapping[str, int]:
        """The calls as the client should have counted them."""
        failed = sum(number for kind, number in self.sent.items() if kind in FAILED or kind.isdecimal())
        lost = sum(number for kind, number in self.sent.items() if kind in BROKEN)
        answered = sum(self.sent.values())
        filtered = self.sent.get("prompt_filter", 0)
        return {
            "replies": answered - failed - lost - filtered,
            "filtered": filtered,
            "failed": failed,
            "lost": lost,
            "timed_out": self.calls - answered,
        }


def count(server: OpenAIServer) -> Count:
    """What the endpoint has done, once nothing is on its way."""
    until = time.monotonic() + 90
    while server.in_flight and time.monotonic() < until:
        time.sleep(0.01)
    whole = [sent for kind, sent in server.sent.items() if kind not in BROKEN]
    return Count(
        server.calls,
        {kind: sent.answers for kind, sent in server.sent.items()},
        sum(sent.input_tokens for sent in whole),
        sum(sent.output_tokens for sent in whole),
    )


@dataclass(frozen=True)
class Start:
    """One start of the work."""

    end: str
    """`finished`, `stopped`, `Ctrl-C` or `killed`."""
    server: Count
    """What the endpoint did meanwhile."""
    kept: int
    """Replies that came into the file."""
    printed: Mapping[str, Any] | None
    """What the work said in the end; None where it was killed."""

    def of_ledger(self, name: str) -> float:
        """A sum over the steps of the account."""
        return sum(costs[name] for costs in self.printed["ledger"]) if self.printed else 0

    def differences(self) -> Iterator[str]:
        """Where the work's account is not that of the endpoint."""
        replies = self.server.states["replies"]
        if self.printed is None:
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
        whole = [start for start in self.starts if start.printed is not None]
        killed = [start for start in self.starts if start.printed is None]
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
            reached = faults.wait_for(0 if end == "finished" else faults.random.randrange(20, 2 * items))
            arguments = [server.url, str(cache), str(result.items), str(AT_ONCE), str(TIMEOUT)]
            with subprocess.Popen(
                [sys.executable, "-m", "benchwright.scripts.measure.soak_worker", *arguments],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            ) as process:  # fmt: skip
                if end != "finished":
                    threading.Thread(target=_stop, args=(process, reached, end), daemon=True).start()
                printed, _ = process.communicate()
                reached.set()
            how = {0: "finished", 1: "Ctrl-C" if end == "Ctrl-C" else "stopped"}.get(process.returncode, "killed")
            did = count(server).since(before)
            done = Start(how, did, replies_in(cache)["replies"] - kept, json.loads(printed) if printed else None)
            result.starts.append(done)
            return done

        while goes_on(len(result.starts)):
            result.items += items
            start(faults.random.choice(("finished", "killed", "killed", "Ctrl-C")))
        result.with_faults = _outcomes(start)
        faults.share = 0.0
        result.without = _outcomes(start)
    result.faults, result.file = faults.met, replies_in(cache)
    return result


def _stop(process: "subprocess.Popen[str]", reached: threading.Event, end: str) -> None:
    reached.wait()
    if process.poll() is None:
        process.send_signal(signal.SIGKILL if end == "killed" else signal.SIGINT)


def _outcomes(start: Callable[[str], Start]) -> Counter[str]:
    """What became of the items in a start that goes through; the endpoint may stop one before."""
    for _ in range(20):
        done = start("finished")
        if done.end == "finished" and done.printed is not None:
            return Counter(done.printed["outcomes"].values())
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
