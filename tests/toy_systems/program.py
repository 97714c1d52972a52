"""A program that is asked by JSON lines and behaves as its argument says."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

HOW = sys.argv[1]


def say(**fields: object) -> None:
    print(json.dumps(fields), flush=True)  # noqa: T201


def answer(request: dict) -> None:
    name, question = request["id"], request["question"]
    if HOW == "logs":
        print("loading …\n\n{not json}\n[1]\n" + '{"level": "info", "message": "hm", "error": null}', flush=True)  # noqa: T201
    if HOW == "dies" and "Old Hook" in question:
        print("Traceback\nValueError: no such lighthouse", file=sys.stderr, flush=True)  # noqa: T201
        os._exit(3)
    if HOW == "killed" and "Old Hook" in question:
        os.kill(os.getpid(), 9)
    if HOW == "hangs" and "Old Hook" in question:
        time.sleep(60)
    if HOW == "deaf":
        print("waiting for the database", file=sys.stderr, flush=True)  # noqa: T201
        time.sleep(60)
    if HOW in ("bare", "twice bare"):
        say(answer="31 metres")
        if HOW == "twice bare":
            say(answer="30 metres")
    else:
        say(id="mine" if HOW == "wrong ids" else name, answer="31 metres")
        if HOW == "twice":
            say(id=name, answer="30 metres")
    if HOW == "leaves":
        sys.exit(0)


if HOW == "at the end":
    for each in sys.stdin.readlines():
        say(answer="31 metres", id=json.loads(each)["id"])
    sys.exit(0)
if HOW == "parent":
    child = subprocess.Popen(["sleep", "60"])
    Path("child.txt").write_text(f"{os.getpid()} {child.pid}")
if HOW == "like node":
    sys.stderr.write(
        "node:internal:1\n  throw err;\n\nError: Cannot find module 'rag'\n    at load (1:2)\n\nNode.js v20\n"
    )
    sys.exit(1)
if HOW == "no start":
    raise ImportError("no module named torch")
for line in sys.stdin:
    answer(json.loads(line))
if HOW == "parent":
    time.sleep(60)
