"""Kinds list, yes_no and unanswerable: built from a small database, read, proved."""

import json
import sqlite3
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support import make_sqlite

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.schemas import QUESTIONS
from benchwright.builders.base import build_release
from benchwright.builders.sql.kinds.steps.plausible import is_plainly_another
from benchwright.cards.dataset.card import render_card

ALL_FORMS = "short,long,interrogative,directive,formal,casual"
CLUB = """
CREATE TABLE club (id INTEGER PRIMARY KEY, name TEXT UNIQUE, town TEXT, founded INTEGER);
CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT UNIQUE, city TEXT, club_id INTEGER REFERENCES club);
INSERT INTO club VALUES (1, 'North Rowers', 'Oslo', 1901), (2, 'Lake Hikers', 'Bern', 1950), (3, 'Harbour Chess', NULL, 1987),
 (4, 'Valley Singers', 'Turin', 1931);
INSERT INTO member VALUES (1, 'Ada Moor', 'Oslo', 1), (2, 'Ben Tal', 'Bergen', 1), (3, 'Cleo Ray', NULL, 2);
"""


CLUBS = ("North Rowers", "Lake Hikers", "Harbour Chess", "Valley Singers")
MEMBERS = ("Ada Moor", "Ben Tal", "Cleo Ray", *(f"Zoe Nr{n}" for n in range(10, 23)))


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    members = "".join(f"INSERT INTO member VALUES ({n}, 'Zoe Nr{n}', 'Bern', 4);" for n in range(10, 23))
    return make_sqlite(tmp_path_factory.mktemp("club") / "club.sqlite", CLUB + members)


def build(root: Path, database: Path, **settings: object) -> Release:
    texts = {key: str(value) for key, value in {"database": database, "commonest": 1, **settings}.items()}
    release = build_release("grammar", texts, render_card, output=root / "releases", name="made")[0]
    found = verify_release(release, f"sqlite:///{database}")
    assert found.problems == [] and dict(found.unchecked) == {}
    return release


def questions(release: Release, form: str = "short") -> list[dict]:
    rows = [row for batch in release.batches("questions", "test") for row in batch.to_pylist()]
    return [row for row in rows if row["form"] == form]


def test_a_list_is_all_that_belongs_to_a_thing_and_neither_one_nor_very_many(club: Path, tmp_path: Path) -> None:
    release = build(tmp_path, club, kinds="list", forms=ALL_FORMS)
    rows = questions(release)
    assert {(row["kind"], row["hops"], row["answer_type"], row["entity"]) for row in rows} == {
        ("list", 2, "set", "North Rowers")
    }
    assert {tuple(row["answers"]) for row in rows} == {("Ada Moor", "Ben Tal")}
    assert "list of members of club North Rowers?" in {row["question"] for row in rows}
    # two clubs with one member or thirteen, the thirteen members in Bern, and one in Oslo and in Bergen each
    assert release.manifest.checks["fillings_left_out"]["too few or too many for a list"] == 5
    for form, wording in (
        ("interrogative", "Who are the members of the club North Rowers?"),
        ("directive", "List the members of the club North Rowers."),
        ("formal", "Please list all members of the club North Rowers."),
        ("casual", "Hey, who are the members of the club North Rowers?"),
    ):
        assert wording in {row["question"] for row in questions(release, form)}
    assert all(len(row["question"].split()) >= 30 for row in questions(release, "long"))


def test_where_nothing_belongs_to_anything_it_is_said(tmp_path: Path) -> None:
    alone = make_sqlite(
        tmp_path / "a.sqlite",
        "CREATE TABLE club (name TEXT PRIMARY KEY, town TEXT); INSERT INTO club VALUES ('A', 'B')",
    )
    with pytest.raises(
        BenchwrightError, match="none of the kind list, for no rows with names point at rows of another"
    ):
        build(tmp_path, alone, kinds="list")


def test_yes_and_no_are_right_equally_often(club: Path, tmp_path: Path) -> None:
    release = build(tmp_path, club, kinds="yes_no", forms=ALL_FORMS, hops=2)
    rows = {row["group"]: row for row in questions(release)}.values()
    assert {(row["kind"], row["answer_type"]) for row in rows} == {("yes_no", "boolean")}
    assert {row["hops"] for row in rows} == {1, 2}
    by_template: dict[str, list[str]] = {}
    for row in rows:
        by_template.setdefault(row["template"], []).append(row["answers"][0])
    assert len(by_template) == 6  # founded and town of a club, city of a member; name, town, founded of a member's club
    assert all(answers.count("yes") == answers.count("no") >= 1 for answers in by_template.values())
    real = {("North Rowers", "1901"), ("Lake Hikers", "1950"), ("Harbour Chess", "1987"), ("Valley Singers", "1931")}
    founded = [row for row in rows if "founded" in row["question"] and row["hops"] == 1]
    assert len(founded) == 4
    for row in founded:
        is_true = any(name in row["question"] and year in row["question"] for name, year in real)
        assert row["answers"] == ["yes" if is_true else "no"], row["question"]
    said = {row["question"] for form in ("interrogative", "directive") for row in questions(release, form)}
    assert any(text.startswith("Tell me whether the town of the club ") and " is " in text for text in said)
    again = build(tmp_path / "again", club, templates=release.folder / "templates", forms=ALL_FORMS)
    assert {row["id"] for row in questions(again)} == {row["id"] for row in questions(release)}


def test_a_sample_has_as_many_that_are_true_as_are_false(club: Path, tmp_path: Path) -> None:
    settings = {"kinds": "yes_no", "hops": 2, "forms": "short", "wordings": 1, "sampling": "stratified"}
    for wanted, groups in ((7, 6), (10, 10)):
        release = build(tmp_path / str(wanted), club, groups=wanted, **settings)
        rows = questions(release)
        answers = [row["answers"] for row in rows]
        assert len(rows) == groups and answers.count(["yes"]) == answers.count(["no"])
        assert {row["entity"] for row in rows if row["hops"] == 1} <= {*CLUBS, *MEMBERS}


