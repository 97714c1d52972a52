"""Starts the server that speaks the OpenAI protocol: by hand (`scripts/openai-server`), or in a process of its own."""

from __future__ import annotations

import argparse
import errno
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.profiles import PROFILES
from benchwright.scripts.servers.openai.server import OpenAIServer


@contextmanager
def start_process(latency: float = 0.0, **options: Any) -> Iterator[str]:
    """A server in a process of its own while the block lasts; gives its base URL. `GET url/stats` counts.

    `options` are those of OpenAIServer that JSON can hold. Requests are not recorded.
    """
    code = "from benchwright.scripts.servers.openai.command import serve_parent; serve_parent()"
    given = json.dumps({"latency": latency, "record": False, **options})
    with subprocess.Popen(
        [sys.executable, "-P", "-c", code, given],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin and process.stdout
        try:
            url = process.stdout.readline().strip()
            if not url:
                raise RuntimeError("the server's process has ended: its reason is above")
            yield url
        finally:
            process.stdin.close()


def serve_parent() -> None:
    """Serves until the parent closes stdin, as it also does by ending."""
    options = json.loads(sys.argv[1])
    replies = options.pop("replies", None)  # JSON has no tuples, which is what rules are
    replies = replies and [tuple(reply) if isinstance(reply, list) else reply for reply in replies]
    with OpenAIServer(replies, **options) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        sys.stdin.read()


def read_rules(path: Path) -> list[tuple[str, Any]]:
    """The rules of a file, one `{"match": pattern, "reply": …}` a line. Raises ValueError with the line, or OSError."""
    rules = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            rule = json.loads(line)
            re.compile(rule["match"])
            if not isinstance(rule["reply"], str | dict | list):
                raise TypeError
            rules.append((rule["match"], rule["reply"]))
        except json.JSONDecodeError as error:
            raise ValueError(f"{path}, line {number}: not JSON: {error}") from None
        except re.error as error:
            raise ValueError(f"{path}, line {number}: match is no pattern: {error}") from None
        except (TypeError, KeyError):
            raise ValueError(f'{path}, line {number}: not of the form {{"match": pattern, "reply": …}}') from None
    if not rules:
        raise ValueError(f"{path}: there is no rule in it")
    return rules


def read_fault(text: str) -> Fault | None:
    """`ok`, or a kind, with `:NUMBER` the seconds of `slow` or of a status's Retry-After. Raises ValueError."""
    kind, _, number = text.partition(":")
    if kind == "ok":
        return None
    if kind.isdecimal():
        return Fault(int(kind), retry_after=float(number) if number else None)
    return Fault(kind, seconds=float(number) if number else float(kind == "slow"))


def main() -> int:
    """Serves until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="openai-server", description="Serves the OpenAI protocol without a model.")
    parser.add_argument("--port", type=int, default=8080, help="0 takes a free one [8080]")
    parser.add_argument("--latency", type=float, default=0.0, metavar="S", help="seconds that each reply takes [0]")
    parser.add_argument("--key", help="the only key that is let in [any]")
    parser.add_argument("--profile", choices=sorted(PROFILES), help="behaves as this endpoint does [takes all]")
    parser.add_argument("--replies", type=Path, metavar="FILE.jsonl", help='lines of {"match": pattern, "reply": ...}')
    parser.add_argument(
        "--fault",
        nargs="+",
        default=[],
        metavar="KIND",
        help="what the first requests meet, in order: ok, a status (429, 429:2 with Retry-After: 2), slow:SECONDS, "
        "cut, reset, invalid_json, html, wrong_schema, refusal, length, ...",
    )
    given = parser.parse_args()
    try:
        rules = read_rules(given.replies) if given.replies else None
        faults = [read_fault(text) for text in given.fault]
        server = OpenAIServer(
            rules,
            key=given.key,
            latency=given.latency,
            faults=faults,
            record=False,
            profile=given.profile,
            port=given.port,
        )
        with server:
            use = f"OPENAI_BASE_URL={server.url} OPENAI_API_KEY={given.key or 'anything'}"
            sys.stdout.write(f"serving {server.url}; use it with {use}; Ctrl-C stops it\n")
            sys.stdout.flush()
            threading.Event().wait()
    except KeyboardInterrupt:
        return 0
    except (ValueError, OSError, OverflowError) as error:
        in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        reason = f"port {given.port} is in use: give another one with --port, 0 for any free one" if in_use else error
        sys.stderr.write(f"error: {reason}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
