"""A system that treats each question badly in a way of its own: as a function, and as a program (`python hostile.py`)."""

import json
import os
import sys
import time
from pathlib import Path

HOW = {
    "height of Gannet Rock": "late",
    "height of Sable Point": "10 MB",
    "height of Old Hook": "control characters",
    "height of Cape Farrow": "exits",
    "height of Mirror Island": "in another language",
}
"""Of short wordings; long ones, by the lighthouse that they name:"""
LONG = {
    "Gannet Rock": "10,000 contexts",
    "Sable Point": "no context",
    "Old Hook": "twice",
    "Cape Farrow": "wrong id",
    "Mirror Island": "otherwise on retry",
}


def how_of(question: str) -> str:
    """What it does at a question."""
    return HOW.get(question) or next((how for name, how in LONG.items() if name in question), "greeted")


def reply_to(how: str) -> dict:
    """What it says, where it says something."""
    if how == "10 MB":
        return {"answer": "31 metres " * 1_000_000}
    if how == "10,000 contexts":
        return {"answer": "31 metres", "contexts": [{"id": f"chunk-{n}", "text": f"text {n}"} for n in range(10_000)]}
    if how == "control characters":
        return {"answer": "18\x00 metres\x1b[31m\x07\u202e", "contexts": ["\x1b]0;owned\x07"]}
    if how == "in another language":
        return {"answer": "Пятьдесят пять метров — 五十五米", "contexts": ["灯塔高五十五米。"]}
    if how == "no context":
        return {"answer": "24 metres", "contexts": []}
    return {"answer": "18 metres"}


def fails_first(how: str) -> bool:
    """Whether it fails now, because it is asked for the first time what it answers otherwise on retry."""
    marker = Path("failed.txt")
    if how != "otherwise on retry" or marker.exists():
        return False
    marker.touch()
    return True


def answer(question: str) -> dict:
    how = how_of(question)
    print("between\x1b[2J answers")  # noqa: T201
    if how == "late":
        time.sleep(0.2)
    if how == "exits":
        sys.exit(3)
    if fails_first(how):
        raise ConnectionError("\x1b[31mthe index is down")
    return {**reply_to(how), **({"id": "nobody's"} if how == "wrong id" else {})}


def hanging(question: str) -> str:
    """Answers all but one question, and never that."""
    if question == "height of Gannet Rock":
        time.sleep(60)
    return "18 metres"


def main() -> None:
    """The same as a program."""
    for line in sys.stdin:
        request = json.loads(line)
        if "hanging" in sys.argv:
            print(json.dumps({"id": request["id"], "answer": hanging(request["question"])}), flush=True)  # noqa: T201
            continue
        how = how_of(request["question"])
        print("between\x1b[2J answers", flush=True)  # noqa: T201
        if how == "late":
            time.sleep(0.2)
        if how == "exits" or fails_first(how):
            print("\x1b[31mSegmentation fault\x07", file=sys.stderr, flush=True)  # noqa: T201
            os._exit(139)
        said = {"id": "nobody's" if how == "wrong id" else request["id"], **reply_to(how)}
        for _ in range(2 if how == "twice" else 1):
            print(json.dumps(said), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