@pytest.mark.parametrize(
    ("value", "true", "is_another"),
    [
        ("Oslo", "Bergen", True),
        ("oslo", "Oslo", False),
        ("Olso", "Oslo", False),
        ("Organisation", "Organization", False),
        ("USA", "United States", False),
        ("Sales", "Sales Manager", False),
        ("10", "10.0", False),
        ("100", "101", False),
        ("100", "120", True),
        ("1990-05-04", "May 4, 1990", False),
        ("1990-05-04", "1990-05-05", True),
        ("Zürich", "Zurich", False),
    ],
)
def test_a_false_value_is_plainly_another(value: str, true: str, is_another: bool) -> None:
    assert is_plainly_another(value, true) is is_another


def test_questions_without_an_answer(club: Path, tmp_path: Path) -> None:
    release = build(tmp_path, club, kinds="lookup,unanswerable", forms=ALL_FORMS, hops=2)
    rows = [row for row in questions(release) if row["kind"] == "unanswerable"]
    assert {(row["answerability"], row["answer_type"], tuple(row["answers"])) for row in rows} == {
        ("unanswerable", "none", ())
    }
    assert not any(row["documents"] or row["evidence"] for row in rows)
    asked = {row["question"] for row in rows}
    assert "town of club Harbour Chess" in asked and "city of member Cleo Ray" in asked  # facts that are not there
    with sqlite3.connect(club) as database:
        names = {name for table in ("club", "member") for (name,) in database.execute(f"SELECT name FROM {table}")}
        clubs = dict(database.execute("SELECT member.name, club.name FROM member JOIN club ON club.id = club_id"))
    made = {row["entity"] for row in rows} - names
    assert len(made) >= 5 and not any(name.lower() in {real.lower() for real in names} for name in made)
    said = [row["question"].partition(" whose club is ") for row in questions(release, "interrogative")]
    premises = {
        (first.partition(" named ")[2], club.rstrip("?"))
        for first, mark, club in said
        if mark and first[:8] == "What is "
    }
    assert len(premises) == 10 and all(clubs[member] != club for member, club in premises)
    sorts = {(json.loads(row["metadata"])["no_answer"], row["entity"] in names) for row in rows}
    assert sorts == {("made_name", False), ("null", True), ("false_premise", True)}
    lookups = [row for row in questions(release) if row["kind"] == "lookup"]
    assert {row["metadata"] for row in lookups} == {None}
    assert {row["answerability"] for row in lookups} == {"answerable"} and all(row["documents"] for row in lookups)
    assert build(
        tmp_path / "again", club, kinds="lookup,unanswerable", forms=ALL_FORMS, hops=2
    ).manifest.content_hash == (release.manifest.content_hash)


def test_nothing_but_questions_without_an_answer(club: Path, tmp_path: Path) -> None:
    release = build(tmp_path, club, kinds="unanswerable", hops=1, forms="short", wordings=1)
    assert {row["answerability"] for row in questions(release)} == {"unanswerable"}
    [path] = release.shards("questions", "test")
    rows = pq.read_table(path).to_pylist()
    first = next(row for row in rows if row["metadata"] == '{"no_answer":"null"}')
    for told, says in (('{"no_answer":"made_name"}', "made_name"), (None, "None"), ('{"no_answer":"x"}', "x")):
        first["metadata"] = told
        pq.write_table(pa.Table.from_pylist(rows, schema=QUESTIONS.resolve(())), path)
        wrong = f"its metadata says {says} of why it has no answer, and must say null"
        assert any(wrong in problem for problem in verify_release(release, f"sqlite:///{club}").problems)


ODD = """
CREATE TABLE club (id INTEGER PRIMARY KEY, name TEXT, town TEXT);
CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT, city TEXT, club_id INTEGER REFERENCES club);
INSERT INTO club VALUES (1, 'Łódź «Świt» 東京', 'Zürich'), (2, 'Salt and Pepper', ''), (3, '', 'Bern'), (4, ' ', 'Rome');
INSERT INTO member VALUES (1, 'Smith, John', 'Paris, France', 1), (2, '"Quoted" Name', '', 1), (3, 'Black and White', 'x', 1),
 (4, 'Pat; Ray', 'y', 2), (5, 'Ýrsa Þór', 'z', 2), (6, '', 'Oslo', 3);
"""


def test_odd_names_are_asked_about_and_lists_that_cannot_be_told_apart_are_not(tmp_path: Path) -> None:
    odd = make_sqlite(tmp_path / "odd.sqlite", ODD)
    release = build(tmp_path, odd, kinds="list,unanswerable", forms="short", wordings=1, hops=2)
    rows = questions(release)
    lists = [row["answers"] for row in rows if row["kind"] == "list"]
    assert lists == [['"Quoted" Name', "Black and White", "Smith, John"]]  # Pat; Ray may be one or two
    assert all(row["entity"].strip() for row in rows)


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("unanswerable", "no name can be made of those that are there"),
        ("yes_no", "0 none; use other kinds, or more rows"),
    ],
)
def test_of_one_row_it_is_said_why_nothing_can_be_asked(kind: str, why: str, tmp_path: Path) -> None:
    single = make_sqlite(tmp_path / "one.sqlite", "CREATE TABLE club (name TEXT PRIMARY KEY, town TEXT);"
                         "INSERT INTO club VALUES ('North Rowers', 'Oslo')")  # fmt: skip
    with pytest.raises(BenchwrightError, match=why):
        build(tmp_path, single, kinds=kind)
