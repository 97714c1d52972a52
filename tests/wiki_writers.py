"""A scripted model that asks about articles, and the release of a small encyclopedia that it asked about."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from built import Built, only_release

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.builders.wiki.own.encyclopedia import encyclopedia
from benchwright.builders.wiki.own.export import write_dumps
from benchwright.cards.dataset.card import render_card
from benchwright.scripts.servers.openai.server import OpenAIServer
from benchwright.scripts.servers.openai.stand_in import Replies

_SHOWN = re.compile(
    r"Title: (?P<title>.*)\n(?P<text>(?:.|\n)*?)\n\n(?:Other pages|Language|Ask first|Write |These |You have)"
)
_SENTENCE = re.compile(r"[A-Z][^.\n]* in (?P<year>\d{4})\.")
_GRANITE = re.compile(r"The tower was built of pale granite from (?P<place>\w+)[^.]*\.")


def reply(body: Mapping[str, Any]) -> Any:
    """Questions for the years that sentences of the article end with; of granite, of which nothing tells when, the last year.

    When it is asked for the first time the quotes are spoilt.
    """
    said = body["messages"][-1]["content"]
    match = _SHOWN.search(said)
    assert match is not None
    title, asked = match["title"], []
    end = "" if "cannot be used" in said else " Or so."
    for found in _SENTENCE.finditer(match["text"]):
        clause = found[0].partition(" in ")[0]
        question = f"When, of {title}: {clause[0].lower()}{clause[1:]}?"
        asked.append(proposed(question, found["year"], found[0] + end, found["year"]))
    years = re.findall(r"\b\d{4}\b", match["text"])
    for found in _GRANITE.finditer(match["text"]):
        which = " at the river's mouth" if "Other pages with this name: " in said else ""
        question = f"From where was the pale granite of the tower of {title}{which}?"
        asked.append(proposed(question, found["place"], found[0] + end, years[-1]))
    return {"questions": asked}


def proposed(question: str, answer: str, quote: str, happened: str = "") -> dict[str, str]:
    """A proposal as a model gives it."""
    return {"question": question, "answer": answer, "quote": quote, "happened": happened}


def build_with(root: Path, dumps: Path, answer: Replies = reply, holdout: float | None = None, **more: str) -> Release:
    """A release of the dumps in a folder, by a scripted model."""
    settings = {
        "dump": str(dumps / "dump.xml"), "dump_log": str(dumps / "log.xml"), "cutoff": "2021-10-01", "questions": "3",
        "articles": "30", "random": "10", "asked_by": "model", "classifier": "rule", **more,
    }  # fmt: skip
    with OpenAIServer(answer) as server:
        endpoint = ModelSettings({"writer": Endpoint("scripted", server.url)}, cache=root / "replies.sqlite")
        with Client(endpoint) as client:
            release, _ = build_release("wikipedia", settings, render_card, output=root, client=client, holdout=holdout)
    return release


def build(built: Built) -> Release:
    """The release, made once."""

    def make(root: Path) -> None:
        write_dumps(encyclopedia(100), root)
        build_with(root, root)

    return only_release(built.folder("wikipedia-by-a-model", make))


def refused(release: Release) -> list[dict[str, Any]]:
    """The proposals that it keeps as refused."""
    path = release.folder / "proposals" / "refused.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
