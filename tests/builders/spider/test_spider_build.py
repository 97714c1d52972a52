"""Context-augmented Spider: the databases it takes, the pages it writes, what is asked of them and what proves it."""

import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from built import Built
from support import SHARED, make_sqlite

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.builders.spider import long_results
from benchwright.builders.spider.facts import cell_key
from benchwright.builders.spider.profile import Fact, Profile
from benchwright.builders.spider.reading import Reading, words_in
from benchwright.builders.spider.source import copy_with_keys, find_database
from benchwright.builders.spider.strangers import Strangers
from benchwright.builders.sql.reflection import reflect
from benchwright.cards.dataset.card import render_card
from benchwright.cards.hub.publish import holds_source_data

CLUBS = """
CREATE TABLE club (Club_ID int, Name text, Colour text, Founded int);
CREATE TABLE player (Player_ID int, Name text, Club_ID int, Caps int);
CREATE TABLE fan (Fan_ID int, Name text);
INSERT INTO club VALUES (1, 'The "Lions" [North]', 'Red', 1902), (2, 'O''Hara''s XI', 'Green', 1911),
  (3, 'St. Mary', 'Blue', 1920), (4, 'Harbour', 'White', 1935);
INSERT INTO player VALUES (1, 'Ada Moor', 1, 12), (2, 'Ben Tal', 2, 31), (3, 'Cy Orr Jr.', 3, 45), (4, 'Di Poe', 4, 52);
"""
"""No key is declared, names hold quotes, brackets and full stops, and a table is empty."""
LEAGUE = """
CREATE TABLE season (Year int, Division text, Title text, Sponsor text, PRIMARY KEY (Year, Division));
CREATE TABLE race (Name text PRIMARY KEY, Year int, Division text, Laps int,
  FOREIGN KEY (Year, Division) REFERENCES season (Year, Division));
INSERT INTO season VALUES (2001, 'A', 'Opening Cup', 'Velm'), (2001, 'B', 'Second Cup', 'Tark'), (2002, 'A', 'Third Cup', 'Orno'),
  (2002, 'B', 'Fourth Cup', 'Bexa');
INSERT INTO race VALUES ('Hill Run', 2001, 'A', 30), ('Lake Run', 2001, 'B', 31), ('Moor Run', 2002, 'A', 32), ('Fen Run', 2002, 'B', 33);
"""


def build(root: Path, database: Path, **settings: object) -> Release:
    given = {
        "wordings": "1",
        "forms": "short",
        "database": str(database),
        **{key: str(value) for key, value in settings.items()},
    }
    return build_release("spider", given, render_card, output=root)[0]


def rows(release: Release, config: str, split: str) -> list[dict[str, Any]]:
    return [row for batch in release.batches(config, split) for row in batch.to_pylist()]


def test_our_own_companies_are_built_and_proved(built: Built) -> None:
    release = built.release("spider", wordings=1, forms="short")
    found = verify_release(release)
    assert not found.problems
    assert found.proved["questions' facts, found on pages"] == 293
    assert found.proved["pages that state the facts of their row and no other"] == 34
    pages = rows(release, "corpus", "corpus")
    assert all(200 <= words_in(page["text"]) <= 400 for page in pages)
    questions = rows(release, "questions", "test")
    assert {row["hops"] for row in questions} == {1, 2}
    two_hops = next(row for row in questions if row["entity"] == "Elena Quist" and row["answers"] == ["33.1"])
    texts = {page["_id"]: page["text"] for page in pages}
    said = {item["fact"]: texts[item["document"]][item["start"] : item["end"]] for item in two_hops["evidence"]}
    assert "Elena Quist" in said[0] and "Inverlock Steel" in said[0] and said[1] == "33.1"
    assert not holds_source_data(release.manifest)


