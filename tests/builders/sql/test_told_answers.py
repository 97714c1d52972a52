"""A template whose question tells the answer is left out, counted and named: only the rows show which."""

import logging
from pathlib import Path

import pytest
from support import make_sqlite

from benchwright.benchmarks.releases.rows import load_questions
from benchwright.builders.base import build_release
from benchwright.builders.sql.filling.told import SAME_ROW, TOLD
from benchwright.cards.dataset.card import render_card

FIRST, LAST = ["Ada", "Bo", "Cleo", "Dan", "Eva"], ["Byron", "Li", "Marsh", "Ó'Poe", "Quist"]


def test_what_the_rows_tell(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    rows = [
        (number, f"{first} {last}", first.upper(), last.replace("Ó", "O"), f"T{number % 7}", number, 1 + number % 25)
        for number, (first, last) in enumerate(((first, last) for first in FIRST for last in LAST), 1)
    ]
    values = ", ".join(str(tuple(row)) for row in rows)
    database = make_sqlite(
        tmp_path / "d.sqlite",
        "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT UNIQUE, calling TEXT, family TEXT, town TEXT,"
        " guardian_id INTEGER REFERENCES person (id), friend_id INTEGER REFERENCES person (id));"
        f"INSERT INTO person VALUES {values};",
    )
    parameters = {"database": str(database), "forms": "short", "documents": "none", "hops": "3"}
    with caplog.at_level(logging.INFO, logger="benchwright"):
        release = build_release("grammar", parameters, render_card, output=tmp_path / "releases")[0]
    asked = {(question.sql or "").partition(" WHERE")[0] for question in load_questions(release, "test")}
    of_friend = " FROM person JOIN person AS person_2 ON person.friend_id = person_2.id"
    assert asked == {
        "SELECT town FROM person",
        *(f"SELECT person_2.{column}{of_friend}" for column in ("name", "calling", "family", "town")),
    }
    left = release.manifest.checks["sql_templates_left_out"]
    assert (left[TOLD], left[SAME_ROW]) == (5, 3)
    assert "left out: the question tells the answer: SELECT calling FROM person" in caplog.text
    assert "what is asked stands in the question" in (release.folder / "README.md").read_text(encoding="utf-8")
