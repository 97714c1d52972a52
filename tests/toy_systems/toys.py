"""Systems as people write them, for tests. Each call is written down in `asked.txt` of the working folder."""

import asyncio
import functools
import os
import sys
import time
from pathlib import Path

HEIGHTS = {"Gannet Rock": 31, "Sable Point": 24, "Old Hook": 18, "Cape Farrow": 42}


def _note(question: str) -> None:
    with Path("asked.txt").open("a") as file:
        file.write(question + "\n")


def answer(question: str) -> str:
    _note(question)
    return next(
        (f"It is {height} metres tall." for name, height in HEIGHTS.items() if name in question), "I don't know."
    )


def held(question: str) -> str:
    """From the sixth question on it waits for as long as there is a file `hold`."""
    found = answer(question)
    while Path("hold").exists() and len(Path("asked.txt").read_text().splitlines()) > 5:
        time.sleep(0.01)
    return found


async def later(question: str) -> str:
    await asyncio.sleep(0.01)
    return answer(question)


hidden = functools.partial(lambda question: later(question))


def fields(question: str) -> dict:
    return {
        "answer": answer(question),
        "contexts": [{"id": "gannet-rock", "score": 1.0}, "some text of its own"],
        "cost": 0.01,
    }


def chatty(question: str) -> str:
    print("thinking about", question)  # noqa: T201
    return answer(question)


def raises(question: str) -> str:
    if "Old Hook" in question:
        raise ValueError("no such\nlighthouse")
    return answer(question)


def leaves(question: str) -> str:
    if "Old Hook" in question:
        sys.exit(3)
    return answer(question)


def nothing(question: str) -> str | None:
    return None if "Old Hook" in question else answer(question)


def wrong_type(question: str) -> object:
    return ["18 metres"] if "Old Hook" in question else answer(question)


def wrong_fields(question: str) -> object:
    return {"answer": 18} if "Old Hook" in question else answer(question)


def no_json(question: str) -> object:
    return {"answer": "18", "contexts": [object()]} if "Old Hook" in question else answer(question)


def hangs(question: str) -> str:
    if "Old Hook" in question:
        time.sleep(600)
    return answer(question)


async def hangs_later(question: str) -> str:
    if "Old Hook" in question:
        await asyncio.sleep(600)
    return answer(question)


def huge(question: str) -> str:
    return answer(question) + " " + "x" * 10_000_000 if "Old Hook" in question else answer(question)


def dies(question: str) -> str:
    """Kills its process once, at the fifth question."""
    asked = Path("asked.txt").read_text().splitlines() if Path("asked.txt").exists() else []
    if len(asked) == 4 and not Path("died.txt").exists():
        Path("died.txt").touch()
        os.kill(os.getpid(), 9)
    return answer(question)


class Rag:
    """Everything that a system may offer."""

    def __init__(self) -> None:
        self.settings = {"model": "none", "temperature": 0}
        self.texts: dict[str, str] = {}

    def index(self, documents: list[dict[str, str]]) -> None:
        self.texts = {each["id"]: each["text"] for each in documents}

    def retrieve(self, question: str, k: int) -> list[dict[str, object]]:
        best = sorted(self.texts, key=lambda name: -sum(word in self.texts[name] for word in question.split()))
        return [{"id": f"chunk-{place}", "text": self.texts[name]} for place, name in enumerate(best[:k])]

    def answer(self, question: str, *, contexts: list[str] | None = None) -> str:
        return answer(question)


class Broken:
    """A system whose index fails."""

    def index(self, documents: list[dict[str, str]]) -> None:
        raise RuntimeError("no space")

    def answer(self, question: str) -> str:
        return "x"


class Needy:
    """A class that needs an argument."""

    def __init__(self, key: str) -> None:
        self.key = key

    def answer(self, question: str) -> str:
        return "x"


def two(question: str, more: str) -> str:
    return question + more


NUMBER = 7