def test_keys_that_are_missing_are_taken_from_names_and_values(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = make_sqlite(tmp_path / "clubs.sqlite", CLUBS)
    release = build(tmp_path, file)
    assert "player.Club_ID → club.Club_ID" in caplog.text
    assert "nothing is asked about fan, which no row is in" in caplog.text
    asked = {(row["entity"], row["hops"]): row["answers"] for row in rows(release, "questions", "test")}
    assert asked["Cy Orr Jr.", 2] and asked['The "Lions" [North]', 1]
    found = verify_release(release, f"sqlite:///{file}")
    assert not found.problems and found.proved["questions' facts, found on pages"] == len(
        rows(release, "questions", "test")
    )
    assert holds_source_data(release.manifest) and not list(release.folder.glob("database/*"))
    assert release.manifest.sources[0]["licence"] == "cc-by-sa-4.0"


def test_composite_keys_are_followed(tmp_path: Path) -> None:
    release = build(tmp_path, make_sqlite(tmp_path / "league.sqlite", LEAGUE))
    asked = {(row["entity"], *row["answers"]) for row in rows(release, "questions", "test") if row["hops"] == 2}
    assert ("Hill Run", "Velm") in asked and ("Fen Run", "Fourth Cup") in asked


PROFILE = Profile(
    ("club", ("Harbour",)),
    "club",
    "Harbour",
    (
        Fact(cell_key("club", ("Harbour",), "Colour"), "colour", "White"),
        Fact(cell_key("club", ("Harbour",), "Sales"), "sales", "4.2", scale="billion"),
    ),
)
OTHER = Profile(
    ("club", ("St. Mary",)), "club", "St. Mary", (Fact(cell_key("club", ("St. Mary",), "Colour"), "colour", "Blue"),)
)
GOOD = "Its colour is White. The sales of Harbour are 4.2 billion."


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (GOOD, None),
        ("Its colour is White. The sales of Harbour are 4.2 million.", "the sales of Harbour is 4.2"),
        ("Its colour is White. The sales of Harbour are 14.2 billion.", "the sales of Harbour is 4.2"),
        ("White was worn. The sales of Harbour are 4.2 billion.", "the colour of Harbour is White"),
        (f"{GOOD} It was founded in 1911.", "the number 1911"),
        (f"{GOOD} St. Mary is a rival.", "it names St Mary"),
        (f"{GOOD} Others say that the colour is Blue.", "it says Blue where the colour of Harbour is White"),
        (f"{GOOD} The colour is not White.", "takes back or doubts a fact by 'not'"),
        ("Perhaps its colour is White. The sales of Harbour are 4.2 billion.", "the colour of Harbour is White"),
    ],
)
def test_a_page_is_read(text: str, problem: str | None) -> None:
    strangers = Strangers()
    strangers.see(PROFILE)
    strangers.see(OTHER)
    problems = Reading(PROFILE, text).problems(strangers)
    assert problems == [] if problem is None else any(problem in one for one in problems)


def test_a_company_named_like_its_product_is_told_of_both(tmp_path: Path) -> None:
    script = """
CREATE TABLE company (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT, company_id INTEGER REFERENCES company (id), note TEXT);
INSERT INTO company VALUES (1, 'Vexil', 'Oslo'), (2, 'Tamber', 'Rome'), (3, 'Quorn', 'Bonn'), (4, 'Marl', 'Kiel');
INSERT INTO product VALUES (1, 'Vexil', 1, 'x' || char(0) || 'y'), (2, 'Tamber Pro', 2, 'round'), (3, 'Kettle', 3, 'flat'),
  (4, 'Lamp', 4, 'tall'), (5, 'Fan', 2, 'loud');
"""
    file = make_sqlite(tmp_path / "named.sqlite", script)
    release = build(tmp_path, file, kinds="lookup,yes_no", commonest=1)
    assert not verify_release(release, f"sqlite:///{file}").problems
    assert "pages_left_out" in release.manifest.checks and not release.manifest.checks["pages_left_out"]
    asked = {(row["entity"], *row["answers"]) for row in rows(release, "questions", "test") if row["kind"] == "lookup"}
    assert ("Vexil", "Oslo") in asked and ("Tamber Pro", "Rome") in asked


ORDERS = """
CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT, colour TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, number TEXT NOT NULL UNIQUE, order_date TEXT, shipped_date TEXT, address TEXT);
CREATE TABLE order_detail (order_id INTEGER REFERENCES orders (id), product_id INTEGER REFERENCES product (id),
  quantity INTEGER, PRIMARY KEY (order_id, product_id));
INSERT INTO product VALUES (1, 'Kettle', 'red'), (2, 'Lamp', 'blue'), (3, 'Fan', 'green');
INSERT INTO orders VALUES (1, '10248', '1996-07-04', '1996-07-04', '7 Elm St.'),
  (2, '10249', '1996-07-05', '1996-07-10', '9 Oak St.'), (3, '10250', '1996-07-08', '1996-07-12', '3 Ash St.');
INSERT INTO order_detail VALUES (1, 1, 12), (1, 2, 5), (2, 2, 9), (3, 3, 40);
"""


