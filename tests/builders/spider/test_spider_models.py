"""Pages that a model writes: each is read, told what is wrong with it, and left to rules where nothing helps."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support import make_sqlite

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card
from benchwright.scripts.servers.openai.server import OpenAIServer

CLUBS = """
CREATE TABLE club (id INTEGER PRIMARY KEY, name TEXT, colour TEXT, founded INTEGER);
INSERT INTO club VALUES (1, 'Harbour', 'White', 1902), (2, 'Moorside', 'Green', 1911), (3, 'Fenwick', 'Blue', 1920),
  (4, 'Quarry Lane', 'Red', 1935);
"""
FIRST = 4
"""Messages of a first request: what to do, the demonstration and its reply, the order."""
TALK = "Those who care about such matters will find the outline familiar and the rest a question of taste. " * 12


def scribe(body: Mapping[str, Any]) -> Any:
    """Good at most pages; one has a slip at first, one is too short at first, one is refused."""
    order, attempt = body["messages"][FIRST - 1]["content"], 1 + (len(body["messages"]) - FIRST) // 2
    lines = dict(re.findall(r"\*\*(.+?)\*\*: (.+)", order))
    name = lines.pop("Name")
    told = [f"The {what.lower()} of {name} is, as it happens, {value}." for what, value in lines.items()]
    if name == "Fenwick":
        return {"refusal": "I would rather not."}
    if name == "Harbour" and attempt == 1:
        return {"paragraphs": [TALK, *told, "It has 4711 members."]}
    if name == "Moorside" and attempt == 1:
        return {"paragraphs": told}
    return {"paragraphs": [TALK, told[0], "Much else could be said.", *told[1:]]}


def settings(url: str, cache: Path, **rest: Any) -> ModelSettings:
    return ModelSettings({"writer": Endpoint("scribe", url, rates=(1.0, 2.0))}, cache=cache, **rest)


def test_a_model_writes_pages_that_are_read(tmp_path: Path) -> None:
    given = {
        "database": str(make_sqlite(tmp_path / "clubs.sqlite", CLUBS)),
        "documents": "model",
        "wordings": "1",
        "ship": "all",
    }
    with OpenAIServer(scribe) as server, Client(settings(server.url, tmp_path / "r.sqlite", estimate=True)) as client:
        with pytest.raises(Estimated):
            build_release("spider", given, render_card, output=tmp_path, client=client)
        assert server.calls == 0
    seen: list[str] = []

    def scribe_seen(body: Mapping[str, Any]) -> Any:
        seen.append(str(body["messages"][-1]["content"]))
        return scribe(body)

    with OpenAIServer(scribe_seen) as server:
        with Client(settings(server.url, tmp_path / "r.sqlite")) as client:
            release = build_release("spider", given, render_card, output=tmp_path, client=client)[0]
        again = "".join(seen)
    assert "it holds the number 4711, which is in no fact" in again
    assert re.search(r"it has \d+ words: write 200 to 400", again)
    checks = release.manifest.checks
    assert checks["pages_by_model"] == {"1": 1, "2": 2, "3": 0} and checks["pages_of_model_refused"] == 2
    assert sum(checks["pages_by_rule"].values()) == 1
    assert release.manifest.texts["documents"] == {"model": 3, "fallback": 1}
    found = verify_release(release)
    assert not found.problems and found.proved["pages that state the facts of their row and no other"] == 4
    assert "3 of the 4 pages were written by `scribe`" in (release.folder / "README.md").read_text()


def test_a_model_must_be_named() -> None:
    with pytest.raises(UsageError, match="documents=model needs a model that writes them: add --model writer=NAME"):
        build_release("spider", {"documents": "model"}, render_card)
