"""Clubs and players for tests of models that write: replies to requests, releases built with them, what came of it."""

import json
import re
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from support import make_sqlite

from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.grounding.sql import PLACEHOLDER, parse_template
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.wording.by_rule import write
from benchwright.builders.sql.wording.checks import WordingChecker
from benchwright.builders.sql.wording.sense import sense_of
from benchwright.builders.sql.wording.skeleton import words_of
from benchwright.builders.sql.wording.template_meaning import read_meaning
from benchwright.cards.dataset.card import render_card
from benchwright.scripts.servers.openai.server import OpenAIServer

Replies = Callable[[Mapping[str, Any]], Any]

CLUB = """
CREATE TABLE club (club_id INTEGER PRIMARY KEY, name TEXT, town TEXT, founded INTEGER);
CREATE TABLE player (player_id INTEGER PRIMARY KEY, name TEXT, birth_place TEXT, club_id INTEGER REFERENCES club (club_id));
INSERT INTO club VALUES (1, 'VALUEQ Rovers', 'VALUEQ Ville', 991881), (2, 'VALUEQ United', 'VALUEQ Burg', 991882);
INSERT INTO player VALUES (1, 'VALUEQ Ann', 'VALUEQ Port', 1), (2, 'VALUEQ Bob', 'VALUEQ Cove', 2);
"""
TOWN = "SELECT town FROM club WHERE name = '[club.name]';"
BIRTH = "SELECT birth_place FROM player WHERE name = '[player.name]';"
OF_CLUB = "SELECT club.{} FROM player JOIN club ON player.club_id = club.club_id WHERE player.name = '[player.name]';"
BUILT_IN = 6
"""SQL templates that the enumerator makes: two of club, one of player, three of a player's club."""
LONG = (
    "I am writing a rather long letter to an old friend of mine who has always followed the game, and before I post it I "
    "should really like to know {} of {}, please."
)


def asked(body: Mapping[str, Any]) -> tuple[str, str]:
    """The SQL template and the form that a request is about, or the tables and nothing."""
    text = body["messages"][-1]["content"]
    if text.startswith("SQL template:"):
        form = re.search(r"^Form: (\w+)$", text, re.MULTILINE)
        assert form
        return text.splitlines()[1], form[1]
    about = re.search(r"^(?:Use all of these tables together|Ask about this table): (.*)$", text, re.MULTILINE)
    assert about
    return about[1], ""


def placeholders(sql: str) -> str:
    return " and ".join(f"[{table}.{column}]" for table, column in PLACEHOLDER.findall(sql))


def good(sql: str, form: str, count: int = 10) -> list[str]:
    """Wordings that pass: those of rules; where rules have none, some that say next to nothing."""
    names = {"club": ["club_id", "name", "town", "founded"], "player": ["player_id", "name", "birth_place", "club_id"]}
    template = parse_template(sql, names, "sqlite")
    with tempfile.TemporaryDirectory() as folder:
        file = make_sqlite(Path(folder) / "club.sqlite", CLUB)
        with open_database(f"sqlite:///{file}") as database:
            schema = reflect(database)
    meaning = read_meaning(template, schema, schema.vocabulary)
    if meaning is not None:
        checker = WordingChecker(
            template, form, words_of(meaning), count, sense_of(template, schema, schema.vocabulary)
        )
        return [text for text in write(meaning, form, None) if checker.add(text) is None]
    return [f"{thing} {placeholders(sql)}" for thing in ["alpha", "beta", "gamma", "delta"][:count]]


def write_well(body: Mapping[str, Any]) -> dict[str, Any]:
    """A model without faults, that words and proposes."""
    about, form = asked(body)
    if form:
        return {"wordings": good(about, form)}
    return {"sql_templates": PROPOSED.get(about, [])}


PROPOSED = {
    "club": [TOWN, "SELECT founded FROM club WHERE name = '[club.name]';"],
    "player": [BIRTH],
    "club, player": [OF_CLUB.format("name")],
}


def build(root: Path, database: Path, client: Client | None, **settings: object) -> Release:
    texts = {key: str(value) for key, value in {"database": database, "forms": "short", **settings}.items()}
    return build_release("grammar", texts, render_card, output=root / "releases", name="made", client=client)[0]


def client_of(server: OpenAIServer, cache: Path, **settings: Any) -> Client:
    return Client(ModelSettings({"writer": Endpoint("stand-in", server.url)}, cache=cache, **settings))


def questions(release: Release) -> list[dict[str, Any]]:
    return [row for batch in release.batches("questions", "test") for row in batch.to_pylist()]


def rejected(release: Release) -> list[dict[str, Any]]:
    path = release.folder / "templates" / "made.rejected.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def templates(release: Release) -> dict[str, Any]:
    return json.loads((release.folder / "templates" / "made.json").read_text(encoding="utf-8"))