def test_a_number_is_told_with_what_it_names(tmp_path: Path) -> None:
    file = make_sqlite(tmp_path / "orders.sqlite", ORDERS)
    release = build(tmp_path, file, commonest=1)
    pages = {row["title"]: row["text"] for row in rows(release, "corpus", "corpus")}
    assert "rder 10248" in pages["10248"]
    assert not re.search(r"(?<!rder )10248|\.\.| put at 1996", "\n".join(pages.values()))
    assert not verify_release(release, f"sqlite:///{file}").problems
    asked = [row for row in rows(release, "questions", "test") if row["answers"] == ["1996-07-04"]]
    spans = {(item["start"], item["end"]) for row in asked if "ship" in row["question"] for item in row["evidence"]}
    assert len(spans) == 1 and all("shipped date" in pages["10248"][max(0, start - 90) : end] for start, end in spans)


def test_long_results_are_read_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_results, "PART", 2)
    with open_database(f"sqlite:///{make_sqlite(tmp_path / 'orders.sqlite', ORDERS)}") as database:
        parts = list(long_results.rows_in_parts(database, "SELECT quantity FROM order_detail"))
    assert [[row[0] for row in part] for part in parts] == [[12, 5], [9, 40], []]


def test_the_span_of_a_value_is_the_value() -> None:
    spans = Reading(PROFILE, GOOD).facts
    assert [GOOD[start:end] for places in spans.values() for start, end in places] == ["White", "4.2"]


def test_databases_are_found_in_spiders_layout(tmp_path: Path) -> None:
    for name in ("clubs", "league"):
        (tmp_path / "database" / name).mkdir(parents=True)
        make_sqlite(tmp_path / "database" / name / f"{name}.sqlite", CLUBS)
    assert find_database(str(tmp_path / "database" / "clubs")).name == "clubs.sqlite"
    with pytest.raises(UsageError, match=r"holds 2 databases: name one of clubs/clubs\.sqlite, league/league\.sqlite"):
        find_database(str(tmp_path))
    (tmp_path / "notes.sqlite").write_text("no database")
    with pytest.raises(BenchwrightError, match="is no SQLite database"):
        find_database(str(tmp_path / "notes.sqlite"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="holds no SQLite file"):
        find_database(str(tmp_path / "empty"))
    with pytest.raises(UsageError, match="there is no database"):
        find_database(str(tmp_path / "nothing.sqlite"))


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("CREATE TABLE club (name text, city text);", "no table of bad has a row: club"),
        ("CREATE TABLE log (a int, b int); INSERT INTO log VALUES (1, 2);", "has a column that names its rows"),
        ("CREATE TABLE club (name text); INSERT INTO club VALUES ('Harbour');", "no template can be made"),
    ],
)
def test_databases_of_which_nothing_can_be_asked(tmp_path: Path, script: str, said: str) -> None:
    with pytest.raises(BenchwrightError, match=said):
        build(tmp_path, make_sqlite(tmp_path / "bad.sqlite", script))


def test_texts_in_another_encoding_are_read(tmp_path: Path) -> None:
    file = make_sqlite(tmp_path / "old.sqlite", "CREATE TABLE club (name text);")
    connection = sqlite3.connect(file)
    connection.execute("INSERT INTO club VALUES (CAST(x'4A6F73E9' AS TEXT))")
    connection.commit()
    connection.close()
    assert copy_with_keys(file, tmp_path / "copy.sqlite").other_encoding == 1
    with open_database(f"sqlite:///{tmp_path / 'copy.sqlite'}") as database:
        assert database.all("SELECT name FROM club") == [("José",)]
        assert reflect(database).tables["club"].naming == ("name",)


def test_answers_cannot_be_held_out() -> None:
    with pytest.raises(UsageError, match="pages of spider state every answer"):
        build_release("spider", {}, render_card, holdout=0.5)


@pytest.mark.skipif(not (SHARED / "spider").is_dir(), reason="Spider's databases are not here")
@pytest.mark.parametrize(("name", "groups"), [("company_employee", 187), ("company_employee_closed", 190)])
def test_spiders_company_employee(tmp_path: Path, name: str, groups: int) -> None:
    file = SHARED / "spider" / f"{name}.sqlite"
    release = build(tmp_path, file)
    found = verify_release(release, f"sqlite:///{file}")
    assert not found.problems
    assert found.proved["questions' facts, found on pages"] == groups
