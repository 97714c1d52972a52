"""Closed names: fictitious ones for real ones, the same in database, pages and questions; what cannot be is left out."""

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from support import make_sqlite

from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.releases.proofs.beyond import beyond
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.builders.spider.closed import close_names
from benchwright.builders.spider.fictitious import COMMON, TWO_TABLES, Closed
from benchwright.builders.sql.reflection import reflect
from benchwright.cards.dataset.card import render_card

FIRMS = """
CREATE TABLE company (id INTEGER PRIMARY KEY, name TEXT, city TEXT, motto TEXT, website TEXT);
CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT, company_id INTEGER REFERENCES company (id), colour TEXT);
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, company_id INTEGER REFERENCES company (id), college TEXT);
CREATE TABLE city (name TEXT PRIMARY KEY, country TEXT);
INSERT INTO company VALUES (1, 'Zarnex', 'Perth', 'Trust Zarnex''s people', 'www.zarnex.example'),
  (2, 'Orange', 'Oslo', 'Bright ideas', NULL), (3, 'Quibbly', 'Oslo', 'Mr Kettleby knows', NULL),
  (4, 'Dunlow Bank', 'Turin', 'Built by Ada Kettleby', NULL), (5, 'Perth', 'Perth', 'By the river', NULL);
INSERT INTO product VALUES (1, 'Zarnex Kettle', 1, 'red'), (2, 'Quibbly', 3, 'orange'), (3, 'Sofa', 2, 'Orange');
INSERT INTO person VALUES (1, 'Ada Kettleby', 1, 'Wexcombe'), (2, 'Bo Kettleby', 4, 'Linden'), (3, 'Cy Marr', 3, 'Linden');
INSERT INTO city VALUES ('Perth', 'Australia'), ('Oslo', 'Norway'), ('Turin', 'Italy');
"""


@pytest.fixture
def closed(tmp_path: Path) -> tuple[Closed, dict[str, list[tuple[Any, ...]]]]:
    file = make_sqlite(tmp_path / "firms.sqlite", FIRMS)
    with open_database(f"sqlite:///{file}") as database:
        schema = reflect(database)
    done = close_names(file, schema, 0)
    connection = sqlite3.connect(file)
    rows = {
        table: connection.execute(f"SELECT * FROM {table} ORDER BY id").fetchall()
        for table in ("company", "product", "person")
    }
    connection.close()
    return done, rows


def test_names_are_replaced_everywhere_alike(closed: tuple[Closed, dict[str, list[tuple[Any, ...]]]]) -> None:
    done, rows = closed
    firm, people = rows["company"][0], rows["person"]
    assert firm[1] == done.names["zarnex"] and firm[3] == f"Trust {firm[1]}'s people"
    assert rows["product"][0][1].startswith(f"{firm[1]} ")
    assert firm[4] is None, "an address would give the name away"
    family = people[0][1].split()[1]
    assert people[1][1].split()[1] == family and people[0][1] != people[1][1]
    assert rows["company"][3][3] == f"Built by {people[0][1]}"
    assert rows["company"][2][3] == f"Mr {family} knows"
    assert rows["company"][3][1].endswith(" Bank")
    assert rows["company"][0][2] == "Perth" and done.kept == ["city"]


def test_what_cannot_be_replaced_alike_is_left_out(closed: tuple[Closed, dict[str, list[tuple[Any, ...]]]]) -> None:
    done, rows = closed
    assert done.left_out == {TWO_TABLES: 2, COMMON: 1}
    assert rows["company"][1][1] is None, "Orange is a colour too"
    assert rows["company"][2][1] is None and rows["product"][1][1] is None, "a company named like its product"
    assert rows["company"][4][1] is None, "a company named like a city"
    assert rows["product"][2][3] is None and rows["product"][1][3] == "orange"


def test_no_fictitious_name_is_a_real_one(closed: tuple[Closed, dict[str, list[tuple[Any, ...]]]]) -> None:
    done, _ = closed
    real = {word.casefold() for word in re.findall(r"\w+", FIRMS)} - {"bank"}
    made = {word.casefold() for name in done.names.values() for word in name.split()}
    assert not made & real and len(set(done.names.values())) == len(done.names)


def test_a_closed_release_holds_no_real_name(tmp_path: Path) -> None:
    file = make_sqlite(tmp_path / "firms.sqlite", FIRMS)
    given = {
        "database": str(file),
        "names": "closed",
        "wordings": "1",
        "forms": "short",
        "ship": "all",
        "commonest": "1",
    }
    release: Release = build_release("spider", given, render_card, output=tmp_path)[0]
    assert not verify_release(release).problems
    texts = [row for batch in release.batches("corpus", "corpus") for row in batch.to_pylist()]
    texts += [row for batch in release.batches("questions", "test") for row in batch.to_pylist()]
    said = json.dumps(texts) + (release.folder / "manifest.json").read_text()
    assert not re.search(r"zarnex|kettleby|dunlow|quibbly|marr\b", said, re.IGNORECASE)
    assert b"Kettleby" not in next(release.folder.glob("database/*")).read_bytes()
    assert release.manifest.checks["names_taken_out"] == {TWO_TABLES: 2, COMMON: 1}


def test_a_closed_release_is_proved_with_the_original(tmp_path: Path) -> None:
    file = make_sqlite(tmp_path / "firms.sqlite", FIRMS)
    given = {"database": str(file), "names": "closed", "wordings": "1", "forms": "short", "commonest": "1"}
    release: Release = build_release("spider", given, render_card, output=tmp_path)[0]
    alone = verify_release(release)
    told = "name the original with --database FILE, whose names are replaced once more, or build the release again"
    assert any(told in reason for reason in alone.reasons.values()) and not alone.problems
    found = verify_release(release, f"sqlite:///{file}")
    assert not found.problems and not found.unchecked
    assert found.proved["source databases by their bytes"] == 1
    rows = "that the shipped rows are those of sqlite:///firms.sqlite: verify it with --database"
    assert rows in beyond(release, alone) and rows not in beyond(release, found)
    asked = release.manifest.rows["questions"]
    assert found.proved["SQL queries"] == found.proved["questions' facts, found on pages"] == asked
