"""A scripted model that asks about articles, and the release of a small encyclopedia that it asked about."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from built import Built, only_release

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card
from benchwright.scripts.servers.mediawiki.encyclopedia import encyclopedia
from benchwright.scripts.servers.mediawiki.export import write_dumps
from benchwright.scripts.servers.openai.server import OpenAIServer

_SHOWN = re.compile(r"Title: (?P<title>.*)\n(?P<text>(?:.|\n)*?)\n\nDate: ")
_SENTENCE = re.compile(r"[A-Z][^.\n]* in (?P<year>\d{4})\.")


def reply(body: Mapping[str, Any]) -> Any:
    """Questions for the years that sentences of the article end with."""
    match = _SHOWN.search(body["messages"][-1]["content"])
    assert match is not None
    title, asked = match["title"], []
    for said in _SENTENCE.finditer(match["text"]):
        clause = said[0].partition(" in ")[0]
        question = f"When, of {title}: {clause[0].lower()}{clause[1:]}?"
        asked.append({"question": question, "answer": said["year"], "quote": said[0], "is_recent": False})
    return {"questions": asked}


def build(built: Built) -> Release:
    """The release, made once."""

    def make(root: Path) -> None:
        write_dumps(encyclopedia(100), root)
        settings = {
            "dump": str(root / "dump.xml"), "dump_log": str(root / "log.xml"), "cutoff": "2021-10-01", "questions": "3",
            "articles": "30", "random": "10", "asked_by": "model", "classifier": "rule",
        }  # fmt: skip
        with OpenAIServer(reply) as server:
            endpoint = ModelSettings({"writer": Endpoint("scripted", server.url)}, cache=root / "replies.sqlite")
            with Client(endpoint) as client:
                build_release("wikipedia", settings, render_card, output=root, client=client)

    return only_release(built.folder("wikipedia-by-a-model", make))
